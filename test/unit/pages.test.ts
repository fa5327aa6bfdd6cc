import fc from 'fast-check';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { readAll } from '../../nodes/api/lists.ts';
import type { Api } from '../../nodes/api/session.ts';
import { idOf, joinPages, type FetchPage, type JoinOptions } from '../../nodes/api/pages.ts';
import type { JsonObject } from '../../nodes/json.ts';

/** The one error of a list that cannot be read to its end, with a way out. */
const UNREADABLE = /cannot be read to its end.*'Limit' of up to/;

/** How a server tells the total of a list: rightly, not at all, or wrongly. */
const META = {
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

interface Change {
	/** How many records come (positive) or go (negative). 'swap': one goes, and one comes elsewhere. */
	by: number | 'swap';
	/** Where, as a share of the list: 0 is its front. */
	at: number;
}

interface World {
	size: number;
	meta: keyof typeof META;
	/** The most records that the server puts on each page in turn, and whether its meta says so. */
	caps?: number[];
	tellsCap?: boolean;
	/** What happens to the list before each answer. Then it stays as it is. */
	changes?: Change[];
	/** Which of the waiting requests is answered next. */
	turns?: number[];
}

/** A server whose list changes between answers, and which answers waiting requests in any order. */
class Server {
	readonly list: JsonObject[];

	readonly start: JsonObject[];

	requests = 0;

	private readonly world: Required<World>;

	private readonly waiting: Array<() => void> = [];

	private nextId: number;

	constructor(world: World) {
		const usual = {
			caps: [100],
			tellsCap: false,
			changes: [],
			turns: [0],
		};
		this.world = { ...usual, ...world };
		this.nextId = 0;
		this.list = Array.from({ length: world.size }, () => this.record());
		this.start = [...this.list];
	}

	readonly fetch: FetchPage = async (offset, limit) => {
		expect(limit).toBeLessThanOrEqual(100);
		expect(offset).toBeGreaterThanOrEqual(0);
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			if (this.waiting.length === 1) setImmediate(this.answerOne);
		});
		const { caps, tellsCap, meta } = this.world;
		const used = Math.min(limit, caps[this.requests % caps.length] as number);
		const records = this.list.slice(offset, offset + used);
		return {
			records,
			total: META[meta](this.list.length, records.length),
			...(tellsCap && { limit: used }),
		};
	};

	/** The records that were there from the first request to the last. */
	lasting() {
		const left = new Set(this.list);
		return this.start.filter((record) => left.has(record));
	}

	private readonly answerOne = () => {
		const { turns, changes } = this.world;
		const turn = turns[this.requests % turns.length] ?? 0;
		const [resolve] = this.waiting.splice(turn % this.waiting.length, 1);
		const change = changes[this.requests];
		if (change !== undefined) this.change(change);
		this.requests += 1;
		resolve?.();
		if (this.waiting.length > 0) setImmediate(this.answerOne);
	};

	private record(): JsonObject {
		return { id: this.nextId++ };
	}

	private change({ by, at }: Change) {
		const place = Math.floor(at * this.list.length);
		if (by === 'swap') {
			this.list.splice(this.list.length - 1 - place, 1);
			this.list.splice(place, 0, this.record());
		} else if (by > 0) {
			this.list.splice(place, 0, ...Array.from({ length: by }, () => this.record()));
		} else {
			this.list.splice(Math.min(place, this.list.length + by), -by);
		}
	}
}

const at = fc.oneof(fc.constantFrom(0, 0.5, 0.999), fc.double({ min: 0, max: 0.999, noNaN: true }));

const turns = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 });
const metas = fc.constantFrom(...(Object.keys(META) as Array<keyof typeof META>));

/** So many records with ids. */
const numbered = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const ids = (records: JsonObject[]) => records.map(({ id }) => id);

async function read(fetch: FetchPage, options?: JoinOptions): Promise<JsonObject[]> {
	const all: JsonObject[] = [];
	for await (const { records } of joinPages(fetch, options)) all.push(...records);
	return all;
}

/** A server of a list that stays as it is. */
const serve =
	(records: JsonObject[], total?: number, cap = 100): FetchPage =>
	async (offset, limit) => ({
		records: records.slice(offset, offset + Math.min(cap, limit)),
		total,
	});

function counting(given: FetchPage) {
	let count = 0;
	const fetch: FetchPage = async (...asked) => {
		count += 1;
		return await given(...asked);
	};
	return { fetch, requests: () => count };
}

/** Reads the list of a world, and checks that nothing is missing, doubled or in another order. */
async function expectWhole(world: World, wanted = Infinity): Promise<Server> {
	const server = new Server(world);
	const found = await read(server.fetch, { wanted });
	const lasting = server.lasting();
	const held = new Set(lasting);
	const kept = found.filter((record) => held.has(record));
	expect(new Set(ids(found)).size).toBe(found.length);
	expect(found.length).toBeLessThanOrEqual(wanted);
	expect(kept).toEqual(lasting.slice(0, kept.length));
	if (found.length < wanted) expect(kept.length).toBe(lasting.length);
	return server;
}

/** Reads the lists of many worlds. Each is whole, or refused with an error. Returns how many were refused. */
async function countRefused(worlds: fc.Arbitrary<World>, numRuns: number): Promise<number> {
	let refused = 0;
	const wanted = fc.oneof(
		{ weight: 3, arbitrary: fc.constant(Infinity) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 500 }) },
	);
	const check = async (world: World, most: number) => {
		const server = await expectWhole(world, most).catch((error: Error) => {
			if (!UNREADABLE.test(error.message)) throw error;
		});
		expect(server?.requests ?? 0).toBeLessThan(250);
		refused += Number(server === undefined);
	};
	await fc.assert(fc.asyncProperty(worlds, wanted, check), { numRuns });
	return refused;
}

describe('a list that changes while it is read comes whole, each record once and in order,', () => {
	const size = fc.oneof(
		fc.integer({ min: 0, max: 900 }),
		fc.constantFrom(99, 100, 101, 198, 199, 200),
	);
	const few = fc.record({
		by: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant('swap' as const)),
		at,
	});

	test('if its total is right and a few records come and go', async () => {
		const meta = fc.constant('right' as const);
		const changes = fc.array(few, { maxLength: 40 });
		const worlds = fc.record({ size, meta, changes, turns });
		expect(await countRefused(worlds, 500)).toBe(0);
	});

	test('whatever its total says, and even if hundreds of records come and go at once', async () => {
		const many = fc.record({ by: fc.integer({ min: -250, max: 250 }), at });
		const changes = fc.array(fc.oneof(few, few, many), { maxLength: 40 });
		const worlds = fc.record({ size, meta: metas, changes, turns });
		// With a wrong total, a list that gets more than a page at once may look as if it was shuffled.
		expect(await countRefused(worlds, 600)).toBeLessThan(15);
	});

	test('if the server sends fewer records than it is asked for', async () => {
		const worlds = fc.record({
			size: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(24, 25, 26, 49, 50, 51)),
			caps: fc.oneof(
				fc.constantFrom(10, 25, 50).map((cap) => [cap]),
				fc.array(fc.integer({ min: 5, max: 99 }), { minLength: 1, maxLength: 9 }),
			),
			tellsCap: fc.boolean(),
			meta: metas,
			changes: fc.array(fc.record({ by: fc.integer({ min: -2, max: 2 }), at }), { maxLength: 20 }),
			turns,
		});
		// A total that is too low is believed if a short page ends there by chance.
		const isTold = ({ meta }: World) =>
			['right', 'none', 'tooLarge', 'zero', 'nonsense', 'roundedUp'].includes(meta);
		expect(await countRefused(worlds.filter(isTold), 400)).toBeLessThan(10);
	});
});

test.each([
	[1, 0],
	[20, 30],
])(
	'%i records that move to the front, because they were changed, come too, while %i are deleted',
	async (moved, deleted) => {
		let all = Array.from({ length: 350 }, (_, id) => ({ id: String(id) }));
		const asked: number[] = [];
		const fetch: FetchPage = async (offset, limit) => {
			asked.push(offset);
			const page = { records: all.slice(offset, offset + limit), total: all.length };
			if (asked.length === 1) all = [...all.slice(-moved), ...all.slice(deleted, -moved)];
			return page;
		};
		const ids = (await read(fetch)).map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
		expect(new Set(ids).size).toBe(ids.length);
		asked.length = 0;
		expect(await read(fetch, { wanted: 250 })).toHaveLength(250);
	},
);

describe('the number of requests', () => {
	test.each<[meta: keyof typeof META, cap: number, size: number, wanted: number, most: number]>([
		// According to the reference a total that is reached ends the list.
		['right', 100, 0, Infinity, 1],
		['right', 100, 100, Infinity, 2],
		['right', 100, 150, Infinity, 2],
		['right', 100, 1000, 100, 1],
		['none', 100, 150, Infinity, 3],
		['right', 25, 80, Infinity, 4],
		['none', 25, 80, Infinity, 5],
	])(
		'total %s, pages of %i, %i records, %d wanted: at most %i',
		async (meta, cap, size, wanted, most) => {
			const { requests } = await expectWhole(
				{ meta, caps: [cap], size, tellsCap: meta === 'right' },
				wanted,
			);
			expect(requests).toBeLessThanOrEqual(most);
		},
	);

	test('is bounded if the total is a billion', async () => {
		const { requests, fetch } = counting(serve(numbered(350), 1e9));
		expect(await read(fetch)).toEqual(numbered(350));
		expect(requests()).toBeLessThan(120);
	});
});

test.each([25, 100])(
	'an event may stand under several dates of a list with several pages of %i',
	async (cap) => {
		const events = Array.from({ length: 130 }, (_, at) => ({
			id: at % 50 === 20 ? 'weekly' : `e${at}`,
			date: `2026-11-${10 + Math.floor(at / 10)}`,
		}));
		const send = async ({ query }: { query: { offset: number; limit: number } }) => {
			const shown = events.slice(query.offset, query.offset + Math.min(query.limit, cap));
			const meta = { total_items: events.length };
			return await Promise.resolve({ data: shown, meta });
		};
		const api = { send } as unknown as Api;
		const request = { method: 'GET', path: '/events' } as const;
		expect(await readAll(api, request)).toEqual(events);
	},
);

describe('records that cannot be told apart', () => {
	const unnamed = (count: number): JsonObject[] => Array.from({ length: count }, (_, n) => ({ n }));

	test.each<[what: string, records: JsonObject[]]>([
		['without IDs', unnamed(30)],
		['without IDs, as many as fit on a page', unnamed(100)],
		['with one ID for several', [{ id: 7, day: 1 }, { id: 7, day: 2 }, { id: 8 }]],
	])('all come if they fit on one page: records %s', async (_what, records) => {
		for (const total of [records.length, undefined]) {
			expect(await read(serve(records, total))).toEqual(records);
		}
	});

	test.each<[what: string, records: JsonObject[]]>([
		['no ID', unnamed(250)],
		['one ID for two', numbered(250).map(({ id }) => ({ id: id === 90 ? 89 : id, n: id }))],
	])('are refused on several pages: %s', async (_what, records) => {
		for (const total of [records.length, undefined]) {
			const { requests, fetch } = counting(serve(records, total));
			await expect(read(fetch)).rejects.toThrow(UNREADABLE);
			expect(requests()).toBeLessThan(8);
			expect(await read(serve(records, total), { wanted: 80 })).toEqual(records.slice(0, 80));
		}
	});
});

describe('a list that cannot be read to its end is refused:', () => {
	let answers = 0;
	test.each<[what: string, fetch: FetchPage]>([
		['the offset is ignored', async () => ({ records: numbered(100) })],
		['one record comes at a time, without a total', serve(numbered(5), undefined, 1)],
		[
			'it never stays the same',
			async (_offset, limit) => {
				const first = ++answers * 1000;
				return { records: numbered(limit).map(({ id }) => ({ id: first + id })), total: 500 };
			},
		],
	])('%s', async (_what, given) => {
		const { requests, fetch } = counting(given);
		await expect(read(fetch)).rejects.toThrow(UNREADABLE);
		expect(requests()).toBeLessThan(200);
	});
});

describe('a reader', () => {
	test.each([1, 3, 12])('that stops after %i pages sends nothing more', async (enough) => {
		const server = new Server({ size: 20_000, meta: 'right' });
		// A session sends only so many at a time, and asks before each whether it is still needed.
		const limit = pLimit(5);
		const fetch: FetchPage = async (offset, size, signal) =>
			await limit(async () => {
				if (signal?.aborted) throw new Error('stopped');
				return await server.fetch(offset, size);
			});
		let taken = 0;
		for await (const { records } of joinPages(fetch)) {
			taken += Math.sign(records.length);
			if (taken === enough) break;
		}
		const before = server.requests;
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(server.requests).toBe(before);
		expect(before).toBeLessThan(enough + 11);
	});

	test('gets the error of the page that fails, once, after the records before it', async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', note);
		const fetch: FetchPage = async (offset, limit) => {
			if (offset > 250) throw new Error(`page ${offset} is lost`);
			// Later pages fail while this one is awaited.
			await new Promise((resolve) => setTimeout(resolve, offset / 10));
			return await serve(numbered(2000), 2000)(offset, limit);
		};
		const found: JsonObject[] = [];
		const reading = async () => {
			for await (const { records } of joinPages(fetch)) found.push(...records);
		};
		await expect(reading()).rejects.toThrow('page 297 is lost');
		await new Promise((resolve) => setTimeout(resolve, 20));
		process.off('unhandledRejection', note);
		expect(found).toEqual(numbered(298));
		expect(unhandled).toEqual([]);
	});
});

test.each<[record: JsonObject, key: string | undefined]>([
	[{ id: 'a' }, 'a'],
	[{ id: 7 }, '7'],
	[{ value: 'base', label: 'Base' }, 'base'],
	[{ value: 20, date: '2026-01-31' }, undefined],
	[{ id: {} }, undefined],
	[{ id: '' }, undefined],
	[{ id: 0 }, '0'],
	[{}, undefined],
])('%j is told from other records by %s', (record, key) => {
	expect(idOf(record)).toBe(key);
});
