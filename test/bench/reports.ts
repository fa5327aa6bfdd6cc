import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import pLimit from 'p-limit';
import { Pool } from 'undici';

import { loadPackage, runNode } from '../support/harness.ts';
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

/**
 * What it costs to make one report for each of 50 clients, beside reading the same pages: with n8n's HTTP
 * helper, which every node has to use, and with a bare client.
 */
export async function reports(runs: number): Promise<{ ours: Cost; helper: Cost; network: Cost }> {
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
		['helper', async () => await readWithHelper(api, clients, after)],
		['network', async () => await readWithPool(pool, api, clients, after)],
	]);
	for (const warmUp of works.values()) await warmUp();
	const costs = await inTurns(works, runs);
	await pool.close();
	await api.close();
	return {
		ours: costs.get('ours')!,
		helper: costs.get('helper')!,
		network: costs.get('network')!,
	};
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

type Read = (apiKey: string, path: string) => Promise<{ meta: { total_items: number } }>;

/** All pages of all clients, and nothing else but their JSON. */
async function readPages(read: Read, clients: Client[], after: string): Promise<void> {
	const limit = pLimit(PARALLEL);
	const page = async (apiKey: string, offset: number) =>
		await limit(async () => {
			const query = { created_after: after, limit: String(PAGE), offset: String(offset) };
			const path = `/call-history?${new URLSearchParams(query)}`;
			return (await read(apiKey, path)).meta.total_items;
		});
	await Promise.all(
		clients.map(async ({ api_key: apiKey }) => {
			const total = await page(apiKey, 0);
			const others = Array.from({ length: Math.ceil(total / PAGE) - 1 }, (_, at) => at + 1);
			await Promise.all(others.map(async (at) => await page(apiKey, at * PAGE)));
		}),
	);
}

async function readWithPool(pool: Pool, { url }: FarEmulator, clients: Client[], after: string) {
	const { pathname } = new URL(url);
	const read: Read = async (apiKey, path) => {
		const headers = { authorization: `Bearer ${apiKey}` };
		const { body } = await pool.request({ path: pathname + path, method: 'GET', headers });
		return (await body.json()) as { meta: { total_items: number } };
	};
	await readPages(read, clients, after);
}

const BARE_NODE = 'bench.bare';

/** A node that only reads, with the helper that n8n gives to every node. */
async function readWithHelper({ url }: FarEmulator, clients: Client[], after: string) {
	const { nodeTypes } = await loadPackage();
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	const bare = {
		...find('n8n-nodes-yk-voice.ykVoice'),
		async execute(this: IExecuteFunctions) {
			const read: Read = async (apiKey, path) =>
				(await this.helpers.httpRequest({
					...{ method: 'GET', url: url + path, json: true },
					headers: { authorization: `Bearer ${apiKey}` },
				})) as { meta: { total_items: number } };
			await readPages(read, clients, after);
			return [[]];
		},
	} as INodeType;
	nodeTypes.getByNameAndVersion = (type, version) =>
		type === BARE_NODE ? bare : find(type, version);
	const { error } = await runNode({ parameters: {}, credentials: {}, node: { type: BARE_NODE } });
	nodeTypes.getByNameAndVersion = find;
	if (error !== undefined) throw error;
}
