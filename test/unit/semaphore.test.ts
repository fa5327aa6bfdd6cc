import { expect, test } from 'vitest';
import { Semaphore } from '../../nodes/semaphore.ts';

/** A semaphore, who has entered it so far, and how each leaves. */
function semaphore(most: number) {
	const places = new Semaphore(most);
	const entered: string[] = [];
	const leaves: Record<string, () => void> = {};
	const enter = (name: string, isFirst = false) =>
		void places.take(isFirst).then((leave) => {
			entered.push(name);
			leaves[name] = leave;
		});
	/** Who has entered after these have left. */
	const after = async (...names: string[]) => {
		for (const name of names) leaves[name]!();
		await new Promise((resolve) => setImmediate(resolve));
		return entered.join('');
	};
	return { places, enter, after };
}

test('as many enter as there are places, in their order; who goes first enters before the others', async () => {
	const { enter, after } = semaphore(2);
	for (const name of 'abc') enter(name);
	enter('d', true);
	expect(await after()).toBe('ab');
	expect(await after('a')).toBe('abd');
	expect(await after('b')).toBe('abdc');
});

test('a place that is given back twice is free once', async () => {
	const { enter, after } = semaphore(1);
	for (const name of 'abc') enter(name);
	expect(await after()).toBe('a');
	expect(await after('a', 'a')).toBe('ab');
});

test('more places let in those who wait; fewer let in nobody until enough have left', async () => {
	const { places, enter, after } = semaphore(1);
	for (const name of 'abcd') enter(name);
	expect(await after()).toBe('a');
	places.resize(3);
	expect(await after()).toBe('abc');
	places.resize(1);
	expect(await after('a', 'b')).toBe('abc');
	expect(await after('c')).toBe('abcd');
});
