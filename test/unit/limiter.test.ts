import { describe, expect, test } from 'vitest';
import { Limiter, MOST_PARALLEL } from '../../nodes/api/limiter.ts';

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

describe('the next place', () => {
	/** Who enters, one after another, once `given` gives the only place back. */
	async function enteredAfter(given: (leave: () => void) => void): Promise<string[]> {
		const limiter = new Limiter(1);
		const leave = await limiter.take(false);
		const entered: string[] = [];
		for (const who of ['first', 'second', 'again'])
			void limiter.take(who === 'again').then(() => entered.push(who));
		given(leave);
		await settle();
		return entered;
	}

	test('is for a request that is sent again, before those that wait', async () => {
		expect(await enteredAfter((leave) => leave())).toEqual(['again']);
	});

	// The turn of a test call ends with the call, and once more with its item.
	test('is free once, although it is given back twice', async () => {
		const twice = (leave: () => void) => [leave(), leave()];
		expect(await enteredAfter(twice)).toHaveLength(1);
	});
});
