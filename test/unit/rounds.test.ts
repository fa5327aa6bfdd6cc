import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Rounds, type Look } from '../../nodes/waiting/rounds.ts';

/** A clock that goes on only while something sleeps or looks. */
class TestClock {
	at = 0;

	/** When the execution is stopped. */
	stopsAt = Infinity;

	now = () => this.at;

	sleep = async (ms: number) => {
		this.at += ms;
		if (this.at >= this.stopsAt) throw new Error('stopped');
		await Promise.resolve();
	};
}

interface State {
	name: number;
	/** When the thing that it waits for happens. */
	happensAt: number;
	isOver: boolean;
	looks: number;
}

interface World {
	clock: TestClock;
	rounds: Rounds<State>;
	/** The rounds: when, for whom, and for whom it was the last. */
	seen: Array<{ at: number; names: number[]; last: number[] }>;
}

function world(lookTakes = 0): World {
	const clock = new TestClock();
	const seen: World['seen'] = [];
	const look = async (waiting: Array<Look<State>>) => {
		const names = waiting.map(({ state }) => state.name);
		const last = waiting.filter(({ isLast }) => isLast).map(({ state }) => state.name);
		seen.push({ at: clock.at, names, last });
		clock.at += lookTakes;
		await Promise.resolve();
		return waiting.map(({ state }) => ({
			...state,
			looks: state.looks + 1,
			isOver: state.happensAt <= clock.at,
		}));
	};
	return { clock, seen, rounds: new Rounds(look, ({ isOver }) => isOver, clock) };
}

const start = (name: number, happensAt: number): State => ({
	name,
	happensAt,
	isOver: false,
	looks: 0,
});

const SECOND = 1000;

describe('rounds', () => {
	it('come after 0, 2, 5 and 9.5 seconds, later every 15 seconds', async () => {
		const { rounds, seen } = world();
		await rounds.wait(start(1, 75 * SECOND), 600 * SECOND);
		expect(seen.map(({ at }) => at / SECOND)).toEqual([
			0, 2, 5, 9.5, 16.25, 26.375, 41.375, 56.375, 71.375, 86.375,
		]);
	});

	it('come once more when the time is over, and then return what is known', async () => {
		const { rounds, seen } = world();
		const state = await rounds.wait(start(1, Infinity), 20 * SECOND);
		expect(state).toMatchObject({ isOver: false, looks: 6 });
		expect(seen.at(-1)).toEqual({ at: 20 * SECOND, names: [1], last: [1] });
	});

	it('begin after a pause if something was read just before', async () => {
		const { rounds, seen } = world();
		await rounds.wait(start(1, 0), 20 * SECOND, true);
		expect(seen.map(({ at }) => at)).toEqual([2 * SECOND]);
	});

	it('do not come for something that is already over', async () => {
		const { rounds, seen } = world();
		const over = { ...start(1, 0), isOver: true };
		expect(await rounds.wait(over, 20 * SECOND)).toBe(over);
		expect(seen).toEqual([]);
	});

	it('begin again for those who come later', async () => {
		const { rounds, seen } = world();
		await rounds.wait(start(1, 0), SECOND);
		await rounds.wait(start(2, 0), SECOND);
		expect(seen.map(({ names }) => names)).toEqual([[1], [2]]);
	});

	it('end with an error for everyone when the execution is stopped, within 250 ms', async () => {
		const { clock, rounds, seen } = world();
		clock.stopsAt = 30 * SECOND;
		const waits = [1, 2].map(
			async (name) => await rounds.wait(start(name, Infinity), 600 * SECOND),
		);
		const results = await Promise.allSettled(waits);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(clock.at).toBeLessThanOrEqual(30 * SECOND + 250);
		expect(seen.at(-1)!.at).toBeLessThan(30 * SECOND);
	});

	it('read for everyone together, return once for each, and leave two seconds between them', async () => {
		const wait = fc.record({
			joinsAt: fc.integer({ min: 0, max: 60 }),
			happensAfter: fc.integer({ min: 0, max: 200 }),
			most: fc.integer({ min: 0, max: 120 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(wait, { minLength: 1, maxLength: 6 }),
				fc.constantFrom(0, 100, 5000),
				async (waits, lookTakes) => {
					const { clock, rounds, seen } = world(lookTakes);
					const settled: number[] = [];
					await Promise.all(
						waits.map(async ({ joinsAt, happensAfter, most }, name) => {
							while (clock.at < joinsAt * SECOND) await clock.sleep(SECOND);
							const joined = clock.at;
							const happensAt = joined + happensAfter * SECOND;
							const state = await rounds.wait(start(name, happensAt), most * SECOND);
							settled.push(name);
							const until = joined + most * SECOND;
							// Never given up before its time, and never looked at after its last look.
							expect(state.isOver || clock.at >= until).toBe(true);
							if (happensAt <= until) expect(state.isOver).toBe(true);
							const looks = seen.filter(({ names }) => names.includes(name));
							expect(looks).toHaveLength(state.looks);
							expect(looks.slice(0, -1).flatMap(({ last }) => last)).not.toContain(name);
						}),
					);
					expect(settled.sort((one, other) => one - other)).toEqual(waits.map((_, name) => name));
					seen.slice(1).forEach(({ at }, before) => {
						expect(at - (seen[before]!.at + lookTakes)).toBeGreaterThanOrEqual(2 * SECOND);
					});
				},
			),
			{ numRuns: 300 },
		);
	});
});
