import { describe, expect, test } from 'vitest';
import { Limiter, MOST_PARALLEL } from '../../nodes/api/limiter.ts';
import { retryDelay } from '../../nodes/api/retry.ts';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** How many requests the limiter lets run in parallel now. */
async function roomOf(limiter: Limiter): Promise<number> {
	const leaves: Array<() => void> = [];
	for (let count = 0; count <= MOST_PARALLEL; count++) {
		void limiter.take(false).then((leave) => leaves.push(leave));
	}
	await settle();
	const { length } = leaves;
	for (; leaves.length > 0; await settle()) leaves.pop()!();
	return length;
}

const answer = (limiter: Limiter, count: number, sentAt = 0) => {
	for (let done = 0; done < count; done++) limiter.accept(sentAt);
};

describe('how many requests run in parallel', () => {
	test('10 at first, twice as many after each round of answers, and 50 at the most', async () => {
		const limiter = new Limiter();
		const rooms = [await roomOf(limiter)];
		for (const round of [10, 20, 40, 50]) {
			answer(limiter, round);
			rooms.push(await roomOf(limiter));
		}
		expect(rooms).toEqual([10, 20, 40, 50, 50]);
	});

	test.each([1, 7, 30])('never more than the %d that the user allows', async (most) => {
		const limiter = new Limiter(most);
		answer(limiter, 500);
		expect(await roomOf(limiter)).toBe(most);
	});

	test('half as many after a refusal; requests that were refused together count twice at most', async () => {
		const limiter = new Limiter();
		answer(limiter, 10 + 20 + 40);
		limiter.refuse(100, 200, 1000);
		expect(await roomOf(limiter)).toBe(25);
		for (let count = 0; count < 20; count++) limiter.refuse(100 + count, 201, 1000);
		expect(await roomOf(limiter)).toBe(12);
		// Sent after the wait, and refused again.
		limiter.refuse(1300, 1400, 1000);
		expect(await roomOf(limiter)).toBe(6);
	});

	test('at least one, however often the server refuses', async () => {
		const limiter = new Limiter();
		for (let count = 1; count < 20; count++) limiter.refuse(count * 100, count * 100 + 50, 10);
		expect(await roomOf(limiter)).toBe(1);
	});

	test('one more with every 50 answers after a refusal; earlier requests do not count', async () => {
		const limiter = new Limiter();
		limiter.refuse(100, 200, 1000);
		expect(await roomOf(limiter)).toBe(5);
		answer(limiter, 500, 150);
		answer(limiter, 49, 1300);
		expect(await roomOf(limiter)).toBe(5);
		answer(limiter, 1, 1300);
		expect(await roomOf(limiter)).toBe(6);
	});
});

describe('a refusal holds back all requests', () => {
	test('as long as the server asks; a later one does not shorten it', () => {
		const limiter = new Limiter();
		expect(limiter.wait(100)).toBe(0);
		limiter.refuse(0, 100, 1000);
		limiter.refuse(0, 110, 10);
		expect([100, 600, 1100].map((now) => limiter.wait(now))).toEqual([1000, 500, 0]);
	});
});

/** A simulated server: how long an answer takes in ms, and for a refused request how long to wait. */
type Server = (now: number, underWay: number) => { takes: number; refused?: number };

/** Sends so many requests as a session does, in simulated time. */
async function simulate(server: Server, count: number) {
	const limiter = new Limiter();
	const due: Array<{ at: number; go: () => void }> = [];
	const later = async (at: number) => await new Promise<void>((go) => void due.push({ at, go }));
	let [now, done, refused, underWay] = [0, 0, 0, 0];
	const send = async () => {
		for (let tries = 1; ; tries++) {
			const leave = await limiter.take(tries > 1);
			while (limiter.wait(now) > 0) await later(now + limiter.wait(now));
			const sentAt = now;
			underWay++;
			const { takes, refused: asked } = server(now, underWay);
			await later(now + takes);
			underWay--;
			if (asked === undefined) limiter.accept(sentAt);
			else {
				refused++;
				const retryAfterMs = asked || undefined;
				const failure = { kind: 'answer', status: 429, retryAfterMs } as const;
				limiter.refuse(sentAt, now, retryDelay('GET', failure, tries, 0.5)!);
			}
			leave();
			if (asked === undefined) return void done++;
		}
	};
	for (let each = 0; each < count; each++) void send();
	for (await settle(); due.length > 0; await settle()) {
		const at = Math.min(...due.map((entry) => entry.at));
		const next = due.findIndex((entry) => entry.at === at);
		now = at;
		due.splice(next, 1)[0]!.go();
	}
	return { done, refused, seconds: now / 1000 };
}

/** Accepts so many requests a second, and as many at once after a rest. */
function perSecond(most: number, takes: number, isTold = true): Server {
	let [left, at] = [most, 0];
	return (now) => {
		left = Math.min(most, left + ((now - at) / 1000) * most);
		at = now;
		if (left < 1) return { takes, refused: isTold ? 1000 : 0 };
		left -= 1;
		return { takes };
	};
}

/** Refuses requests beyond so many in parallel. */
const inParallel =
	(most: number, takes: number): Server =>
	(_now, underWay) =>
		underWay > most ? { takes: 5, refused: 1000 } : { takes };

describe('500 requests to a server', () => {
	test.each<[what: string, most: number, server: Server, seconds: number]>([
		['of 20 a second, which says when to come again', 50, perSecond(20, 5), 24],
		['of 20 a second, which does not say it', 50, perSecond(20, 5, false), 24],
		['of 20 a second, with slow answers', 50, perSecond(20, 300), 24],
		['of 100 a second', 60, perSecond(100, 50), 4],
		['of 5 in parallel', 20, inParallel(5, 50), 5],
		['of 20 in parallel', 30, inParallel(20, 50), 1.25],
	])('%s: at most %d are refused', async (_what, most, server, least) => {
		const { done, refused, seconds } = await simulate(server, 500);
		expect(done).toBe(500);
		expect(refused).toBeLessThanOrEqual(most);
		expect(seconds).toBeLessThan(least * 1.5 + 10);
	});
});
