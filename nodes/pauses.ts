import { sleep } from 'n8n-workflow';

import { Semaphore } from './semaphore';

/** In ms. After so long, n8n gets a moment for its other work. */
const STRETCH = 50;

/** @returns what to call after each step of long work: it pauses when it is time */
export function pauser(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < STRETCH) return;
		await sleep(0);
		since = performance.now();
	};
}

/** One at a time in this n8n. */
const alone = new Semaphore(1);
const pauseBetween = pauser();

/** Does heavy work when its turn comes. A server may end many answers at once, and each takes its time to read. */
export async function inTurn<T>(work: () => T): Promise<T> {
	const leave = await alone.take();
	try {
		await pauseBetween();
		return work();
	} finally {
		leave();
	}
}

/** So many begin at once. More would only wait for a place, and take memory meanwhile. */
const TOGETHER = 200;

/** What the work makes of each, in order. Some are under way at once, so that many do not begin in one moment. */
export async function mapTogether<T, R>(
	all: readonly T[],
	work: (one: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const workAlong = async () => {
		while (next < all.length) {
			const at = next++;
			results[at] = await work(all[at]!);
		}
	};
	await Promise.all(Array.from({ length: Math.min(TOGETHER, all.length) }, workAlong));
	return results;
}

/** What the work makes of each, in order, with pauses. */
export async function mapWithPauses<T, R>(
	all: readonly T[],
	work: (one: T, at: number) => R,
): Promise<R[]> {
	const pause = pauser();
	const results: R[] = [];
	for (const [at, one] of all.entries()) {
		results.push(work(one, at));
		await pause();
	}
	return results;
}
