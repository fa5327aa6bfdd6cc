import { describe, expect, test } from 'vitest';
import { failureBehind } from '../../nodes/api/noAnswer.ts';

const behind = (error: unknown, isOAuth = false) =>
	failureBehind(error, isOAuth, (text) => text.replaceAll('yk_secret', '[secret]'));

/** If a message contains one of these codes, n8n replaces the whole message. */
const REPLACED = /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ECONNABORTED|EHOSTUNREACH|EAI_AGAIN/i;

describe('no answer at all', () => {
	const failed = (cause: unknown) => behind({ message: 'n8n’s words', cause });

	test.each<[code: string, mayHaveActed: boolean]>([
		['ECONNREFUSED', false],
		['ENOTFOUND', false],
		['EAI_AGAIN', false],
		// These can also end a connection that was open, if no answer comes for long.
		['EHOSTUNREACH', true],
		['ENETUNREACH', true],
		['CERT_HAS_EXPIRED', false],
		['ERR_TLS_CERT_ALTNAME_INVALID', false],
		['SELF_SIGNED_CERT_IN_CHAIN', false],
		// An answer that is disturbed gives these too, after the server has read the request.
		['EPROTO', true],
		['ERR_SSL_WRONG_VERSION_NUMBER', true],
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

	test('of any other kind: the server may have made the change', () => {
		const failure = failed({ isAxiosError: true });
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed: true });
	});
});

/** As n8n 1 and 2.20 throw it. */
const error = (httpCode: string | null, ...messages: string[]) => ({
	...{ name: 'NodeApiError', message: 'n8n’s words', cause: undefined, httpCode, messages },
});

describe('an error of n8n 1 and 2.20, which drop what lies behind it', () => {
	test.each<[httpCode: string | null, message: string, mayHaveActed: boolean]>([
		['ECONNRESET', 'socket hang up', true],
		['ERR_CANCELED', 'canceled', true],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', false],
		['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443', false],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND host', false],
		[null, 'something else', true],
	])('%s (%s): the server may have acted: %s', (code, message, mayHaveActed) => {
		const failure = behind(error(code, message));
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed });
	});

	test.each(['EAUTH', 'ESTATUS'])('%s: the token could not be refreshed', (code) => {
		expect(behind(error(code), true)).toMatchObject({ kind: 'answer', status: 401 });
	});

	test.each(['200', '403', '429', '503'])(
		'an answer (%s) of the token endpoint is none of the API',
		(code) =>
			expect(behind(error(code), true)).toMatchObject({
				status: 401,
				message: expect.stringContaining('refreshed'),
			}),
	);

	test('a 401 is the answer of the API', () => {
		expect(behind(error('401'), true)).toEqual({ kind: 'answer', status: 401 });
		const cause = { code: 'ERR_BAD_REQUEST', response: { status: 401 } };
		expect(behind({ cause }, true)).toEqual({ kind: 'answer', status: 401 });
	});

	test('a token in the words of n8n is not told', () => {
		const cause = new Error('Failed to acquire OAuth2 access token: {"access_token":"new"}');
		const failure = behind({ cause }, true);
		expect(failure).toMatchObject({ kind: 'answer', status: 401 });
		expect(JSON.stringify(failure)).not.toContain('new');
	});
});

describe('an error before anything was sent', () => {
	test.each<[error: unknown, failure: object]>([
		[
			{ message: 'n8n’s words', cause: new Error('yk_secret is no key') },
			{ reason: '[secret] is no key', fix: undefined },
		],
		[
			{ message: 'needs to be reconnected', description: 'Open the credential' },
			{ reason: 'needs to be reconnected', fix: 'Open the credential' },
		],
		[{ cause: { code: 42 } }, { reason: 'the request could not be sent', fix: undefined }],
		[undefined, { reason: 'the request could not be sent', fix: undefined }],
	])('keeps its words, without secrets: %j', (error, failure) => {
		expect(behind(error)).toEqual({ kind: 'unsent', ...failure });
	});

	test('says that a person has to connect the credential', () => {
		const message = 'OAuth credentials not connected';
		for (const thrown of [{ cause: new Error(message) }, { ...error(null, message), message }])
			expect(behind(thrown, true)).toMatchObject({ kind: 'unsent', reason: message });
	});
});
