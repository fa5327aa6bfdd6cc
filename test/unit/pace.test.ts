import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_WINDOW, Pace } from '../../nodes/api/pace/index.ts';
import {
	bucket,
	connections,
	fixedWindow,
	noisy,
	seeded,
	simulate,
	workers,
	type Server,
} from './pace.sim.ts';

describe('without a refusal', () => {
	test('every request goes at once', () => {
		const pace = new Pace(10);
		for (let at = 0; at < 1000; at++) {
			expect(pace.wait(at / 100)).toBe(0);
			pace.accept(at / 100, at / 100, 1);
		}
		expect(pace.heldBack()).toBe(0);
	});
});

describe('a refusal', () => {
	test('holds back every request until it may come again', () => {
		const pace = new Pace(10);
		pace.wait(100);
		pace.refuse(110, 500, 100, 1);
		expect(pace.wait(120)).toBe(490);
		expect(pace.wait(609)).toBe(1);
		expect(pace.wait(610)).toBe(0);
	});

	test('that comes while another holds cannot shorten it', () => {
		const pace = new Pace(10);
		pace.wait(0);
		pace.wait(0);
		pace.refuse(10, 1000, 0, 1);
		pace.refuse(20, 100, 0, 1);
		expect(pace.wait(500)).toBe(510);
	});

	test('tells the interval: what was accepted until requests may go again', () => {
		const pace = new Pace(10);
		for (let count = 0; count < 20; count++) {
			pace.wait(0);
			pace.accept(0, 0, 1);
		}
		pace.refuse(100, 900, 0, 1);
		expect(pace.wait(1000)).toBe(0);
		expect(pace.wait(1000)).toBeCloseTo((1000 / 20) * 1.03);
	});

	/** A pace that was refused after `burst` acceptances at once, at 100 ms. */
	const refusedOnce = (burst: number) => {
		const pace = new Pace(10);
		for (let count = 0; count < burst; count++) {
			pace.wait(0);
			pace.accept(0, 0, 1);
		}
		pace.refuse(100, 1, 0, 1);
		return pace;
	};

	/** The interval, as it shows in the wait after a turn long after everything else. */
	let late = 1e6;
	const intervalOf = (pace: Pace) => {
		late += 1e6;
		pace.wait(late);
		return pace.wait(late);
	};

	test('after another gives the exact interval: the quota was used up at both', () => {
		const pace = refusedOnce(10);
		for (let count = 1; count <= 4; count++) pace.accept(1000 * count, 1000 * count, 1);
		pace.refuse(8100, 1, 8000, 1);
		expect(intervalOf(pace)).toBeCloseTo((8000 / 4) * 1.03);
	});

	test('leads to a try of a shorter interval, once twice as many were accepted', () => {
		const pace = refusedOnce(10);
		const before = intervalOf(pace);
		for (let count = 1; count < 20; count++) pace.accept(1000 * count, 1000 * count, 1);
		expect(intervalOf(pace)).toBe(before);
		pace.accept(30_000, 30_000, 1);
		expect(intervalOf(pace)).toBeLessThan(before);
	});

	test('soon after a try shows that the interval before it was right', () => {
		const pace = refusedOnce(10);
		const before = intervalOf(pace);
		for (let count = 1; count <= 21; count++) pace.accept(1000 * count, 1000 * count, 1);
		pace.refuse(40_000, 1, 39_000, 1);
		expect(intervalOf(pace)).toBe(before);
		for (let count = 1; count < 42; count++) pace.accept(40_000 + count, 40_000 + count, 1);
		expect(intervalOf(pace)).toBe(before);
	});

	test('without any acceptance since the last slows down to one at a time', () => {
		const pace = refusedOnce(10);
		pace.refuse(2000, 900, 1900, 1);
		expect(intervalOf(pace)).toBe(900);
	});

	test('counts no acceptance of what was sent before it', () => {
		const [one, other] = [new Pace(10), new Pace(10)];
		for (const pace of [one, other]) {
			pace.wait(0);
			pace.accept(0, 0, 1);
			pace.refuse(50, 100, 0, 1);
		}
		other.accept(40, 40, 1);
		for (const pace of [one, other]) pace.refuse(900, 100, 800, 1);
		one.wait(5000);
		other.wait(5000);
		expect(other.wait(5000)).toBe(one.wait(5000));
	});

	test('is reported as the time for which requests waited', () => {
		const pace = new Pace(10);
		pace.wait(0);
		pace.refuse(0, 400, 0, 1);
		pace.wait(150);
		pace.wait(300);
		expect(pace.wait(400)).toBe(0);
		expect(pace.heldBack()).toBe(250);
	});

	test('is not reported where nothing waited', () => {
		const pace = new Pace(10);
		pace.wait(0);
		pace.refuse(0, 400, 0, 1);
		expect(pace.wait(500)).toBe(0);
		expect(pace.heldBack()).toBe(0);
	});
});

describe('the window', () => {
	/** A round of answers of a full window, each of which took so many ms. */
	const round = (pace: Pace, took: number, sentAt = 0) => {
		const { size } = pace;
		for (let count = 0; count < size; count++) pace.accept(sentAt + took, sentAt, size);
	};

	test('doubles with each round while answers come as fast as before', () => {
		const pace = new Pace();
		const sizes = [1, 2, 3, 4].map(() => (round(pace, 50), pace.size));
		expect(sizes).toEqual([20, 40, MAX_WINDOW, MAX_WINDOW]);
	});

	test('does not grow while it is not full', () => {
		const pace = new Pace();
		for (let count = 0; count < 1000; count++) pace.accept(50, 0, 9);
		expect(pace.size).toBe(10);
	});

	test('shrinks as much as answers have become slower, and then grows a little', () => {
		const pace = new Pace();
		round(pace, 50);
		round(pace, 50);
		round(pace, 100);
		expect(pace.size).toBe(MAX_WINDOW);
		round(pace, 200);
		expect(pace.size).toBe(12);
		round(pace, 50);
		expect(pace.size).toBe(13);
	});

	/** A pace of which the server accepted 20 in parallel, then so many of 40. */
	const accepted = (of40: number) => {
		const pace = new Pace();
		pace.wait(0);
		round(pace, 50);
		round(pace, 50);
		for (let refused = 0; refused < 40 - of40; refused++) pace.refuse(200, 100, 150, 40);
		return pace;
	};

	test('is held by one request until a refused one may come again', () => {
		expect(accepted(25).size).toBe(1);
	});

	test('becomes what the server accepted, if that was more than ever before', () => {
		const pace = accepted(25);
		expect(pace.wait(300)).toBe(0);
		expect(pace.size).toBe(25);
		// Nothing slows the requests down: the number alone was too large.
		expect(pace.wait(300)).toBe(0);
		for (let count = 0; count < 50; count++) round(pace, 50, 350);
		expect(pace.size).toBe(25);
	});

	test('stays almost as large if the server accepts fewer than before: then it is the rate', () => {
		const pace = accepted(5);
		expect(pace.wait(300)).toBe(0);
		expect(pace.size).toBe(32);
		expect(pace.wait(300)).toBeGreaterThan(0);
	});

	test('stays as the user fixed it', () => {
		const pace = new Pace(7);
		round(pace, 50);
		pace.refuse(200, 100, 150, 7);
		expect(pace.size).toBe(7);
	});

	test('never leaves its bounds, whatever happens', () => {
		const event = fc.record({
			isRefused: fc.boolean(),
			took: fc.nat(10_000),
			count: fc.integer({ min: 1, max: 200 }),
		});
		fc.assert(
			fc.property(fc.array(event), (events) => {
				const pace = new Pace();
				let now = 0;
				for (const { isRefused, took, count } of events) {
					for (let n = 0; n < count; n++) {
						now += took;
						if (isRefused) pace.refuse(now, 100, now - took, 1);
						else pace.accept(now, now - took, pace.size);
						expect(pace.size).toBeGreaterThanOrEqual(1);
						expect(pace.size).toBeLessThanOrEqual(MAX_WINDOW);
						expect(Number.isInteger(pace.size)).toBe(true);
					}
				}
			}),
			{ numRuns: 50 },
		);
	});
});

describe('a server that allows so much a second', () => {
	const limits = fc.record({
		perSecond: fc.integer({ min: 1, max: 300 }),
		seconds: fc.integer({ min: 1, max: 10 }),
		isTold: fc.boolean(),
		parallel: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
		latency: fc.integer({ min: 1, max: 300 }),
		seed: fc.integer(),
	});

	test('gets everything, refuses a few, and is kept busy', () => {
		fc.assert(
			fc.property(limits, ({ perSecond, seconds, isTold, parallel, latency, seed }) => {
				const count = 500;
				const burst = perSecond * seconds;
				const server = bucket(perSecond, burst, latency, isTold);
				const pace = new Pace(parallel);
				const { done, refused, took, most } = simulate(server, count, pace, seeded(seed));
				expect(done).toBe(count);
				// The first refusal meets all that are under way; each later one is a test of the interval.
				expect(refused).toBeLessThanOrEqual(most * 2.5 + 30);
				const least = Math.max(
					((count - burst) / perSecond) * 1000,
					(count / (parallel ?? 10)) * latency,
				);
				expect(took).toBeLessThan(least * 2 + 3000);
			}),
			{ numRuns: 300 },
		);
	});

	test('that refuses once by chance does not slow the rest of the run', () => {
		let asked = 0;
		const server: Server = {
			arrive: () => ({ takes: 20, ...(++asked === 2 && { refused: 1000 }) }),
		};
		const { done, took } = simulate(server, 2000, new Pace(10), () => 0.5);
		expect(done).toBe(2000);
		expect(took).toBeLessThan(2 * ((2000 / 10) * 20) + 12_000);
	});
});

describe('what is learned, beside the best number that a user could have set', () => {
	const FIXED = [1, 2, 3, 5, 10, 15, 20, 30, MAX_WINDOW];
	const LIMITS = [1, 2, 3, 5, 8, 15, 20, 30, 45];
	const seed = 1;

	/** The fastest of them, and what the pace learned. */
	function compare(make: () => Server, count: number) {
		const courses = FIXED.map((fixed) => simulate(make(), count, new Pace(fixed), seeded(seed)));
		const best = courses.reduce((one, other) => (other.took < one.took ? other : one));
		const ten = courses[FIXED.indexOf(10)]!;
		return { best, ten, found: simulate(make(), count, new Pace(), seeded(seed)) };
	}

	test.each<[name: string, make: () => Server]>([
		['20 requests a second, which it tells', () => bucket(20, 20, 50, true)],
		['20 requests a second, which it does not tell', () => bucket(20, 20, 50, false)],
		['20 requests a second after 200 at once', () => bucket(20, 200, 50, true)],
		['100 requests a second, slowly answered', () => bucket(100, 100, 300, true)],
		['300 requests a second', () => bucket(300, 300, 100, true)],
		['20 requests in each second of the clock', () => fixedWindow(20, 50)],
		['five workers, behind which requests wait', () => workers(5, 50)],
		['20 workers, behind which requests wait', () => workers(20, 50)],
		['100 workers', () => workers(100, 50)],
		['neighbours who slow it down by turns', () => noisy(50)],
	])('a server of %s', (_name, make) => {
		// So many that what is learned at the beginning counts little.
		const { best, ten, found } = compare(make, 5000);
		expect(found.done).toBe(5000);
		expect(found.took).toBeLessThanOrEqual(best.took * 1.3);
		// The first refusal meets all that are under way.
		const first = found.most - ten.most;
		expect(found.refused).toBeLessThanOrEqual(Math.max(best.refused, ten.refused) * 1.2 + first);
	});

	test('a server of 200 requests in each second of the clock, which ten at once happen to be', () => {
		const { best, found } = compare(() => fixedWindow(200, 50), 5000);
		expect(found.took).toBeLessThanOrEqual(best.took * 1.6);
		expect(found.refused).toBeLessThanOrEqual(2 * MAX_WINDOW);
	});

	test.each(LIMITS)('a server that refuses more than %d in parallel', (limit) => {
		for (const refusesIn of [5, 50]) {
			const { best, found } = compare(() => connections(limit, 50, refusesIn), 5000);
			expect(found.took).toBeLessThanOrEqual(best.took * 1.1 + 1500);
			// The first refusal meets all that are too many, and shows how many are not.
			expect(found.refused).toBeLessThanOrEqual(Math.max(0, found.most - limit));
		}
	});
});

describe('a server that says how many requests it still accepts', () => {
	// The first ten go before it has said anything.
	test.each([10, 20, 200])('refuses none of %d a second', (perSecond) => {
		const count = 20 * perSecond;
		const { refused, done, took } = simulate(
			fixedWindow(perSecond, 50, true),
			count,
			new Pace(),
			seeded(1),
		);
		expect({ refused, done }).toEqual({ refused: 0, done: count });
		expect(took).toBeLessThan(1.1 * 20_000);
	});

	test('holds back until its limit is reset, and is asked one by one before it is used up', () => {
		const pace = new Pace();
		pace.allow(100, 0, { remaining: 3, resetMs: 900 });
		expect(pace.size).toBe(3);
		expect(pace.wait(100)).toBe(0);
		pace.allow(200, 100, { remaining: 0, resetMs: 800 });
		expect(pace.size).toBe(1);
		expect(pace.wait(200)).toBe(800);
		expect(pace.wait(1000)).toBe(0);
		expect(pace.size).toBe(10);
	});

	test('is believed in the lowest of parallel answers', () => {
		const pace = new Pace();
		pace.allow(100, 0, { remaining: 2 });
		pace.allow(101, 0, { remaining: 4 });
		expect(pace.size).toBe(2);
		pace.allow(200, 110, { remaining: 9 });
		expect(pace.size).toBe(9);
	});

	test('without a reset is asked one at a time', () => {
		const pace = new Pace();
		pace.allow(100, 0, { remaining: 0 });
		expect([pace.size, pace.wait(100)]).toEqual([1, 0]);
	});
});
