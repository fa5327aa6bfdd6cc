import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { listed, type Dated } from '../../nodes/trigger/reading/record.ts';
import { packed, secondOf, unpacked, type State } from '../../nodes/trigger/reading/state.ts';
import {
	baseline,
	horizonOf,
	isNew,
	known,
	settle,
	type Verdict,
} from '../../nodes/trigger/reading/window.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const START = Date.UTC(2026, 0, 15, 9);
const LIMITS = { done: 1000, open: 3, ahead: 0, margin: 0, drift: 0 };

const record = (id: number, at: number) =>
	listed({ id: String(id), created_at: new Date(at).toISOString() }) as Dated;

/** Records by their age in ms, of which some are equally old. */
const records = fc
	.array(fc.oneof(fc.constantFrom(0, 1, SECOND), fc.nat(2 * HOUR)), { minLength: 1, maxLength: 40 })
	.map((ages) => ages.map((age, id) => record(id, START - age)));

const floorOf = (at: number): State => baseline('what:account', at, []);

const item = ({ record: json }: Dated): Verdict => ({ item: json });

/** One poll: judges what is new of what it has read, which is all that is older than `until`. */
function poll(state: State, read: Dated[], limit: number, until: number, lookBack = HOUR) {
	const before = known(state);
	const fresh = read.filter((one) => isNew(one, before));
	const verdicts = new Map(fresh.map((one) => [one.key, item(one)]));
	const horizon = horizonOf(before, lookBack, START, LIMITS);
	return settle(state, { fresh, verdicts, until, horizon, now: START }, limit, LIMITS);
}

describe('settle', () => {
	test('whatever part each poll reads and may emit, each record comes once, and oldest first', () => {
		const polls = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 10 })), {
			maxLength: 20,
		});
		fc.assert(
			fc.property(records, polls, (all, parts) => {
				const oldestFirst = all.toSorted((one, other) => one.at - other.at);
				let state = floorOf(START - 3 * HOUR);
				const ids: unknown[] = [];
				for (const [count, limit] of [...parts, ...Array<[number, number]>(40).fill([40, 1])]) {
					const until = oldestFirst[count]?.at ?? Infinity;
					const { state: next, emit } = poll(state, oldestFirst.slice(0, count), limit, until);
					const dates = emit.map(({ created_at }) => String(created_at));
					expect(dates).toEqual(dates.toSorted());
					expect(emit.length).toBeLessThanOrEqual(limit);
					ids.push(...emit.map(({ id }) => id));
					state = next;
				}
				expect(ids.toSorted()).toEqual(all.map(({ record: { id } }) => id).toSorted());
			}),
		);
	});

	test('the floor passes nothing that is new, and nothing within the look-back', () => {
		fc.assert(
			fc.property(records, fc.nat(40), fc.nat(10), (all, count, limit) => {
				const oldestFirst = all.toSorted((one, other) => one.at - other.at);
				const until = oldestFirst[count]?.at ?? Infinity;
				const seen = poll(floorOf(START - 3 * HOUR), oldestFirst.slice(0, count), limit, until);
				const { state } = poll(seen.state, oldestFirst.slice(0, count), limit, until);
				const left = oldestFirst.filter((one) => isNew(one, known(seen.state)));
				const done = oldestFirst.length - left.length;
				expect(left.filter((one) => one.at < seen.state.floor)).toEqual([]);
				const newest = oldestFirst[done - 1]?.at ?? -Infinity;
				expect(state.floor).toBeLessThanOrEqual(Math.max(START - 3 * HOUR, newest - HOUR));
			}),
		);
	});

	test('the floor passes nothing that was not read', () => {
		fc.assert(
			fc.property(records, fc.nat(3 * HOUR), (all, age) => {
				const before = START - 3 * HOUR;
				const { state } = poll(floorOf(before), all, 500, Infinity);
				const { state: next } = poll(state, [], 500, START - age, 0);
				expect(next.floor).toBeLessThanOrEqual(Math.max(before, START - age));
			}),
		);
	});

	test('what waits moves below the floor as far as there is room, and is found there', () => {
		fc.assert(
			fc.property(records, (all) => {
				const state = floorOf(START - 3 * HOUR);
				const verdicts = new Map(all.map(({ key }) => [key, 'waiting' as const]));
				const found = { fresh: all, verdicts, until: Infinity, horizon: START + 1, now: START };
				const { state: next } = settle(state, found, 500, LIMITS);
				expect(Object.keys(next.open).length).toBeLessThanOrEqual(LIMITS.open);
				expect(all.filter((one) => !isNew(one, known(next)))).toEqual([]);
			}),
		);
	});

	test('a full state forgets the oldest, and says from when on', () => {
		const all = Array.from({ length: 20 }, (_, id) => record(id, START - id * SECOND));
		const verdicts = new Map(all.map((one) => [one.key, item(one)]));
		const found = { fresh: all, verdicts, until: Infinity, horizon: -Infinity, now: START };
		const { state, shortened } = settle(floorOf(START - HOUR), found, 500, { ...LIMITS, done: 5 });
		expect(unpacked(state.done).size).toBe(5);
		expect(shortened).toBe(state.floor);
		expect(state.floor).toBe(START - 4 * SECOND);
	});
});

test('done with: its text tells the same, in the order in which keys of a second came', () => {
	const keys = fc.uniqueArray(fc.nat(1e6), { maxLength: 30 });
	fc.assert(
		fc.property(keys, fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }), (ids, seconds) => {
			const pairs = ids.map((id, at) => [record(id, START).key, seconds[at]!] as const);
			const bySecond = pairs.toSorted(([, one], [, other]) => one - other);
			expect([...unpacked(packed(new Map(pairs)))]).toEqual(bySecond);
		}),
	);
});

test('a first activation knows what is there, and nothing from before its floor', () => {
	fc.assert(
		fc.property(records, fc.nat(2 * HOUR), (all, age) => {
			const floor = START - age;
			const state = baseline('what:account', floor, all);
			expect(all.filter((one) => isNew(one, known(state)))).toEqual([]);
			const { done } = known(state);
			for (const { key, at } of all)
				expect(done.get(key)).toBe(at < floor ? undefined : secondOf(at, floor));
		}),
	);
});
