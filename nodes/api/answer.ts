import { isObject, type JsonObject } from '../json';
import { TIMED_OUT, type Failure, type Said } from './errors';

/** An HTTP answer from n8n's request helper. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** The envelope of a successful answer. Reference: "Response envelope". */
export interface Envelope {
	data: unknown;
	meta?: { total_items?: unknown; limit?: unknown } | null;
	/** When the server answered by its own clock, in ms since 1970, if it sent a Date header. */
	at?: number;
}

/** What was asked for. It decides what counts as an answer. */
export interface Asked {
	method: string;
	/** An answer without a record is right too, such as the transcript of a silent call. */
	mayBeEmpty?: boolean;
}

/**
 * What is wrong with an answer; undefined if it is a success. A status of 2xx is not enough: an HTML
 * page, a truncated body and `ok: false` are failures too. A read needs data. A change does not, because
 * the reference does not show what it is answered with.
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

/** The envelope of a success. Without a body it holds nothing. */
export function envelopeOf({ body, headers }: HttpAnswer): Envelope {
	const { data = null, meta } = (isObject(body) ? body : {}) as Partial<Envelope>;
	const at = Date.parse(String(headers.date));
	return { data, meta, ...(!Number.isNaN(at) && { at }) };
}

/**
 * The new address of a redirect that only adds or removes the slash at the end of the path. It stays on
 * the host that was asked, so the key goes nowhere else. Undefined for any other redirect. Also undefined
 * for a change after a 302, because a server may answer so when it has carried the change out.
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
 * What the server says about a failure. It may stand in the envelope, in `detail`, `errors` or `message`
 * beside it, or on the page of a proxy.
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

/** The heading of a page, else its title, else its text. Each part of the page is looked at once. */
function pageText(page: string): string | undefined {
	const [, heading = ''] = page.split(/<h1\b[^>]*>?/i, 2);
	const [, title = ''] = page.split(/<title\b[^>]*>?/i, 2);
	const [start = '', ...unseen] = page.split(/<(?:style|script)\b/i);
	const rest = unseen.map((part) =>
		part
			.split(/<\/(?:style|script)>/i)
			.slice(1)
			.join(' '),
	);
	return [
		heading.split(/<\/h1>/i, 1)[0],
		title.split(/<\/title>/i, 1)[0],
		[start, ...rest].join(' '),
	]
		.map((part = '') =>
			part
				.replace(/<[^>]*>?/g, ' ')
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
 * The failure behind an error of n8n's request helper without an answer: of the connection, or of
 * renewing an OAuth2 token. Undefined if no connection was tried, for example because the credential
 * failed.
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

/** The failure behind any other error of n8n's request helper: the request was not sent. */
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
 * The answer inside an error of n8n's request helper. With an OAuth2 credential, n8n throws every answer
 * that is not a success. A success that was cut off is thrown too, but is not an answer.
 */
export function answerInError(error: unknown): HttpAnswer | undefined {
	const response = causeOf(error)?.response;
	if (!isObject(response) || typeof response.status !== 'number') return undefined;
	if (response.status < 300) return undefined;
	const headers = isObject(response.headers) ? response.headers : {};
	return { statusCode: response.status, headers, body: response.data };
}

/** The codes of n8n's OAuth2 client for an answer of the token endpoint that it cannot use. */
const REFRESH_REFUSED = /^(EAUTH|ESTATUS)$/;

const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO)$|CERT|^ERR_(TLS|SSL)|^UNABLE_TO/;

// n8n replaces a message that contains a code such as ECONNRESET by a general one of its own.
const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name could not be looked up',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
	EPROTO: 'no secure connection; does the address begin with http:// instead of https://?',
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
	if (typeof body !== 'string') return 'it is not a JSON object';
	const start = body.slice(0, 60).replace(/\s+/g, ' ');
	return `it is not JSON but "${start}" (${nonEmptyText(headers['content-type']) ?? 'no content type'})`;
}

function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
