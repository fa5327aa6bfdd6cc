import type { RunContext } from './operation';

/**
 * Runs the work for one key after the other, also with Parallel Writes. Otherwise two items with the same
 * key would both find no record, and both create one.
 *
 * @param key what the record is found by, such as its SKU
 */
export async function runAlone<T>(
	{ share }: Pick<RunContext, 'share'>,
	key: string,
	work: () => Promise<T>,
): Promise<T> {
	const running = share(() => new Map<string, Promise<unknown>>());
	const before = running.get(key) ?? Promise.resolve();
	const own = before.then(work, work);
	running.set(key, own);
	return await own;
}
