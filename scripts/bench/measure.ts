import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** So often the heap is looked at, in ms. */
const LOOK_EVERY = 20;

/** Of one run: ms on the clock and of the processor. */
export interface Cost {
	ms: number;
	cpu: number;
	/** How much the heap grew at most, in bytes, as seen every few ms. */
	peak: number;
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	collectGarbage();
	const usage = process.cpuUsage();
	const before = process.memoryUsage().heapUsed;
	let peak = 0;
	const look = () => void (peak = Math.max(peak, process.memoryUsage().heapUsed - before));
	const looking = setInterval(look, LOOK_EVERY);
	const began = performance.now();
	await work();
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(usage);
	clearInterval(looking);
	look();
	return { ms, cpu: (user + system) / 1000, peak };
}

/** The value in the middle; with an even number of values, the lower one of the two. */
export const median = (values: number[]): number =>
	values.toSorted((one, other) => one - other)[(values.length - 1) >> 1]!;

/**
 * The costs of several works, run in turns so that what the machine does besides meets them all. Each runs once
 * before, to warm up.
 */
export async function inTurns(runs: number, ...works: Array<() => Promise<unknown>>) {
	for (const warmUp of works) await warmUp();
	const costs = works.map((): Cost[] => []);
	for (let run = 0; run < runs; run++)
		for (const [at, work] of works.entries()) costs[at]!.push(await costOf(work));
	return costs.map((of): Cost => ({
		ms: median(of.map(({ ms }) => ms)),
		cpu: median(of.map(({ cpu }) => cpu)),
		peak: median(of.map(({ peak }) => peak)),
	}));
}
