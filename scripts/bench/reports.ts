import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import pLimit from 'p-limit';

import { loadPackage, runNode } from '../../test/support/harness.ts';
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
 * What it costs to make one report for each of 50 clients, beside reading the same pages with n8n's HTTP
 * helper, which every node has to use.
 */
export async function reports(runs: number): Promise<{ ours: Cost; helper: Cost }> {
	const api = await startFarEmulator('empty');
	const now = Date.now();
	const dates = Array.from({ length: CALLS }, (_, at) =>
		new Date(now - (1 + (at * DAYS) / CALLS) * DAY).toISOString(),
	);
	const clients = await api.organizations(CLIENTS, dates);
	await api.latency(LATENCY);
	const after = new Date(now - 62 * DAY).toISOString();
	const works = new Map([
		['ours', async () => await makeReports(api, clients)],
		['helper', async () => await readPages(api, clients, after)],
	]);
	for (const warmUp of works.values()) await warmUp();
	const costs = await inTurns(works, runs);
	await api.close();
	return { ours: costs.get('ours')!, helper: costs.get('helper')! };
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

const BARE_NODE = 'bench.bare';

/** All pages of all clients, read by a node that does nothing else. */
async function readPages({ url }: FarEmulator, clients: Client[], after: string): Promise<void> {
	const limit = pLimit(PARALLEL);
	const { nodeTypes } = await loadPackage();
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	const bare = {
		...find('n8n-nodes-yk-voice.ykVoice'),
		async execute(this: IExecuteFunctions) {
			const page = async (apiKey: string, offset: number) => {
				const query = { created_after: after, limit: String(PAGE), offset: String(offset) };
				const { meta } = (await this.helpers.httpRequest({
					...{ method: 'GET', url: `${url}/call-history`, qs: query, json: true },
					headers: { authorization: `Bearer ${apiKey}` },
				})) as { meta: { total_items: number } };
				return meta.total_items;
			};
			const readClient = async ({ api_key: apiKey }: Client) => {
				const total = await limit(page, apiKey, 0);
				const offsets = Array.from({ length: Math.ceil(total / PAGE) - 1 }, (_, at) => at + 1);
				await Promise.all(offsets.map(async (at) => await limit(page, apiKey, at * PAGE)));
			};
			await Promise.all(clients.map(readClient));
			return [[]];
		},
	} as INodeType;
	nodeTypes.getByNameAndVersion = (type, version) =>
		type === BARE_NODE ? bare : find(type, version);
	const { error } = await runNode({ parameters: {}, credentials: {}, node: { type: BARE_NODE } });
	nodeTypes.getByNameAndVersion = find;
	if (error !== undefined) throw error;
}
