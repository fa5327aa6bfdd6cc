import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Emulator } from '../emulator/index.ts';

// That lists are filtered and sorted rightly, every operation's sample and the dialects show. Here
// is what a real server may refuse, so that no test passes with a query that it would not take.

let emulator: Emulator;
let send: Client;

beforeAll(async () => {
	emulator = await startEmulator();
	send = clientOf(emulator);
});
afterAll(() => emulator.close());

type Query = Record<string, string | number>;

const statusOf = async (path: string, query: Query) => {
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
])('%s is sorted by %j, both ways, and by nothing else', async (path, fields) => {
	for (const sort of fields.flatMap((field) => [field, `-${field}`])) {
		expect(await statusOf(path, { sort }), sort).toBe(200);
	}
	for (const sort of ['colour', '', '-', '+created_at']) {
		expect(await statusOf(path, { sort }), sort).toBe(400);
	}
});

const ENDED = 'Completed,Not Answered,Rejected,Failed,Busy,Voicemail,Ended In Queue'.split(',');

test.each<[path: string, name: string, good: string[], bad: string[]]>([
	['/call-history', 'call_status', ENDED, ['In Progress', 'Cancelled', 'completed', '']],
	[
		'/orders',
		'status',
		['pending', 'confirmed', 'completed', 'cancelled', 'refused'],
		['open', 'Pending'],
	],
	['/wallet/transactions', 'transaction_type', ['ADD', 'CONSUME'], ['add', 'REFUND']],
	['/campaigns', 'status', ['draft', 'running'], ['finished']],
	['/agents/', 'agent_type', ['inbound', 'outbound', 'meta'], ['whatsapp', '']],
])('%s by %s: %j, and no other', async (path, name, good, bad) => {
	for (const value of good) expect(await statusOf(path, { [name]: value }), value).toBe(200);
	for (const value of bad) expect(await statusOf(path, { [name]: value }), value).toBe(400);
});

describe('the contacts filter', () => {
	test.each([
		'',
		'Ada',
		'first_name=Ada',
		'shoe_size==42',
		'first_name==',
		'first_name==Ada|',
		'&',
		'(first_name==Ada)',
	])('"%s" is a 400', async (filter) => {
		expect(await statusOf('/contacts', { filter })).toBe(400);
	});

	test('takes precedence over search', async () => {
		const { first_name: name } = emulator.store.contacts.all()[0]!;
		const query = { filter: `first_name==${name}`, search: 'nobody' };
		expect((await send('GET /contacts', { query })).body.data.length).toBeGreaterThan(0);
	});
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

test('an old call is not there until it is visible, its texts come later still', async () => {
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

test('the same seed and clock lay the same data', async () => {
	const now = () => 1_790_000_000_000;
	const [one, two] = [await startEmulator({ now }), await startEmulator({ now })];
	expect(one.store.calls.all()).toEqual(two.store.calls.all());
	expect(one.store.agents.all()).toEqual(two.store.agents.all());
	await Promise.all([one.close(), two.close()]);
});
