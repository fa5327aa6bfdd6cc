import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Contact, Emulator, EmulatorOptions } from '../emulator/index.ts';

let emulator: Emulator;
let send: Client;

beforeAll(async () => {
	emulator = await startEmulator({ data: 'demo' });
	send = clientOf(emulator);
});
afterAll(() => emulator.close());

type Listed = Record<string, any> & { id: string };

async function rows(path: string, query: Record<string, string | number> = {}): Promise<Listed[]> {
	const { status, body } = await send(`GET ${path}`, { query: { limit: 100, ...query } });
	expect(status, JSON.stringify(body.error)).toBe(200);
	return body.data;
}

async function withEmulator(
	options: EmulatorOptions,
	run: (own: Emulator, ask: Client) => Promise<void>,
): Promise<void> {
	const own = await startEmulator(options);
	await run(own, clientOf(own)).finally(() => own.close());
}

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

describe.each(LISTS)('%s', (path) => {
	test.each<[Record<string, string | number>, number]>([
		[{}, 200],
		[{ limit: 1 }, 200],
		[{ limit: 100 }, 200],
		[{ limit: 0 }, 400],
		[{ limit: 101 }, 400],
		[{ limit: -1 }, 400],
		[{ limit: '1.5' }, 400],
		[{ limit: 'ten' }, 400],
		[{ limit: '' }, 400],
		[{ offset: 0 }, 200],
		[{ offset: 1_000_000 }, 200],
		[{ offset: -1 }, 400],
		[{ offset: 'x' }, 400],
		[{ page: 2 }, 400],
	])('%o: %i', async (query, status) => {
		const answer = await send(`GET ${path}`, { query });
		expect(answer.status).toBe(status);
		if (status === 400) return expect(answer.body.error.code).toBe('INVALID_REQUEST');
		const { limit = 50, offset = 0 } = query;
		expect(answer.body).toMatchObject({ ok: true, error: null, meta: { limit, offset } });
		expect(answer.body.data.length).toBeLessThanOrEqual(Number(limit));
	});
});

describe('order', () => {
	const ordered = (list: Listed[], field: string, sign: 1 | -1) => {
		const key = (row: Listed) =>
			typeof row[field] === 'string' ? row[field].toLowerCase() : row[field];
		const pairs = list.slice(1).map((row, index) => [list[index]!, row] as const);
		return pairs.every(([a, b]) => {
			if (key(a) === key(b)) return sign === 1 ? a.id < b.id : a.id > b.id;
			return key(a) < key(b) === (sign === 1);
		});
	};

	test.each<[string, string[]]>([
		['/call-history', ['created_at']],
		['/orders', ['created_at', 'status', 'total_amount']],
		['/catalogues', ['name', 'created_at']],
		['/catalogues/items', ['name', 'created_at', 'price']],
		['/contacts', ['created_at', 'last_name']],
	])('%s by %o, both ways, ids apart', async (path, fields) => {
		expect(ordered(await rows(path), 'created_at', -1)).toBe(true);
		for (const field of fields) {
			expect(ordered(await rows(path, { sort: field }), field, 1), field).toBe(true);
			expect(ordered(await rows(path, { sort: `-${field}` }), field, -1), field).toBe(true);
		}
		for (const sort of ['colour', '', '-', '+created_at']) {
			expect((await send(`GET ${path}`, { query: { sort } })).status, sort).toBe(400);
		}
	});
});

describe('filters', () => {
	test.each<[string, string, string[], string[]]>([
		[
			'/call-history',
			'call_status',
			['Completed', 'Not Answered', 'Rejected', 'Failed', 'Busy', 'Voicemail', 'Ended In Queue'],
			['In Progress', 'Cancelled', 'completed', ''],
		],
		[
			'/orders',
			'status',
			['pending', 'confirmed', 'completed', 'cancelled', 'refused'],
			['open', 'Pending'],
		],
		['/wallet/transactions', 'transaction_type', ['ADD', 'CONSUME'], ['add', 'REFUND']],
		['/campaigns', 'status', ['draft', 'running'], ['finished']],
	])('%s by %s', async (path, name, good, bad) => {
		for (const value of good) {
			const found = await rows(path, { [name]: value });
			expect(found.length, value).toBeGreaterThan(0);
			expect(found.every((row) => row[name] === value)).toBe(true);
		}
		for (const value of bad)
			expect((await send(`GET ${path}`, { query: { [name]: value } })).status, value).toBe(400);
	});

	test.each([
		['/catalogues', 'MEN', 1],
		['/catalogues/items', 'tiramis', 1],
		['/catalogues/items', 'pizza', 5],
		['/contact-lists', 'sunday', 1],
		['/campaigns', 'campaign 2', 1],
		['/contacts', 'nobody at all', 0],
	])('%s search=%s: %i', async (path, search, count) => {
		expect(await rows(path, { search })).toHaveLength(count);
	});
});

describe('the contacts filter', () => {
	const gold = (contact: Listed) => contact['custom_fields'].loyalty_tier === 'gold';

	test.each<[string, (contact: Listed) => boolean]>([
		['first_name==Ada', ({ first_name }) => first_name === 'Ada'],
		['first_name != Ada', ({ first_name }) => first_name !== 'Ada'],
		['email~=ADA.', ({ email }) => email?.includes('ada.')],
		['loyalty_tier==gold', gold],
		['first_name in Ada, Bruno', ({ first_name }) => ['Ada', 'Bruno'].includes(first_name)],
		['first_name==Ada&loyalty_tier==gold', (row) => row['first_name'] === 'Ada' && gold(row)],
		[
			'first_name==Ada|first_name==Bruno&loyalty_tier==gold',
			(row) => row['first_name'] === 'Ada' || (row['first_name'] === 'Bruno' && gold(row)),
		],
		[
			'birthday>=1980-01-01&birthday<1990-01-01',
			({ custom_fields }) => custom_fields.birthday?.startsWith('198'),
		],
	])('%s', async (filter, fits) => {
		const expected = emulator.store.contacts
			.all()
			.filter((contact) => fits(contact as Contact & Listed));
		const { data, meta } = (await send('GET /contacts', { query: { filter, limit: 100 } })).body;
		expect(meta.total_items).toBe(expected.length);
		expect(expected.length).toBeGreaterThan(0);
		expect(data.every(fits)).toBe(true);
	});

	test('takes precedence over search', async () => {
		expect(
			(await rows('/contacts', { filter: 'first_name==Ada', search: 'nobody' })).length,
		).toBeGreaterThan(0);
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
	])('"%s" is a 400', async (filter) =>
		expect((await send('GET /contacts', { query: { filter } })).status).toBe(400),
	);
});

describe('created_after', () => {
	const EARLY = '2026-01-01T10:00:00.000Z';
	const LATE = '2026-01-02T10:00:00.000Z';

	async function fill(own: Emulator): Promise<void> {
		for (const created_at of [EARLY, EARLY, LATE]) {
			own.store.addCall({ created_at });
			own.store.addOrder({ created_at, total_amount: 5 });
			own.store.addTransaction({ created_at });
		}
	}

	test.each([
		['exclusive', 1],
		['inclusive', 3],
	] as const)('%s: the moment itself brings %i', async (bound, count) => {
		await withEmulator({ data: 'empty', readings: { bound } }, async (own, ask) => {
			await fill(own);
			for (const call of ['GET /call-history', 'GET /orders', 'GET /wallet/transactions']) {
				for (const sort of ['-created_at', 'created_at']) {
					const { body } = await ask(call, { query: { created_after: EARLY, sort } });
					expect(body.meta.total_items, call).toBe(count);
					expect(body.data).toHaveLength(count);
				}
			}
			const { body } = await ask('GET /orders', {
				query: { created_after: EARLY, sort: 'total_amount' },
			});
			expect(body.meta.total_items).toBe(count);
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
	])('%s: %i', async (created_after, status) => {
		for (const path of ['/call-history', '/orders', '/wallet/transactions']) {
			expect((await send(`GET ${path}`, { query: { created_after } })).status).toBe(status);
		}
	});

	test('keeps what lies behind the milliseconds', async () => {
		await withEmulator({ data: 'empty' }, async (own, ask) => {
			own.store.addCall({ created_at: '2026-01-01T10:00:00.123456Z' });
			const count = async (created_after: string) =>
				(await ask('GET /call-history', { query: { created_after } })).body.data.length;
			expect([
				await count('2026-01-01T10:00:00.123Z'),
				await count('2026-01-01T10:00:00.123456Z'),
			]).toEqual([1, 0]);
		});
	});

	test.each([
		['served', 200, [EARLY, LATE]],
		['ignored', 200, [LATE, EARLY]],
		['refused', 400, undefined],
	] as const)('sort=created_at %s', async (ascending, status, moments) => {
		await withEmulator({ data: 'empty', readings: { ascending } }, async (own, ask) => {
			await fill(own);
			for (const call of ['GET /call-history', 'GET /orders', 'GET /wallet/transactions']) {
				const answer = await ask(call, { query: { sort: 'created_at' } });
				expect(answer.status).toBe(status);
				const seen = answer.body.data?.map((row: Listed) => row['created_at']);
				expect(seen && [...new Set(seen)]).toEqual(moments);
			}
		});
	});
});

describe('late records', () => {
	test('an old call is not there until it is visible, its texts come later still', async () => {
		let clock = Date.UTC(2026, 0, 10);
		await withEmulator({ data: 'empty', now: () => clock }, async ({ store }, ask) => {
			const created_at = '2026-01-09T00:00:00.000Z';
			const moments = {
				visibleAt: clock + 10,
				detailAt: clock + 20,
				summaryAt: clock + 30,
				transcriptAt: clock + 40,
			};
			const { id } = store.addCall({ created_at }, moments);
			store.addOrder({ created_at }, { visibleAt: clock + 10 });
			const count = async (call: string) => (await ask(call)).body.meta.total_items;
			const status = async (part: string) => (await ask(`GET /call-history/${id}${part}`)).status;
			const look = async () => [
				await count('GET /call-history'),
				await count('GET /orders'),
				await status(''),
				await status('/summary'),
				await status('/transcript'),
			];
			const seen: unknown[] = [];
			for (let step = 0; step <= 4; step += 1, clock += 10) seen.push(await look());
			expect(seen).toEqual([
				[0, 0, 404, 404, 404],
				[1, 1, 404, 404, 404],
				[1, 1, 200, 404, 404],
				[1, 1, 200, 200, 404],
				[1, 1, 200, 200, 200],
			]);
		});
	});
});

test('the same seed and clock lay the same data', async () => {
	const now = () => 1_790_000_000_000;
	const [one, two] = [await startEmulator({ now }), await startEmulator({ now })];
	expect(one.store.calls.all()).toEqual(two.store.calls.all());
	expect(one.store.agents.all()).toEqual(two.store.agents.all());
	await Promise.all([one.close(), two.close()]);
});
