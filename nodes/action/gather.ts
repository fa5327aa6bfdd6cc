import type { Operation } from '../table/operation';
import type { Task } from './tasks';

/**
 * Joins tasks that can share a request. Tasks of two accounts are never joined.
 *
 * @returns all tasks, in the order of their first item
 */
export function gathered(tasks: Task[], { gather }: Operation): Task[] {
	if (gather === undefined) return tasks;
	// A task without a key is its own group.
	return groupedBy(tasks, ({ account }) => account)
		.flatMap((ofOne) => groupedBy(ofOne, (task) => gather.key(task.input) ?? task))
		.flatMap((group) => chunksOf(group, gather.size((group[0] as Task).input)))
		.map((chunk) => ({
			...chunk[0],
			items: chunk.flatMap(({ items }) => items) as Task['items'],
			input: chunk.length > 1 ? gather.merge(chunk.map(({ input }) => input)) : chunk[0].input,
		}))
		.sort((one, other) => one.items[0] - other.items[0]);
}

function groupedBy<T>(entries: T[], keyOf: (entry: T) => unknown): T[][] {
	const groups = new Map<unknown, T[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [entry]);
		else group.push(entry);
	}
	return [...groups.values()];
}

function chunksOf<T>(entries: T[], size: number): Array<[T, ...T[]]> {
	const starts = entries.map((_, at) => at).filter((at) => at % size === 0);
	return starts.map((at) => entries.slice(at, at + size) as [T, ...T[]]);
}
