import { sleep } from 'n8n-workflow';

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
