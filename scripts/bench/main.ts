import { hostDir } from './hostN8n.ts';

import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';

import { httpRequestNode, ourNode, type Contender } from './contenders.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { loads } from './load.ts';
import { inTurns, type Cost } from './measure.ts';
import { ACCOUNTS, CALLS as POLLED, LATENCY, polls } from './polls.ts';
import { CALLS, CLIENTS, reports } from './reports.ts';

// What the node costs beside n8n's own HTTP Request node. The emulator has a process of its own, and
// the contenders take turns, so that ratios hold where times do not.

const LATENCIES = [0, 20, 50];
const EXPORTS = [1000, 10_000];
const GETS = 500;
const RUNS = 5;
const REPORT_RUNS = 3;
const REPORT_LATENCY = 50;

const [OURS, HTTP] = ['YK Voice', 'HTTP Request'] as const;

/** What n8n gives to every node for its requests. */
const HELPER = "n8n's HTTP helper";

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

const atMost = (factor: number, whose: string) => `at most ${factor} × ${whose}`;

const goals: string[][] = [];
const goal = (what: string, wanted: string, found: string, isMet: boolean) =>
	void goals.push([what, wanted, found, isMet ? 'met' : '**missed**']);

/** What both nodes pay for a work that brings so many records. */
interface Comparison {
	label: string;
	latency: number;
	count: number;
	ours: Cost;
	/** Undefined: skipped. */
	http: Cost | undefined;
}

/** Compares a work at every latency, in turns after a warm-up. */
async function compare(
	api: FarEmulator,
	what: string,
	count: number,
	work: (contender: Contender) => Promise<number>,
): Promise<Comparison[]> {
	const host = hostDir === undefined ? [] : [await httpRequestNode(api, hostDir)];
	const found: Comparison[] = [];
	for (const latency of LATENCIES) {
		const works = new Map(
			[ourNode(api), ...host].map((contender) => [
				contender.name,
				async () => {
					await api.latency(latency);
					const came = await work(contender);
					if (came !== count) throw new Error(`${contender.name}: ${came} of ${count}`);
				},
			]),
		);
		for (const warmUp of works.values()) await warmUp();
		const costs = await inTurns(works, RUNS);
		const label = `${count} ${what}, ${latency} ms`;
		found.push({ label, latency, count, ours: costs.get(OURS)!, http: costs.get(HTTP) });
	}
	return found;
}

function report(title: string, comparisons: Comparison[]): void {
	const head = ['', OURS, HTTP, `${HTTP} / ${OURS}`, `CPU per item: ${OURS}`, HTTP];
	const shown = <T>(value: T | undefined, show: (value: T) => string) =>
		value === undefined ? 'skipped' : show(value);
	const rows = comparisons.map(({ label, count, ours, http }) => {
		const perItem = ({ cpu }: Cost) => `${Math.round((cpu / count) * 1000)} µs`;
		const ratio = http && http.ms / ours.ms;
		const timesOf = [ms(ours.ms), shown(http?.ms, ms), shown(ratio, times)];
		return [label, ...timesOf, perItem(ours), shown(http, perItem)];
	});
	table(title, head, rows);
}

function cpuGoal(what: string, { ours, http }: Comparison, most: number): void {
	if (!http) return;
	const cpu = ours.cpu / http.cpu;
	goal(what, atMost(most, `the ${HTTP} node's`), times(cpu), cpu <= most);
}

async function benchExports(): Promise<void> {
	const found: Comparison[] = [];
	for (const count of EXPORTS) {
		const api = await startFarEmulator();
		await api.fill({ calls: count - (await api.ids('calls')).length });
		found.push(...(await compare(api, 'calls', count, async (one) => await one.exportCalls())));
		await api.close();
	}
	report('Return All of calls', found);
	for (const one of found.filter(({ latency }) => latency === 0))
		cpuGoal(`CPU of the export of ${one.label}`, one, one.count < 10_000 ? 1.2 : 1);
	const { label, ours, http } = found.at(-1)!;
	if (!http) return;
	const faster = http.ms / ours.ms;
	const what = `Export of ${label}, against the ${HTTP} node`;
	goal(what, 'at least 13 × as fast', times(faster), faster >= 13);
}

async function benchGets(): Promise<void> {
	const api = await startFarEmulator();
	await api.fill({ contacts: GETS });
	const ids = (await api.ids('contacts')).slice(0, GETS);
	const found = await compare(api, 'contacts', GETS, async (one) => await one.getContacts(ids));
	await api.close();
	report(`${GETS} single GETs, one per item`, found);
	say(
		`The ${HTTP} node sends all ${GETS} requests at the same moment; ${OURS} finds out how many may be under way, from 10 to 50.`,
	);
	cpuGoal(`CPU per item of ${GETS} single GETs`, found[0]!, 1.1);
}

async function benchReports(): Promise<void> {
	const costs = await reports(REPORT_RUNS);
	const what = `Reports of ${CLIENTS} clients with ${CALLS} calls each, ${REPORT_LATENCY} ms`;
	const row = (name: string, cost: Cost) => [name, ms(cost.ms), ms(cost.cpu), megabytes(cost.heap)];
	const rows = [row(OURS, costs.ours), row(`${HELPER}: the same pages`, costs.helper)];
	table(what, ['', 'time', 'CPU', 'heap at the most'], rows);
	const ratio = costs.ours.ms / costs.helper.ms;
	goal(`${what}: time`, atMost(1.3, `${HELPER}'s`), times(ratio), ratio <= 1.3);
}

async function benchPolls(): Promise<void> {
	const { cost, requests } = await polls(RUNS);
	const what = `One poll of ${ACCOUNTS} accounts with ${POLLED} calls in all, ${LATENCY} ms`;
	const row = [OURS, ms(cost.ms), ms(cost.cpu), String(requests)];
	table(what, ['', 'time', 'CPU', 'requests'], [row]);
	goal(`${what}: time`, 'at most 3 s', ms(cost.ms), cost.ms <= 3000);
	goal(`${what}: requests`, 'at most 2 per account', String(requests), requests <= 2 * ACCOUNTS);
}

function benchLoad(): void {
	const found = loads();
	const rows = found.map(({ name, load, make }) => [name, ms(load), ms(make)]);
	table("Load at n8n's start", ['', 'load', 'make'], rows);
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
benchLoad();
table('Goals', ['goal', 'wanted', 'found', ''], goals);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
