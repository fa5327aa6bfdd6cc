import { hostDir } from './hostN8n.ts';

import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';

import { httpRequestNode, ourNode, undiciPool, type Contender } from './contenders.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { functionCalls, RECORDS } from './functionCalls.ts';
import { loads } from './load.ts';
import { inTurns, type Cost } from './measure.ts';
import { ACCOUNTS, CALLS as POLLED, LATENCY, polls } from './polls.ts';
import { CALLS, CLIENTS, reports } from './reports.ts';

// What the node costs beside n8n's own HTTP Request node and beside a bare client. The emulator has a
// process of its own, and the contenders take turns, so that ratios hold where times do not.

const LATENCIES = [0, 20, 50];
const EXPORTS = [1000, 10_000];
const GETS = 500;
const RUNS = 5;
const REPORT_RUNS = 3;
const REPORT_LATENCY = 50;

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
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
const perItem = ({ cpu }: Cost, count: number) => `${Math.round((cpu / count) * 1000)} µs`;

const atMost = (factor: number, whose: string) => `at most ${factor} × ${whose}`;

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
	for (const { label, latency, count, costs } of found) {
		const [ours, http] = [costs.get(OURS)!, costs.get(HTTP)];
		if (latency !== 0 || !http) continue;
		const cpu = ours.cpu / http.cpu;
		const most = count < 10_000 ? 1.2 : 1;
		goal(
			`CPU of the export of ${label}`,
			atMost(most, `the ${HTTP} node's`),
			times(cpu),
			cpu <= most,
		);
	}
	const { label, costs } = found.at(-1)!;
	const [ours, http] = [costs.get(OURS)!, costs.get(HTTP)];
	if (!http) return;
	const faster = http.ms / ours.ms;
	const what = `Export of ${label}, against the ${HTTP} node`;
	goal(what, 'at least 13 × as fast', times(faster), faster >= 13);
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
	const { costs } = found[0]!;
	const [ours, http] = [costs.get(OURS)!, costs.get(HTTP)];
	if (!http) return;
	const cpu = ours.cpu / http.cpu;
	const what = `CPU per item of ${GETS} single GETs`;
	goal(what, atMost(1.1, `the ${HTTP} node's`), times(cpu), cpu <= 1.1);
}

async function benchReports(): Promise<void> {
	const { ours, helper, network } = await reports(REPORT_RUNS);
	const what = `Reports of ${CLIENTS} clients with ${CALLS} calls each, ${REPORT_LATENCY} ms`;
	table(
		what,
		['', 'time', 'CPU', 'heap at the most'],
		[
			[OURS, ms(ours.ms), ms(ours.cpu), megabytes(ours.heap)],
			[`${HELPER}: the same pages`, ms(helper.ms), ms(helper.cpu), megabytes(helper.heap)],
			[`${FLOOR}: the same pages`, ms(network.ms), ms(network.cpu), megabytes(network.heap)],
		],
	);
	const ratio = ours.ms / helper.ms;
	goal(`${what}: time`, atMost(1.3, `${HELPER}'s`), times(ratio), ratio <= 1.3);
}

async function benchPolls(): Promise<void> {
	const { cost, requests } = await polls(RUNS);
	const what = `One poll of ${ACCOUNTS} accounts with ${POLLED} calls in all, ${LATENCY} ms`;
	table(
		what,
		['', 'time', 'CPU', 'requests'],
		[[OURS, ms(cost.ms), ms(cost.cpu), String(requests)]],
	);
	goal(`${what}: time`, 'at most 3 s', ms(cost.ms), cost.ms <= 3000);
	goal(`${what}: requests`, 'at most 2 per account', String(requests), requests <= 2 * ACCOUNTS);
}

/** Three items of two accounts, each with a list of one page. */
async function benchShortLists(): Promise<void> {
	const { calls, requests } = await functionCalls();
	const what = `three lists of ${RECORDS} calls`;
	goal(`Requests for ${what}`, 'at most 3', String(requests), requests <= 3);
	goal(`Calls of functions for ${what}`, 'at most 15000', String(calls), calls <= 15_000);
}

function benchLoad(): void {
	const found = loads();
	table(
		"Load at n8n's start",
		['', 'load', 'make'],
		found.map(({ name, load, make }) => [name, ms(load), ms(make)]),
	);
	const all = found.reduce((sum, { load }) => sum + load, 0);
	goal('Cold load of both nodes', 'at most 10 ms', ms(all), all <= 10);
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
await benchReports();
await benchPolls();
await benchShortLists();
benchLoad();
table('Goals', ['goal', 'wanted', 'found', ''], goals);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
