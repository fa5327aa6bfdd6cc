import { describe, expect, test } from 'vitest';
import { failureBehind } from '../../nodes/api/noAnswer.ts';

const behind = (error: unknown, isOAuth = false) =>
	failureBehind(error, isOAuth, (text) => text.replaceAll('yk_secret', '[secret]'));

/** As n8n 2.41 throws it. */
const thrown = (cause: unknown) => ({ message: 'n8n’s words', cause });

/** As n8n 1 and 2.20 throw it: they drop what lies behind it. */
const dropped = (httpCode: string | null, ...messages: string[]) => ({
	name: 'NodeApiError',
	message: 'n8n’s words',
	cause: undefined,
	httpCode,
	messages,
});

/** If a message contains one of these codes, n8n replaces the whole message. */
const REPLACED = /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|ECONNABORTED|EHOSTUNREACH|EAI_AGAIN/i;

describe('no answer at all', () => {
	const connecting = (code: string) => thrown({ code, message: `connect ${code} 10.0.0.1:443` });

	test.each<[mayHaveActed: boolean, error: object]>([
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'].map(
			(code): [boolean, object] => [false, thrown({ code })],
		),
		[false, thrown({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })],
		[false, thrown({ code: 'SELF_SIGNED_CERT_IN_CHAIN' })],
		// An answer that is disturbed gives these too, after the server has read the request.
		...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].map(
			(code): [boolean, object] => [true, thrown({ code })],
		),
		[true, thrown({ code: 'ANYTHING_ELSE' })],
		[true, thrown({ isAxiosError: true })],
		// These can also end a connection that was open, if no answer comes for long.
		...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].flatMap((code): Array<[boolean, object]> => [
			[true, thrown({ code })],
			[false, connecting(code)],
		]),
		[true, dropped('ECONNRESET', 'socket hang up')],
		[true, dropped('ERR_CANCELED', 'canceled')],
		[true, dropped(null, 'something else')],
		[false, dropped('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443')],
		[false, dropped('ENOTFOUND', 'getaddrinfo ENOTFOUND host')],
	])('whether the server may have made the change is %s: %j', (mayHaveActed, error) => {
		const failure = behind(error) as { reason: string };
		expect(failure).toMatchObject({ kind: 'connection', mayHaveActed });
		expect(failure.reason).not.toBe('');
		expect(failure.reason).not.toMatch(REPLACED);
	});
});

describe('a token', () => {
	test.each<[what: string, error: object]>([
		...['EAUTH', 'ESTATUS'].flatMap((code): Array<[string, object]> => [
			[code, thrown({ code })],
			[`${code} in n8n 1`, dropped(code)],
		]),
		...['200', '403', '429', '503'].map((status): [string, object] => [status, dropped(status)]),
		['words that quote it', thrown(new Error('Failed: {"access_token":"new"}'))],
	])('that could not be refreshed is said, and not quoted: %s', (_what, error) => {
		const failure = behind(error, true);
		const message = 'the access token could not be refreshed';
		expect(failure).toEqual({ kind: 'answer', status: 401, message });
	});

	test.each([dropped('401'), thrown({ code: 'ERR_BAD_REQUEST', response: { status: 401 } })])(
		'that the API refuses is a 401: %j',
		(error) => {
			expect(behind(error, true)).toEqual({ kind: 'answer', status: 401 });
		},
	);

	const message = 'OAuth credentials not connected';
	test.each([thrown(new Error(message)), { ...dropped(null, message), message }])(
		'needs a person who connects the credential: %j',
		(error) => {
			expect(behind(error, true)).toMatchObject({ kind: 'unsent', reason: message });
		},
	);
});

const UNKNOWN = { reason: 'the request could not be sent' };
test.each<[error: unknown, failure: object]>([
	[thrown(new Error('yk_secret is no key')), { reason: '[secret] is no key' }],
	[
		{ message: 'needs to be reconnected', description: 'Open the credential' },
		{ reason: 'needs to be reconnected', fix: 'Open the credential' },
	],
	[{ cause: { code: 42 } }, UNKNOWN],
	[undefined, UNKNOWN],
])('an error before anything was sent keeps its words, without secrets: %j', (error, failure) => {
	expect(behind(error)).toEqual({ kind: 'unsent', fix: undefined, ...failure });
});
