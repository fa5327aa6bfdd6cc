import { afterEach, expect, test, vi } from 'vitest';

import { inTurn, mapTogether, mapWithPauses } from '../../nodes/pauses.ts';

afterEach(() => {
	vi.restoreAllMocks();
});

test('long work leaves n8n its turns, and keeps its order', async () => {
	// Each look at the clock is 30 ms later.
	let now = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => (now += 30));
	let turns = 0;
	const others = setInterval(() => (turns += 1), 0);
	const result = await mapWithPauses([1, 2, 3, 4, 5, 6, 7, 8], (one, at) => [one * 2, at]);
	clearInterval(others);
	expect(result).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((one, at) => [one * 2, at]));
	expect(turns).toBeGreaterThan(1);
});

test('short work is done at once', async () => {
	vi.spyOn(performance, 'now').mockReturnValue(0);
	let turns = 0;
	const others = setInterval(() => (turns += 1), 0);
	await mapWithPauses(Array(1000).fill(1), (one) => one as number);
	clearInterval(others);
	expect(turns).toBe(0);
});

test('many things begin a few at a time, and keep their order', async () => {
	let [underWay, most] = [0, 0];
	const results = await mapTogether(
		Array.from({ length: 1000 }, (_, at) => at),
		async (at) => {
			most = Math.max(most, ++underWay);
			await new Promise(setImmediate);
			if (at % 2 === 0) await new Promise(setImmediate);
			underWay--;
			return at;
		},
	);
	expect(results).toEqual(results.toSorted((one, other) => one - other));
	expect(results).toHaveLength(1000);
	expect(most).toBeGreaterThan(1);
	expect(most).toBeLessThanOrEqual(200);
	await expect(
		mapTogether([1], async () => await Promise.reject(new Error('no'))),
	).rejects.toThrow();
});

test('heavy work that comes all at once leaves n8n its turns', async () => {
	let now = performance.now();
	vi.spyOn(performance, 'now').mockImplementation(() => (now += 30));
	let turns = 0;
	const others = setInterval(() => (turns += 1), 0);
	const results = await Promise.all(Array.from({ length: 9 }, (_, at) => inTurn(() => at)));
	clearInterval(others);
	expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	expect(turns).toBeGreaterThan(1);
});

test('heavy work that fails lets the next in', async () => {
	const fail = () => {
		throw new Error('no');
	};
	const all = await Promise.allSettled([
		inTurn(fail),
		inTurn(() => 1),
		inTurn(fail),
		inTurn(() => 2),
	]);
	expect(all.map(({ status }) => status)).toEqual([
		'rejected',
		'fulfilled',
		'rejected',
		'fulfilled',
	]);
});
