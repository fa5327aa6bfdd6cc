import type { Stop } from '../semaphore';
import { TIMED_OUT } from './errors';
import { lost, NoAnswerError } from './noAnswer';

export interface Stream {
	on(event: string, listener: (given: never) => void): unknown;
	destroy(): void;
}

export const MOST_BYTES = 16 * 2 ** 20;

/**
 * The first bytes of an answer, unzipped.
 * @param most how many bytes are read; then the connection is closed
 * @throws if the answer breaks off
 */
export async function readBytes(
	body: Stream,
	most: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
	const chunks: Buffer[] = [];
	let size = 0;
	return await new Promise((resolve, reject) => {
		const finish = (isWhole: boolean) =>
			resolve({ bytes: Buffer.concat(chunks, Math.min(size, most)), isWhole });
		body.on('data', (chunk: Buffer) => {
			if (size > most) return;
			chunks.push(chunk);
			size += chunk.length;
			if (size <= most) return;
			finish(false);
			body.destroy();
		});
		body.on('end', () => finish(true));
		// It says nothing after the end. An error for each answer would cost more than the rest.
		body.on('close', reject);
		body.on('error', reject);
	});
}

export interface Limits {
	/** Time from the start of the request to the end of its answer, in ms. */
	timeout: number;
	/** Each of them ends it at once. */
	stopping: readonly Stop[];
}

/**
 * Does the work until it is done, its time is over, or it is stopped. The signal closes its connections.
 * @throws NoAnswerError if its time is over, or it is stopped
 */
export async function withEnd<T>(
	{ timeout, stopping }: Limits,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	// Not AbortSignal.any: Node 20 may forget such a signal before its time is over.
	const ending = new AbortController();
	const timer = AbortSignal.timeout(Math.ceil(timeout));
	let end!: () => void;
	try {
		return await new Promise((resolve, reject) => {
			end = () => {
				// Not after a success: n8n's HTTP client would make an error with a stack for each request.
				ending.abort();
				reject(new NoAnswerError(lost(timer.aborted ? TIMED_OUT : 'stopped')));
			};
			timer.addEventListener('abort', end);
			for (const { listeners } of stopping) listeners.add(end);
			if (stopping.some(({ isStopped }) => isStopped)) end();
			work(ending.signal).then(resolve, reject);
		});
	} finally {
		timer.removeEventListener('abort', end);
		for (const { listeners } of stopping) listeners.delete(end);
	}
}
