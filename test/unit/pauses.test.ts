import { afterEach, expect, test, vi } from 'vitest';

import { mapWithPauses } from '../../nodes/pauses.ts';

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
