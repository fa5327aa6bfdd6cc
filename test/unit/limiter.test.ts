import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Limiter, limiterOf, MOST_PARALLEL, SessionQueue } from '../../nodes/api/limiter.ts';
import { Stop } from '../../nodes/semaphore.ts';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** How many requests of a session the limiter lets run in parallel now. */
async function roomOf(limiter: Limiter, session = new SessionQueue()): Promise<number> {
	const leaves: Array<() => void> = [];
	for (let count = 0; count <= MOST_PARALLEL; count++) {
		void limiter.take(session, false, []).then((leave) => leaves.push(leave));
	}
	await settle();
	const { length } = leaves;
	for (; leaves.length > 0; await settle()) leaves.pop()!();
	return length;
}

const answer = (limiter: Limiter, count: number, sentAt = 0) => {
	for (let done = 0; done < count; done++) limiter.accept(sentAt);
};

const refuse = (limiter: Limiter, sentAt: number, now: number, ms: number) =>
	limiter.refuse({ kind: 'answer', status: 429 }, sentAt, now, ms);

/** A limiter that lets one request run, and the end of the one that runs now. */
async function narrow() {
	const limiter = new Limiter();
	for (let count = 1; count < 20; count++) refuse(limiter, count * 100, count * 100 + 50, 10);
	const leave = await limiter.take(new SessionQueue(), false, []);
	return { limiter, leave };
}

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

	test.each([1, 7, 30])('never more than the %d of a session', async (most) => {
		const limiter = new Limiter();
		answer(limiter, 500);
		expect(await roomOf(limiter, new SessionQueue(most))).toBe(most);
	});

	test('200 of all accounts: those that send share them, and each has one at least', async () => {
		const accounts = Array.from({ length: 300 }, () => new Limiter());
		answer(accounts[0]!, 500);
		const taking = accounts.map((limiter) => limiter.take(new SessionQueue(), false, []));
		const leaves = await Promise.all(taking);
		for (const leave of leaves.slice(10)) leave();
		expect(await roomOf(accounts[0]!)).toBe(19);
		for (const leave of leaves.slice(1, 10)) leave();
		expect(await roomOf(accounts[0]!)).toBe(49);
		leaves[0]!();
	});

	test('half as many after a refusal; requests that were refused together count twice at most', async () => {
		const limiter = new Limiter();
		answer(limiter, 10 + 20 + 40);
		refuse(limiter, 100, 200, 1000);
		expect(await roomOf(limiter)).toBe(25);
		for (let count = 0; count < 20; count++) refuse(limiter, 100 + count, 201, 1000);
		expect(await roomOf(limiter)).toBe(12);
		// Sent after the wait, and refused again.
		refuse(limiter, 1300, 1400, 1000);
		expect(await roomOf(limiter)).toBe(6);
	});

	test('at least one, however often the server refuses', async () => {
		const { limiter, leave } = await narrow();
		leave();
		expect(await roomOf(limiter)).toBe(1);
	});

	test('one more with every 50 answers after a refusal; earlier requests do not count', async () => {
		const limiter = new Limiter();
		refuse(limiter, 100, 200, 1000);
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
		refuse(limiter, 0, 100, 1000);
		refuse(limiter, 0, 110, 10);
		expect([100, 600, 1100].map((now) => limiter.wait(now))).toEqual([1000, 500, 0]);
	});
});

describe('the next place', () => {
	/** Who enters, one after another: each gives its place back at once. */
	async function entered(...waiting: Array<[who: string, session: SessionQueue, isAgain?: true]>) {
		const { limiter, leave } = await narrow();
		const order: string[] = [];
		const stop = new Stop();
		const all = waiting.map(async ([who, session, isAgain = false]) => {
			const leave = await limiter.take(session, isAgain, [stop]);
			order.push(who);
			leave();
		});
		leave();
		await Promise.all(all);
		return order;
	}

	test('is for a request that is sent again, before those of its session that wait', async () => {
		const one = new SessionQueue();
		const order = await entered(['first', one], ['second', one], ['again', one, true]);
		expect(order).toEqual(['again', 'first', 'second']);
	});

	test('goes from session to session, however many requests one of them has', async () => {
		const [long, short] = [new SessionQueue(), new SessionQueue()];
		const order = await entered(['l1', long], ['l2', long], ['l3', long], ['s1', short]);
		expect(order).toEqual(['l1', 's1', 'l2', 'l3']);
	});

	test('is for a poll or a list of the editor before all executions', async () => {
		const [execution, poll] = [new SessionQueue(), new SessionQueue(10, true)];
		const order = await entered(['e1', execution], ['e2', execution], ['p1', poll], ['p2', poll]);
		expect(order).toEqual(['p1', 'p2', 'e1', 'e2']);
	});

	test('is not for a request that was stopped, which leaves the queue at once', async () => {
		const { limiter, leave } = await narrow();
		const session = new SessionQueue();
		const [stopping, other] = [new Stop(), new Stop()];
		const stopped = limiter.take(session, false, [other, stopping]);
		const next = limiter.take(session, false, [other]);
		stopping.stop();
		(await stopped)();
		expect(await limiter.take(session, false, [stopping])).toBeTypeOf('function');
		leave();
		(await next)();
		expect(await roomOf(limiter)).toBe(1);
	});

	test('costs the same, however many requests wait', async () => {
		const session = new SessionQueue();
		const before = process.cpuUsage();
		const order = await entered(
			...Array.from({ length: 100_000 }, (_, at): [string, SessionQueue] => [`${at}`, session]),
		);
		expect(order).toHaveLength(100_000);
		// With an array it took 8 to 15 s of CPU, and with an AbortSignal in place of Stop even more.
		expect(process.cpuUsage(before).user).toBeLessThan(4e6);
	});
});

describe('an account', () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }));
	afterEach(() => void vi.useRealTimers());

	const MINUTE = 60_000;
	const after = (minutes: number) => vi.setSystemTime(1_000_000 + minutes * MINUTE);
	const use = async (limiter: Limiter) => (await limiter.take(new SessionQueue(), false, []))();

	test('has one limiter, until it has sent nothing for ten minutes', async () => {
		const limiter = limiterOf('one');
		await use(limiter);
		expect(limiterOf('two')).not.toBe(limiter);
		after(10);
		expect(limiterOf('one')).toBe(limiter);
		after(10.1);
		expect(limiterOf('one')).not.toBe(limiter);
	});

	test('is remembered while a request is under way, and as long as the server refuses requests', async () => {
		const limiter = limiterOf('three');
		const leave = await limiter.take(new SessionQueue(), false, []);
		after(60);
		expect(limiterOf('three')).toBe(limiter);
		refuse(limiter, Date.now(), Date.now(), 60 * MINUTE);
		leave();
		after(119);
		expect(limiterOf('three')).toBe(limiter);
		after(121);
		expect(limiterOf('three')).not.toBe(limiter);
	});
});
