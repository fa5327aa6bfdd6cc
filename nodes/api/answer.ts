import { isObject, type JsonObject } from '../json';
import { TIMED_OUT, type Failure, type Said } from './errors';

/** An HTTP answer as n8n's request helper hands it over. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** The envelope of a successful answer. Reference: "Response envelope". */
export interface Envelope {
	data: unknown;
	meta?: { total_items?: unknown; limit?: unknown } | null;
	/** The server's clock when it answered, in ms since 1970, where the Date header shows it. */
	at?: number;
}

/** What was asked for, as far as it decides what is an answer to it. */
export interface Asked {
	method: string;
	/** There may be nothing to read, or no record: a call in which nothing was said, a summary as text. */
	mayBeEmpty?: boolean;
}

/**
 * What is wrong with an answer, or undefined where it is a success. A status of 2xx is not enough: an
 * HTML page, a truncated body and `ok: false` are failures too. With which status and what data a
 * change is answered is not shown, so nothing is enough there; a read needs data.
 * Reference: "Response envelope" and "Errors".
 */
export function judge(
	{ statusCode: status, headers, body }: HttpAnswer,
	{ method, mayBeEmpty = method !== 'GET' }: Asked,
): Failure | undefined {
	const malformed = (what: string): Failure => ({ kind: 'malformed', status, what });
	const refusal = (): Failure => ({ kind: 'answer', status, ...saidIn(body) });

	if (status >= 300 && status < 400) {
		const message = `redirects to ${nonEmptyText(headers.location) ?? 'nowhere'}`;
		return { kind: 'answer', status, message };
	}
	if (status < 200 || status > 299) return refusal();
	if (isEmpty(body) && mayBeEmpty) return undefined;
	if (!isObject(body)) return malformed(describeBody(body, headers));
	if (body.ok === false) return refusal();
	if (body.ok !== true) return malformed('it has no field "ok"');
	if (mayBeEmpty) return undefined;
	if (body.data === undefined) return malformed('it has no field "data"');
	if (body.data !== null && typeof body.data !== 'object') {
		return malformed('its data is neither a record nor a list');
	}
	return undefined;
}

/** The envelope of a success; without a body, one that holds nothing. */
export function envelopeOf({ body, headers }: HttpAnswer): Envelope {
	const { data = null, meta } = (isObject(body) ? body : {}) as Partial<Envelope>;
	const at = Date.parse(String(headers.date));
	return { data, meta, ...(!Number.isNaN(at) && { at }) };
}

/**
 * Where a redirect leads that only adds or takes the slash at the end of the path: servers that
 * insist on one do so. It is on the origin that was asked, whatever else the redirect says, so the
 * key goes nowhere else. Undefined for any other, and for a change after a 302, which may be what a
 * server answers once it has carried the change out; the others say that it lives elsewhere.
 */
export function slashRedirect(
	{ statusCode: status, headers }: HttpAnswer,
	{ method, url }: { method: string; url: string },
): string | undefined {
	const isRepeatable = method === 'GET' ? [301, 302, 307, 308] : [301, 307, 308];
	if (!isRepeatable.includes(status)) return undefined;
	const location = nonEmptyText(headers.location);
	if (location === undefined || !URL.canParse(location, url)) return undefined;
	const asked = new URL(url);
	const target = new URL(location, url);
	if (target.host !== asked.host || target.pathname === asked.pathname) return undefined;
	if (bare(target) !== bare(asked)) return undefined;
	asked.pathname = target.pathname;
	return asked.href;
}

const bare = ({ pathname }: URL) => pathname.replace(/\/$/, '');

/**
 * What the server says of a failure, in the envelope or in another form: `detail`, `errors` or a
 * message outside of it, or the page of a proxy.
 */
function saidIn(body: unknown): Said {
	if (typeof body === 'string') return { message: pageText(body) };
	if (!isObject(body)) return {};
	const { error } = body;
	const from: JsonObject = isObject(error) ? { ...body, ...error } : body;
	const message = [from.message, error, from.detail, from.error_description, from.title];
	const said = message.map(nonEmptyText).find((text) => text !== undefined);
	const details = [from.details, from.detail === said ? undefined : from.detail, from.errors];
	return {
		code:
			nonEmptyText(from.code) ?? (typeof from.code === 'number' ? String(from.code) : undefined),
		message: said,
		details: details.find((each) => !isEmpty(each)),
	};
}

/** What a page says: its heading or title, if there are words in it, else its text. */
function pageText(page: string): string | undefined {
	const inTag = (tag: string) => new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'is').exec(page)?.[1];
	const text = page.replace(/<(style|script)\b.*?<\/\1>/gis, ' ');
	return [inTag('h1'), inTag('title'), text]
		.map((part = '') =>
			part
				.replace(/<[^>]*>/g, ' ')
				.replace(/\s+/g, ' ')
				.trim()
				.slice(0, 200),
		)
		.find((part) => /\p{L}/u.test(part));
}

const isEmpty = (body: unknown) =>
	body === undefined ||
	body === null ||
	body === '' ||
	(typeof body === 'object' && Object.keys(body).length === 0);

/**
 * The failure behind an error of n8n's request helper that no answer came with: a connection, or
 * the refresh of an OAuth2 token. Undefined where the error was raised before any connection was
 * tried, such as by the credential itself.
 */
export function connectionFailure(error: unknown): Failure | undefined {
	const cause = causeOf(error);
	const code = nonEmptyText(cause?.code);
	if (code === undefined) return undefined;
	if (REFRESH_REFUSED.test(code)) {
		return { kind: 'answer', status: 401, message: 'the access token could not be refreshed' };
	}
	const unreached = UNREACHED.test(code) || /^connect /.test(nonEmptyText(cause?.message) ?? '');
	return {
		kind: 'connection',
		reason: REASONS[code] ?? code.toLowerCase(),
		mayHaveActed: !unreached,
	};
}

/** The failure behind any other error of n8n's request helper, such as of the credential itself. */
export function unsent(error: unknown): Failure {
	const { message, description } = isObject(error) ? error : {};
	return {
		kind: 'unsent',
		reason:
			nonEmptyText(causeOf(error)?.message) ??
			nonEmptyText(message) ??
			'the request could not be sent',
		fix: nonEmptyText(description),
	};
}

/**
 * The answer inside an error of n8n's request helper: with an OAuth2 credential all but a success is
 * thrown. An answer that was cut off comes with its status too, and is none.
 */
export function answerInError(error: unknown): HttpAnswer | undefined {
	const response = causeOf(error)?.response;
	if (!isObject(response) || typeof response.status !== 'number') return undefined;
	if (response.status < 300) return undefined;
	const headers = isObject(response.headers) ? response.headers : {};
	return { statusCode: response.status, headers, body: response.data };
}

/** What n8n's OAuth2 client says of an answer of the token endpoint that it cannot use. */
const REFRESH_REFUSED = /^(EAUTH|ESTATUS)$/;

const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO)$|CERT|^ERR_(TLS|SSL)|^UNABLE_TO/;

// n8n replaces any message that contains a code such as ECONNRESET with a general one of its own.
const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name could not be looked up',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
	EPROTO: 'no secure connection; is the address one of http:// rather than https://?',
	ECONNRESET: 'connection reset',
	EPIPE: 'connection closed',
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	ERR_BAD_RESPONSE: 'answer cut off',
	ERR_CANCELED: 'cancelled',
};

function causeOf(error: unknown): Record<string, unknown> | undefined {
	const cause = isObject(error) ? error.cause : undefined;
	return isObject(cause) ? cause : undefined;
}

function describeBody(body: unknown, headers: Record<string, unknown>): string {
	if (isEmpty(body)) return 'it is empty';
	if (typeof body !== 'string') return 'it is no JSON object';
	const start = body.slice(0, 60).replace(/\s+/g, ' ');
	return `it is no JSON but "${start}" (${nonEmptyText(headers['content-type']) ?? 'no content type'})`;
}

function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
