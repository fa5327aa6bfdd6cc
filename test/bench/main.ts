import { hostDir } from './hostN8n.ts';

import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';

import { httpRequestNode, ourNode, type Contender } from './contenders.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { functionCalls, RECORDS } from './functionCalls.ts';
import { loads } from './load.ts';
import { inTurns, type Cost } from './measure.ts';

// What the node costs beside n8n's own HTTP Request node. The emulator has a process of its own, and the
// contenders take turns, so that ratios hold where times do not.

const LATENCIES = [0, 20, 50];
const EXPORTS = [1000, 10_000];
const GETS = 500;
const RUNS = 5;

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

const goals: string[][] = [];
const goal = (what: string, wanted: string, found: string, isMet: boolean) =>
	void goals.push([what, wanted, found, isMet ? 'met' : '**missed**']);

/** One line of a table that compares both nodes. */
interface Comparison {
	label: string;
	latency: number;
	/** Records that each brings. */
	count: number;
	ours: Cost;
	http: Cost;
}

async function startApi(calls: number): Promise<FarEmulator> {
	const api = await startFarEmulator();
	const present = (await api.ids('calls')).length;
	await api.fill({ calls: calls - present, contacts: GETS });
	return api;
}

/** What both nodes pay for a work that brings so many records, at every latency. */
async function compare(
	api: FarEmulator,
	what: string,
	count: number,
	work: (contender: Contender) => Promise<number>,
): Promise<Comparison[]> {
	const contenders = [ourNode(api), await httpRequestNode(api, hostDir)];
	const works = contenders.map((contender) => async () => {
		const came = await work(contender);
		if (came !== count) throw new Error(`${contender.name}: ${came} of ${count}`);
	});
	const found: Comparison[] = [];
	for (const latency of LATENCIES) {
		await api.latency(latency);
		for (const warmUp of works) await warmUp();
		const [ours, http] = (await inTurns(works, RUNS)) as [Cost, Cost];
		found.push({ label: `${count} ${what}, ${latency} ms`, latency, count, ours, http });
	}
	return found;
}

function report(title: string, comparisons: Comparison[]): void {
	const perItem = ({ cpu }: Cost, count: number) => `${Math.round((cpu / count) * 1000)} µs`;
	table(
		title,
		[
			'',
			'YK Voice',
			'HTTP Request',
			'HTTP Request / YK Voice',
			'CPU per item: YK Voice',
			'HTTP Request',
		],
		comparisons.map(({ label, count, ours, http }) => [
			...[label, ms(ours.ms), ms(http.ms), times(http.ms / ours.ms)],
			...[perItem(ours, count), perItem(http, count)],
		]),
	);
}

function cpuGoal(what: string, { ours, http }: Comparison, most: number): void {
	const found = ours.cpu / http.cpu;
	goal(`CPU of ${what}`, `at most ${most} × the HTTP Request node's`, times(found), found <= most);
}

async function benchExports(): Promise<void> {
	const found: Comparison[] = [];
	for (const count of EXPORTS) {
		const api = await startApi(count);
		found.push(...(await compare(api, 'calls', count, async (one) => await one.exportCalls())));
		await api.close();
	}
	report('Return All of calls', found);
	for (const one of found.filter(({ latency }) => latency === 0))
		cpuGoal(`the export of ${one.label}`, one, one.count < 10_000 ? 1.2 : 1);
	const { label, ours, http } = found.at(-1)!;
	const faster = http.ms / ours.ms;
	goal(`Export of ${label}`, 'at least 13 × as fast', times(faster), faster >= 13);
}

async function benchGets(): Promise<void> {
	const api = await startApi(100);
	const ids = (await api.ids('contacts')).slice(0, GETS);
	const found = await compare(api, 'contacts', GETS, async (one) => await one.getContacts(ids));
	await api.close();
	report(`${GETS} single GETs, one per item`, found);
	say(
		`The HTTP Request node sends all ${GETS} requests at the same moment; YK Voice finds out how many may be under way, from 10 to 50.`,
	);
	cpuGoal(`${GETS} single GETs`, found[0]!, 1.1);
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
	const rows = found.map(({ name, load, make }) => [name, ms(load), ms(make)]);
	table("Load at n8n's start", ['', 'load', 'make'], rows);
	const all = found.reduce((sum, { load }) => sum + load, 0);
	goal('Cold load of both nodes', 'at most 10 ms', ms(all), all <= 10);
}

say('# Benchmark');
say(
	`\`npm run bench\` wrote this, on Node ${process.version} with ${cpus().length} processors. Medians of ${RUNS} runs, in turns, against the emulator in a process of its own. Times depend on the machine and on what else it does; the ratios, taken in one run, hardly do.`,
);
await benchExports();
await benchGets();
await benchShortLists();
benchLoad();
table('Goals', ['goal', 'wanted', 'found', ''], goals);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
