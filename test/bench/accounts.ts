import { runNode } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { startFarEmulator } from './farEmulator.ts';
import { inTurns, type Cost } from './measure.ts';

export const ITEMS = 500;
export const ACCOUNTS = 50;

export type Clients = 'one, its key written' | 'one, by an expression' | 'many';

/** What it costs that items have credentials of their own: 500 single GETs, one per item. */
export async function accounts(runs: number): Promise<Map<Clients, Cost>> {
	const api = await startFarEmulator();
	const organizations = await api.organizations(ACCOUNTS);
	const run = async (clients: typeof organizations, apiKey: string) => {
		const items = Array.from({ length: ITEMS }, (_, at) => ({
			json: clients[at % clients.length]!,
		}));
		const { error, json } = await runNode({
			parameters: {
				resource: 'contact',
				operation: 'get',
				contact: locator('={{ $json.contact }}'),
				simplify: false,
			},
			credentials: { ykVoiceApi: { baseUrl: api.url, apiKey } },
			items,
		});
		if (error !== undefined || json.length !== ITEMS) throw error ?? new Error('Items are missing');
	};
	const one = organizations.slice(0, 1);
	const byItem = '={{ $json.api_key }}';
	const works = new Map<Clients, () => Promise<void>>([
		['one, its key written', async () => await run(one, one[0]!.api_key)],
		['one, by an expression', async () => await run(one, byItem)],
		['many', async () => await run(organizations, byItem)],
	]);
	for (const warmUp of works.values()) await warmUp();
	const costs = await inTurns(works, runs);
	await api.close();
	return costs as Map<Clients, Cost>;
}
