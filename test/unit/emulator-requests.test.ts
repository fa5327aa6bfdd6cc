import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Client } from '../emulator/client.ts';
import { startEmulator, type Emulator } from '../emulator/index.ts';

// The emulator must refuse the requests that a real server refuses. Otherwise a test could pass with a
// request that works nowhere else. That it answers right requests is shown by the test of each operation.

let emulator: Emulator;
let send: Client;

beforeAll(async () => {
	emulator = await startEmulator();
	send = clientOf(emulator);
});
afterAll(() => emulator.close());

type Query = Record<string, string | number>;

const statusOf = async (path: string, query: Query = {}) => {
	const { status, body } = await send(`GET ${path}`, { query });
	if (status === 400) expect(body.error.code).toBe('INVALID_REQUEST');
	return status;
};

const LISTS = [
	'/agents/models',
	'/agents/voices',
	'/agents/',
	'/contacts',
	'/contact-lists',
	'/call-history',
	'/catalogues',
	'/catalogues/items',
	'/orders',
	'/events',
	'/wallet/transactions',
	'/campaigns',
];

test.each([
	['no header', { key: null }],
	['an unknown key', { key: 'yk_unknown' }],
	['a key without its prefix', { key: 'emulator_all' }],
	['another scheme', { key: null, headers: { authorization: 'Basic yk_emulator_all' } }],
	['the key without a scheme', { key: null, headers: { authorization: 'yk_emulator_all' } }],
	['another header', { key: null, headers: { 'x-api-key': 'yk_emulator_all' } }],
])('%s: every route answers 401, even if more is wrong', async (_, sent) => {
	for (const route of emulator.routes) {
		const call = route.replaceAll(/\{\w+\}/g, 'x');
		const { status, body } = await send(call, { ...sent, query: { limit: 0 } });
		expect(status, route).toBe(401);
		const error = { code: 'AUTHENTICATION_FAILED', message: expect.any(String), details: null };
		expect(body).toEqual({ ok: false, data: null, meta: null, error });
	}
});

test('a path that the reference does not have is a 501, and is remembered', async () => {
	const calls = [
		'GET /agents',
		'GET /contacts/',
		'POST /orders',
		'GET /reservations',
		'PUT /events/x',
		'PATCH /agents/x/tools/end-the-call',
	];
	for (const call of calls) expect((await send(call)).status, call).toBe(501);
	expect(emulator.unknown).toEqual(calls);
});

test.each([
	'/agents/x',
	'/orders/1',
	'/call-history/x/summary',
	'/contacts/by-phone/0612',
	'/contacts/by-phone/%20390612345678',
])('GET %s is a 400, because the ID or number has a wrong form', async (path) => {
	expect(await statusOf(path)).toBe(400);
});

describe('a body', () => {
	test.each([
		['text', 'text/plain', '{"name":"x"}'],
		['broken JSON', 'application/json', '{"name":'],
		['a form', 'application/x-www-form-urlencoded', 'name=x'],
		['nothing', 'application/json', ''],
	])('of %s is a 400', async (_, type, body) => {
		const { status } = await send('POST /catalogues', { body, headers: { 'content-type': type } });
		expect(status).toBe(400);
	});

	test('is a 400 if the route takes none', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		expect((await send(`DELETE /contacts/${id}`, { body: { sure: true } })).status).toBe(400);
		expect((await send('GET /usage', { body: { a: 1 } })).status).toBe(400);
	});
});

test.each(['/catalogues?search=a&search=b', '/orders?search=x', '/usage?limit=1'])(
	'GET %s is a 400, because a parameter is given twice or is not known',
	async (path) => expect(await statusOf(path)).toBe(400),
);

test.each(LISTS)('%s takes a limit from 1 to 100 and an offset, and nothing else', async (path) => {
	const right: Query[] = [{}, { limit: 1 }, { limit: 100 }, { offset: 0 }, { offset: 1_000_000 }];
	for (const query of right) {
		expect(await statusOf(path, query), JSON.stringify(query)).toBe(200);
	}
	const wrong = [0, 101, -1, '1.5', 'ten', ''].map((limit): Query => ({ limit }));
	for (const query of [...wrong, { offset: -1 }, { offset: 'x' }, { page: 2 }]) {
		expect(await statusOf(path, query), JSON.stringify(query)).toBe(400);
	}
});

test.each<[path: string, fields: string[]]>([
	['/call-history', ['created_at']],
	['/orders', ['created_at', 'status', 'total_amount']],
	['/catalogues', ['name', 'created_at']],
	['/catalogues/items', ['name', 'created_at', 'price']],
	['/contacts', ['created_at', 'last_name']],
])('%s can be sorted by %j, both ways, and by nothing else', async (path, fields) => {
	for (const sort of fields.flatMap((field) => [field, `-${field}`])) {
		expect(await statusOf(path, { sort }), sort).toBe(200);
	}
	for (const sort of ['colour', '', '-', '+created_at']) {
		expect(await statusOf(path, { sort }), sort).toBe(400);
	}
});

const ENDED = 'Completed,Not Answered,Rejected,Failed,Busy,Voicemail,Ended In Queue'.split(',');
const ORDERS = ['pending', 'confirmed', 'completed', 'cancelled', 'refused'];

test.each<[path: string, name: string, good: string[], bad: string[]]>([
	['/call-history', 'call_status', ENDED, ['In Progress', 'Cancelled', 'completed', '']],
	['/orders', 'status', ORDERS, ['open', 'Pending']],
	['/wallet/transactions', 'transaction_type', ['ADD', 'CONSUME'], ['add', 'REFUND']],
	['/campaigns', 'status', ['draft', 'running'], ['finished']],
	['/agents/', 'agent_type', ['inbound', 'outbound', 'meta'], ['whatsapp', '']],
])('%s can be filtered by %s: %j, and no other', async (path, name, good, bad) => {
	for (const value of good) expect(await statusOf(path, { [name]: value }), value).toBe(200);
	for (const value of bad) expect(await statusOf(path, { [name]: value }), value).toBe(400);
});

test.each([
	'',
	'Ada',
	'first_name=Ada',
	'shoe_size==42',
	'first_name==',
	'first_name==Ada|',
	'&',
	'(first_name==Ada)',
])('the contact filter "%s" is a 400', async (filter) => {
	expect(await statusOf('/contacts', { filter })).toBe(400);
});

test.each([
	['2026-01-01T11:00:00+01:00', 200],
	['2026-01-01', 200],
	['2026-01-01T10:00:00.123456Z', 200],
	['yesterday', 400],
	['', 400],
	['1767261600', 400],
	['2026-02-30T00:00:00Z', 400],
	['2026-13-01', 400],
	['2026-01-01T10:00:00 01:00', 400],
])('created_after=%s: %i', async (created_after, status) => {
	for (const path of ['/call-history', '/orders', '/wallet/transactions']) {
		expect(await statusOf(path, { created_after })).toBe(status);
	}
});

test('a call can show up late, and its detail and texts later still', async () => {
	let clock = Date.UTC(2026, 0, 10);
	const own = await startEmulator({ data: 'empty', now: () => clock });
	const ask = clientOf(own);
	const created_at = '2026-01-09T00:00:00.000Z';
	const moments = { detailAt: clock + 20, summaryAt: clock + 30, transcriptAt: clock + 40 };
	const { id } = own.store.addCall({ created_at }, { visibleAt: clock + 10, ...moments });
	const seen: unknown[] = [];
	for (let step = 0; step <= 4; step += 1, clock += 10) {
		const parts = ['', '/summary', '/transcript'].map(
			async (part) => (await ask(`GET /call-history/${id}${part}`)).status,
		);
		const listed = (await ask('GET /call-history')).body.meta.total_items;
		seen.push([listed, ...(await Promise.all(parts))]);
	}
	await own.close();
	expect(seen).toEqual([
		[0, 404, 404, 404],
		[1, 404, 404, 404],
		[1, 200, 404, 404],
		[1, 200, 200, 404],
		[1, 200, 200, 200],
	]);
});
