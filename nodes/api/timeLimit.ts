import type { Stop } from '../semaphore';
import { TIMED_OUT } from './errors';
import { lost, NoAnswerError } from './noAnswer';

/**
 * Ends works that take too long. One timer is enough, because the first to begin is the first to end. Node.js
 * cannot clear an `AbortSignal.timeout`, so each request would leave one behind for a minute.
 */
export class TimeLimit {
	/** How long each work may take, in ms. */
	readonly ms: number;

	readonly #ends = new Map<() => void, number>();

	#isWatching = false;

	constructor(ms: number) {
		this.ms = Math.ceil(ms);
	}

	add(end: () => void): void {
		const now = performance.now();
		this.#ends.set(end, now + this.ms);
		this.#watch(now);
	}

	delete(end: () => void): void {
		this.#ends.delete(end);
	}

	#watch(now: number): void {
		const [next] = this.#ends.values();
		if (next === undefined || this.#isWatching) return;
		this.#isWatching = true;
		AbortSignal.timeout(Math.max(0, Math.round(next - now))).addEventListener('abort', () => {
			this.#isWatching = false;
			for (const [end, at] of this.#ends) if (at <= next) end();
			this.#watch(performance.now());
		});
	}
}

export interface Limits {
	/** From the start of the request to the end of its answer. */
	time: TimeLimit;
	/** Each of them ends it at once. */
	stopping: readonly Stop[];
}

/**
 * Does the work until it is done, its time is over, or it is stopped. The signal closes its connections.
 * @throws NoAnswerError if its time is over, or it is stopped
 */
export async function withEnd<T>(
	{ time, stopping }: Limits,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	// Not AbortSignal.any: Node 20 may forget such a signal before its time is over.
	const ending = new AbortController();
	let stop!: () => void;
	let expire!: () => void;
	try {
		return await new Promise((resolve, reject) => {
			const end = (why: string) => {
				// Not after a success: n8n's HTTP client would make an error with a stack for each request.
				ending.abort();
				reject(new NoAnswerError(lost(why)));
			};
			stop = () => end('stopped');
			expire = () => end(TIMED_OUT);
			time.add(expire);
			for (const { listeners } of stopping) listeners.add(stop);
			if (stopping.some(({ isStopped }) => isStopped)) stop();
			work(ending.signal).then(resolve, reject);
		});
	} finally {
		time.delete(expire);
		for (const { listeners } of stopping) listeners.delete(stop);
	}
}
