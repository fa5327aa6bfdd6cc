/** What an error says about a request, besides what the server answered. */
export interface About {
	permission: string;
	/** The OAuth scope that a token needs, if the reference names one. */
	scope?: string;
	hints?: Readonly<Record<number, string>>;
	/** Whether it works for input items. The trigger and the editor's lists do not. */
	hasItems?: boolean;
	hasTimeout?: boolean;
	/** It reads a whole list, or the only record of its kind. No ID can be wrong. */
	isWithoutId?: boolean;
}

export interface ServerWords {
	code?: string;
	message?: string;
	details?: unknown;
}

export type Failure =
	| ({
			kind: 'answer';
			status: number;
			/** By its header, in ms. */
			retryAfterMs?: number;
			/** It was the answer to another request. This one waited for that, and was not sent then. */
			isOfOther?: boolean;
	  } & ServerWords)
	/** A success without a record: it means the same as 404. */
	| { kind: 'nothing'; status: 404 }
	| { kind: 'malformed'; status: number; what: string }
	| { kind: 'connection'; reason: string; mayHaveActed: boolean; fix?: string }
	| { kind: 'unsent'; reason: string; fix?: string };

export const statusOf = (failure: Failure) => ('status' in failure ? failure.status : undefined);

/** Whether the server may have carried out a change although there was no success. */
export function mayHaveActed(failure: Failure): boolean {
	if (failure.kind === 'connection') return failure.mayHaveActed;
	const status = statusOf(failure) ?? 0;
	if (failure.kind === 'malformed') return status !== 404;
	if (failure.kind === 'answer' && failure.isOfOther) return false;
	return status >= 500 || UNCLEAR.includes(status);
}

export interface Circumstances {
	about: About;
	isOAuth: boolean;
	isRead?: boolean;
	/** An earlier try of this request may have been carried out. */
	mayHaveActed?: boolean;
	/** The next try would have to wait longer than the user allows, in ms. */
	wait?: { ms: number; mostMs: number };
}

const LOOK_FIRST =
	'the change may have been made. Look at the record in YK Voice before you run it again.';

/** What servers in between answer if they stop waiting (408), or if the call behind them was cut off (499). */
const GAVE_UP = [408, 499];

/** A server that has carried out a change may redirect to its result (RFC 9110, 15.4.3 and 15.4.4). */
const UNCLEAR = [302, 303, ...GAVE_UP];

/** The reason of a timeout. A request option helps only with this one. */
export const TIMED_OUT = 'timed out';

/**
 * Words for the user: what happened, with the status and the code of the API in brackets, and what to do.
 * `mayHaveChanged`: a change may have been made although it failed.
 * Reference: "Errors" and "Authentication" 4 to 6.
 */
export function explain(
	failure: Failure,
	circumstances: Circumstances,
): { message: string; description: string; mayHaveChanged: boolean } {
	const { isRead, mayHaveActed: mayEarlierTry } = circumstances;
	const [title, advice, details] = wordsFor(failure, circumstances);
	const isDoubtful = mayHaveActed(failure);
	const description = [
		mayEarlierTry &&
			!isDoubtful &&
			`An earlier try of this request got no clear answer, so ${LOOK_FIRST}`,
		advice,
		isDoubtful && !isRead && `If the request was a change, ${LOOK_FIRST}`,
		details && !title.includes(details) && `Details from the API: ${details}`,
	];
	return {
		message: title,
		description: description.filter(Boolean).join(' '),
		mayHaveChanged: !isRead && Boolean(isDoubtful || mayEarlierTry),
	};
}

/** After publishing, n8n shows the title alone. */
type Words = [title: string, advice: string, details?: string];

function wordsFor(failure: Failure, circumstances: Circumstances): Words {
	if (failure.kind === 'answer') return wordsForAnswer(failure, circumstances);
	if (failure.kind === 'connection') {
		const advice = failure.fix ?? adviceForConnection(failure, circumstances);
		return [`No answer from the server (${failure.reason})`, advice];
	}
	if (failure.kind === 'unsent')
		return [
			failure.reason,
			failure.fix ?? 'The request was not sent. Check the credential and run again.',
		];
	if (failure.kind === 'nothing') {
		const [title, advice] = firstSentence(adviceForStatus(failure, circumstances));
		return [`${title} (nothing found)`, advice];
	}
	const { what, status } = failure;
	const hint = circumstances.about.hints?.[status] ?? '';
	return [
		`The answer could not be used: ${what} (${status})`,
		`The server is not the YK Voice API, or a proxy is in between. Check the 'Base URL' of the credential. ${hint}`.trim(),
	];
}

/** Codes that say what the sentence of the node says, too. Reference: "Errors". */
const PLAIN_CODES = ['AUTHENTICATION_FAILED', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'];

function wordsForAnswer(
	failure: Failure & { kind: 'answer' },
	circumstances: Circumstances,
): Words {
	const { about, wait, mayHaveActed: mayEarlierTry } = circumstances;
	const { status, code, message } = failure;
	const isPlain = code !== undefined && PLAIN_CODES.includes(code);
	// An update by phone may have changed the number, so nobody has it now.
	const isMoved = mayEarlierTry && status === 404;
	const [happened, advice] = isMoved
		? ['The record no longer exists under this ID', '']
		: wait
			? [
					'The server is busy',
					`The next try was due in ${seconds(wait.ms)}. With it, this request would have waited longer than ${seconds(wait.mostMs)}. ${orLater(about, FEWER)}`,
				]
			: firstSentence(adviceForStatus(failure, circumstances));
	const title = [happened, !isPlain && message].filter(Boolean).join(': ');
	const details = [isPlain && message, detailText(failure.details)].filter(Boolean).join('; ');
	return [`${title} (${[status, code].filter(Boolean).join(' ')})`, advice, details];
}

function firstSentence(text: string): [first: string, rest: string] {
	const [first = '', ...rest] = text.split('. ');
	return [first.replace(/\.$/, ''), rest.join('. ')];
}

function adviceForConnection(
	{ reason, mayHaveActed: mayHave }: Failure & { kind: 'connection' },
	{ about, isRead }: Circumstances,
): string {
	const later = isRead ? 'Try again later.' : '';
	if (!mayHave) return isRead ? UNREACHABLE : `${UNREACHABLE} Nothing was changed.`;
	const broke = isRead
		? 'The connection broke.'
		: 'The connection broke, and the request may have been sent.';
	const advice = reason === TIMED_OUT ? orLater(about, about.hasTimeout ? SLOW : later) : later;
	return `${broke} ${advice}`.trim();
}

const UNREACHABLE = "Check the 'Base URL' of the credential, and that this n8n can reach it.";
const FEWER = 'Send fewer items at a time.';
const SLOW = "If the server needs longer, raise 'Timeout' in 'Options'.";

/** Advice for a user who chooses the items and when they are sent. */
const orLater = ({ hasItems }: About, advice: string) =>
	hasItems ? advice : 'Try again later. A trigger does so by itself, with its next poll.';

function adviceForStatus(
	{ status }: { status: number },
	{ about, isOAuth, isRead }: Circumstances,
): string {
	const { hints, permission, scope, isWithoutId } = about;
	const hint = hints?.[status];
	if (hint !== undefined) return hint;
	const later = isRead ? ' Try again later.' : '';
	switch (status) {
		case 400:
		case 422:
			return 'The API refused the data. Correct the value named above and run again.';
		case 401:
			return isOAuth
				? 'The access token was not accepted. Reconnect the OAuth2 credential. If that does not help, use an API key: it works everywhere.'
				: 'The API key was not accepted. Check the key in the credential: it begins with yk_, and it may have been revoked.';
		case 403:
			return isOAuth
				? `This access token may lack a scope${scope === undefined ? '' : `: this operation needs the scope ${scope}`}. Add it in the OAuth2 credential and reconnect. An API key works everywhere.`
				: `The API key is missing a permission. This operation needs ${permission}.`;
		case 404:
			return isWithoutId
				? "The API has nothing under this path. Check the 'Base URL' of the credential: it ends in /v1."
				: 'There is no such record in this account. Check the ID: Get Many shows it. Check also that the credential belongs to the right account.';
		case 409:
			return 'The request conflicts with what is stored. For example, the record was changed in the meantime, or a phone number or SKU is already in use. Read the record, correct the values and run again.';
		case 429:
			return `The API accepts only so many requests in a certain time. ${orLater(about, FEWER)}`;
	}
	if (status >= 500 || GAVE_UP.includes(status))
		return `The server could not complete the request.${later}`;
	return status >= 300 && status < 400
		? "The server redirects to another address. The key is not sent there. Set the 'Base URL' of the credential to the final address. If only the slash at the end differs, send the request to that path with 'API Request'."
		: 'The API refused the request. Correct what the message names and run again.';
}

/** Reference: details are a text, a list of texts, an object or null. */
const detailText = (details: unknown): string =>
	[details ?? []]
		.flat()
		.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
		.filter(Boolean)
		.join('; ');

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
