import { isObject, type JsonObject } from '../json';

/** What an error says about a request, besides what the server answered. */
export interface About {
	/** Resource and operation as the user reads them, for example "Agent: Update". */
	operation: string;
	/** The permission that an API key needs. */
	permission: string;
	/** The OAuth scope that a token needs, if the reference names one. */
	scope?: string;
	/** What a status means for this operation. */
	hints?: Readonly<Record<number, string>>;
	/** Whether the node has Request Options. The trigger and the editor's lists have none. */
	hasRequestOptions?: boolean;
}

/** What a server says of a refusal. */
export interface Said {
	code?: string;
	message?: string;
	details?: unknown;
}

/** Why a request did not succeed. */
export type Failure =
	| ({ kind: 'answer'; status: number } & Said)
	/** A success without a record: it means the same as 404. */
	| { kind: 'nothing'; status: 404 }
	| { kind: 'malformed'; status: number; what: string }
	| { kind: 'connection'; reason: string; mayHaveActed: boolean }
	| { kind: 'patience'; status: number; askedMs: number; capMs: number; said: Said }
	| { kind: 'unsent'; reason: string; fix?: string };

/** What happened to a request before it failed. */
export interface Tried {
	/** The request changes nothing. */
	isRead?: boolean;
	/** The request is a change, and an earlier try may have been carried out. */
	mayHaveActed?: boolean;
}

interface Explanation {
	message: string;
	description: string;
}

const MAYBE_DONE =
	'An earlier try of this request got no clear answer, so the change may have been made. Look at the record in YK Voice before you run it again.';

const MAYBE_CHANGED =
	'If the request was a change, it may have been made. Look at the record in YK Voice before you run it again.';

/** The doubt about a change whose answer did not come. A read changes nothing. */
const doubtAbout = (isRead: boolean) => (isRead ? '' : ` ${MAYBE_CHANGED}`);

/** A server may answer these to a change that it carried out. */
export const MOVED_ON = new Set([302, 303]);

/** Reference: "Authentication" 5 and 8. The full list of scopes is not shown. */
const KNOWN_SCOPES = 'agents:read, agents:write, usage:read and offline_access';

/** Advice that names a request option, if the node has them. */
const orLater = ({ hasRequestOptions }: About, advice: string) =>
	hasRequestOptions ? advice : 'Try again later. A trigger does so by itself, with its next poll.';

/** The reason of a timeout. A request option helps only with this one. */
export const TIMED_OUT = 'timed out';

/**
 * Words for the user: what happened, and what to do.
 * Reference: "Errors" and "Authentication" 4 to 6.
 */
export function explain(
	about: About,
	failure: Failure,
	isOAuth: boolean,
	{ isRead = false, mayHaveActed = false }: Tried = {},
): Explanation {
	const { what, fix, isDoubtful } = partsOf(about, failure, isOAuth, isRead);
	return {
		message: `${about.operation}: ${what}`,
		description: mayHaveActed && !isDoubtful ? `${MAYBE_DONE} ${fix}` : fix,
	};
}

interface Parts {
	what: string;
	fix: string;
	/** The fix already says that a change may have been made. */
	isDoubtful?: boolean;
}

function partsOf(about: About, failure: Failure, isOAuth: boolean, isRead: boolean): Parts {
	switch (failure.kind) {
		case 'connection':
			return partsOfConnection(about, failure, isRead);
		case 'unsent':
			return {
				what: failure.reason,
				fix: failure.fix ?? 'The request was not sent. Check the credential and run again.',
			};
		case 'malformed':
			return {
				what: `the answer could not be used: ${failure.what}`,
				fix: `The server answered with status ${failure.status}, but not in the form of the YK Voice API. Check the 'Base URL' of the credential, and any proxy in between.${doubtAbout(isRead)}`,
				isDoubtful: true,
			};
		case 'patience':
			return {
				what: `the server is busy (status ${wordsOf(failure.status, failure.said)}) and asks to wait longer than allowed`,
				fix: `The next try was due in ${seconds(failure.askedMs)}. With it, this request would have waited longer than the 'Max Wait' of ${seconds(failure.capMs)}. ${orLater(about, "Raise 'Max Wait' in 'Request Options', or send fewer items at a time.")}${withDetails(failure.said)}`,
			};
		case 'nothing':
			return {
				what: 'nothing found',
				fix: `The API answered without a record. ${adviceFor(404, about, isOAuth, true)}`,
			};
		case 'answer':
			return partsOfAnswer(about, failure, isOAuth, isRead);
	}
}

function partsOfConnection(
	about: About,
	{ reason, mayHaveActed }: Failure & { kind: 'connection' },
	isRead: boolean,
): Parts {
	const what = `no answer from the server (${reason})`;
	const checkUrl = "Check the 'Base URL' of the credential, and that this n8n can reach it.";
	if (!mayHaveActed) return { what, fix: `${checkUrl} This try changed nothing.` };
	const raiseTimeout = orLater(
		about,
		"If the server needs longer, raise 'Timeout' in 'Request Options'.",
	);
	const fix = `The connection broke after the request was sent.${doubtAbout(isRead)}`;
	return { what, fix: reason === TIMED_OUT ? `${fix} ${raiseTimeout}` : fix, isDoubtful: true };
}

function partsOfAnswer(
	about: About,
	failure: Failure & { kind: 'answer' },
	isOAuth: boolean,
	isRead: boolean,
): Parts {
	const { status } = failure;
	const mayHaveMoved = !isRead && MOVED_ON.has(status);
	const advice = adviceFor(status, about, isOAuth, isRead);
	return {
		what: wordsOf(status, failure),
		fix: `${advice}${mayHaveMoved ? ` ${MAYBE_CHANGED}` : ''}${withDetails(failure)}`,
		isDoubtful: status >= 500 || mayHaveMoved,
	};
}

function wordsOf(status: number, { code, message }: Said): string {
	const said = [code, message].filter(Boolean).join(': ');
	return `${status}${said ? ` ${said}` : ''}`;
}

function withDetails({ details }: Said): string {
	const text = detailText(details);
	return text ? ` Details from the API: ${text}` : '';
}

function adviceFor(status: number, about: About, isOAuth: boolean, isRead: boolean): string {
	// Some servers answer 422 where the reference says 400.
	const hint = about.hints?.[status] ?? (status === 422 ? about.hints?.[400] : undefined);
	if (hint !== undefined) return hint;
	switch (status) {
		case 400:
		case 422:
			return 'The API refused the data. Correct the value named above and run again.';
		case 401:
			return isOAuth
				? `The access token was not accepted. Reconnect the OAuth2 credential.${about.scope ? '' : ' If that does not help, use an API key: it works everywhere.'}`
				: 'The API key was not accepted. Check the key in the credential: it begins with yk_, and it may have been revoked.';
		case 403:
			return isOAuth
				? `${scopeAdvice(about)} An API key works everywhere.`
				: `The API key lacks a permission. This operation needs ${about.permission}.`;
		case 404:
			return 'There is no such record in this account. Check the ID, and that the credential belongs to the right account.';
		case 409:
			return 'The request conflicts with what is stored. For example, the record was changed in the meantime, or a phone number or SKU is already in use. Read the record, correct the values and run again.';
		case 429:
			return `The API accepts only so many requests in a certain time. ${orLater(about, "Send fewer items at a time, or raise 'Max Wait' in 'Request Options'.")}`;
		default:
			return adviceForClass(status, isRead);
	}
}

function scopeAdvice({ scope }: About): string {
	return scope === undefined
		? `This access token may lack a scope. The scopes that this node knows are ${KNOWN_SCOPES}; your provider may have more, such as a general one for writing.`
		: `This access token may lack a scope. This operation needs the scope ${scope}: add it in the OAuth2 credential, then reconnect.`;
}

function adviceForClass(status: number, isRead: boolean): string {
	if (status >= 500) {
		const fix = isRead
			? 'Try again later.'
			: 'If the request was a change, check in YK Voice whether the change took effect before you send it again.';
		return `The server could not complete the request. ${fix}`;
	}
	if (status >= 300 && status < 400) {
		return "The server redirects to another address, and the key is not sent there. Set the 'Base URL' of the credential to the final address. If only the slash at the end differs, send the request to that path with 'API Request'.";
	}
	return 'The API refused the request. Correct what the message names and run again.';
}

/** An answer's details as text, whatever their form. */
export function detailText(details: unknown): string {
	if (details === null || details === undefined || details === '') return '';
	if (typeof details === 'string') return details;
	if (Array.isArray(details)) return details.map(detailText).filter(Boolean).join('; ');
	return isObject(details) ? (fieldText(details) ?? JSON.stringify(details)) : String(details);
}

/** What is wrong with one field, as many servers write it: `{ loc: ['body', 'phone'], msg }`. */
function fieldText({ loc, field, msg, message = msg }: JsonObject): string | undefined {
	if (typeof message !== 'string') return undefined;
	const place = [loc ?? field ?? []].flat().join('.');
	return place ? `${place}: ${message}` : message;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
