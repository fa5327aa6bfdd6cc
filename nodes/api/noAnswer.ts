import type { NodeApiError } from 'n8n-workflow';

import { isObject } from '../json';
import { nonEmptyText } from './answer';
import { TIMED_OUT, type Failure } from './errors';

export class NoAnswerError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super();
		this.failure = failure;
	}
}

/** The request was under way, so the server may have acted. */
export const lost = (reason: string) =>
	({ kind: 'connection', reason, mayHaveActed: true }) satisfies Failure;

/** Why a request has no answer. */
export function failureBehind(
	error: unknown,
	isOAuth: boolean,
	conceal: (text: string) => string,
): Failure {
	const cause = causeOf(error);
	const code = nonEmptyText(cause?.code);
	const message = nonEmptyText(cause?.message) ?? '';
	if (code !== undefined && REFUSED.test(code)) return NOT_REFRESHED;
	// Of the API's answers only a 401 is thrown, so another status is that of the token endpoint.
	const { status } = isObject(cause?.response) ? cause.response : { status: codeOf(error) };
	if (String(status) === '401') return { kind: 'answer', status: 401 };
	if (/^\d+$/.test(String(status))) return NOT_REFRESHED;
	if (code !== undefined) {
		const isUnreached = UNREACHED.test(code) || message.startsWith('connect ');
		const isUntrusted = UNTRUSTED.test(code);
		const reason = isUntrusted ? 'its certificate is not trusted' : REASONS[code];
		return {
			kind: 'connection',
			reason: conceal(reason ?? code.toLowerCase()),
			mayHaveActed: !isUnreached,
			...(isUntrusted && { fix: TRUST }),
		};
	}
	const { message: said, description } = isObject(error) ? error : {};
	const reason = message || nonEmptyText(said) || 'the request could not be sent';
	if (!BLOCKED.test(message) && !CONNECTING.test(reason)) {
		if (cause?.isAxiosError === true) return lost('the request failed');
		// What n8n says of a new token may quote it.
		if (isOAuth) return NOT_REFRESHED;
	}
	const fix = nonEmptyText(description);
	return { kind: 'unsent', reason: conceal(reason), fix: fix && conceal(fix) };
}

const NOT_REFRESHED: Failure = {
	kind: 'answer',
	status: 401,
	message: 'the access token could not be refreshed',
};

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

const UNTRUSTED = /^(UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

const TRUST =
	"Nothing was sent. If the server is your own, set NODE_EXTRA_CA_CERTS for n8n to the file of your certificate authority, and restart n8n. Otherwise check the 'Base URL' of the credential.";

// n8n replaces a message that contains a code such as ECONNRESET by a general one of its own.
const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name could not be looked up',
	EHOSTUNREACH: 'host unreachable',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another address',
	EPROTO: 'no secure connection; does the address begin with http:// instead of https://?',
	ECONNRESET: 'connection reset',
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	ERR_CANCELED: 'stopped',
};

/** n8n 1 and 2.20 wrap an error of their request helper, and keep only its message and its code. */
function causeOf(error: unknown): Record<string, unknown> | undefined {
	const cause = isObject(error) ? error.cause : undefined;
	if (isObject(cause)) return cause;
	// Its class may be that of another copy of n8n-workflow.
	if (!isObject(error) || error.name !== 'NodeApiError') return undefined;
	const { messages } = error as unknown as NodeApiError;
	const message = messages.find((one) => one.startsWith('connect ') || BLOCKED.test(one));
	return { isAxiosError: true, message, code: codeOf(error) };
}

const codeOf = (error: unknown) => (isObject(error) ? nonEmptyText(error.httpCode) : undefined);
