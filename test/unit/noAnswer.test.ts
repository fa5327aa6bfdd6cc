import { describe, expect, test } from 'vitest';
import { answerIn, endOf, lost, NoAnswerError, type Seen } from '../../nodes/api/noAnswer.ts';

/** The failure behind an error of n8n's request helper. */
function failureBehind(error: unknown, seen?: Seen) {
	try {
		return expect.fail(`an answer: ${answerIn(error, seen).statusCode}`);
	} catch (thrown) {
		return (thrown as NoAnswerError).failure;
	}
}

const json = { 'content-type': 'application/json' };

/** If a message contains one of these codes, n8n replaces the whole message. */
const REPLACED = /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ECONNABORTED|EHOSTUNREACH|EAI_AGAIN/i;

describe('no answer at all', () => {
	const failed = (cause: unknown) => failureBehind({ message: 'n8n’s words', cause });

	test.each<[code: string, mayHaveActed: boolean]>([
		['ECONNREFUSED', false],
		['ENOTFOUND', false],
		['EAI_AGAIN', false],
		// These can also end a connection that was open, if no answer comes for long.
		['EHOSTUNREACH', true],
		['ENETUNREACH', true],
		['CERT_HAS_EXPIRED', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', false],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
		['ERR_TLS_CERT_ALTNAME_INVALID', false],
		['SELF_SIGNED_CERT_IN_CHAIN', false],
		// An answer that is disturbed gives these too, after the server has read the request.
		['EPROTO', true],
		['ERR_SSL_WRONG_VERSION_NUMBER', true],
		['ERR_SSL_BAD_RECORD_TYPE', true],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', true],
		['ERR_SSL_TLSV1_ALERT_CERTIFICATE_UNKNOWN', true],
		['ECONNRESET', true],
		['EPIPE', true],
		['ETIMEDOUT', true],
		['ECONNABORTED', true],
		['ANYTHING_ELSE', true],
	])('%s: whether the server may have made the change is %s', (code, mayHaveActed) => {
		const failure = failed({ code });
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed });
		const { reason } = failure as { reason: string };
		expect(reason).not.toBe('');
		expect(reason).not.toMatch(REPLACED);
	});

	test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'%s while connecting: the server cannot have made the change',
		(code) => {
			const message = `connect ${code} 10.0.0.1:443`;
			expect(failed({ code, message })).toMatchObject({ mayHaveActed: false });
		},
	);

	test.each(['EAUTH', 'ESTATUS'])('%s is an answer: the token could not be refreshed', (code) => {
		expect(failed({ code })).toMatchObject({ kind: 'answer', status: 401 });
	});

	test.each([new RangeError('stack'), new TypeError('undefined'), { isAxiosError: true }])(
		'an error of the work on an answer: the server may have made the change (%s)',
		(cause) => expect(failed(cause)).toMatchObject({ kind: 'connection', mayHaveActed: true }),
	);
});

describe('an error of n8n 1 and 2.20, which drop what lies behind it', () => {
	const error = (httpCode: string | null, ...messages: string[]) => ({
		...{ name: 'NodeApiError', message: 'n8n’s words', cause: undefined, httpCode, messages },
	});

	test.each<[httpCode: string | null, message: string, mayHaveActed: boolean]>([
		['ECONNRESET', 'socket hang up', true],
		['ERR_CANCELED', 'canceled', true],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', false],
		['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443', false],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND host', false],
		[null, 'something else', true],
	])('%s (%s): the server may have acted: %s', (code, message, mayHaveActed) => {
		const failure = failureBehind(error(code, message));
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed });
	});

	test.each(['EAUTH', 'ESTATUS'])('%s: the token could not be refreshed', (code) => {
		expect(failureBehind(error(code))).toMatchObject({ kind: 'answer', status: 401 });
	});

	test.each(['200', '403', '429', '503'])(
		'an answer (%s) of the token endpoint is none of the API',
		(code) => {
			const raw = { response: { status: 401, headers: json, data: {} } };
			for (const seen of [undefined, raw]) {
				const failure = failureBehind(error(code), { error: seen });
				expect(failure).toMatchObject({ kind: 'answer', status: 401 });
			}
		},
	);

	test.each([401, 404, 503])('the answer (%i) that was seen before counts', (status) => {
		const raw = { response: { status, headers: json, data: { ok: false } } };
		const said = { statusCode: status, headers: json, body: { ok: false } };
		expect(answerIn(error(String(status)), { error: raw })).toEqual(said);
	});

	test('the change was refused if its time was over while n8n fetched a token', () => {
		const refused = { response: { status: 401 } };
		const end = lost('timed out');
		expect(endOf(end, { isSent: true, isRenewed: false, error: refused })).toMatchObject({
			kind: 'unsent',
			reason: 'the access token could not be refreshed (timed out)',
		});
		// With the new token it was sent again, and with another error it was not refused.
		for (const seen of [
			{ isSent: true, isRenewed: true, error: refused },
			{ isSent: true, isRenewed: false, error: { response: { status: 500 } } },
			{ isSent: true, isRenewed: false },
		])
			expect(endOf(end, seen)).toBe(end);
	});

	test('the change was refused if no token could be fetched, and is not tried again', () => {
		const raw = { response: { status: 401, headers: json, data: {} } };
		for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT']) {
			const failure = failureBehind(error(code), { error: raw });
			expect(failure).toMatchObject({ kind: 'unsent', fix: expect.stringContaining('401') });
		}
		expect(failureBehind(error(null, 'Unexpected token <'), { error: raw })).toMatchObject({
			status: 401,
		});
	});

	test('a request that was not sent has changed nothing', () => {
		const unsent = { isSent: false };
		const message = 'OAuth credentials not connected';
		expect(failureBehind({ ...error(null, message), message }, unsent)).toMatchObject({
			...{ kind: 'unsent', reason: message },
		});
		const failure = failureBehind(error('ECONNRESET'), unsent);
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed: false });
	});

	test('a token in the words of n8n is not told', () => {
		const message = 'Failed to acquire OAuth2 access token: received {"access_token":"secret"}';
		for (const thrown of [{ cause: new Error(message) }, { ...error(null, message), message }]) {
			const failure = failureBehind(thrown, { isSent: false });
			expect(failure).toMatchObject({ kind: 'answer', status: 401 });
			expect(JSON.stringify(failure)).not.toContain('secret');
		}
	});
});

describe('the answer inside an error', () => {
	test.each([401, 403, 503])('is found: %i', (status) => {
		const response = { status, headers: json, data: { ok: false } };
		expect(answerIn({ cause: { response } })).toEqual({
			statusCode: status,
			headers: json,
			body: { ok: false },
		});
	});

	test.each<[error: unknown]>([
		[{ cause: { code: 'ECONNRESET' } }],
		[{ cause: { response: { status: '401' } } }],
		[{ cause: { response: null } }],
		[{}],
		[null],
	])('is absent from %j', (error) => {
		expect(() => answerIn(error)).toThrow(NoAnswerError);
	});
});

describe('an error before anything was sent', () => {
	test.each<[error: unknown, failure: object]>([
		[
			{ message: 'n8n’s words', cause: new Error('The API Key must begin with yk_') },
			{ reason: 'The API Key must begin with yk_', fix: undefined },
		],
		[
			{ message: 'needs to be reconnected', description: 'Open the credential' },
			{ reason: 'needs to be reconnected', fix: 'Open the credential' },
		],
		[{ cause: { code: 42 } }, { reason: 'the request could not be sent', fix: undefined }],
		[undefined, { reason: 'the request could not be sent', fix: undefined }],
	])('keeps its words: %j', (error, failure) => {
		expect(failureBehind(error)).toEqual({ kind: 'unsent', ...failure });
	});
});
