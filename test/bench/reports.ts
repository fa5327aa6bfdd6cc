import pLimit from 'p-limit';
import { Pool } from 'undici';

import { runNode } from '../support/harness.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { inTurns, type Cost } from './measure.ts';

export const CLIENTS = 50;
export const CALLS = 1700;

const LATENCY = 50;
const PARALLEL = 50;
const PAGE = 100;
const DAYS = 59;
const DAY = 24 * 3600 * 1000;

type Client = Awaited<ReturnType<FarEmulator['organizations']>>[number];

/** What it costs to make one report for each of 50 clients, beside reading the same pages. */
export async function reports(runs: number): Promise<{ ours: Cost; network: Cost }> {
	const api = await startFarEmulator('empty');
	const now = Date.now();
	const dates = Array.from({ length: CALLS }, (_, at) =>
		new Date(now - (1 + (at * DAYS) / CALLS) * DAY).toISOString(),
	);
	const clients = await api.organizations(CLIENTS, dates);
	await api.latency(LATENCY);
	const after = new Date(now - 62 * DAY).toISOString();
	const pool = new Pool(new URL(api.url).origin, { connections: PARALLEL });
	const works = new Map([
		['ours', async () => await makeReports(api, clients)],
		['network', async () => await readPages(pool, api, clients, after)],
	]);
	for (const warmUp of works.values()) await warmUp();
	const costs = await inTurns(works, runs);
	await pool.close();
	await api.close();
	return { ours: costs.get('ours')!, network: costs.get('network')! };
}

async function makeReports({ url }: FarEmulator, clients: Client[]): Promise<void> {
	const { error, json } = await runNode({
		parameters: { resource: 'report', operation: 'create', period: 'last30Days' },
		credentials: { ykVoiceApi: { baseUrl: url, apiKey: '={{ $json.api_key }}' } },
		items: clients.map((client) => ({ json: client })),
	});
	if (error !== undefined) throw error;
	const counted = json.map(({ figures }) => {
		const [{ calls, calls_before }] = (figures as { keyFigures: any }).keyFigures;
		return calls + calls_before;
	});
	const least = Math.min(...counted);
	if (counted.length !== CLIENTS || least < CALLS) throw new Error(`${least} of ${CALLS} calls`);
}

/** The same pages, and nothing else but their JSON. */
async function readPages(pool: Pool, { url }: FarEmulator, clients: Client[], after: string) {
	const limit = pLimit(PARALLEL);
	const read = async (apiKey: string, offset: number) =>
		await limit(async () => {
			const query = new URLSearchParams({
				created_after: after,
				limit: String(PAGE),
				offset: String(offset),
			});
			const { body } = await pool.request({
				path: `${new URL(url).pathname}/call-history?${query}`,
				method: 'GET',
				headers: { authorization: `Bearer ${apiKey}` },
			});
			const { meta } = (await body.json()) as { meta: { total_items: number } };
			return meta.total_items;
		});
	await Promise.all(
		clients.map(async ({ api_key: apiKey }) => {
			const total = await read(apiKey, 0);
			const others = Array.from({ length: Math.ceil(total / PAGE) - 1 }, (_, at) => at + 1);
			await Promise.all(others.map(async (page) => await read(apiKey, page * PAGE)));
		}),
	);
}
