import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS, guard, instant, since } from '../../nodes/trigger/reading/cursor.ts';
import type { State } from '../../nodes/trigger/reading/cursor.ts';
import { Spent, activate, sweep } from '../../nodes/trigger/reading/sweep.ts';
import type { Options, Page, Query } from '../../nodes/trigger/reading/sweep.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LOOK_BACK = 3 * HOUR;
const NOW = Date.UTC(2026, 0, 15, 9);

interface Row {
	id: string;
	created_at: string;
}

let born = 0;
const row = (at: number): Row => ({
	id: `00000000-0000-4000-8000-${String((born += 1)).padStart(12, '0')}`,
	created_at: new Date(at).toISOString(),
});
const rows = (count: number, at: (i: number) => number): Row[] =>
	Array.from({ length: count }, (_, i) => row(at(i)));
const ids = (list: Row[]): string[] => list.map(({ id }) => id);
const options: Options<Row> = { scope: 's', lookBack: LOOK_BACK };
const empty = (f: number, h = f): State => ({ v: 1, scope: 's', f, h, ids: {} });

/** A newest-first list; `before` runs before each request and may change the list or throw. */
function serve(list: Row[], { total = true, before = (_request: number): void => undefined } = {}) {
	const asked: Query[] = [];
	const page = async (query: Query): Promise<Page<Row>> => {
		before(asked.push(query));
		const after = query.after ? new Date(query.after).toISOString() : '';
		const found = list
			.filter(({ created_at }) => created_at > after)
			.sort((a, b) =>
				a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? 1 : -1,
			);
		const records = found.slice(query.offset, query.offset + query.limit);
		return total ? { records, total: found.length } : { records };
	};
	return { page, asked, list, now: () => NOW, deadline: Infinity };
}

async function poll(
	state: State,
	ports: ReturnType<typeof serve>,
	given: Partial<Options<Row>> = {},
) {
	const before = ports.asked.length;
	const swept = await sweep(state, ports, { ...options, ...given });
	const { state: next, emit } = swept.commit(state);
	return { state: next!, emit, error: swept.error, requests: ports.asked.length - before };
}

async function begin(ports: ReturnType<typeof serve>): Promise<State> {
	return (await activate(ports, options)).commit(undefined).state!;
}

describe('dates', () => {
	test.each([
		['2026-01-15T09:00:00Z', 0],
		['2026-01-15T09:00:00', 0],
		['2026-01-15 09:00:00.5', 500],
		['2026-01-15T09:00:00.123456Z', 123],
		['2026-01-15T11:00:00.999999+02:00', 999],
		['2026-01-15T03:30:00-0530', 0],
		['2026-01-15T11:00+02', 0],
	])('%s', (text, ms) => expect(instant(text)).toBe(NOW + ms));

	test.each(['', 'yesterday', '2026-13-01T00:00:00Z', 'undefinedTundefined'])(
		'%j is refused',
		(text) => {
			expect(() => instant(text)).toThrow('created_at is no date');
		},
	);

	test('created_after lies one to two seconds before, in whole seconds', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
				const asked = since(at);
				expect(asked).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
				expect(at - Date.parse(asked)).toBeGreaterThanOrEqual(SECOND);
				expect(at - Date.parse(asked)).toBeLessThan(2 * SECOND);
			}),
		);
	});
});

describe('the stored state', () => {
	const state: State = { v: 1, scope: 's', f: 1, h: 2, r: 3, l: 2, ids: { abc: 2 } };

	test('survives being stored, as a copy', () => {
		const read = guard(JSON.parse(JSON.stringify(state)), 's')!;
		expect(read).toEqual(state);
		read.ids.def = 3;
		expect(state.ids).toEqual({ abc: 2 });
	});

	test('is read without an error whatever it is', () => {
		fc.assert(fc.property(fc.anything(), (raw) => guard(raw, 's') === undefined));
		fc.assert(
			fc.property(fc.constantFrom(...Object.keys(state)), fc.anything(), (key, value) => {
				const read = guard({ ...state, [key]: value }, 's');
				return !read || [read.f, read.h, ...Object.values(read.ids)].every(Number.isFinite);
			}),
		);
	});

	test.each([
		{ v: 2 },
		{ scope: 't' },
		{ f: null },
		{ h: '2' },
		{ ids: [] },
		{ ids: { abc: 'x' } },
		{ ids: null },
	])('%j starts anew', (change) => expect(guard({ ...state, ...change }, 's')).toBeUndefined());

	test('half a lap is forgotten', () => {
		expect(guard({ ...state, l: undefined }, 's')).not.toHaveProperty('r');
	});
});

describe('first activation', () => {
	test('emits nothing old, with one request, and later what shows up late', async () => {
		const api = serve(rows(1000, (i) => NOW - i * 10 * MINUTE));
		const state = await begin(api);
		expect(api.asked).toEqual([{ offset: 0, limit: 100 }]);
		expect((await poll(state, api)).emit).toEqual([]);

		const late = row(NOW - LOOK_BACK);
		const tooLate = row(NOW - LOOK_BACK - LIMITS.margin - 1);
		api.list.push(late, tooLate);
		expect((await poll(state, api)).emit).toEqual([late]);
	});

	test('on an empty account does not trust the clock', async () => {
		const api = serve([]);
		const state = await begin(api);
		const first = row(NOW - 23 * HOUR);
		api.list.push(first);
		expect((await poll(state, api)).emit).toEqual([first]);
	});

	test('that could read one page only leaves the rest out', async () => {
		const api = serve(
			rows(250, (i) => NOW - i * MINUTE),
			{
				before: (request) => {
					if (request === 2) throw new Error('502');
				},
			},
		);
		const activated = await activate(api, options);
		expect(activated.error).toEqual(new Error('502'));
		const { state, shortened } = activated.commit(undefined);
		expect(shortened).toBe(NOW - 99 * MINUTE + 1);
		expect((await poll(state!, api)).emit).toEqual([]);
	});

	test('that could read only what may be of the future throws', async () => {
		const api = serve(
			rows(250, (i) => NOW - i * SECOND),
			{
				before: (request) => {
					if (request === 2) throw new Error('502');
				},
			},
		);
		await expect(activate(api, options)).rejects.toThrow('502');
	});

	test('that could read nothing throws', async () => {
		const down = serve([], {
			before: () => {
				throw new Error('401');
			},
		});
		await expect(activate(down, options)).rejects.toThrow('401');
	});

	test('of two that overlap, the later keeps what the earlier stored', async () => {
		const stored = empty(NOW);
		expect((await activate(serve([]), options)).commit(stored)).toEqual({
			state: stored,
			emit: [],
		});
	});
});

describe('requests', () => {
	test.each([0, 1, 99, 100])('%i in the look-back window: one', async (count) => {
		const api = serve(rows(count, (i) => NOW - i * SECOND));
		expect((await poll(await begin(api), api)).requests).toBe(1);
	});

	test('a full page with something new: one more, as a total of 100 may be that of the page', async () => {
		const api = serve(rows(99, (i) => NOW - i * SECOND));
		const known = await begin(api);
		api.list.push(...rows(1, () => NOW));
		expect((await poll(known, api)).requests).toBe(2);
	});

	test.each([101, 150, 199, 200, 250, 300, 1000, 2500, 9900])(
		'%i new: one per 100, and at most one more',
		async (count) => {
			const api = serve(rows(count, (i) => NOW - i * SECOND));
			const { emit, requests } = await poll(empty(NOW - 24 * HOUR), api);
			expect(ids(emit)).toEqual(ids(api.list).reverse());
			expect(requests).toBeLessThanOrEqual(Math.ceil(count / 100) + 1);
		},
	);

	test('while a record arrives before every request', async () => {
		const api = serve(
			rows(1000, (i) => NOW - HOUR + i * SECOND),
			{
				before: (request) => void api.list.push(row(NOW - HOUR + (1000 + request) * SECOND)),
			},
		);
		const { emit, requests, error } = await poll(empty(NOW - 24 * HOUR), api);
		expect(error).toBeUndefined();
		expect(ids(emit)).toEqual(ids(api.list).slice(0, emit.length));
		expect(emit.length).toBeGreaterThan(1000);
		expect(requests).toBeLessThanOrEqual(14);
	});

	describe.each([1, 99, 100, 101, 250])('%i records, and a total of', (count) => {
		test.each([-1, 0, 1, 7, 99, 100, 101, 199, 349, 1000, 1_000_000])(
			'%i: the list is read to its end, at the activation and later',
			async (total) => {
				const served = serve(rows(count, (i) => NOW - HOUR - i * SECOND));
				const page = async (query: Query) => ({ ...(await served.page(query)), total });
				const api = { ...served, page };
				const known = await begin(api);
				const again = await poll(known, api);
				expect(again.emit).toEqual([]);
				const fresh = rows(count, (i) => NOW - i * SECOND);
				served.list.push(...fresh);
				const { emit, error, requests } = await poll(again.state, api);
				expect(error).toBeUndefined();
				expect(ids(emit)).toEqual(ids(fresh).reverse());
				expect(requests).toBeLessThanOrEqual(15);
			},
		);
	});

	test('without a total, the list is read to its end', async () => {
		const api = serve(
			rows(250, (i) => NOW - i * SECOND),
			{ total: false },
		);
		expect(ids((await poll(empty(NOW - HOUR), api)).emit)).toEqual(ids(api.list).reverse());
	});
});

describe('a poll', () => {
	test('takes 250 records of one instant, and a limit below that delays only', async () => {
		const api = serve(rows(250, () => NOW));
		expect(ids((await poll(empty(NOW - HOUR), api)).emit)).toEqual(ids(api.list).sort());

		let state = empty(NOW - HOUR);
		const emitted: string[] = [];
		for (let i = 0; i < 9; i += 1) {
			const polled = await poll(state, api, { limit: 30 });
			expect(polled.emit.length).toBeLessThanOrEqual(30);
			emitted.push(...ids(polled.emit));
			state = polled.state;
		}
		expect(emitted).toEqual(ids(api.list).sort());
		expect(state).not.toHaveProperty('r');
	});

	test('counts only what matches against the limit', async () => {
		const api = serve(rows(300, (i) => NOW - i * SECOND));
		const wanted = api.list[3]!;
		const { emit, state } = await poll(empty(NOW - HOUR), api, {
			limit: 1,
			keep: ({ id }) => id === wanted.id,
		});
		expect(emit).toEqual([wanted]);
		expect(Object.keys(state.ids)).toHaveLength(300);
	});

	test('that fails at first changes nothing; half-way, it emits what it read and goes on from there', async () => {
		const failing = new Set([1]);
		const api = serve(
			rows(500, (i) => NOW - i * SECOND),
			{
				before: (request) => {
					if (failing.has(request)) throw new Error('502');
				},
			},
		);
		await expect(poll(empty(NOW - HOUR), api)).rejects.toThrow('502');

		failing.add(5);
		const half = await poll(empty(NOW - HOUR), api);
		expect(half.error).toEqual(new Error('502'));
		expect(ids(half.emit)).toEqual(ids(api.list).reverse().slice(0, half.emit.length));
		expect(half.emit.length).toBeGreaterThan(190);

		const rest = await poll(half.state, api);
		expect(ids([...half.emit, ...rest.emit])).toEqual(ids(api.list).reverse());
		expect(rest.requests).toBeLessThanOrEqual(4);
	});

	test('keeps its time', async () => {
		let now = NOW;
		const api = serve(
			rows(900, (i) => NOW - i * SECOND),
			{ before: () => void (now += SECOND) },
		);
		const timed = { ...api, now: () => now, deadline: NOW + 4 * SECOND };
		const { emit, error, requests } = await poll(empty(NOW - HOUR), timed);
		expect(requests).toBe(4);
		expect(error).toBeInstanceOf(Spent);
		expect(emit.length).toBeGreaterThan(290);
	});

	test('stores nothing over a state of another scope', async () => {
		const swept = await sweep(empty(NOW - HOUR), serve(rows(1, () => NOW)), options);
		expect(swept.commit(guard({ ...empty(0), scope: 't' }, 's'))).toEqual({ emit: [] });
	});

	test('is not led astray by a date in the future', async () => {
		const api = serve([]);
		let state = await begin(api);
		api.list.push(row(NOW + 9 * 24 * HOUR));
		({ state } = await poll(state, api));
		({ state } = await poll(state, api));
		const next = row(NOW);
		api.list.push(next);
		expect((await poll(state, api)).emit).toEqual([next]);
	});

	test('refuses a list that is not ordered, or does not heed created_after', async () => {
		const mixed = rows(200, (i) => NOW - ((i * 7) % 200) * SECOND);
		const unordered = {
			...serve([]),
			page: async ({ offset }: Query) => ({
				records: mixed.slice(offset, offset + 100),
				total: 200,
			}),
		};
		await expect(sweep(empty(NOW - HOUR), unordered, options)).rejects.toThrow('not ordered');

		const api = serve(rows(200, (i) => NOW - i * HOUR));
		const deaf = { ...api, page: async ({ offset, limit }: Query) => api.page({ offset, limit }) };
		await expect(sweep(empty(NOW - HOUR), deaf, options)).rejects.toThrow('far older');
	});
});

test('12,000 records in the look-back window: a bounded state, none lost, none doubled', async () => {
	const api = serve([]);
	const emitted: string[] = [];
	let now = NOW;
	let state = await begin(api);
	let largest = 0;
	for (let i = 0; i < 24; i += 1) {
		api.list.push(...rows(500, (n) => now + n * 600));
		now += 5 * MINUTE;
		const polled = await poll(state, { ...api, now: () => now });
		emitted.push(...ids(polled.emit));
		state = polled.state;
		largest = Math.max(largest, JSON.stringify(state).length);
	}
	expect(new Set(emitted).size).toBe(24 * 500);
	expect(emitted).toHaveLength(24 * 500);
	expect(Object.keys(state.ids)).toHaveLength(LIMITS.ids);
	expect(largest).toBeLessThanOrEqual(29 * LIMITS.ids + 100);
	process.stdout.write(`largest state: ${largest} bytes\n`);
});
