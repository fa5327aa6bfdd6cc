import { describe, expect, test } from 'vitest';
import { envelopeOf, failureOf, slashRedirect, type Asked } from '../../nodes/api/answer.ts';

const json = { 'content-type': 'application/json' };
const answer = (
	statusCode: number,
	body: unknown,
	headers: Record<string, unknown> = json,
	asked: Asked = { method: 'GET' },
) => failureOf({ statusCode, headers, body }, asked);

test.each([[{ id: 1 }], [[]], [null]])('success with the data %j', (data) => {
	expect(answer(200, { ok: true, data })).toBeUndefined();
	expect(answer(299, { ok: true, data, meta: null, error: null })).toBeUndefined();
});

describe('the answer to a change', () => {
	const answers = (status: number, body: unknown) =>
		['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => answer(status, body, json, { method }));
	const isFailure = expect.objectContaining({ kind: expect.any(String) as string }) as object;

	test.each<[status: number, body: unknown, data?: unknown]>([
		[204, ''],
		[200, undefined],
		[201, null],
		[202, {}],
		[200, { ok: true }],
		[200, { ok: true, data: 'task-7' }, 'task-7'],
	])('may be %i with %j', (status, body, data = null) => {
		expect(answers(status, body)).toEqual(Array(4).fill(undefined));
		expect(envelopeOf({ statusCode: status, headers: {}, body }).data).toEqual(data);
	});

	test.each(['<html>Sign in</html>', { ok: false, error: null }, { hello: 'world' }])(
		'is no success if it is %j',
		(body) => {
			expect(answers(200, body)).toEqual(Array(4).fill(isFailure));
		},
	);

	test.each(['', { ok: true }, { ok: true, data: null }])(
		'may be empty for a read too, if there may be nothing to read: %j',
		(body) => {
			expect(answer(200, body, json, { method: 'GET', mayBeEmpty: true })).toBeUndefined();
		},
	);
});

describe('a redirect', () => {
	const HOST = 'https://api.example.com';
	const url = `${HOST}/v1/agents?limit=1&offset=0`;
	const redirected = (location: unknown, status = 301, method = 'GET', asked = url) =>
		slashRedirect({ statusCode: status, headers: { location }, body: '' }, { method, url: asked });

	test.each([
		'/v1/agents/',
		'agents/?limit=1&offset=0',
		`${HOST}/v1/agents/`,
		// A server behind a proxy does not know that it was asked by https.
		'http://api.example.com/v1/agents/',
	])('that adds a slash at the end is followed, on the same server: %s', (location) => {
		expect(redirected(location)).toBe(`${HOST}/v1/agents/?limit=1&offset=0`);
	});

	test('that removes a slash at the end is followed', () => {
		const location = redirected('/v1/agents', 308, 'GET', `${HOST}/v1/agents/`);
		expect(location).toBe(`${HOST}/v1/agents`);
	});

	test.each([
		undefined,
		'',
		'/v1/agents',
		'/v2/agents/',
		'/v1/agent/',
		'https://evil.example/v1/agents/',
		'//evil.example/v1/agents/',
		`${HOST}.evil.example/v1/agents/`,
		`${HOST}:8443/v1/agents/`,
		`${HOST}@evil.example/v1/agents/`,
		'\\\\evil.example\\v1\\agents\\',
		'/\t/evil.example/v1/agents/',
	])('to another place is not followed: %s', (location) => {
		expect(redirected(location)).toBeUndefined();
	});

	test.each([
		['GET', [301, 302, 307, 308]],
		...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, [301, 307, 308]] as const),
	] as const)('of a %s is followed with %j: no change can have been made', (method, followed) => {
		const follows = (status: number) => redirected('/v1/agents/', status, method) !== undefined;
		expect([200, 300, 301, 302, 303, 304, 307, 308, 400].filter(follows)).toEqual(followed);
	});
});

describe('a successful status without a success', () => {
	const html = { 'content-type': 'text/html' };
	test.each<[name: string, body: unknown, headers: Record<string, unknown>, what: RegExp]>([
		['an empty text', '', {}, /it is empty/],
		['an HTML page', '<html>\n\t<b>Hi', html, /"<html> <b>Hi" \(text\/html\)/],
		['JSON that is cut off', '{"ok":true,"data":[{"id"', json, /it is not JSON but "\{"ok":true/],
		['text without a type', 'OK', {}, /no content type/],
		['a long text, in part', 'x'.repeat(10_000), json, /^.{50,150}$/],
		['a number', 42, json, /not a JSON object/],
		['another object', { hello: 'world' }, json, /no field "ok"/],
		['ok that is no boolean', { ok: 'true', data: {} }, json, /no field "ok"/],
		['no data', { ok: true, meta: null }, json, /no field "data"/],
	])('%s', (_name, body, headers, what) => {
		const said = expect.stringMatching(what) as string;
		expect(answer(200, body, headers)).toEqual({ kind: 'malformed', status: 200, what: said });
	});

	test('ok: false', () => {
		const error = { code: 'INVALID_REQUEST', message: 'no', details: ['a'] };
		const failure = { kind: 'answer', status: 200, ...error };
		expect(answer(200, { ok: false, data: null, error })).toEqual(failure);
	});
});

describe('a refusal', () => {
	const said = { code: 'NOT_FOUND', message: 'agent not found', details: 'x' };
	test.each<[body: unknown, found: object]>([
		[{ ok: false, error: said }, said],
		[
			{ ok: false, error: { ...said, details: ['a', 'b'] } },
			{ ...said, details: ['a', 'b'] },
		],
		[
			{ ok: false, error: { ...said, details: null } },
			{ ...said, details: undefined },
		],
		[{ ok: false, error: null }, {}],
		[{ ok: false, error: { code: 5, message: '' } }, {}],
		['<html><title>502 Bad gateway</title></html>', { message: '502 Bad gateway' }],
		[undefined, {}],
	])('shows what it says: %j', (body, found) => {
		expect(answer(403, body)).toEqual({ kind: 'answer', status: 403, ...found });
	});

	test('of a missing record is none if it is the page of a gateway', () => {
		expect(answer(404, 'default backend - 404')).toMatchObject({ kind: 'malformed', status: 404 });
		expect(answer(404, '')).toMatchObject({ kind: 'answer', status: 404 });
	});

	test.each([
		[{ location: 'https://elsewhere.example/v1' }, 'https://elsewhere.example/v1'],
		[{}, 'it names none'],
	])('is also a redirect that is not followed, with %j', (headers, message) => {
		expect(answer(302, '', headers)).toMatchObject({ kind: 'answer', status: 302, message });
	});
});
