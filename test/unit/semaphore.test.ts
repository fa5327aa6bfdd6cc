import { expect, test } from 'vitest';
import { Semaphore } from '../../nodes/semaphore.ts';

/** Lets all promises that are settled go on. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

test('as many enter as there are places, in their order; who goes first enters before the others', async () => {
	const places = new Semaphore(2);
	const entered: string[] = [];
	const enter = async (name: string, isFirst = false) => {
		const leave = await places.take(isFirst);
		entered.push(name);
		return leave;
	};
	const [a, b, c, d] = [enter('a'), enter('b'), enter('c'), enter('d', true)];
	await settle();
	expect(entered).toEqual(['a', 'b']);
	(await a)();
	await settle();
	expect(entered).toEqual(['a', 'b', 'd']);
	(await b)();
	(await c)();
	(await d)();
	expect(entered).toEqual(['a', 'b', 'd', 'c']);
});

test('a place that is given back twice is free once', async () => {
	const places = new Semaphore(1);
	const leave = await places.take();
	const entered: number[] = [];
	for (const number of [1, 2]) void places.take().then(() => entered.push(number));
	leave();
	leave();
	await settle();
	expect(entered).toEqual([1]);
});

test('more places let in those who wait; fewer let in nobody until enough have left', async () => {
	const places = new Semaphore(1);
	const leaves = [await places.take()];
	for (let count = 0; count < 3; count++) void places.take().then((leave) => leaves.push(leave));
	places.resize(3);
	await settle();
	expect(leaves).toHaveLength(3);
	places.resize(1);
	leaves[0]!();
	leaves[1]!();
	await settle();
	expect(leaves).toHaveLength(3);
	leaves[2]!();
	await settle();
	expect(leaves).toHaveLength(4);
});
