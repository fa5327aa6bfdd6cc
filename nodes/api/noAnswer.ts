import type { NodeApiError } from 'n8n-workflow';

import { isObject } from '../json';
import { nonEmptyText, type HttpAnswer } from './answer';
import { TIMED_OUT, type Failure } from './errors';

/** A request got no answer, or not the whole of it. */
export class NoAnswerError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super('There is no answer');
		this.failure = failure;
	}
}

/** What passes between n8n's helper and its HTTP client, for OAuth2. */
export interface Seen {
	/** Whether the request went out. Undefined if nobody knows. */
	isSent?: boolean;
	/** The access token that was sent. */
	token?: string;
	/** Whether the request was sent again, with a token that n8n fetched for it. */
	isRenewed?: boolean;
	/** What the client threw. n8n 1 and 2.20 would drop the answer in it. n8n may try to renew a token then. */
	error?: unknown;
}

/** The request was under way, so the server may have acted. */
export const lost = (reason: string) => connectionFailure(reason, true);

/**
 * The answer inside an error of n8n's request helper. With an OAuth2 credential, n8n throws every answer
 * that is not a success. After a 401 it renews the token, and may fail at that.
 *
 * @param thrown what the helper threw
 * @throws NoAnswerError if there is none
 */
export function answerIn(thrown: unknown, seen: Seen = {}): HttpAnswer {
	const { error: raw, isSent } = seen;
	const { response: refused } = isObject(raw) ? raw : {};
	const isRenewal = isObject(refused) && refused.status === 401 && codeOf(thrown) !== '401';
	const error = raw === undefined || isRenewal ? thrown : { cause: raw };
	const response = isRenewal ? undefined : causeOf(error)?.response;
	if (!isObject(response) || typeof response.status !== 'number') {
		throw new NoAnswerError(failureWithoutAnswer(error, isRenewal, isSent === false));
	}
	const headers = isObject(response.headers) ? response.headers : {};
	return { statusCode: response.status, headers, body: response.data };
}

/** Why a request ended at its time limit or with Stop. Behind a 401, n8n was fetching a new token meanwhile. */
export function endOf(failure: Failure, { error, isRenewed }: Seen): Failure {
	const isRefused = isObject(error) && isObject(error.response) && error.response.status === 401;
	const isFetching = isRefused && !isRenewed && failure.kind === 'connection';
	return isFetching ? notRefreshed(failure.reason) : failure;
}

const notRefreshed = (reason: string): Failure => ({
	kind: 'unsent',
	reason: `the access token could not be refreshed (${reason})`,
	fix: "The API answered 401, and the 'Access Token URL' of the credential did not answer. This try changed nothing. Try again later.",
});

/**
 * Why there is no answer: the connection failed, an OAuth2 token could not be renewed, or the request was
 * not sent at all, for example because the credential cannot be used.
 *
 * @param error what n8n's request helper threw
 * @param isRenewal the API has refused the request with a 401, and it was not sent again
 * @param isUnsent it is known that nothing was sent
 */
function failureWithoutAnswer(error: unknown, isRenewal: boolean, isUnsent: boolean): Failure {
	const cause = causeOf(error);
	const code = nonEmptyText(cause?.code);
	const message = nonEmptyText(cause?.message) ?? '';
	const { message: said } = isObject(error) ? error : {};
	// What n8n says of a new token may quote it.
	const isQuiet = isUnsent && !CONNECTING.test(message || String(said));
	// Without a new token another try would get the same 401.
	if (isRenewal && code !== undefined && REASONS[code] !== undefined)
		return notRefreshed(REASONS[code]);
	if (isRenewal || (code === undefined ? isQuiet : REFUSED.test(code)))
		return { kind: 'answer', status: 401, message: 'the access token could not be refreshed' };
	if (code !== undefined) {
		const isUnreached = isUnsent || UNREACHED.test(code) || message.startsWith('connect ');
		return connectionFailure(REASONS[code] ?? code.toLowerCase(), !isUnreached);
	}
	// A credential fails with other errors. These may come from work on an answer.
	const isOfAnswer = [TypeError, RangeError].some((kind) => cause instanceof kind);
	const isBlocked = isUnsent || BLOCKED.test(message);
	const mayBeSent = !isBlocked && (isOfAnswer || cause?.isAxiosError === true);
	return mayBeSent ? lost('the request failed') : unsent(error);
}

const connectionFailure = (reason: string, mayHaveActed: boolean): Failure => ({
	kind: 'connection',
	reason,
	mayHaveActed,
});

function unsent(error: unknown): Failure {
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

/** The codes of n8n's OAuth2 client for an answer of the token endpoint that it cannot use. */
const REFUSED = /^(EAUTH|ESTATUS)$/;

/** n8n's protection of its own network. */
const BLOCKED = /was blocked because/;

/** What n8n says if a person has to connect the credential. */
const CONNECTING = /^(OAuth credentials not connected|Unable to sign)/;

/**
 * The server was not found, refused the connection, or has a certificate that is not trusted. All other
 * errors of TLS can also come after the request, when the answer is disturbed.
 */
const UNREACHED =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ERR_TLS_CERT_ALTNAME_INVALID)$|^(CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

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
	ERR_CANCELED: 'stopped',
};

/**
 * What lies behind an error of n8n's request helper. n8n 1 and 2.20 drop it when they wrap it, but for its
 * message and its code. The status of an answer is that of the token endpoint then.
 */
function causeOf(error: unknown): Record<string, unknown> | undefined {
	const cause = isObject(error) ? error.cause : undefined;
	if (isObject(cause)) return cause;
	// Its class may be that of another copy of n8n-workflow.
	if (!isObject(error) || error.name !== 'NodeApiError') return undefined;
	const code = codeOf(error);
	const { messages } = error as unknown as NodeApiError;
	const message = messages.find((one) => one.startsWith('connect ') || BLOCKED.test(one));
	return { isAxiosError: true, message, code: /^\d+$/.test(code ?? '') ? 'ESTATUS' : code };
}

const codeOf = (error: unknown) => (isObject(error) ? nonEmptyText(error.httpCode) : undefined);
