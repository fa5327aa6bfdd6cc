import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	MAX_ORDERS,
	changesSince,
	guardStatuses,
	takeStatuses,
} from '../../nodes/trigger/reading/statusChanges.ts';
import type { Reading, Statuses } from '../../nodes/trigger/reading/statusChanges.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 15, 9);

/** Reference: "Order", states. Only the customer may cancel, from any state. */
const MOVES: Record<string, readonly string[]> = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	completed: ['cancelled'],
	refused: ['cancelled'],
	cancelled: [],
};
const STATUSES = Object.keys(MOVES);

interface Row extends Record<string, unknown> {
	id: string;
	created_at: string;
	status: string;
}

interface Move {
	from: string;
	to: string;
}

let born = 0;
function order(at: number, status = 'pending'): Row {
	const n = (born += 1);
	const head = (Math.imul(n, 2654435761) >>> 0).toString(16).padStart(8, '0');
	const id = `${head}-0000-4000-8000-${String(n).padStart(12, '0')}`;
	return { id, created_at: new Date(at).toISOString(), status };
}
const orders = (count: number, at: (i: number) => number, status?: string): Row[] =>
	Array.from({ length: count }, (_, i) => order(at(i), status));

const SECOND = 1000;

const reading = (rows: Row[], began = NOW, since = 0): Reading => ({
	orders: rows.map((row) => ({ ...row })),
	began,
	since,
});
const taken = (rows: Row[]): Statuses => takeStatuses(reading(rows), 's', NOW - MINUTE);

/** A poll that took a second. */
const poll = (
	live: Statuses,
	given: Reading,
	limit: number,
	isWanted: (move: Move) => boolean,
	now = given.began + SECOND,
) => changesSince(live, given, now, limit, isWanted);
const all = () => true;
const shown = ({ changes }: ReturnType<typeof changesSince>) =>
	changes.map(({ order: { id }, from, to }) => [id, from, to]);

/** How an order's state is found in what is stored. */
function statusIn({ known }: Statuses, row: Row): string {
	const [key] = Object.keys(takeStatuses(reading([{ ...row, status: 'x' }]), 's', NOW).known);
	return known[key!] ?? 'pending';
}

/** What lies between two states that were seen: completed is reached by way of confirmed only. */
const pathBetween = (from: string, to: string): Move[] =>
	from === to
		? []
		: from === 'pending' && to === 'completed'
			? [
					{ from, to: 'confirmed' },
					{ from: 'confirmed', to },
				]
			: [{ from, to }];

describe('a move', () => {
	test.each(STATUSES.flatMap((from) => MOVES[from]!.map((to) => [from, to])))(
		'from %s to %s shows once',
		(from, to) => {
			const row = order(NOW - DAY, from);
			const before = taken([row]);
			row.status = to!;
			const moved = poll(before, reading([row]), 9, all);
			expect(shown(moved)).toEqual([[row.id, from, to]]);
			expect(shown(poll(moved.state, reading([row], NOW + MINUTE), 9, all))).toEqual([]);
		},
	);

	test('of an order that was pending and is completed shows as the two it must have been', () => {
		const row = order(NOW - DAY);
		const before = taken([row]);
		row.status = 'completed';
		expect(shown(poll(before, reading([row]), 9, all))).toEqual([
			[row.id, 'pending', 'confirmed'],
			[row.id, 'confirmed', 'completed'],
		]);
	});

	test('such two count as two against the limit', () => {
		const row = order(NOW - DAY);
		const before = taken([row]);
		row.status = 'completed';
		const first = poll(before, reading([row]), 1, all);
		expect(shown(first)).toEqual([[row.id, 'pending', 'confirmed']]);
		const second = poll(first.state, reading([row], NOW + MINUTE), 1, all);
		expect(shown(second)).toEqual([[row.id, 'confirmed', 'completed']]);
	});

	test('of an order that nobody saw pending shows from pending', () => {
		const row = order(NOW - MINUTE, 'refused');
		expect(shown(poll(taken([]), reading([row]), 9, all))).toEqual([
			[row.id, 'pending', 'refused'],
		]);
	});

	test('that nobody wanted is known all the same', () => {
		const row = order(NOW - DAY);
		const before = taken([row]);
		row.status = 'confirmed';
		const unwanted = poll(before, reading([row]), 9, () => false);
		row.status = 'cancelled';
		expect(shown(poll(unwanted.state, reading([row], NOW + MINUTE), 9, all))).toEqual([
			[row.id, 'confirmed', 'cancelled'],
		]);
	});
});

describe('a list that is out of date', () => {
	const row = order(NOW - DAY);
	const before = taken([row]);
	const early = reading([row], NOW);
	const late = reading([{ ...row, status: 'confirmed' }], NOW + 100);

	test('says nothing', () => {
		const { state } = poll(before, late, 9, all);
		expect(poll(state, early, 9, all, NOW + 5 * SECOND)).toEqual({ state, changes: [] });
	});

	test('also where it began later than one that took longer', () => {
		const slow = { ...late, began: NOW - 5 };
		const { state } = poll(before, slow, 9, all, NOW + 5 * SECOND);
		expect(poll(state, early, 9, all, NOW + 6 * SECOND)).toEqual({ state, changes: [] });
	});

	test('is none where the clock was set back', () => {
		const { state } = poll(before, { ...late, began: NOW + DAY }, 9, all);
		const next = reading([{ ...row, status: 'cancelled' }], NOW + MINUTE);
		expect(poll(state, next, 9, all).changes).toHaveLength(1);
	});
});

describe('the stored state', () => {
	test('of idle orders does not grow', () => {
		expect(taken(orders(5000, (i) => NOW - i * MINUTE)).known).toEqual({});
	});

	test(`holds ${MAX_ORDERS} moved orders, in some 80 kB`, () => {
		const state = taken(orders(MAX_ORDERS, (i) => NOW - i * MINUTE, 'confirmed'));
		const bytes = JSON.stringify(state).length;
		expect(Object.keys(state.known)).toHaveLength(MAX_ORDERS);
		expect(bytes).toBeLessThanOrEqual(28 * MAX_ORDERS + 100);
		process.stdout.write(`${MAX_ORDERS} orders: ${bytes} bytes\n`);
	});

	test('survives being stored', () => {
		const state = taken(orders(9, (i) => NOW - i * MINUTE, 'confirmed'));
		expect(guardStatuses(JSON.parse(JSON.stringify(state)), 's')).toEqual(state);
	});

	test.each([
		{ v: 2 },
		{ scope: 't' },
		{ at: null },
		{ at: '5' },
		{ at: 1e30 },
		{ since: null },
		{ since: -1e30 },
		{ known: null },
		{ known: [] },
		{ known: { a: 1 } },
	])('%j starts anew', (change) => {
		expect(guardStatuses({ ...taken([]), ...change }, 's')).toBeUndefined();
	});

	test('is read without an error whatever it is', () => {
		fc.assert(fc.property(fc.anything(), (raw) => guardStatuses(raw, 's') === undefined));
	});
});

describe('more moved orders than are remembered', () => {
	test.each([500, 10_000])('with a limit of %i: none lost, none doubled', (limit) => {
		const rows = orders(8000, (i) => NOW - DAY + i * 1000);
		let state = taken(rows);
		for (const row of rows) row.status = 'confirmed';
		const seen: string[] = [];
		for (let i = 0; i < 8000 / limit + 2; i += 1) {
			const found = poll(state, reading(rows, NOW + i * MINUTE), limit, all);
			expect(found.changes.length).toBeLessThanOrEqual(limit);
			seen.push(...found.changes.map(({ order: { id } }) => id as string));
			({ state } = found);
			expect(Object.keys(state.known).length).toBeLessThanOrEqual(MAX_ORDERS);
		}
		expect(seen).toEqual(rows.map(({ id }) => id));
	});

	test('a move that waits for its turn is not forgotten for newer ones', () => {
		const old = orders(MAX_ORDERS, (i) => NOW - DAY + i * 1000, 'confirmed');
		const young = orders(1000, (i) => NOW - MINUTE + i);
		let state = taken([...old, ...young]);
		for (const row of old.slice(0, 900)) row.status = 'completed';
		for (const row of young) row.status = 'confirmed';
		const isCompleted = ({ to }: { to: string }) => to === 'completed';
		const seen: string[] = [];
		for (let i = 0; i < 4; i += 1) {
			const rows = reading([...old, ...young], NOW + i * MINUTE);
			const found = poll(state, rows, 300, isCompleted);
			seen.push(...found.changes.map(({ order: { id } }) => id as string));
			({ state } = found);
		}
		expect(seen).toEqual(old.slice(0, 900).map(({ id }) => id));
	});
});

const steps = fc.array(
	fc.oneof(
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant('add' as const),
				count: fc.integer({ min: 1, max: 4 }),
				ago: fc.constantFrom(0, 0, 1, 5 * MINUTE, 2 * DAY),
				status: fc.constantFrom('pending', 'pending', 'confirmed', 'refused'),
			}),
		},
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('move' as const),
				index: fc.nat(40),
				choice: fc.nat(2),
			}),
		},
		{
			weight: 1,
			arbitrary: fc.record({ kind: fc.constant('delete' as const), index: fc.nat(40) }),
		},
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('poll' as const),
				hold: fc.nat(4).map((n) => n === 0),
				/** Moves between the two halves of the reading. */
				during: fc.array(fc.tuple(fc.nat(40), fc.nat(2)), { maxLength: 2 }),
				isKilled: fc.nat(9).map((n) => n === 0),
			}),
		},
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constantFrom('release' as const, 'restart' as const, 'wait' as const),
			}),
		},
	),
	{ minLength: 4, maxLength: 40, size: 'max' },
);
const history = fc.record({
	engine: fc.constantFrom('legacy', 'scheduler', 'durable'),
	limit: fc.constantFrom(Infinity, 1, 2, 5),
	max: fc.constantFrom(1000, 1000, 3),
	from: fc.subarray(STATUSES),
	to: fc.subarray(STATUSES),
	initial: fc.array(fc.constantFrom(...STATUSES), { maxLength: 6 }),
	steps,
});

/** A state, and what whoever holds it has been told of each order. */
interface Slot {
	state: Statuses;
	told: ReadonlyMap<string, string>;
}

test(
	'histories under three engines: no move lost, none doubled within one line of saved states',
	{ timeout: 120_000 },
	() => {
		let polls = 0;
		let shownMoves = 0;
		const property = fc.property(
			history,
			({ engine, limit, max, from, to, initial, steps: list }) => {
				const isWanted = (move: Move) =>
					(from.length === 0 || from.includes(move.from)) &&
					(to.length === 0 || to.includes(move.to));
				let now = NOW;
				let rows: Row[] = initial.map((status, i) => order(NOW - i * MINUTE, status));
				const move = (index: number, choice: number) => {
					const row = rows[index % rows.length];
					const next = row && MOVES[row.status]![choice % MOVES[row.status]!.length];
					if (next) row.status = next;
				};
				const read = (
					since: number,
					during: ReadonlyArray<readonly [number, number]> = [],
				): Reading => {
					const began = (now += 1);
					const list = rows.filter((row) => Date.parse(row.created_at) >= since);
					const early = new Map(list.map((row) => [row, { ...row }]));
					for (const [index, choice] of during) move(index, choice);
					const orders = list.map((row, i) => (i % 2 ? early.get(row)! : { ...row }));
					now += 1;
					return { orders, began, since };
				};
				const from14Days = () => now - 14 * DAY;

				let saved: Slot;
				let memory: Slot;
				let held: Reading[] = [];
				const first = takeStatuses(read(from14Days()), 's', now, max);
				saved = memory = {
					state: first,
					told: new Map(rows.map(({ id, status }) => [id, status])),
				};

				const commit = (given: Reading, isKilled: boolean) => {
					polls += 1;
					const { state: live, told } = engine === 'legacy' ? memory : saved;
					const before = JSON.stringify(live);
					const { state, changes } = changesSince(live, given, now, limit, isWanted, max);
					expect(JSON.stringify(live)).toBe(before);
					if (given.began <= live.at) {
						expect({ state, changes }).toEqual({ state: live, changes: [] });
						return;
					}
					expect(changes.length).toBeLessThanOrEqual(limit);
					const times = changes.map((change) => Date.parse(change.order.created_at as string));
					expect(times).toEqual(times.toSorted((a, b) => a - b));

					const tells = new Map(told);
					let behind = Infinity;
					for (const row of given.orders as Row[]) {
						const at = Date.parse(row.created_at);
						const mine = changes.filter((change) => change.order.id === row.id);
						if (at < live.since) {
							expect(mine).toEqual([]);
							continue;
						}
						const path = pathBetween(told.get(row.id) ?? 'pending', row.status);
						const isKnown = at >= state.since;
						const stands = isKnown ? statusIn(state, row) : row.status;
						const walked =
							stands === row.status ? path.length : path.findIndex((step) => step.from === stands);
						expect(walked).toBeGreaterThanOrEqual(0);
						expect(mine.map((change) => ({ from: change.from, to: change.to }))).toEqual(
							path.slice(0, walked).filter(isWanted),
						);
						if (walked < path.length) behind = Math.min(behind, at);
						tells.set(row.id, stands);
					}
					if (behind < Infinity) expect(changes).toHaveLength(limit);
					const moved = (given.orders as Row[]).filter(({ status }) => status !== 'pending').length;
					if (state.since > Math.max(live.since, given.since)) expect(moved).toBeGreaterThan(max);
					expect(state.since).toBeLessThanOrEqual(Math.max(live.since, given.since, behind));
					// Orders of one instant are forgotten together, and one that is half-way waits for its turn.
					const dates = given.orders.map((row) => row.created_at);
					const ties = dates.filter(
						(date, i) => dates.indexOf(date) !== i || dates.lastIndexOf(date) !== i,
					);
					expect(Object.keys(state.known).length).toBeLessThanOrEqual(max + ties.length + 1);

					shownMoves += changes.length;
					const slot = { state: JSON.parse(JSON.stringify(state)) as Statuses, told: tells };
					memory = slot;
					if (changes.length > 0 ? !isKilled : engine === 'durable') saved = slot;
					if (isKilled) {
						held = [];
						memory = saved;
					}
				};
				const sinceNow = () =>
					Math.max((engine === 'legacy' ? memory : saved).state.since, from14Days());

				for (const step of list) {
					now += 1000;
					if (step.kind === 'add')
						for (let i = 0; i < step.count; i += 1) rows.push(order(now - step.ago, step.status));
					if (step.kind === 'move') move(step.index, step.choice);
					if (step.kind === 'delete') rows = rows.filter((_, i) => i !== step.index);
					if (step.kind === 'wait') now += 3 * DAY;
					if (step.kind === 'restart') [held, memory] = [[], saved];
					if (step.kind === 'release' && held.length) commit(held.pop()!, false);
					if (step.kind === 'poll') {
						const given = read(sinceNow(), step.during);
						if (step.hold) held.push(given);
						else commit(given, step.isKilled);
					}
				}
				for (const given of held) commit(given, false);
				for (let quiet = 0; quiet < 2;) {
					const before = shownMoves;
					now += 1000;
					commit(read(sinceNow()), false);
					quiet = shownMoves === before ? quiet + 1 : 0;
				}
				const { state, told } = memory;
				for (const row of rows) {
					if (Date.parse(row.created_at) < state.since) continue;
					if (engine !== 'scheduler') expect(told.get(row.id)).toBe(row.status);
					const open = pathBetween(told.get(row.id) ?? 'pending', row.status);
					expect(open.filter(isWanted)).toEqual([]);
				}
			},
		);
		fc.assert(property, { numRuns: 1500 });
		process.stdout.write(`${polls} polls, ${shownMoves} moves\n`);
		expect(shownMoves).toBeGreaterThan(3000);
	},
);
