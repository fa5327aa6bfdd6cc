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

const WHO = ['read', 'readWrite', 'write', 'calls', 'writeCalls', 'all', 'none'] as const;
type Who = (typeof WHO)[number];

/** Section "Authentication", 4, written out anew. */
const PERMITTED: Record<'read' | 'change' | 'call', Who[]> = {
	read: ['read', 'readWrite', 'all'],
	change: ['readWrite', 'all'],
	call: ['writeCalls', 'all'],
};

function kindOf(route: string): keyof typeof PERMITTED {
	if (route.startsWith('GET ')) return 'read';
	return route === 'POST /playground/test-call' ? 'call' : 'change';
}

const SCOPES: Record<string, string[]> = {
	agentsRead: ['agents:read'],
	agentsWrite: ['agents:read', 'agents:write'],
	usageRead: ['usage:read'],
	offlineAccess: ['offline_access'],
	genericWrite: ['write'],
	all: ['agents:read', 'agents:write', 'usage:read', 'offline_access', 'write'],
	none: [],
};

function scopeOf(route: string): string | undefined {
	if (route.startsWith('GET /agents/')) return 'agents:read';
	if (route === 'PATCH /agents/{agent_id}') return 'agents:write';
	if (route === 'GET /usage') return 'usage:read';
	return route.startsWith('GET /portal-access/') ? 'offline_access' : undefined;
}

test('every route asks for its permission, whoever asks', async () => {
	for (const route of emulator.routes) {
		for (const who of WHO) {
			const { status, body } = await send(asked(route), { key: emulator.keys[who] });
			const permitted = PERMITTED[kindOf(route)].includes(who);
			expect(status === 403, `${route} with ${who}: ${status}`).toBe(!permitted);
			if (!permitted)
				expect(body).toMatchObject({
					ok: false,
					data: null,
					error: { code: 'INSUFFICIENT_PERMISSIONS' },
				});
		}
	}
});

test('every route takes an OAuth token where the reference says so, by scope', async () => {
	for (const route of emulator.routes) {
		for (const [who, scopes] of Object.entries(SCOPES)) {
			const { status } = await send(asked(route), {
				key: emulator.tokens[who as keyof typeof emulator.tokens],
			});
			const needed = scopeOf(route);
			const outcome = status === 401 || status === 403 ? status : 'permitted';
			const expected = needed === undefined ? 401 : scopes.includes(needed) ? 'permitted' : 403;
			expect(outcome, `${route} with ${who}`).toBe(expected);
		}
	}
});

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
		['/agents/', otherStore.agents.all()[0]!.id],
		['/contacts/', otherStore.contacts.all()[0]!.id],
		['/contact-lists/', otherStore.contactLists.all()[0]!.id],
		['/call-history/', otherStore.calls.all()[0]!.id],
		['/catalogues/', otherStore.catalogues.all()[0]!.id],
		['/catalogues/items/', otherStore.items.all()[0]!.id],
		['/orders/', otherStore.orders.all()[0]!.id],
		['/events/', otherStore.events.all()[0]!.id],
		['/campaigns/', otherStore.campaigns.all()[0]!.id],
	];
	for (const [path, id] of records) {
		const [others, missing] = [await send(`GET ${path}${id}`), await send(`GET ${path}${NOBODY}`)];
		expect([others.status, others.body], path).toEqual([404, missing.body]);
		expect(others.body.error.code).toBe('NOT_FOUND');
		expect((await send(`GET ${path}${id}`, { key: keys.otherOrg })).status).toBe(200);
	}
});

test('an organization that is added has records and a key of its own, until it is revoked', async () => {
	const [one, another] = [emulator.addOrganization(), emulator.addOrganization()];
	const contact = one.store.contacts.all()[0]!.id;
	const statusFor = async (key: string) => (await send(`GET /contacts/${contact}`, { key })).status;
	expect(await statusFor(one.apiKey)).toBe(200);
	expect(await statusFor(another.apiKey)).toBe(404);
	expect(await statusFor(emulator.keys.all)).toBe(404);
	one.revoke();
	expect(await statusFor(one.apiKey)).toBe(401);
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

describe('what is assumed can be moved', () => {
	test('paths and portal values', async () => {
		const moved = await startEmulator({
			assumed: {
				health: '/status',
				event: '/calendar/{event_id}',
				portalTypes: { food: 'FOOD', beauty: 'b', realEstate: 'r' },
			},
		});
		const ask = clientOf(moved);
		const { id } = moved.store.events.all()[0]!;
		expect((await ask('GET /status')).status).toBe(200);
		expect((await ask('GET /health')).status).toBe(501);
		expect((await ask(`GET /calendar/${id}`)).body.data.id).toBe(id);
		expect((await ask('GET /portal-access/FOOD')).body.data.operational_access).toBe(true);
		expect((await ask('GET /portal-access/food')).status).toBe(400);
		await moved.close();
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
