import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Of one run: ms on the clock, and ms of the processor. */
export interface Cost {
	ms: number;
	cpu: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	collectGarbage();
	const usage = process.cpuUsage();
	const began = performance.now();
	await work();
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(usage);
	return { ms, cpu: (user + system) / 1000 };
}

export const median = (values: number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The median costs of several works, run in turns so that what the machine does besides meets them all. */
export async function inTurns(works: Array<() => Promise<unknown>>, runs: number): Promise<Cost[]> {
	const costs: Cost[][] = works.map(() => []);
	for (let run = 0; run < runs; run++)
		for (const [at, work] of works.entries()) costs[at]!.push(await costOf(work));
	return costs.map((those) => ({
		ms: median(those.map(({ ms }) => ms)),
		cpu: median(those.map(({ cpu }) => cpu)),
	}));
}
