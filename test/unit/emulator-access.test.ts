import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Emulator } from '../emulator/index.ts';

let emulator: Emulator;
let send: Client;

beforeAll(async () => {
	emulator = await startEmulator();
	send = clientOf(emulator);
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A route as a request for something that is not there, so that asking changes nothing. */
function asked(route: string): string {
	return route
		.replace('{phone_number}', '%2B390000000000')
		.replace('{portal_type}', 'food')
		.replaceAll(/\{\w+\}/g, NOBODY);
}

test.each([
	['no header', { key: null }],
	['an unknown key', { key: 'yk_unknown' }],
	['a key without its prefix', { key: 'emulator_all' }],
	['another scheme', { key: null, headers: { authorization: 'Basic yk_emulator_all' } }],
	['the bare key', { key: null, headers: { authorization: 'yk_emulator_all' } }],
	['another header', { key: null, headers: { 'x-api-key': 'yk_emulator_all' } }],
])('%s is a 401 on every route, before anything else is looked at', async (_, sent) => {
	for (const route of emulator.routes) {
		const { status, body } = await send(asked(route).replaceAll(NOBODY, 'x'), {
			...sent,
			query: { limit: 0 },
		});
		expect(status, route).toBe(401);
		const error = { code: 'AUTHENTICATION_FAILED', message: expect.any(String), details: null };
		expect(body).toEqual({ ok: false, data: null, meta: null, error });
	}
	expect(emulator.reached.size).toBe(0);
});

test('what is missing and what belongs to another organization read the same', async () => {
	const { otherStore, keys } = emulator;
	const records: Array<[path: string, id: string]> = [
		['/contacts/', otherStore.contacts.all()[0]!.id],
		['/catalogues/items/', otherStore.items.all()[0]!.id],
		['/orders/', otherStore.orders.all()[0]!.id],
	];
	for (const [path, id] of records) {
		const [others, missing] = [await send(`GET ${path}${id}`), await send(`GET ${path}${NOBODY}`)];
		expect([others.status, others.body], path).toEqual([404, missing.body]);
		expect(others.body.error.code).toBe('NOT_FOUND');
		expect((await send(`GET ${path}${id}`, { key: keys.otherOrg })).status).toBe(200);
	}
});

describe('the form of a request', () => {
	test.each([
		'/agents/x',
		'/orders/1',
		'/call-history/x/summary',
		'/contacts/by-phone/0612',
		'/contacts/by-phone/%20390612345678',
	])('GET %s is a 400', async (path) => expect((await send(`GET ${path}`)).status).toBe(400));

	test.each([
		['text', 'text/plain', '{"name":"x"}'],
		['broken JSON', 'application/json', '{"name":'],
		['a form', 'application/x-www-form-urlencoded', 'name=x'],
		['nothing', 'application/json', ''],
	])('a body of %s is a 400', async (_, type, body) => {
		expect(
			(await send('POST /catalogues', { body, headers: { 'content-type': type } })).status,
		).toBe(400);
	});

	test('a body where none is taken is a 400', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		expect((await send(`DELETE /contacts/${id}`, { body: { sure: true } })).status).toBe(400);
		expect((await send('GET /usage', { body: { a: 1 } })).status).toBe(400);
	});

	test('a parameter that is given twice, or that is not known, is a 400', async () => {
		for (const call of [
			'GET /catalogues?search=a&search=b',
			'GET /orders?search=x',
			'GET /usage?limit=1',
		]) {
			expect((await send(call)).status, call).toBe(400);
		}
	});

	test('without strictness, a parameter that is not known is passed over', async () => {
		const lenient = await startEmulator({ readings: { unknownQuery: 'ignored' } });
		expect((await clientOf(lenient)('GET /orders?search=x')).status).toBe(200);
		await lenient.close();
	});

	test('a path the reference does not have is a 501 and is remembered', async () => {
		const calls = [
			'GET /agents',
			'GET /contacts/',
			'POST /orders',
			'GET /reservations',
			'PUT /events/x',
		];
		for (const call of calls) expect((await send(call)).status, call).toBe(501);
		expect(emulator.unknown).toEqual(calls);
	});

	test('the log tells what was sent and whether it was done', async () => {
		await send('POST /catalogues?', { body: { name: 'Wine' } });
		await send('GET /wallet', { key: null });
		expect(emulator.requests).toMatchObject([
			{
				method: 'POST',
				path: '/catalogues',
				route: 'POST /catalogues',
				body: { name: 'Wine' },
				status: 201,
				handled: true,
			},
			{
				method: 'GET',
				path: '/wallet',
				route: 'GET /wallet',
				body: undefined,
				status: 401,
				handled: false,
			},
		]);
		expect([...emulator.reached]).toEqual(['POST /catalogues']);
	});
});

describe('the OAuth test aid', () => {
	async function grant(fields: Record<string, string>): Promise<any> {
		const answer = await fetch(emulator.oauth.tokenUrl, {
			method: 'POST',
			body: new URLSearchParams(fields),
		});
		return answer.json();
	}

	test('gives out tokens that work until they expire', async () => {
		const { issued } = emulator.oauth;
		const { access_token, refresh_token } = await grant({
			grant_type: 'client_credentials',
			scope: 'usage:read',
		});
		expect((await send('GET /usage', { key: access_token })).status).toBe(200);
		expect((await send('GET /agents/', { key: access_token })).status).toBe(403);
		emulator.oauth.expire(access_token);
		expect((await send('GET /usage', { key: access_token })).status).toBe(401);
		const renewed = await grant({ grant_type: 'refresh_token', refresh_token });
		expect((await send('GET /usage', { key: renewed.access_token })).status).toBe(200);
		expect(emulator.oauth.issued - issued).toBe(2);
	});

	test('sends the browser back with a code', async () => {
		const query = new URLSearchParams({ redirect_uri: 'http://localhost/back', state: 's' });
		const { status, headers } = await fetch(`${emulator.oauth.authorizationUrl}?${query}`, {
			redirect: 'manual',
		});
		expect([status, headers.get('location')]).toEqual([
			302,
			expect.stringMatching(/^http:\/\/localhost\/back\?code=.+&state=s$/),
		]);
	});
});
