import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	after,
	BOUNDS,
	firstSight,
	isOfAll,
	movedIn,
	sightingsIn,
	statesIn,
	withGone,
	type Sighting,
	type Sightings,
} from '../../nodes/trigger/kinds/sightings.ts';

const keyOf = (number: number) => `record${String(number).padStart(4, '0')}`;

const sighting = (number: number, state = ''): Sighting => ({ key: keyOf(number), state });

const EMPTY = firstSight('what:account', []);

/** One poll, as the trigger takes it. */
function poll(sightings: Sightings, shown: Sighting[], now: number, limit = Infinity) {
	const moved = movedIn(sightings, shown, now).slice(0, limit);
	const present = withGone(sightings, shown, now);
	return { moved, sightings: moved.length > 0 ? after(present, moved, now) : present };
}

const MINUTE = 60;

describe('answers of servers that are behind by less than an answer may be', () => {
	/** What each of some minutes does to a record, and how far behind the server is that answers. */
	const minutes = fc.array(
		fc.record({
			/** Undefined: it is not there. */
			states: fc.tuple(
				...[0, 1, 2].map(() => fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined })),
			),
			behind: fc.nat(4),
			limit: fc.integer({ min: 1, max: 3 }),
		}),
		{ minLength: 1, maxLength: 40 },
	);

	it('start nothing twice, and what lasts is known in the end', () => {
		fc.assert(
			fc.property(minutes, (history) => {
				let sightings = EMPTY;
				/** When each state of each record last fired, and which fired last. */
				const fired = new Map<string, number>();
				const last = new Map<string, string>();
				const shownAt = (minute: number) =>
					history[Math.min(minute, history.length - 1)]!.states.flatMap((state, number) =>
						state === undefined ? [] : [sighting(number, state)],
					);
				for (let minute = 0; minute < history.length + 10; minute++) {
					const { behind = 0, limit = 3 } = history[minute] ?? {};
					const found = poll(
						sightings,
						shownAt(Math.max(0, minute - behind)),
						minute * MINUTE,
						limit,
					);
					({ sightings } = found);
					for (const { key, state } of found.moved) {
						const before = last.get(key);
						expect(before).not.toBe(state);
						const left = fired.get(`left ${key}${state}`) ?? -Infinity;
						expect(minute * MINUTE - left).toBeGreaterThanOrEqual(BOUNDS.stale);
						if (before !== undefined) fired.set(`left ${key}${before}`, minute * MINUTE);
						last.set(key, state);
					}
				}
				const states = statesIn(sightings);
				for (const { key, state } of shownAt(Infinity)) expect(states.get(key)).toBe(state);
				expect(sightingsIn(JSON.parse(JSON.stringify(sightings)))).toEqual(sightings);
			}),
		);
	});
});

it('a record that is missing is known for a day, and new after that', () => {
	const [from, until] = [5000, 5000 + BOUNDS.gone];
	const start = firstSight('', [sighting(1), sighting(2)]);
	const missed = poll(start, [sighting(1)], from).sightings;
	expect(missed.gone).toEqual({ [keyOf(2)]: from });
	expect(poll(missed, [sighting(1)], until - 1).sightings).toBe(missed);
	expect(movedIn(missed, [sighting(2)], until)).toEqual([]);
	expect(poll(missed, [sighting(1), sighting(2)], until - 1).sightings).toEqual(start);
	const forgot = poll(missed, [sighting(1)], until).sightings;
	expect(forgot).toEqual(firstSight('', [sighting(1)]));
	expect(movedIn(forgot, [sighting(2)], until)).toEqual([sighting(2)]);
});

it('each that is missing has its own time', () => {
	const all = [1, 2, 3].map((number) => sighting(number));
	const two = withGone(firstSight('', all), all.slice(0, 1), 1000);
	const other = withGone(two, all.slice(1, 2), 2000);
	expect(other.gone).toEqual({ [keyOf(1)]: 2000, [keyOf(3)]: 1000 });
});

it('what a record left is remembered for as long as an answer may be behind, of a new one nothing', () => {
	const born = after(EMPTY, [sighting(1, 'a'), sighting(2, 'a')], 0);
	expect(born.former).toEqual({});
	const once = after(born, [sighting(1, 'b')], 1000);
	expect(once.former).toEqual({ [`${keyOf(1)}a`]: 1000 });
	const later = 1000 + BOUNDS.stale;
	expect(after(once, [sighting(2, 'b')], later).former).toEqual({ [`${keyOf(2)}a`]: later });
});

it('what is stored of records that are merely there is read again', () => {
	const stored = firstSight('what:account', [sighting(1), sighting(2)]);
	expect(sightingsIn(stored)).toEqual(stored);
});

it('of so many that are gone the longest are forgotten', () => {
	const many = (from: number) =>
		Array.from({ length: BOUNDS.most }, (_, at) => sighting(from + at));
	const first = poll(EMPTY, many(0), 0).sightings;
	const second = poll(first, many(5000), MINUTE).sightings;
	expect(second.known).toHaveLength(2 * BOUNDS.most);
	const third = poll(second, many(10_000), 2 * MINUTE).sightings;
	expect(third.known).toHaveLength(2 * BOUNDS.most);
	expect(Object.keys(third.gone).sort()).toEqual(many(5000).map(({ key }) => key));
});

it('a clock that went back hides nothing', () => {
	const start = firstSight('', [sighting(1, 'a')]);
	const { sightings } = poll(start, [sighting(1, 'b')], 1000);
	expect(movedIn(sightings, [sighting(1, 'a')], 1000)).toEqual([]);
	expect(movedIn(sightings, [sighting(1, 'a')], 999)).toHaveLength(1);
	expect(movedIn(sightings, [sighting(1, 'a')], 1000 + BOUNDS.stale)).toHaveLength(1);
});

it.each([
	[BOUNDS.all, BOUNDS.all, 0, true],
	[BOUNDS.all, BOUNDS.all, 5, true],
	[BOUNDS.all, BOUNDS.all - 1, 0, false],
	[BOUNDS.all - 1, BOUNDS.all - 1, 5, false],
])('of %d known %d move, and %d are new: a change of all is %s', (known, moved, fresh, isAll) => {
	const start = firstSight(
		'',
		Array.from({ length: known }, (_, at) => sighting(at, 'a')),
	);
	const shown = Array.from({ length: known + fresh }, (_, at) =>
		sighting(at, at < moved || at >= known ? 'b' : 'a'),
	);
	expect(isOfAll(start, shown, 0)).toBe(isAll);
});

it.each([
	undefined,
	'x',
	{ ...EMPTY, v: 2 },
	{ ...EMPTY, scope: 1 },
	{ ...EMPTY, known: 'x' },
	{ ...EMPTY, known: ['short'] },
	{ ...EMPTY, known: [1] },
	{ ...EMPTY, known: [keyOf(1), 1] },
	{ ...EMPTY, known: [Array.from(keyOf(1))] },
	{ ...EMPTY, gone: [1] },
	{ ...EMPTY, gone: { a: 'x' } },
	{ ...EMPTY, former: null },
	{ ...EMPTY, former: { a: 1.5 } },
])('%j is nothing that was stored', (raw) => {
	expect(sightingsIn(raw)).toBeUndefined();
});
