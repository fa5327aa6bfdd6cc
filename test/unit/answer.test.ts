import { describe, expect, test } from 'vitest';
import { answerInError, connectionFailure, judge, unsent } from '../../nodes/api/answer.ts';

const json = { 'content-type': 'application/json' };
const answer = (statusCode: number, body: unknown, headers: Record<string, unknown> = json) =>
	judge({ statusCode, headers, body });

describe('a successful envelope', () => {
	test.each<[data: unknown]>([[{ id: 1 }], [[]], [[{ id: 1 }]], [null]])('data %j', (data) => {
		expect(answer(200, { ok: true, data })).toBeUndefined();
		expect(answer(299, { ok: true, data, meta: null, error: null })).toBeUndefined();
	});
});

describe('a 2xx that is no success', () => {
	test.each<[name: string, body: unknown, headers: Record<string, unknown>, what: RegExp]>([
		['nothing', '', {}, /it is empty/],
		['nothing, decoded', undefined, {}, /it is empty/],
		['null', null, json, /it is empty/],
		[
			'an HTML page',
			'<html>\n\t<title>Sign in</title></html>',
			{ 'content-type': 'text/html' },
			/"<html> <title>Sign in<.*\(text\/html\)/,
		],
		['a body cut off', '{"ok":true,"data":[{"id"', json, /it is no JSON but "\{"ok":true/],
		['text of no type', 'OK', {}, /no content type/],
		['a list', [], json, /no JSON object/],
		['a number', 42, json, /no JSON object/],
		['another JSON', { hello: 'world' }, json, /no field "ok"/],
		['ok that is no boolean', { ok: 'true', data: {} }, json, /no field "ok"/],
		['no data', { ok: true, meta: null }, json, /no field "data"/],
		['data that is text', { ok: true, data: 'x' }, json, /neither a record nor a list/],
		['data that is a number', { ok: true, data: 0 }, json, /neither a record nor a list/],
		['data that is a flag', { ok: true, data: false }, json, /neither a record nor a list/],
	])('%s', (_name, body, headers, what) => {
		expect(answer(200, body, headers)).toEqual({
			kind: 'malformed',
			status: 200,
			what: expect.stringMatching(what),
		});
	});

	test('a page is quoted in part only', () => {
		expect((answer(200, 'x'.repeat(10_000)) as { what: string }).what.length).toBeLessThan(150);
	});

	test('ok: false', () => {
		const error = { code: 'INVALID_REQUEST', message: 'no', details: ['a'] };
		expect(answer(200, { ok: false, data: null, error })).toEqual({
			kind: 'answer',
			status: 200,
			...error,
		});
	});
});

describe('a refusal', () => {
	test.each<[body: unknown, found: object]>([
		[
			{ ok: false, error: { code: 'NOT_FOUND', message: 'agent not found', details: 'x' } },
			{ code: 'NOT_FOUND', message: 'agent not found', details: 'x' },
		],
		[{ ok: false, error: null }, {}],
		[{ ok: false, error: { code: 5, message: '' } }, {}],
		[{ ok: false, error: 'gone' }, {}],
		['<html>Bad gateway</html>', {}],
		[undefined, {}],
	])('with %j', (body, found) => {
		expect(answer(404, body)).toEqual({ kind: 'answer', status: 404, ...found });
	});

	test('even with ok: true in it', () => {
		expect(answer(500, { ok: true, data: {} })).toMatchObject({ kind: 'answer', status: 500 });
	});

	test.each([
		[{ location: 'https://elsewhere.example/v1' }, 'redirects to https://elsewhere.example/v1'],
		[{}, 'redirects to nowhere'],
	])('a redirect with %j', (headers, message) => {
		expect(answer(302, '', headers)).toMatchObject({ kind: 'answer', status: 302, message });
	});
});

describe('no answer at all', () => {
	const failed = (cause: unknown) => connectionFailure({ message: 'n8n’s words', cause });

	test.each<[code: string, mayHaveActed: boolean]>([
		['ECONNREFUSED', false],
		['ENOTFOUND', false],
		['EAI_AGAIN', false],
		// Also said of a connection that stood, when nothing has come back for long.
		['EHOSTUNREACH', true],
		['ENETUNREACH', true],
		['EPROTO', false],
		['CERT_HAS_EXPIRED', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', false],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
		['ERR_TLS_CERT_ALTNAME_INVALID', false],
		['ECONNRESET', true],
		['EPIPE', true],
		['ETIMEDOUT', true],
		['ECONNABORTED', true],
		['ERR_BAD_RESPONSE', true],
		['ANYTHING_ELSE', true],
	])('%s: may have acted is %s', (code, mayHaveActed) => {
		expect(failed({ code })).toMatchObject({ kind: 'connection', mayHaveActed });
	});

	test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'%s while connecting cannot have acted',
		(code) => {
			const message = `connect ${code} 10.0.0.1:443`;
			expect(failed({ code, message })).toMatchObject({ mayHaveActed: false });
		},
	);

	// n8n replaces a message that contains one of these by its own, whatever else the message says.
	test.each([
		'ECONNREFUSED',
		'ECONNRESET',
		'ENOTFOUND',
		'ETIMEDOUT',
		'ECONNABORTED',
		'EHOSTUNREACH',
		'EAI_AGAIN',
	])('the reason for %s does not contain the code', (code) => {
		const { reason } = failed({ code }) as { reason: string };
		expect(reason.toUpperCase()).not.toContain(code);
		expect(reason).not.toBe('');
	});

	test.each(['EAUTH', 'ESTATUS'])('but a refused refresh of the token: %s', (code) => {
		expect(failed({ code })).toMatchObject({ kind: 'answer', status: 401 });
	});

	test.each<[error: unknown]>([
		[{ message: 'The API Key must begin with yk_' }],
		[{ cause: new Error('The API Key must begin with yk_') }],
		[{ cause: { code: 42 } }],
		[{ cause: null }],
		[undefined],
		['text'],
	])('is not what %j says', (error) => {
		expect(connectionFailure(error)).toBeUndefined();
	});
});

describe('the answer inside an error', () => {
	test.each([401, 403, 503])('is taken out: %i', (status) => {
		const response = { status, headers: json, data: { ok: false } };
		expect(answerInError({ cause: { response } })).toEqual({
			statusCode: status,
			headers: json,
			body: { ok: false },
		});
	});

	test.each<[error: unknown]>([
		[{ cause: { code: 'ECONNRESET' } }],
		[{ cause: { response: { status: '401' } } }],
		[{ cause: { code: 'ERR_BAD_RESPONSE', response: { status: 200, headers: json } } }],
		[{ cause: { response: null } }],
		[{}],
		[null],
	])('is absent from %j', (error) => {
		expect(answerInError(error)).toBeUndefined();
	});
});

describe('what was raised before anything was sent', () => {
	test.each<[error: unknown, failure: object]>([
		[
			{ message: 'n8n’s words', cause: new Error('The API Key must begin with yk_') },
			{ reason: 'The API Key must begin with yk_', fix: undefined },
		],
		[
			{ message: 'needs to be reconnected', description: 'Open the credential' },
			{ reason: 'needs to be reconnected', fix: 'Open the credential' },
		],
		[undefined, { reason: 'the request could not be sent', fix: undefined }],
	])('%j', (error, failure) => {
		expect(unsent(error)).toEqual({ kind: 'unsent', ...failure });
	});
});
