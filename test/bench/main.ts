import { hostDir } from './hostN8n.ts';

import { cpus } from 'node:os';
import { writeFileSync } from 'node:fs';

import { loadPackage } from '../support/harness.ts';
import { workflow as n8n } from '../support/n8n.ts';
import { pack } from '../package/pack.ts';
import { accounts, ACCOUNTS, ITEMS } from './accounts.ts';
import { httpRequestNode, ourNode, undiciPool, type Contender } from './contenders.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { engineLoads, loads } from './load.ts';
import { inTurns, type Cost } from './measure.ts';
import { polls } from './polls.ts';
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

const lines: string[] = [];
const say = (line = '') => {
	console.log(line);
	lines.push(line);
};
const table = (head: string[], rows: string[][]) => {
	say(`| ${head.join(' | ')} |`);
	say(`|${head.map((_, at) => (at === 0 ? '---|' : '---:|')).join('')}`);
	for (const row of rows) say(`| ${row.join(' | ')} |`);
	say();
};
const ms = (value: number) => (value < 100 ? value.toFixed(1) : String(Math.round(value)));
const times = (value: number) => `${value.toFixed(2)} ×`;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;

interface Goal {
	what: string;
	wanted: string;
	found: string;
	isMet: boolean;
}
const goals: Goal[] = [];

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
): Promise<Map<string, Cost>> {
	await api.latency(latency);
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

async function compare(
	api: FarEmulator,
	latency: number,
	count: number,
	work: (contender: Contender) => Promise<number>,
): Promise<Map<string, Cost>> {
	const contenders = await contendersFor(api);
	const works = new Map(
		contenders.map((contender) => [contender.name, async () => await work(contender)]),
	);
	const costs = await costsOf(api, latency, count, works);
	for (const contender of contenders) await contender.close?.();
	return costs;
}

function report(
	title: string,
	rows: Array<{ label: string; count: number; costs: Map<string, Cost> }>,
) {
	say(`## ${title}`);
	say();
	const ratio = (one: number | undefined, other: number | undefined) =>
		one === undefined || other === undefined ? 'skipped' : times(one / other);
	table(
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
		rows.map(({ label, count, costs }) => {
			const [ours, http, floor] = [costs.get(OURS), costs.get(HTTP), costs.get(FLOOR)];
			const cpu = (cost?: Cost) =>
				cost ? `${Math.round((cost.cpu / count) * 1000)} µs` : 'skipped';
			return [
				label,
				`${ms(ours!.ms)} ms`,
				http ? `${ms(http.ms)} ms` : 'skipped',
				`${ms(floor!.ms)} ms`,
				ratio(http?.ms, ours?.ms),
				ratio(ours?.ms, floor?.ms),
				cpu(ours),
				cpu(http),
				cpu(floor),
			];
		}),
	);
}

async function benchExports(): Promise<void> {
	const rows: Array<{ label: string; count: number; latency: number; costs: Map<string, Cost> }> =
		[];
	for (const count of EXPORTS) {
		const api = await startApi(count);
		for (const latency of LATENCIES) {
			const costs = await compare(api, latency, count, async (one) => await one.exportCalls());
			rows.push({ label: `${count} calls, ${latency} ms`, count, latency, costs });
		}
		await api.close();
	}
	report('Return All of calls', rows);
	for (const { label, count, latency, costs } of rows) {
		const [ours, http, floor] = [costs.get(OURS)!, costs.get(HTTP), costs.get(FLOOR)!];
		if (latency === 50 && count === 10_000) {
			if (http !== undefined) {
				const faster = http.ms / ours.ms;
				goals.push({
					what: `Export of ${label}, against the ${HTTP} node`,
					wanted: 'at least 12 × as fast',
					found: times(faster),
					isMet: faster >= 12,
				});
			}
			const slower = ours.ms / floor.ms;
			goals.push({
				what: `Export of ${label}, against undici`,
				wanted: 'within 1.3 ×',
				found: times(slower),
				isMet: slower <= 1.3,
			});
		}
		if (http !== undefined && latency === 0) {
			goals.push({
				what: `CPU of the export of ${label}`,
				wanted: `no more than the ${HTTP} node's`,
				found: times(ours.cpu / http.cpu),
				isMet: ours.cpu <= http.cpu,
			});
		}
	}
}

async function benchGets(): Promise<void> {
	const api = await startApi(100);
	const ids = (await api.ids('contacts')).slice(0, GETS);
	const rows = [];
	for (const latency of LATENCIES) {
		const costs = await compare(api, latency, GETS, async (one) => await one.getContacts(ids));
		rows.push({ label: `${GETS} contacts, ${latency} ms`, count: GETS, costs });
	}
	await api.close();
	report(`${GETS} single GETs, one per item`, rows);
	say(
		`The ${HTTP} node sends all ${GETS} requests at the same moment; ${OURS} finds out how many may be under way, from 10 to 50.`,
	);
	say();
	const far = rows.at(-1)!;
	const [ourTime, httpTime] = [far.costs.get(OURS)!.ms, far.costs.get(HTTP)?.ms];
	if (httpTime !== undefined) {
		goals.push({
			what: `${far.label}: time`,
			wanted: `at most 2.5 × the ${HTTP} node's`,
			found: times(ourTime / httpTime),
			isMet: ourTime <= 2.5 * httpTime,
		});
	}
	const [{ costs }] = rows as [(typeof rows)[0]];
	const [ours, http] = [costs.get(OURS)!, costs.get(HTTP)];
	if (http !== undefined) {
		goals.push({
			what: `CPU per item of ${GETS} single GETs`,
			wanted: `at most 1.1 × the ${HTTP} node's`,
			found: times(ours.cpu / http.cpu),
			isMet: ours.cpu <= 1.1 * http.cpu,
		});
	}
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
	say(`## ${GETS} calls and the summary of each, ${CHAIN_LATENCY} ms`);
	say();
	table(
		['', 'time', 'CPU'],
		[...costs].map(([name, cost]) => [name, `${ms(cost.ms)} ms`, `${ms(cost.cpu)} ms`]),
	);
}

async function benchAccounts(): Promise<void> {
	const costs = await accounts(RUNS);
	const [written, one, many] = [
		costs.get('one, its key written')!,
		costs.get('one, by an expression')!,
		costs.get('many')!,
	];
	say(`## ${ITEMS} single GETs, of one account and of ${ACCOUNTS}`);
	say();
	table(
		['', 'time', 'CPU', 'CPU per item'],
		[
			['one account, its key in the credential', written] as const,
			['one account, the key by an expression', one] as const,
			[`${ACCOUNTS} accounts, the key by an expression`, many] as const,
		].map(([label, cost]) => [
			label,
			`${ms(cost.ms)} ms`,
			`${ms(cost.cpu)} ms`,
			`${Math.round((cost.cpu / ITEMS) * 1000)} µs`,
		]),
	);
	goals.push({
		what: `CPU of ${ITEMS} items of ${ACCOUNTS} accounts, against one`,
		wanted: 'at most 1.3 ×',
		found: times(many.cpu / written.cpu),
		isMet: many.cpu <= 1.3 * written.cpu,
	});
}

async function benchGrowth(): Promise<void> {
	const found: Array<{ count: number; cost: Cost }> = [];
	for (const count of GROWTH) {
		const api = await startApi(count);
		const ours = ourNode(api);
		const works = new Map([[OURS as string, async () => await ours.exportCalls()]]);
		const cost = (await inTurns(works, GROWTH_RUNS)).get(OURS)!;
		found.push({ count, cost });
		await api.close();
	}
	say('## Growth of Return All');
	say();
	table(
		['', 'time', 'CPU', 'heap at the most'],
		found.map(({ count, cost }) => [
			`${count} calls`,
			`${ms(cost.ms)} ms`,
			`${ms(cost.cpu)} ms`,
			megabytes(cost.heap),
		]),
	);
	const [small, large] = found as [(typeof found)[0], (typeof found)[0]];
	const factor = large.count / small.count;
	const [time, heap] = [large.cost.cpu / small.cost.cpu, large.cost.heap / small.cost.heap];
	goals.push({
		what: `CPU for ${factor} × the records`,
		wanted: `linear (at most ${1.3 * factor} ×)`,
		found: times(time),
		isMet: time <= 1.3 * factor,
	});
	goals.push({
		what: `Heap for ${factor} × the records`,
		wanted: `linear (at most ${1.3 * factor} ×)`,
		found: times(heap),
		isMet: heap <= 1.3 * factor,
	});
}

async function benchPolls(): Promise<void> {
	say('## Polls of the trigger');
	say();
	table(
		['', 'polls', 'requests', 'time', 'state in n8n’s database'],
		(await polls()).map(({ event, what, polls, requests, ms: time, state }) => [
			`${event}: ${what}`,
			String(polls),
			String(requests),
			`${ms(time)} ms`,
			kilobytes(state),
		]),
	);
}

async function benchWaiting(): Promise<void> {
	say('## Requests of waiting for the results of test calls');
	say();
	table(
		['items', 'in the first minute', 'in the fifth'],
		[await waiting(1), await waiting(10)].map(({ items, first, fifth }) =>
			[items, first, fifth].map(String),
		),
	);
}

async function benchPackage(): Promise<void> {
	const loaded = loads();
	const engines = engineLoads();
	const packed = pack();
	packed.remove();
	const { nodeTypes } = await loadPackage();
	const description = JSON.stringify(nodeTypes.getByNameAndVersion('ykVoice', 1).description);
	say('## Weight');
	say();
	table(
		['', ''],
		[
			...loaded.map(({ className, load, make, size }) => [
				`${className}: cold load`,
				`${load.toFixed(1)} ms, ${make.toFixed(1)} ms to make, ${kilobytes(size)}`,
			]),
			...engines.map(({ className, load, size }) => [
				`${className}, with the first execution: cold load`,
				`${load.toFixed(1)} ms, ${kilobytes(size)} and what is shared`,
			]),
			['packed', kilobytes(packed.size)],
			['description of the action node', kilobytes(description.length)],
		],
	);
	for (const { className, load } of loaded) {
		goals.push({
			what: `Cold load of ${className}`,
			wanted: 'at most 5 ms',
			found: `${load.toFixed(1)} ms`,
			isMet: load <= 5,
		});
	}
	goals.push({
		what: 'Packed size',
		wanted: 'at most 130 kB',
		found: kilobytes(packed.size),
		isMet: packed.size <= 130_000,
	});
	goals.push({
		what: 'Description of the action node',
		wanted: 'below 120 kB',
		found: kilobytes(description.length),
		isMet: description.length < 120_000,
	});
}

const { version } = (n8n as unknown as { version?: string }) ?? {};
say('# Benchmark');
say();
say(
	`\`npm run bench\` wrote this, on Node ${process.version} with ${cpus().length} processors${version ? `, n8n ${version}` : ''}. Medians of ${RUNS} runs, in turns, against the emulator in a process of its own. Times depend on the machine and on what else it does; the ratios, taken in one run, hardly do.`,
);
say();
if (hostDir === undefined) {
	say(`The ${HTTP} node was skipped: it comes with n8n, which \`npm run test:e2e\` installs.`);
	say();
}
await benchExports();
await benchGets();
await benchChain();
await benchAccounts();
await benchGrowth();
await benchPolls();
await benchWaiting();
await benchPackage();
say('## Goals');
say();
table(
	['goal', 'wanted', 'found', ''],
	goals.map(({ what, wanted, found, isMet }) => [
		what,
		wanted,
		found,
		isMet ? 'met' : '**missed**',
	]),
);
writeFileSync(new URL('RESULTS.md', import.meta.url), `${lines.join('\n').trim()}\n`);
