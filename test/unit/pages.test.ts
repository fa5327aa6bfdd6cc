import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { defaultKey, readPages, streamPages, type Page } from '../../nodes/api/pages/index.ts';

type Record_ = { id?: number } & JsonObject;

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
	/** The most records that the server puts on a page, and whether its meta says so. */
	cap?: number;
	tellsCap?: boolean;
	meta: keyof typeof META;
	/** What happens to the list before each answer. Then it stays as it is. */
	changes: Change[];
	/** Which of the waiting requests is answered next. */
	turns: number[];
}

/** A server whose list changes between answers, and which answers waiting requests in any order. */
class Server {
	readonly list: Record_[];

	readonly start: Record_[];

	requests = 0;

	underWay = 0;

	private readonly world: World;

	private readonly waiting: Array<() => void> = [];

	private nextId: number;

	constructor(world: World) {
		this.world = world;
		this.list = Array.from({ length: world.size }, (_, id) => ({ id }));
		this.start = [...this.list];
		this.nextId = world.size;
	}

	fetch = async (offset: number, limit: number): Promise<Page> => {
		expect(limit).toBeLessThanOrEqual(100);
		expect(offset).toBeGreaterThanOrEqual(0);
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			if (this.waiting.length === 1) setImmediate(this.answerOne);
		});
		const { cap = 100, tellsCap = false, meta } = this.world;
		const used = Math.min(limit, cap);
		const records = this.list.slice(offset, offset + used);
		return {
			records,
			total: META[meta](this.list.length, records.length),
			...(tellsCap && { limit: used }),
		};
	};

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

	private change({ by, at }: Change) {
		const place = Math.floor(at * this.list.length);
		if (by === 'swap') {
			this.list.splice(this.list.length - 1 - place, 1);
			this.list.splice(place, 0, { id: this.nextId++ });
		} else if (by > 0) {
			this.list.splice(place, 0, ...Array.from({ length: by }, () => ({ id: this.nextId++ })));
		} else {
			this.list.splice(Math.min(place, this.list.length + by), -by);
		}
	}

	/** The records that were there from the first request to the last. */
	lasting() {
		const left = new Set(this.list);
		return this.start.filter((record) => left.has(record));
	}
}

const at = fc.oneof(fc.constantFrom(0, 0.5, 0.999), fc.double({ min: 0, max: 0.999, noNaN: true }));

const change: fc.Arbitrary<Change> = fc.record({
	by: fc.oneof(
		{ weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
		{ weight: 2, arbitrary: fc.constant('swap' as const) },
		{ weight: 1, arbitrary: fc.integer({ min: -250, max: 250 }) },
	),
	at,
});

const world: fc.Arbitrary<World> = fc.record({
	size: fc.oneof(fc.integer({ min: 0, max: 900 }), fc.constantFrom(99, 100, 101, 198, 199, 200)),
	meta: fc.constantFrom(...(Object.keys(META) as Array<keyof typeof META>)),
	changes: fc.array(change, { maxLength: 40 }),
	turns: fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
});

/** So many records with ids. */
const numbered = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const ids = (records: JsonObject[]) => records.map(({ id }) => id);

/** What a reading returns; undefined if it gave up, which it may after three changes at the wrong moment. */
const unlessGivenUp = async <T>({ changes }: World, reading: Promise<T>): Promise<T | undefined> =>
	await reading.catch((error: Error) => {
		if (changes.length < 3 || !error.message.includes('three times in a row')) throw error;
		return undefined;
	});

async function expectWhole(given: World, wanted = Infinity, read = readPages) {
	const server = new Server(given);
	const found = (await unlessGivenUp(given, read(server.fetch, wanted))) as Record_[];
	if (found === undefined) return { requests: 0 };
	const lasting = server.lasting();
	const held = new Set(lasting);
	const kept = found.filter((record) => held.has(record));

	expect(new Set(ids(found)).size).toBe(found.length);
	expect(found.length).toBeLessThanOrEqual(wanted);
	expect(ids(kept)).toEqual(ids(lasting.slice(0, kept.length)));
	if (found.length < wanted) expect(kept.length).toBe(lasting.length);
	return server;
}

describe('a list that changes while it is read', () => {
	test('what lasts is found once and in order, and nothing comes twice', async () => {
		let [most, givenUp] = [0, 0];
		await fc.assert(
			fc.asyncProperty(world, async (given) => {
				const { requests } = await expectWhole(given);
				most = Math.max(most, requests);
				givenUp += Number(requests === 0);
			}),
			{ numRuns: 2500 },
		);
		expect(most).toBeLessThan(250);
		expect(givenUp).toBeLessThan(10);
	});

	test('what lasts is found once if only the beginning of the list is wanted', async () => {
		const wanted = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(99, 100, 101, 199));
		await fc.assert(
			fc.asyncProperty(
				world,
				wanted,
				async (given, count) => void (await expectWhole(given, count)),
			),
			{ numRuns: 500 },
		);
	});

	test('what lasts is found once if a record comes for each that goes, so that the total stays', async () => {
		const swap = fc.record({ by: fc.constant('swap' as const), at });
		const swaps = fc.array(swap, { minLength: 5, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(world, swaps, async (given, changes) => {
				await expectWhole({ ...given, meta: 'right', changes });
			}),
			{ numRuns: 200 },
		);
	});

	test('what lasts is found once if the server puts fewer records on a page than it is asked for', async () => {
		const capped = fc.record({
			size: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(24, 25, 26, 49, 50, 51)),
			cap: fc.oneof(fc.integer({ min: 5, max: 99 }), fc.constantFrom(10, 25, 50)),
			tellsCap: fc.boolean(),
			meta: fc.constantFrom(...(Object.keys(META) as Array<keyof typeof META>)),
			// If more changes than fits on a page, reading ends with an error.
			changes: fc.array(fc.record({ by: fc.integer({ min: -2, max: 2 }), at }), { maxLength: 20 }),
			turns: fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
		});
		// A total that is too low is believed if the first page ends there by chance. It is not if the page's
		// length is one that servers are set to, or if the server says that it used a smaller limit.
		const isTold = ({ meta, tellsCap, cap = 0 }: World) =>
			tellsCap === true ||
			(cap >= 10 && (cap % 5 === 0 || cap === 16 || cap === 32 || cap === 64)) ||
			!['tooSmall', 'roundedDown', 'ofPage'].includes(meta);
		const wanted = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 300 }));
		await fc.assert(
			fc.asyncProperty(capped.filter(isTold), wanted, async (given, count) => {
				await expectWhole(given, count);
			}),
			{ numRuns: 1000 },
		);
	});

	test('reading ends with an error, rather than with gaps, if the list never stays the same', async () => {
		let count = 0;
		const fetch = async (_offset: number, limit: number) => {
			count += 1;
			return { records: numbered(limit).map(({ id }) => ({ id: count * 1000 + id })), total: 500 };
		};
		await expect(readPages(fetch)).rejects.toThrow(/changes faster than it can be read.*filter/);
		expect(count).toBeLessThan(150);
	});
});

describe('a list without a fixed order', () => {
	/** Of the records, `ties` at a time have the same date. They come in another order with each request. */
	const served = (size: number, ties: number, cap: number, total: number | undefined) => {
		let requests = 0;
		const fetch = async (offset: number, limit: number): Promise<Page> => {
			const turn = ++requests;
			const list = numbered(size).map(({ id }) => {
				const group = id - (id % ties);
				return { id: group + (((id % ties) * 7 + turn * 13) % Math.min(ties, size - group)) };
			});
			return { records: list.slice(offset, offset + Math.min(cap, limit)), total };
		};
		return { fetch, requests: () => requests };
	};

	test.each([
		[450, 10, 100],
		[450, 10, 30],
		[800, 10, 100],
		[250, 50, 100],
	])('of %i records, %i of a date, %i on a page, all are found', async (size, ties, cap) => {
		const { fetch } = served(size, ties, cap, size);
		const found = await readPages(fetch);
		expect(new Set(ids(found)).size).toBe(size);
		expect(found).toHaveLength(size);
	});

	test('is not read for ever if its total is too high', async () => {
		const { fetch, requests } = served(450, 1, 100, 900);
		expect(await readPages(fetch)).toHaveLength(450);
		expect(requests()).toBeLessThan(25);
	});
});

describe('the number of requests', () => {
	test.each<[meta: keyof typeof META, cap: number, size: number, wanted: number, most: number]>([
		// According to the reference a total that is reached ends the list.
		['right', 100, 0, Infinity, 1],
		['right', 100, 1, Infinity, 1],
		['right', 100, 31, Infinity, 1],
		['right', 100, 99, Infinity, 1],
		['right', 100, 100, Infinity, 2],
		['right', 100, 150, Infinity, 2],
		['right', 100, 199, Infinity, 3],
		['right', 100, 250, Infinity, 3],
		['right', 100, 1000, Infinity, 11],
		['right', 100, 10_000, Infinity, 102],
		['right', 100, 1000, 1, 1],
		['right', 100, 1000, 100, 1],
		['right', 100, 1000, 101, 2],
		['right', 100, 1000, 250, 3],
		// If the length of the page is a round number, the total may be that of the page.
		['right', 100, 30, Infinity, 2],
		['ofPage', 100, 30, Infinity, 2],
		['none', 100, 30, Infinity, 2],
		['none', 100, 150, Infinity, 3],
		['right', 25, 20, Infinity, 2],
		['right', 25, 21, Infinity, 1],
		['right', 25, 80, Infinity, 5],
		['ofPage', 25, 80, Infinity, 5],
		['none', 25, 80, Infinity, 5],
	])(
		'total %s, pages of %i, %i records, %d wanted: at most %i',
		async (meta, cap, size, wanted, most) => {
			const { requests } = await expectWhole({ changes: [], turns: [0], meta, cap, size }, wanted);
			expect(requests).toBeLessThanOrEqual(most);
		},
	);

	test('for the first 7: one, for no more than 7', async () => {
		const asked: unknown[] = [];
		const fetch = async (...window: unknown[]) => {
			asked.push(window);
			return { records: [], total: 0 };
		};
		await readPages(fetch, 7);
		expect(asked).toEqual([[0, 7]]);
	});

	test('is bounded if the total is a billion', async () => {
		let requests = 0;
		const list = numbered(350);
		const fetch = async (offset: number, limit: number) => {
			requests += 1;
			return { records: list.slice(offset, offset + limit), total: 1e9 };
		};
		expect(await readPages(fetch)).toEqual(list);
		expect(requests).toBeLessThan(200);
	});

	test.each<[name: string, page: JsonObject[], total?: number]>([
		['with ids', numbered(100)],
		['with ids and a total', numbered(100), 800],
		['without ids', numbered(100).map(({ id: n }) => ({ n }))],
		['without ids, with a total', numbered(100).map(({ id: n }) => ({ n })), 800],
		['that ignores limit too', numbered(150), 150],
	])('is bounded for a server that ignores offset: records %s', async (_name, page, total) => {
		let requests = 0;
		const records = await readPages(async () => {
			if (++requests > 300) throw new Error('endless');
			return { records: page, total };
		});
		expect(records).toEqual(page);
	});
});

describe('a list that is handed over page by page', () => {
	/** What each of those that began to take was given. */
	async function streamed(fetch: Parameters<typeof streamPages>[0], enough = Infinity) {
		const begun: JsonObject[][] = [];
		const options = enough < Infinity ? { ahead: () => 3 } : { seeks: true };
		const startTaking = () => {
			const taken: JsonObject[] = [];
			begun.push(taken);
			return async (records: JsonObject[]) => {
				taken.push(...records);
				await Promise.resolve();
				return taken.length >= enough;
			};
		};
		await streamPages(fetch, startTaking, options);
		return begun;
	}

	test('is whole, also if it changes while it is read', async () => {
		const read: typeof readPages = async (fetch) => (await streamed(fetch)).at(-1)!;
		await fc.assert(
			fc.asyncProperty(world, async (given) => void (await expectWhole(given, Infinity, read))),
			{ numRuns: 500 },
		);
	});

	test.each([1, 100, 101, 450])(
		'is not read further than needed: %d are enough',
		async (enough) => {
			const asked: number[] = [];
			const list = numbered(5000);
			const [taken] = await streamed(async (offset, limit) => {
				asked.push(offset);
				return { records: list.slice(offset, offset + limit), total: list.length };
			}, enough);
			expect(taken!.length).toBeGreaterThanOrEqual(enough);
			expect(taken).toEqual(list.slice(0, taken!.length));
			expect(Math.max(...asked)).toBeLessThan(enough + 400);
		},
	);
});

test('a first page that is empty although there is a total is read again', async () => {
	const list = numbered(950);
	let requests = 0;
	const found = await readPages(async (offset, limit) => {
		requests += 1;
		const records = requests === 1 ? [] : list.slice(offset, offset + limit);
		return { records, total: list.length };
	});
	expect(found).toEqual(list);
	expect(requests).toBeLessThan(13);
});

test('a page that fails ends reading with its own error', async () => {
	const fetch = async (offset: number) => {
		if (offset > 0) throw new Error('page lost');
		return { records: numbered(100), total: 300 };
	};
	await expect(readPages(fetch)).rejects.toThrow('page lost');
});

test.each<[record: JsonObject, key: string | undefined]>([
	[{ id: 'a' }, 'a'],
	[{ id: 7 }, '7'],
	[{ value: 'base', label: 'Base' }, 'base'],
	[{ id: 'a', value: 'b', label: 'B' }, 'a'],
	[{ id: null, value: 'b', label: 'B' }, 'b'],
	[{ value: 20, date: '2026-01-31' }, undefined],
	[{ id: '__proto__' }, '__proto__'],
	[{ id: {} }, undefined],
	[{ id: '' }, undefined],
	[{ id: 0 }, '0'],
	[{ name: 'a' }, undefined],
	[{}, undefined],
])('%j is told from other records by %s', (record, key) => {
	expect(defaultKey(record)).toBe(key);
});
