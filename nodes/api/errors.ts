import { isObject, type JsonObject } from '../json';

/** What the caller knows of a request that the server's answer does not say. */
export interface About {
	/** Resource and operation as the user reads them, for example "Agent: Update". */
	operation: string;
	/** The API key permission that the reference asks for. */
	permission: string;
	/** The OAuth scope that the reference asks for, where it names one. */
	scope?: string;
	/** What a status means for this operation in particular. */
	hints?: Readonly<Record<number, string>>;
	/** Whether there are Request Options: the action node has them, the trigger and the lists do not. */
	hasRequestOptions?: boolean;
}

/** What a server says of a failure. */
export interface Said {
	code?: string;
	message?: string;
	details?: unknown;
}

/** A request that did not succeed, as far as it got. */
export type Failure =
	| ({ kind: 'answer'; status: number } & Said)
	| { kind: 'malformed'; status: number; what: string }
	| { kind: 'connection'; reason: string; mayHaveActed: boolean }
	| { kind: 'patience'; status: number; askedMs: number; capMs: number; said: Said }
	| { kind: 'unsent'; reason: string; fix?: string };

/** What became of a request before it failed. */
export interface Tried {
	/** It changes nothing. */
	isRead?: boolean;
	/** It is a change, and an earlier try of it may have been carried out. */
	mayHaveActed?: boolean;
}

export interface Explanation {
	message: string;
	description: string;
}

const SERVER_SIDE =
	'The server could not complete the request. If it was to change something, check in YK Voice whether the change took effect before you send it again.';

const MAYBE_DONE =
	'An earlier try of this request failed without telling whether it was carried out, and may have been: look at the record in YK Voice before you run it again.';

const MAYBE_CHANGED =
	'If the request was to change something, the change may have taken effect: look at the record in YK Voice before you run this again.';

/** With these a server may answer a change that it carried out: what came of it is elsewhere. */
export const MOVED_ON = new Set([302, 303]);

/** Advice that names a setting, where there is that setting. */
const orLater = ({ hasRequestOptions }: About, advice: string) =>
	hasRequestOptions ? advice : 'Try again later; the trigger does so with its next poll.';

/** The one reason for which there is a setting. */
export const TIMED_OUT = 'timed out';

/**
 * Words for the user: what happened, and the fix.
 * Reference: "Errors" and "Authentication" 4 to 6.
 */
export function explain(
	about: About,
	failure: Failure,
	oauth: boolean,
	{ isRead = false, mayHaveActed = false }: Tried = {},
): Explanation {
	const say = (what: string, fix: string, isTold = false): Explanation => ({
		message: `${about.operation}: ${what}`,
		description: mayHaveActed && !isTold ? `${MAYBE_DONE} ${fix}` : fix,
	});
	switch (failure.kind) {
		case 'connection':
			return say(
				`no answer from the server (${failure.reason})`,
				failure.mayHaveActed
					? `The connection broke after the request was sent. ${MAYBE_CHANGED}${failure.reason === TIMED_OUT ? ` ${orLater(about, "Where the server needs longer, raise 'Timeout' in 'Request Options'.")}` : ''}`
					: `Check the 'Base URL' of the credential and that this n8n can reach it.${mayHaveActed ? '' : ' Nothing was changed.'}`,
				failure.mayHaveActed,
			);
		case 'unsent':
			return say(
				failure.reason,
				failure.fix ?? 'The request could not be sent. Check the credential, then run again.',
			);
		case 'malformed':
			return say(
				`the answer could not be used: ${failure.what}`,
				`The server answered with status ${failure.status}, but not as the YK Voice API does. Check the 'Base URL' of the credential, and any proxy on the way.${isRead ? '' : ` ${MAYBE_CHANGED}`}`,
				true,
			);
		case 'patience':
			return say(
				`the server is busy (status ${wordsOf(failure.status, failure.said)}) and asks to wait longer than allowed`,
				`The next attempt was due in ${seconds(failure.askedMs)}, beyond the 'Max Wait' of ${seconds(failure.capMs)} for one request. ${orLater(about, "Raise 'Max Wait' in 'Request Options', or send fewer items at a time.")}${withDetails(failure.said)}`,
			);
		case 'answer': {
			const { status } = failure;
			const fix = about.hints?.[status] ?? adviceFor(status, about, oauth);
			const told = !isRead && MOVED_ON.has(status) ? `${fix} ${MAYBE_CHANGED}` : fix;
			return say(wordsOf(status, failure), `${told}${withDetails(failure)}`, status >= 500);
		}
	}
}

function wordsOf(status: number, { code, message }: Said): string {
	const said = [code, message].filter(Boolean).join(': ');
	return `${status}${said ? ` ${said}` : ''}`;
}

function withDetails({ details }: Said): string {
	const text = detailText(details);
	return text ? ` Details from the API: ${text}` : '';
}

function adviceFor(status: number, about: About, oauth: boolean): string {
	switch (status) {
		case 400:
			return 'The API refused the data. Correct the value named above and run again.';
		case 401:
			return oauth
				? `The access token was not accepted. Reconnect the OAuth2 credential${about.scope ? '' : ', or use an API key: the API accepts OAuth tokens on some endpoints only'}.`
				: 'The API key was not accepted. Check the key in the credential: it begins with yk_, and it may have been revoked.';
		case 403:
			return oauth
				? `The access token lacks a permission. This operation needs ${about.scope ? `the scope ${about.scope}` : 'an API key: the API accepts OAuth tokens on some endpoints only'}.`
				: `The API key lacks a permission. This operation needs ${about.permission}.`;
		case 404:
			return 'There is no such record, or it belongs to another organization than this credential.';
		case 409:
			return 'Someone else changed this record at the same time. Read it again and repeat the change.';
		case 429:
			return `The API is rate limited. ${orLater(about, "Send fewer items at a time, or raise 'Max Wait' in 'Request Options'.")}`;
		default:
			if (status >= 500) return SERVER_SIDE;
			if (status >= 300 && status < 400) {
				return "The server redirects to another address, and the key is not sent there. Set the 'Base URL' of the credential to the final address; where only the slash at the end differs, send it to that path with 'API Request'.";
			}
			return 'The API refused the request. Mend what it names above and run again.';
	}
}

function detailText(details: unknown): string {
	if (details === null || details === undefined || details === '') return '';
	if (typeof details === 'string') return details;
	if (Array.isArray(details)) return details.map(detailText).filter(Boolean).join('; ');
	return isObject(details) ? (complaintText(details) ?? JSON.stringify(details)) : String(details);
}

/** A complaint about one field, as typed services write it: `{ loc: ['body', 'phone'], msg }`. */
function complaintText({ loc, field, msg, message = msg }: JsonObject): string | undefined {
	if (typeof message !== 'string') return undefined;
	const place = [loc ?? field ?? []].flat().join('.');
	return place ? `${place}: ${message}` : message;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
