import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { FetchPage } from '../../nodes/api/pages/index.ts';
import { OutOfTimeError, readOldestFirst, type Part } from '../../nodes/trigger/reading/pages.ts';

const START = Date.UTC(2026, 0, 15, 9);

interface Row {
	id: string;
	at: number;
}

/** A list newest first; while it is read, rows appear at its top and vanish anywhere. */
const server = fc.record({
	rows: fc.integer({ min: 0, max: 60 }),
	/** Rows of one date. */
	ties: fc.constantFrom(1, 4, 60),
	/** The most that a page holds, and what of a list's meta there is. */
	cap: fc.constantFrom(3, 7, 100),
	hasTotal: fc.boolean(),
	/** By how many its total is wrong. */
	lie: fc.constantFrom(0, 0, 2, -2),
	order: fc.constantFrom('newest first' as const, 'oldest first' as const, 'none' as const),
	/** Before which request what happens. */
	happens: fc.array(fc.tuple(fc.nat(12), fc.constantFrom('add' as const, 'remove' as const)), {
		maxLength: 4,
	}),
});

type Server = typeof server extends fc.Arbitrary<infer T> ? T : never;

function serve({ rows: count, ties, cap, hasTotal, lie, order, happens }: Server) {
	const dateOf = (n: number) => START + Math.floor(n / ties) * 1000;
	const rows: Row[] = Array.from({ length: count }, (_, n) => ({ id: `r${n}`, at: dateOf(n) }));
	const lasting = new Set(rows);
	let requests = 0;
	const fetch: FetchPage = async (offset, asked) => {
		for (const [before, what] of happens) {
			if (before !== requests) continue;
			const n = count + requests;
			if (what === 'add') rows.push({ id: `r${n}`, at: dateOf(n) });
			else lasting.delete(rows.splice(Math.floor(rows.length / 2), 1)[0]!);
		}
		requests += 1;
		const sorted = order === 'oldest first' ? rows : rows.toReversed();
		const shown = order === 'none' ? scattered(sorted) : sorted;
		const limit = Math.min(asked, cap);
		const records = shown
			.slice(offset, offset + limit)
			.map(({ id, at }) => ({ id, created_at: new Date(at).toISOString() }));
		return { records, ...(hasTotal && { total: rows.length + lie, limit }) };
	};
	return { fetch, lasting };
}

const scattered = (rows: Row[]) => rows.toSorted((one, other) => mixed(one.id) - mixed(other.id));

const mixed = (id: string) => Math.imul(Number(id.slice(1)) + 7, 2654435761);

describe('readOldestFirst', () => {
	test('finds what is there all the while, and says rightly until when it has', async () => {
		await fc.assert(
			fc.asyncProperty(server, async (given) => {
				const { fetch, lasting } = serve(given);
				const found = new Set<unknown>();
				const isMissing = (until: number) =>
					[...lasting].filter(({ id, at }) => at < until && !found.has(id));
				const take = ({ records, until }: Part) => {
					for (const { record } of records) found.add(record.id);
					expect(isMissing(until)).toEqual([]);
					return false;
				};
				const reach = { isOver: () => false, wanted: Infinity };
				await readOldestFirst(fetch, reach, take, given.order === 'newest first');
				expect(isMissing(Infinity)).toEqual([]);
			}),
			{ numRuns: 2000 },
		);
	});

	test('a list that runs newest first comes oldest first, if it tells its total', async () => {
		await fc.assert(
			fc.asyncProperty(server, async (given) => {
				const known: Server = {
					...given,
					order: 'newest first',
					hasTotal: true,
					lie: 0,
					happens: [],
				};
				const dates: number[] = [];
				const parts: number[] = [];
				const take = ({ records }: Part) => {
					parts.push(records.length);
					if (records.length < given.cap) dates.push(...records.map(({ at }) => at!));
					return false;
				};
				await readOldestFirst(serve(known).fetch, { isOver: () => false, wanted: 10 }, take, true);
				if (parts.length > 1) expect(dates).toEqual(dates.toSorted((a, b) => a - b));
			}),
		);
	});

	test('hands over what there was time for, and then says so', async () => {
		const given: Server = {
			rows: 60,
			ties: 1,
			cap: 7,
			hasTotal: true,
			lie: 0,
			order: 'newest first',
			happens: [],
		};
		const { fetch } = serve(given);
		let requests = 0;
		const counted: FetchPage = async (offset, limit) => {
			requests += 1;
			return await fetch(offset, limit);
		};
		const ids: unknown[] = [];
		const take = ({ records }: Part) => ids.push(...records.map(({ record: { id } }) => id)) < 0;
		const reach = { isOver: () => requests >= 4, wanted: Infinity };
		await expect(readOldestFirst(counted, reach, take, true)).rejects.toThrow(OutOfTimeError);
		expect(ids.length).toBeGreaterThan(0);
		expect(ids).toEqual(Array.from(ids, (_, n) => `r${n}`));
	});
});
