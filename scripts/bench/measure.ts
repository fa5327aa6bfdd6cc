import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Of one run: ms on the clock and of the processor, and bytes by which the heap grew at the most. */
export interface Cost {
	ms: number;
	cpu: number;
	heap: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	collectGarbage();
	// Far cheaper than process.memoryUsage, which would count as the contender's own work.
	const heapUsed = () => getHeapStatistics().used_heap_size;
	const before = heapUsed();
	let most = before;
	const look = () => void (most = Math.max(most, heapUsed()));
	const timer = setInterval(look, 25);
	const usage = process.cpuUsage();
	const began = performance.now();
	await work();
	const ms = performance.now() - began;
	const { user, system } = process.cpuUsage(usage);
	clearInterval(timer);
	look();
	return { ms, cpu: (user + system) / 1000, heap: most - before };
}

export const median = (values: number[]): number => {
	const sorted = values.toSorted((one, other) => one - other);
	const half = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

const medianCost = (costs: Cost[]): Cost => ({
	ms: median(costs.map(({ ms }) => ms)),
	cpu: median(costs.map(({ cpu }) => cpu)),
	heap: median(costs.map(({ heap }) => heap)),
});

/** The costs of several works, run in turns so that what the machine does besides meets them all. */
export async function inTurns(
	works: ReadonlyMap<string, () => Promise<unknown>>,
	runs: number,
): Promise<Map<string, Cost>> {
	const costs = new Map([...works.keys()].map((name) => [name, [] as Cost[]]));
	const names = [...works.keys()];
	for (let run = 0; run < runs; run++) {
		const order = names.map((_, at) => names[(at + run) % names.length]!);
		for (const name of order) costs.get(name)!.push(await costOf(works.get(name)!));
	}
	return new Map([...costs].map(([name, those]) => [name, medianCost(those)]));
}
