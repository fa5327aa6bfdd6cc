import { isObject } from '../json';
import { TIMED_OUT, type Failure } from './errors';

/** An HTTP answer as n8n's request helper hands it over. */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** The envelope of a successful answer. Reference: "Response envelope". */
export interface Envelope {
	data: unknown;
	meta?: { total_items?: unknown } | null;
	/** The server's clock when it answered, in ms since 1970, where the Date header shows it. */
	at?: number;
}

/**
 * What is wrong with an answer, or undefined where it is a successful envelope. A status of
 * 2xx is not enough: an HTML page, a truncated body, `ok: false` and a missing `data` are
 * failures too. Reference: "Response envelope" and "Errors".
 */
export function judge({ statusCode: status, headers, body }: HttpAnswer): Failure | undefined {
	const envelope = isObject(body) ? body : undefined;
	const error = isObject(envelope?.error) ? envelope.error : {};
	const refusal: Failure = {
		kind: 'answer',
		status,
		code: nonEmptyText(error.code),
		message: nonEmptyText(error.message),
		details: error.details,
	};
	const malformed = (what: string): Failure => ({ kind: 'malformed', status, what });

	if (status >= 300 && status < 400) {
		return { ...refusal, message: `redirects to ${nonEmptyText(headers.location) ?? 'nowhere'}` };
	}
	if (status < 200 || status > 299) return refusal;
	if (envelope === undefined) return malformed(describeBody(body, headers));
	if (envelope.ok === false) return refusal;
	if (envelope.ok !== true) return malformed('it has no field "ok"');
	if (envelope.data === undefined) return malformed('it has no field "data"');
	if (envelope.data !== null && typeof envelope.data !== 'object') {
		return malformed('its data is neither a record nor a list');
	}
	return undefined;
}

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
	if (body === undefined || body === null || body === '') return 'it is empty';
	if (typeof body !== 'string') return 'it is no JSON object';
	const start = body.slice(0, 60).replace(/\s+/g, ' ');
	return `it is no JSON but "${start}" (${nonEmptyText(headers['content-type']) ?? 'no content type'})`;
}

function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
