import { expect, test } from 'vitest';
import { Semaphore } from '../../nodes/semaphore.ts';

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

test('a semaphore lets in as many as it has places, in the order in which they came', async () => {
	const places = new Semaphore(1);
	const entered: number[] = [];
	const all = [1, 2, 3].map(async (who) => {
		const leave = await places.take();
		entered.push(who);
		return leave;
	});
	await settle();
	expect(entered).toEqual([1]);
	// The turn of a test call ends with the call, and once more with its item: only one enters.
	const leave = await all[0]!;
	leave();
	leave();
	await settle();
	expect(entered).toEqual([1, 2]);
	(await all[1]!)();
	(await all[2]!)();
	expect(entered).toEqual([1, 2, 3]);
});

test('a semaphore costs the same, however many wait', async () => {
	const places = new Semaphore(50);
	const before = process.cpuUsage();
	await Promise.all(Array.from({ length: 100_000 }, async () => (await places.take())()));
	// With an array it took 8 to 15 s of CPU.
	expect(process.cpuUsage(before).user).toBeLessThan(4e6);
});
