import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Gate } from '../../nodes/api/gate.ts';
import { retryDelay } from '../../nodes/api/retry.ts';

describe('without a refusal', () => {
	test('every request goes at once', () => {
		const gate = new Gate();
		for (let at = 0; at < 1000; at++) {
			expect(gate.wait(at / 100)).toBe(0);
			gate.accept(at / 100);
		}
		expect(gate.heldBack()).toBe(0);
	});
});

describe('a refusal', () => {
	test('holds back every request until it may come again', () => {
		const gate = new Gate();
		gate.wait(100);
		gate.refuse(110, 500, 100);
		expect(gate.wait(120)).toBe(490);
		expect(gate.wait(609)).toBe(1);
		expect(gate.wait(610)).toBe(0);
	});

	test('that comes while another holds cannot shorten it', () => {
		const gate = new Gate();
		gate.wait(0);
		gate.wait(0);
		gate.refuse(10, 1000, 0);
		gate.refuse(20, 100, 0);
		expect(gate.wait(500)).toBe(510);
	});

	test('tells the pace: what was accepted until the gate opens again', () => {
		const gate = new Gate();
		for (let count = 0; count < 20; count++) {
			gate.wait(0);
			gate.accept(0);
		}
		gate.refuse(100, 900, 0);
		expect(gate.wait(1000)).toBe(0);
		expect(gate.wait(1000)).toBeCloseTo((1000 / 20) * 1.03);
	});

	/** A gate that was refused after `burst` acceptances at once, at 100 ms. */
	const refusedOnce = (burst: number) => {
		const gate = new Gate();
		for (let count = 0; count < burst; count++) {
			gate.wait(0);
			gate.accept(0);
		}
		gate.refuse(100, 1, 0);
		return gate;
	};

	/** The pace, as it shows in the wait after a turn long after everything else. */
	let late = 1e6;
	const paceOf = (gate: Gate) => {
		late += 1e6;
		gate.wait(late);
		return gate.wait(late);
	};

	test('after another is exact: both times the server had nothing left to give', () => {
		const gate = refusedOnce(10);
		for (let count = 1; count <= 4; count++) gate.accept(1000 * count);
		gate.refuse(8100, 1, 8000);
		expect(paceOf(gate)).toBeCloseTo((8000 / 4) * 1.03);
	});

	test('is put to the test once twice as many went through', () => {
		const gate = refusedOnce(10);
		const pace = paceOf(gate);
		for (let count = 1; count < 20; count++) gate.accept(1000 * count);
		expect(paceOf(gate)).toBe(pace);
		gate.accept(30_000);
		expect(paceOf(gate)).toBeLessThan(pace);
	});

	test('that meets the test proves the pace before it', () => {
		const gate = refusedOnce(10);
		const pace = paceOf(gate);
		for (let count = 1; count <= 21; count++) gate.accept(1000 * count);
		gate.refuse(40_000, 1, 39_000);
		expect(paceOf(gate)).toBe(pace);
		for (let count = 1; count < 84; count++) gate.accept(40_000 + count);
		expect(paceOf(gate)).toBe(pace);
	});

	test('without any acceptance since the last slows down to one at a time', () => {
		const gate = refusedOnce(10);
		gate.refuse(2000, 900, 1900);
		expect(paceOf(gate)).toBe(900);
	});

	test('counts no acceptance of what was sent before it', () => {
		const [one, other] = [new Gate(), new Gate()];
		for (const gate of [one, other]) {
			gate.wait(0);
			gate.accept(0);
			gate.refuse(50, 100, 0);
		}
		other.accept(40);
		for (const gate of [one, other]) gate.refuse(900, 100, 800);
		one.wait(5000);
		other.wait(5000);
		expect(other.wait(5000)).toBe(one.wait(5000));
	});

	test('is reported as the time for which requests waited', () => {
		const gate = new Gate();
		gate.wait(0);
		gate.refuse(0, 400, 0);
		gate.wait(150);
		gate.wait(300);
		expect(gate.wait(400)).toBe(0);
		expect(gate.heldBack()).toBe(250);
	});

	test('is not reported where nothing waited', () => {
		const gate = new Gate();
		gate.wait(0);
		gate.refuse(0, 400, 0);
		expect(gate.wait(500)).toBe(0);
		expect(gate.heldBack()).toBe(0);
	});
});

/** Whether a request at `now` is refused, and how many ms the server asks to wait (NaN: not said). */
type Server = (now: number) => number | undefined;

const bucket =
	(perSecond: number, burst: number, isTold: boolean, tokens = burst, at = 0): Server =>
	(now) => {
		tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
		at = now;
		if (tokens < 1) return isTold ? Math.max(1000, 1000 / perSecond) : NaN;
		tokens -= 1;
		return undefined;
	};

/** Requests of `count` items, `parallel` at once, through a gate, in a time of its own. */
function simulate(
	server: Server,
	count: number,
	parallel: number,
	latency: number,
	dice: () => number,
) {
	const gate = new Gate();
	const due: Array<{ at: number; go: () => void }> = [];
	const later = (at: number, go: () => void) => {
		const place = due.findLastIndex((entry) => entry.at <= at);
		due.splice(place + 1, 0, { at, go });
	};
	let [now, begun, done, refused] = [0, 0, 0, 0];
	const begin = () => {
		if (begun++ >= count) return;
		let attempts = 0;
		const go = () => {
			const wait = gate.wait(now);
			// A timer is late, and never early.
			if (wait > 0) return later(now + Math.min(250, Math.ceil(wait)) + dice(), go);
			const sentAt = now;
			attempts++;
			later(now + latency / 2, () => {
				const asked = server(now);
				later(now + latency / 2, () => {
					if (asked === undefined) {
						gate.accept(sentAt);
						done++;
						return begin();
					}
					refused++;
					const retryAfterMs = Number.isNaN(asked) ? undefined : asked;
					const setback = { status: 429, retryAfterMs };
					gate.refuse(now, retryDelay('GET', setback, attempts, dice())!, sentAt);
					go();
				});
			});
		};
		go();
	};
	for (let lane = 0; lane < parallel; lane++) begin();
	for (let next = due.shift(); next !== undefined; next = due.shift()) {
		now = next.at;
		next.go();
	}
	return { done, refused, took: now };
}

describe('a server that allows so much a second', () => {
	const limits = fc.record({
		perSecond: fc.integer({ min: 1, max: 300 }),
		seconds: fc.integer({ min: 1, max: 10 }),
		isTold: fc.boolean(),
		parallel: fc.integer({ min: 1, max: 10 }),
		latency: fc.integer({ min: 1, max: 300 }),
		seed: fc.integer(),
	});

	test('gets everything, refuses a few, and is kept busy', () => {
		fc.assert(
			fc.property(limits, ({ perSecond, seconds, isTold, parallel, latency, seed }) => {
				const count = 500;
				const burst = perSecond * seconds;
				let state = seed;
				const dice = () => {
					state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
					return state / 2 ** 32;
				};
				const server = bucket(perSecond, burst, isTold);
				const { done, refused, took } = simulate(server, count, parallel, latency, dice);
				expect(done).toBe(count);
				// The first refusal meets all that are under way; each later one is a test of the pace.
				expect(refused).toBeLessThanOrEqual(parallel * 2.5 + 30);
				const least = Math.max(((count - burst) / perSecond) * 1000, (count / parallel) * latency);
				expect(took).toBeLessThan(least * 2 + 3000);
			}),
			{ numRuns: 300 },
		);
	});

	test('that refuses by chance does not slow the rest for good', () => {
		let asked = 0;
		const server: Server = () => (++asked === 2 ? 1000 : undefined);
		const { done, took } = simulate(server, 2000, 10, 20, () => 0.5);
		expect(done).toBe(2000);
		expect(took).toBeLessThan(2 * ((2000 / 10) * 20) + 12_000);
	});
});
