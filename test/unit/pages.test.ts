import fc from 'fast-check';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { idOf, joinPages, type FetchPage } from '../../nodes/api/pages.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { numbered, PagedList } from '../support/pagedList.ts';

/** The one error of a list that cannot be read to its end, with a way out. */
const UNREADABLE = /cannot be read to its end.*'Limit' of up to/;

/** How a server tells the total of a list: rightly, not at all, or wrongly. */
const TOTALS = {
	right: (length: number, _page: number) => length,
	none: () => undefined,
	tooSmall: (length: number) => Math.floor(length / 3),
	tooLarge: (length: number) => length * 3 + 250,
	zero: () => 0,
	nonsense: () => -7.5,
	roundedUp: (length: number) => Math.ceil(length / 10) * 10,
	roundedDown: (length: number) => Math.floor(length / 10) * 10 - 1,
	ofPage: (_length: number, page: number) => page,
} as const;

type Total = keyof typeof TOTALS;

interface Change {
	/** How many records come (positive) or go (negative). 'swap': one goes, and one comes elsewhere. */
	by: number | 'swap';
	/** Where, as a share of the list: 0 is its front. */
	at: number;
}

interface World {
	size: number;
	total: Total;
	caps?: number[];
	tellsCap?: boolean;
	/** What happens to the list before each answer. Then it stays as it is. */
	changes?: Change[];
	/** How long the answer to each request takes, so that they come in any order. */
	delays?: number[];
}

let nextId = 0;
const newRecords = (count: number): JsonObject[] =>
	Array.from({ length: count }, () => ({ id: nextId++ }));

function change(list: JsonObject[], { by, at }: Change): void {
	const place = Math.floor(at * list.length);
	if (by === 'swap') {
		list.splice(list.length - 1 - place, 1);
		list.splice(place, 0, ...newRecords(1));
	} else if (by > 0) {
		list.splice(place, 0, ...newRecords(by));
	} else {
		list.splice(Math.min(place, list.length + by), -by);
	}
}

async function read(fetch: FetchPage, wanted = Infinity): Promise<JsonObject[]> {
	const all: JsonObject[] = [];
	for await (const { records } of joinPages(fetch, { wanted })) all.push(...records);
	return all;
}

/**
 * Reads the list of a world, and checks that nothing is missing, doubled or in another order.
 * @returns how many requests that took
 */
async function expectWhole(world: World, wanted = Infinity): Promise<number> {
	const { size, total, caps, tellsCap, changes = [], delays = [0] } = world;
	const start = newRecords(size);
	let answered = 0;
	const list = new PagedList([...start], {
		caps,
		tellsCap,
		total: TOTALS[total],
		async before(request) {
			for (let left = delays[request % delays.length]!; left >= 0; left--)
				await new Promise(setImmediate);
			const next = changes[answered++];
			if (next) change(list.records, next);
		},
	});
	const found = await read(list.fetch, wanted);
	const left = new Set(list.records);
	const lasting = start.filter((record) => left.has(record));
	const isLasting = new Set(lasting);
	const kept = found.filter((record) => isLasting.has(record));
	expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
	expect(found.length).toBeLessThanOrEqual(wanted);
	expect(kept).toEqual(lasting.slice(0, kept.length));
	if (found.length < wanted) expect(kept.length).toBe(lasting.length);
	return list.requests;
}

/** Reads the lists of many worlds. Each is whole, or refused with an error. Returns how many were refused. */
async function countRefused(worlds: fc.Arbitrary<World>, numRuns: number): Promise<number> {
	let refused = 0;
	const wanted = fc.oneof(
		{ weight: 3, arbitrary: fc.constant(Infinity) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 500 }) },
	);
	const check = async (world: World, most: number) => {
		const requests = await expectWhole(world, most).catch((error: Error) => {
			if (!UNREADABLE.test(error.message)) throw error;
			refused += 1;
			return 0;
		});
		expect(requests).toBeLessThan(250);
	};
	await fc.assert(fc.asyncProperty(worlds, wanted, check), { numRuns });
	return refused;
}

describe('a list that changes while it is read comes whole, each record once and in order,', () => {
	const size = fc.oneof(
		fc.integer({ min: 0, max: 900 }),
		fc.constantFrom(99, 100, 101, 198, 199, 200),
	);
	const at = fc.oneof(
		fc.constantFrom(0, 0.5, 0.999),
		fc.double({ min: 0, max: 0.999, noNaN: true }),
	);
	const some = (most: number) => fc.record({ by: fc.integer({ min: -most, max: most }), at });
	const few = fc.oneof(some(3), fc.record({ by: fc.constant('swap' as const), at }));
	const delays = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 });
	const totals = fc.constantFrom(...(Object.keys(TOTALS) as Total[]));

	test('if its total is right and a few records come and go', async () => {
		const total = fc.constant('right' as const);
		const changes = fc.array(few, { maxLength: 40 });
		expect(await countRefused(fc.record({ size, total, changes, delays }), 500)).toBe(0);
	});

	test('whatever its total says, and even if hundreds of records come and go at once', async () => {
		const changes = fc.array(fc.oneof(few, few, some(250)), { maxLength: 40 });
		const worlds = fc.record({ size, total: totals, changes, delays });
		// With a wrong total, a list that gets more than a page at once may look as if it was shuffled.
		expect(await countRefused(worlds, 600)).toBeLessThan(15);
	});

	test('if the server sends fewer records than it is asked for', async () => {
		const worlds = fc.record({
			size: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(24, 25, 26, 49, 50, 51)),
			caps: fc.oneof(
				fc.constantFrom<number[]>([10], [25], [50]),
				fc.array(fc.integer({ min: 5, max: 99 }), { minLength: 1, maxLength: 9 }),
			),
			tellsCap: fc.boolean(),
			// Another total that is too low is believed if a short page ends there by chance.
			total: fc.constantFrom<Total>('right', 'none', 'tooLarge', 'zero', 'nonsense', 'roundedUp'),
			changes: fc.array(some(2), { maxLength: 20 }),
			delays,
		});
		expect(await countRefused(worlds, 400)).toBeLessThan(10);
	});
});

test.each([
	[1, 0],
	[20, 30],
])(
	'%i records that move to the front, because they were changed, come too, while %i are deleted',
	async (moved, deleted) => {
		const list = new PagedList(numbered(350), {
			before(request) {
				const { records } = list;
				if (request === 1)
					list.records = [...records.slice(-moved), ...records.slice(deleted, -moved)];
			},
		});
		const found = (await read(list.fetch)).map(({ id }) => id);
		expect(found).toEqual(expect.arrayContaining(list.records.map(({ id }) => id)));
		expect(new Set(found).size).toBe(found.length);
		expect(await read(list.fetch, 250)).toHaveLength(250);
	},
);

describe('the number of requests', () => {
	test.each<[total: Total, cap: number, size: number, wanted: number, most: number]>([
		// According to the reference a total that is reached ends the list.
		['right', 100, 0, Infinity, 1],
		['right', 100, 100, Infinity, 2],
		['right', 100, 150, Infinity, 2],
		['right', 100, 1000, 100, 1],
		['none', 100, 150, Infinity, 3],
		['right', 25, 80, Infinity, 4],
		['none', 25, 80, Infinity, 5],
	])('total %s, pages of %i, %i records, %d wanted: at most %i', async (total, cap, ...given) => {
		const [size, wanted, most] = given;
		const world: World = { total, caps: [cap], size, tellsCap: total === 'right' };
		expect(await expectWhole(world, wanted)).toBeLessThanOrEqual(most);
	});

	test('is bounded if the total is a billion', async () => {
		const list = new PagedList(numbered(350), { total: () => 1e9 });
		expect(await read(list.fetch)).toEqual(numbered(350));
		expect(list.requests).toBeLessThan(120);
	});
});

describe.each<[total: Total]>([['right'], ['none']])('with the total %s, records', (name) => {
	const total = TOTALS[name];
	const unnamed = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
	const twins = numbered(250).map(({ id }) => ({ id: id === 90 ? 89 : id, n: id }));

	test.each<[what: string, records: JsonObject[]]>([
		['IDs', unnamed(30)],
		['IDs, as many as fit on a page', unnamed(100)],
		['IDs of their own', [{ id: 7, day: 1 }, { id: 7, day: 2 }, { id: 8 }]],
	])('without %s come if they fit on one page', async (_what, records) => {
		expect(await read(new PagedList(records, { total }).fetch)).toEqual(records);
	});

	test.each<[what: string, records: JsonObject[]]>([
		['IDs', unnamed(250)],
		['IDs of their own', twins],
	])('without %s are refused on several pages', async (_what, records) => {
		const list = new PagedList(records, { total });
		await expect(read(list.fetch)).rejects.toThrow(UNREADABLE);
		expect(list.requests).toBeLessThan(8);
		expect(await read(list.fetch, 80)).toEqual(records.slice(0, 80));
	});
});

describe('a list that cannot be read to its end is refused:', () => {
	const changing = (request: number) => ({
		records: numbered(100).map(({ id }) => ({ id: `${request} ${String(id)}` })),
		total: 500,
	});
	test.each<[what: string, page: (request: number, offset: number) => object]>([
		['the offset is ignored', () => ({ records: numbered(100) })],
		['one record comes at a time', (_, at) => ({ records: numbered(5).slice(at, at + 1) })],
		['it never stays the same', changing],
	])('%s', async (_what, page) => {
		let requests = 0;
		const fetch = async (offset: number) => await Promise.resolve(page(++requests, offset));
		await expect(read(fetch as FetchPage)).rejects.toThrow(UNREADABLE);
		expect(requests).toBeLessThan(200);
	});
});

describe('a reader', () => {
	const aMoment = async (ms: number) =>
		await new Promise<void>((resolve) => setTimeout(resolve, ms));

	test.each([1, 3, 12])('that stops after %i pages sends nothing more', async (enough) => {
		const list = new PagedList(numbered(20_000), { before: async () => await aMoment(0) });
		// A session sends only so many at a time, and asks before each whether it is still needed.
		const limit = pLimit(5);
		const fetch: FetchPage = async (offset, size, stop) =>
			await limit(async () => {
				if (stop?.isStopped) throw new Error('stopped');
				return await list.fetch(offset, size);
			});
		let taken = 0;
		for await (const { records } of joinPages(fetch)) {
			taken += Math.sign(records.length);
			if (taken === enough) break;
		}
		const before = list.requests;
		await aMoment(20);
		expect(list.requests).toBe(before);
		expect(before).toBeLessThan(enough + 11);
	});

	test('gets the error of the page that fails, once, after the records before it', async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', note);
		const { fetch } = new PagedList(numbered(2000));
		const failing: FetchPage = async (offset, limit) => {
			if (offset > 250) throw new Error(`page ${offset} is lost`);
			// Later pages fail while this one is awaited.
			await aMoment(offset / 10);
			return await fetch(offset, limit);
		};
		const found: JsonObject[] = [];
		const reading = async () => {
			for await (const { records } of joinPages(failing)) found.push(...records);
		};
		await expect(reading()).rejects.toThrow('page 297 is lost');
		await aMoment(20);
		process.off('unhandledRejection', note);
		expect(found).toEqual(numbered(298));
		expect(unhandled).toEqual([]);
	});
});

test.each<[record: JsonObject, key: string | undefined]>([
	[{ id: 'a' }, 'a'],
	[{ id: 0 }, '0'],
	[{ value: 'base', label: 'Base' }, 'base'],
	[{ value: 20, date: '2026-01-31' }, undefined],
	[{ id: {} }, undefined],
	[{ id: '' }, undefined],
])('%j is told from other records by %s', (record, key) => {
	expect(idOf(record)).toBe(key);
});
