import type { Envelope } from '../api/answer';
import type { Request } from '../api/session';
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
	const running = share('alone', () => new Map<string, Promise<unknown>>());
	// An ID is the same in capital letters.
	const name = key.toLowerCase();
	const before = running.get(name) ?? Promise.resolve();
	const own = before.then(work, work);
	running.set(name, own);
	return await own;
}

/** Sends a request about one record. Changes of the record take turns, reads do not. */
export async function sendAlone(
	{ api, share }: Pick<RunContext, 'api' | 'share'>,
	request: Request,
): Promise<Envelope> {
	const send = async () => await api.send(request);
	return await (request.method === 'GET' ? send() : runAlone({ share }, request.path, send));
}
