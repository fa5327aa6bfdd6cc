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

/** The request was under way, so the server may have acted. */
export const lost = (reason: string) => connectionFailure(reason, true);

/**
 * The answer inside an error of n8n's request helper. With an OAuth2 credential, n8n throws every answer
 * that is not a success.
 *
 * @param raw what n8n's HTTP client threw. n8n may have tried to renew a token since, and failed
 * @throws NoAnswerError if there is none
 */
export function answerIn(thrown: unknown, raw?: unknown): HttpAnswer {
	const { response: refused } = isObject(raw) ? raw : {};
	const isRenewal = isObject(refused) && refused.status === 401 && codeOf(thrown) !== '401';
	const error = raw === undefined || isRenewal ? thrown : { cause: raw };
	const response = causeOf(error)?.response;
	if (!isObject(response) || typeof response.status !== 'number') {
		throw new NoAnswerError(failureWithoutAnswer(error));
	}
	const headers = isObject(response.headers) ? response.headers : {};
	return { statusCode: response.status, headers, body: response.data };
}

/**
 * Why there is no answer: the connection failed, an OAuth2 token could not be renewed, or the request was
 * not sent at all, for example because the credential cannot be used.
 *
 * @param error what n8n's request helper threw
 */
function failureWithoutAnswer(error: unknown): Failure {
	const cause = causeOf(error);
	const code = nonEmptyText(cause?.code);
	if (code !== undefined && REFRESH_REFUSED.test(code)) {
		return { kind: 'answer', status: 401, message: 'the access token could not be refreshed' };
	}
	if (code !== undefined) {
		const isUnreached =
			UNREACHED.test(code) || nonEmptyText(cause?.message)?.startsWith('connect ');
		return connectionFailure(REASONS[code] ?? code.toLowerCase(), !isUnreached);
	}
	// A credential fails with other errors. These may come from work on an answer.
	const mayBeSent = [TypeError, RangeError].some((kind) => cause instanceof kind);
	return mayBeSent || cause?.isAxiosError === true ? lost('the request failed') : unsent(error);
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
const REFRESH_REFUSED = /^(EAUTH|ESTATUS)$/;

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
 * message and its code, which may be the status of an answer.
 */
function causeOf(error: unknown): Record<string, unknown> | undefined {
	const cause = isObject(error) ? error.cause : undefined;
	if (isObject(cause)) return cause;
	// Its class may be that of another copy of n8n-workflow.
	if (!isObject(error) || error.name !== 'NodeApiError') return undefined;
	const code = codeOf(error);
	const { messages } = error as unknown as NodeApiError;
	const message = messages.find((one) => one.startsWith('connect '));
	const status = /^\d+$/.test(code ?? '') ? Number(code) : undefined;
	return { isAxiosError: true, message, ...(status ? { response: { status } } : { code }) };
}

const codeOf = (error: unknown) => (isObject(error) ? nonEmptyText(error.httpCode) : undefined);
