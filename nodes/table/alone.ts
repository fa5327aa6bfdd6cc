import type { RunContext } from './operation';

/**
 * Runs the work for one record after the other, also with Parallel Writes. Otherwise two items of the same
 * record would both read it before they write: both would find none and create one, or the later one would
 * write the fields back that the other had changed.
 *
 * @param key what the record is found by, such as its SKU or its path
 */
export async function runAlone<T>(
	{ share }: Pick<RunContext, 'share'>,
	key: string,
	work: () => Promise<T>,
): Promise<T> {
	const running = share(() => new Map<string, Promise<unknown>>());
	// An ID is the same in capital letters.
	const name = key.toLowerCase();
	const before = running.get(name) ?? Promise.resolve();
	const own = before.then(work, work);
	running.set(name, own);
	return await own;
}
