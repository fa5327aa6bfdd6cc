import { hostDir } from './hostN8n.ts';

import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';

import { builtNodes } from '../support/built.ts';
import { pack } from '../package/pack.ts';
import { accounts, ACCOUNTS, ITEMS } from './accounts.ts';
import { httpRequestNode, ourNode, undiciPool, type Contender } from './contenders.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { engineLoad, loads } from './load.ts';
import { inTurns, type Cost } from './measure.ts';
import { polls } from './polls.ts';
import { CALLS, CLIENTS, reports } from './reports.ts';
import { waiting } from './waiting.ts';

// What the node costs beside n8n's own HTTP Request node and beside a bare client. The emulator has a
// process of its own, and the contenders take turns, so that ratios hold where times do not.

const LATENCIES = [0, 20, 50];
const EXPORTS = [1000, 10_000];
const GETS = 500;
const RUNS = 5;
const CHAIN_LATENCY = 50;
const GROWTH = [10_000, 100_000];
const GROWTH_RUNS = 3;

const [OURS, HTTP, FLOOR] = ['YK Voice', 'HTTP Request', 'undici'] as const;

/** What n8n gives to every node for its requests. */
const HELPER = "n8n's HTTP helper";

type Costs = ReadonlyMap<string, Cost>;

const lines: string[] = [];
const say = (line: string) => {
	console.log(`${line}\n`);
	lines.push(line, '');
};
const table = (title: string, head: string[], rows: string[][]) => {
	say(`## ${title}`);
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const ruler = `|${head.map((_, at) => (at === 0 ? '---|' : '---:|')).join('')}`;
	say([line(head), ruler, ...rows.map(line)].join('\n'));
};
const ms = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
const times = (value: number) => `${value.toFixed(2)} ×`;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
const perItem = ({ cpu }: Cost, count: number) => `${Math.round((cpu / count) * 1000)} µs`;

const goals: string[][] = [];
const goal = (what: string, wanted: string, found: string, isMet: boolean) =>
	void goals.push([what, wanted, found, isMet ? 'met' : '**missed**']);

async function startApi(calls: number): Promise<FarEmulator> {
	const api = await startFarEmulator();
	const present = (await api.ids('calls')).length;
	await api.fill({ calls: calls - present, contacts: GETS });
	return api;
}

async function contendersFor(api: FarEmulator): Promise<Contender[]> {
	return [
		ourNode(api),
		...(hostDir === undefined ? [] : [await httpRequestNode(api, hostDir)]),
		undiciPool(api),
	];
}

/** The costs of several works that bring so many records each, in turns after a warm-up. */
async function costsOf(
	api: FarEmulator,
	latency: number,
	count: number,
	works: ReadonlyMap<string, () => Promise<number>>,
): Promise<Costs> {
	const counted = new Map(
		[...works].map(([name, work]) => [
			name,
			async () => {
				await api.latency(latency);
				const came = await work();
				if (came !== count) throw new Error(`${name}: ${came} of ${count}`);
			},
		]),
	);
	for (const warmUp of counted.values()) await warmUp();
	return await inTurns(counted, RUNS);
}

/** One line of a table that compares the contenders. */
interface Comparison {
	label: string;
	latency: number;
	/** Records that each brings. */
	count: number;
	costs: Costs;
}

/** What each contender pays for a work that brings so many records, at every latency. */
async function compare(
	api: FarEmulator,
	what: string,
	count: number,
	work: (contender: Contender) => Promise<number>,
): Promise<Comparison[]> {
	const contenders = await contendersFor(api);
	const works = new Map(contenders.map((one) => [one.name, async () => await work(one)]));
	const found: Comparison[] = [];
	for (const latency of LATENCIES) {
		const costs = await costsOf(api, latency, count, works);
		found.push({ label: `${count} ${what}, ${latency} ms`, latency, count, costs });
	}
	for (const contender of contenders) await contender.close?.();
	return found;
}

function report(title: string, comparisons: Comparison[]): void {
	const ratio = (one: Cost | undefined, other: Cost | undefined) =>
		one && other ? times(one.ms / other.ms) : 'skipped';
	table(
		title,
		[
			'',
			OURS,
			HTTP,
			FLOOR,
			`${HTTP} / ${OURS}`,
			`${OURS} / ${FLOOR}`,
			`CPU per item: ${OURS}`,
			HTTP,
			FLOOR,
		],
		comparisons.map(({ label, count, costs }) => {
			const all = [OURS, HTTP, FLOOR].map((name) => costs.get(name));
			const [ours, http, floor] = all;
			return [
				label,
				...all.map((cost) => (cost ? ms(cost.ms) : 'skipped')),
				ratio(http, ours),
				ratio(ours, floor),
				...all.map((cost) => (cost ? perItem(cost, count) : 'skipped')),
			];
		}),
	);
}

async function benchExports(): Promise<void> {
	const found: Comparison[] = [];
	for (const count of EXPORTS) {
		const api = await startApi(count);
		found.push(...(await compare(api, 'calls', count, async (one) => await one.exportCalls())));
		await api.close();
	}
	report('Return All of calls', found);
	for (const { label, latency, costs } of found) {
		const [ours, http] = [costs.get(OURS)!, costs.get(HTTP)];
		if (latency !== 0 || !http) continue;
		const cpu = ours.cpu / http.cpu;
		goal(`CPU of the export of ${label}`, `no more than the ${HTTP} node's`, times(cpu), cpu <= 1);
	}
	const { label, costs } = found.at(-1)!;
	const [ours, http, floor] = [costs.get(OURS)!, costs.get(HTTP), costs.get(FLOOR)!];
	const what = `Export of ${label}, against`;
	if (http) {
		const faster = http.ms / ours.ms;
		goal(`${what} the ${HTTP} node`, 'at least 12 × as fast', times(faster), faster >= 12);
	}
	const slower = ours.ms / floor.ms;
	goal(`${what} ${FLOOR}`, 'within 1.3 ×', times(slower), slower <= 1.3);
}

async function benchGets(): Promise<void> {
	const api = await startApi(100);
	const ids = (await api.ids('contacts')).slice(0, GETS);
	const found = await compare(api, 'contacts', GETS, async (one) => await one.getContacts(ids));
	await api.close();
	report(`${GETS} single GETs, one per item`, found);
	say(
		`The ${HTTP} node sends all ${GETS} requests at the same moment; ${OURS} finds out how many may be under way, from 10 to 50.`,
	);
	const [near, far] = [found[0]!, found.at(-1)!];
	if (!near.costs.has(HTTP)) return;
	const ratio = ({ costs }: Comparison, of: 'ms' | 'cpu') =>
		costs.get(OURS)![of] / costs.get(HTTP)![of];
	const [time, cpu] = [ratio(far, 'ms'), ratio(near, 'cpu')];
	goal(`${far.label}: time`, `at most 2.5 × the ${HTTP} node's`, times(time), time <= 2.5);
	const what = `CPU per item of ${GETS} single GETs`;
	goal(what, `at most 1.1 × the ${HTTP} node's`, times(cpu), cpu <= 1.1);
}

/** What people build: every call, and the summary of each. */
async function benchChain(): Promise<void> {
	const api = await startFarEmulator('empty');
	await api.create('calls', Array<string>(GETS).fill(new Date().toISOString()));
	const ids = await api.ids('calls');
	const contenders = await contendersFor(api);
	const works = new Map(
		contenders.map((one) => [
			`${one.name}: Get Many, then Get Summary`,
			async () => Math.min(await one.exportCalls(), await one.getSummaries(ids)),
		]),
	);
	works.set(`${OURS}: Get Many, with Include = Summary`, ourNode(api).exportCallsWithSummaries);
	const costs = await costsOf(api, CHAIN_LATENCY, GETS, works);
	for (const contender of contenders) await contender.close?.();
	await api.close();
	table(
		`${GETS} calls and the summary of each, ${CHAIN_LATENCY} ms`,
		['', 'time', 'CPU'],
		[...costs].map(([name, cost]) => [name, ms(cost.ms), ms(cost.cpu)]),
	);
}

async function benchAccounts(): Promise<void> {
	const found = [...(await accounts(RUNS))];
	table(
		`${ITEMS} single GETs, of one account and of ${ACCOUNTS}`,
		['', 'time', 'CPU', 'CPU per item'],
		found.map(([label, cost]) => [label, ms(cost.ms), ms(cost.cpu), perItem(cost, ITEMS)]),
	);
	const ratio = found.at(-1)![1].cpu / found[0]![1].cpu;
	const what = `CPU of ${ITEMS} items of ${ACCOUNTS} accounts, against one`;
	goal(what, 'at most 1.3 ×', times(ratio), ratio <= 1.3);
}

async function benchReports(): Promise<void> {
	const { ours, helper, network } = await reports(GROWTH_RUNS);
	const what = `Reports of ${CLIENTS} clients with ${CALLS} calls each, ${CHAIN_LATENCY} ms`;
	table(
		what,
		['', 'time', 'CPU', 'heap at the most'],
		[
			[OURS, ms(ours.ms), ms(ours.cpu), megabytes(ours.heap)],
			[`${HELPER}: the same pages`, ms(helper.ms), ms(helper.cpu), megabytes(helper.heap)],
			[`${FLOOR}: the same pages`, ms(network.ms), ms(network.cpu), megabytes(network.heap)],
		],
	);
	for (const [name, cost] of [
		[HELPER, helper],
		[FLOOR, network],
	] as const) {
		const ratio = ours.ms / cost.ms;
		goal(`${what}: time`, `at most 1.5 × ${name}'s`, times(ratio), ratio <= 1.5);
	}
	const isSmall = ours.heap < 150_000_000;
	goal('Memory for these reports', 'below 150 MB', megabytes(ours.heap), isSmall);
}

async function benchGrowth(): Promise<void> {
	const found: Array<{ count: number; cost: Cost }> = [];
	for (const count of GROWTH) {
		const api = await startApi(count);
		const costs = await inTurns(new Map([[OURS, ourNode(api).exportCalls]]), GROWTH_RUNS);
		found.push({ count, cost: costs.get(OURS)! });
		await api.close();
	}
	table(
		'Growth of Return All',
		['', 'time', 'CPU', 'heap at the most'],
		found.map(({ count, cost }) => [
			`${count} calls`,
			ms(cost.ms),
			ms(cost.cpu),
			megabytes(cost.heap),
		]),
	);
	const [small, large] = found as [(typeof found)[0], (typeof found)[0]];
	const factor = large.count / small.count;
	const most = 1.3 * factor;
	for (const [name, of] of Object.entries({ CPU: 'cpu', Heap: 'heap' } as const)) {
		const growth = large.cost[of] / small.cost[of];
		const what = `${name} for ${factor} × the records`;
		goal(what, `linear (at most ${most} ×)`, times(growth), growth <= most);
	}
}

async function benchPolls(): Promise<void> {
	table(
		'Polls of the trigger',
		['', 'polls', 'requests', 'time', 'state in n8n’s database'],
		(await polls()).map(({ event, what, polls, requests, ms: time, state }) => [
			`${event}: ${what}`,
			String(polls),
			String(requests),
			ms(time),
			kilobytes(state),
		]),
	);
}

async function benchWaiting(): Promise<void> {
	table(
		'Requests of waiting for the results of test calls',
		['items', 'in the first minute', 'in the fifth'],
		[await waiting(1), await waiting(10)].map(({ items, first, fifth }) =>
			[items, first, fifth].map(String),
		),
	);
}

function benchPackage(): void {
	const loaded = loads();
	const engine = engineLoad();
	const packed = pack();
	packed.remove();
	const description = JSON.stringify(builtNodes[0]!.describe());
	table(
		'Weight',
		['', ''],
		[
			...loaded.map(({ name, load, make, size }) => [
				`${name}: cold load`,
				`${ms(load)}, ${ms(make)} to make, ${kilobytes(size)}`,
			]),
			[
				'What both run, loaded with the first execution',
				`${ms(engine.load)}, ${kilobytes(engine.size)}`,
			],
			['packed', kilobytes(packed.size)],
			['description of the action node', kilobytes(description.length)],
		],
	);
	const start = loaded.reduce((sum, { load, make }) => sum + load + make, 0);
	goal('What both nodes add to the start of n8n', 'at most 10 ms', ms(start), start <= 10);
}

say('# Benchmark');
say(
	`\`npm run bench\` wrote this, on Node ${process.version} with ${cpus().length} processors. Medians of ${RUNS} runs, in turns, against the emulator in a process of its own. Times depend on the machine and on what else it does; the ratios, taken in one run, hardly do.`,
);
if (hostDir === undefined) {
	say(`The ${HTTP} node was skipped: it comes with n8n, which \`npm run test:e2e\` installs.`);
}
await benchExports();
await benchGets();
await benchChain();
await benchAccounts();
await benchReports();
await benchGrowth();
await benchPolls();
await benchWaiting();
benchPackage();
table('Goals', ['goal', 'wanted', 'found', ''], goals);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
