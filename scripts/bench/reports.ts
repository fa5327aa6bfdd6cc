import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import pLimit from 'p-limit';

import { loadPackage, runNode } from '../../test/support/harness.ts';
import { startFarEmulator, type FarEmulator } from './farEmulator.ts';
import { inTurns } from './measure.ts';

export const CLIENTS = 50;
export const CALLS = 1700;

const PARALLEL = 50;
const PAGE = 100;
const DAYS = 59;
const DAY = 24 * 3600 * 1000;

/**
 * What it costs to make one report for each of 50 clients, and to read the same pages with n8n's HTTP helper, which
 * every node has to use.
 */
export async function reports(runs: number, latency: number) {
	const clients = { count: CLIENTS, calls: CALLS, newest: DAY, apart: (DAYS * DAY) / CALLS };
	const api = await startFarEmulator({ clients, latency });
	const after = new Date(Date.now() - 62 * DAY).toISOString();
	const costs = await inTurns(
		runs,
		async () => await makeReports(api),
		async () => await readPages(api, after),
	);
	await api.close();
	return costs;
}

async function makeReports({ url, clients }: FarEmulator): Promise<void> {
	const { error, json } = await runNode({
		parameters: { resource: 'report', operation: 'create', period: 'last30Days' },
		credentials: { ykVoiceApi: { baseUrl: url, apiKey: '={{ $json.key }}' } },
		items: clients.map((key) => ({ json: { key } })),
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
async function readPages({ url, clients }: FarEmulator, after: string): Promise<void> {
	const limit = pLimit(PARALLEL);
	const { nodeTypes } = await loadPackage();
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	const bare = {
		...find('n8n-nodes-yk-voice.ykVoice'),
		async execute(this: IExecuteFunctions) {
			const page = async (apiKey: string, offset: number) => {
				const query = { created_after: after, limit: String(PAGE), offset: String(offset) };
				const { meta } = (await this.helpers.httpRequest({
					method: 'GET',
					url: `${url}/call-history`,
					qs: query,
					json: true,
					headers: { authorization: `Bearer ${apiKey}` },
				})) as { meta: { total_items: number } };
				return meta.total_items;
			};
			const readClient = async (apiKey: string) => {
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
