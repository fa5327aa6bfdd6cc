import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { rounds } from '../../nodes/waiting/rounds.ts';

const SECOND = 1000;
const START = Date.UTC(2026, 0, 15, 9);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => void vi.useRealTimers());

/** The time since the start, in ms. */
const now = () => Date.now() - START;

/** Rounds whose pauses take no real time, until the execution is stopped, and when each began. */
function world(stopsAt = Infinity) {
	const seen: number[] = [];
	const pause = async (ms: number) => {
		await Promise.resolve();
		vi.setSystemTime(Date.now() + ms);
		if (now() >= stopsAt) throw new Error('stopped');
	};
	const look = async () => await Promise.resolve(void seen.push(now()));
	return { seen, pause, wait: rounds(look, pause) };
}

const never = () => false;

describe('rounds', () => {
	it('come after 2, 5 and 9.5 seconds, later every 15 seconds, and once more when the time is over', async () => {
		const { wait, seen } = world();
		await wait(never, START + 80 * SECOND);
		expect(seen.map((at) => at / SECOND)).toEqual([
			2, 5, 9.5, 16.25, 26.375, 41.375, 56.375, 71.375, 80,
		]);
	});

	it('do not come for what is already over, or if there is no time', async () => {
		const { wait, seen } = world();
		await wait(() => true, START + SECOND);
		await wait(never, START);
		expect(seen).toEqual([]);
	});

	it('begin again, soon, for those who come when nobody waits any more', async () => {
		const { wait, seen } = world();
		await wait(() => seen.length === 4, START + 60 * SECOND);
		await wait(() => seen.length === 5, START + 60 * SECOND);
		expect(seen[4]! - seen[3]!).toBe(2 * SECOND);
	});

	it('end with an error for everyone when the execution is stopped, and no look comes after', async () => {
		const { wait, seen } = world(30 * SECOND);
		const waits = [1, 2].map(async () => await wait(never, START + 600 * SECOND));
		const results = await Promise.allSettled(waits);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(seen.at(-1)!).toBeLessThan(30 * SECOND);
	});

	it('come as rarely for many as for one, also if they join one after another', async () => {
		const { wait, seen, pause } = world();
		const waits: Array<Promise<void>> = [];
		while (now() < 58 * SECOND) {
			waits.push(wait(never, START + 60 * SECOND));
			await pause(3 * SECOND);
		}
		await Promise.all(waits);
		expect(seen.length).toBeLessThanOrEqual(8);
	});
});
