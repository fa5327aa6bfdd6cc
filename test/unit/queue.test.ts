import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Queue } from '../../nodes/api/queue.ts';

const task = fc.record({
	/** Turns of the event loop that it takes. */
	turns: fc.nat(5),
	fails: fc.boolean(),
});

test('every task runs once and in turn, and never more at once than allowed', async () => {
	const room = fc.integer({ min: 1, max: 9 });
	await fc.assert(
		fc.asyncProperty(room, fc.array(task, { maxLength: 60 }), async (most, tasks) => {
			const queue = new Queue(() => most);
			const begun: number[] = [];
			const results = await Promise.allSettled(
				tasks.map(({ turns, fails }, at) =>
					queue.run(async () => {
						expect(queue.underWay).toBeLessThanOrEqual(most);
						begun.push(at);
						for (let turn = 0; turn < turns; turn++) await Promise.resolve();
						if (fails) throw new Error(String(at));
						return at;
					}),
				),
			);
			expect(begun).toEqual(tasks.map((_, at) => at));
			results.forEach((result, at) =>
				expect(result).toMatchObject(
					tasks[at]!.fails
						? { status: 'rejected', reason: { message: String(at) } }
						: { status: 'fulfilled', value: at },
				),
			);
			expect(queue.underWay).toBe(0);
		}),
	);
});

test('no task begins while as many run as allowed', async () => {
	let room = 2;
	const queue = new Queue(() => room);
	const ends: Array<() => void> = [];
	let begun = 0;
	const all = Array.from({ length: 5 }, () =>
		queue.run(async () => {
			begun++;
			await new Promise<void>((resolve) => ends.push(resolve));
		}),
	);
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	await settle();
	expect(begun).toBe(2);
	room = 1;
	ends.shift()!();
	await settle();
	expect(begun).toBe(2);
	room = 9;
	ends.shift()!();
	await settle();
	expect(begun).toBe(5);
	for (const end of ends) end();
	await Promise.all(all);
});

test('a task that is next goes before those that wait', async () => {
	const queue = new Queue(() => 1);
	const begun: string[] = [];
	const add = async (name: string, isNext?: boolean) =>
		await queue.run(async () => await Promise.resolve(begun.push(name)), isNext);
	await Promise.all([add('first'), add('second'), add('third'), add('again', true)]);
	expect(begun).toEqual(['first', 'again', 'second', 'third']);
});
