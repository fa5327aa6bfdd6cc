import { ourNode } from './contenders.ts';
import { startFarEmulator } from './farEmulator.ts';
import { inTurns, type Cost } from './measure.ts';

export const ITEMS = 500;
export const ACCOUNTS = 50;

/** What it costs that items have credentials of their own: 500 single GETs, one per item. */
export async function accounts(runs: number): Promise<Map<string, Cost>> {
	const api = await startFarEmulator();
	const organizations = await api.organizations(ACCOUNTS);
	const work = (clients: typeof organizations, apiKey: string) => async () => {
		const items = Array.from({ length: ITEMS }, (_, at) => clients[at % clients.length]!);
		const came = await ourNode(api, apiKey).getContactsOf(items);
		if (came !== ITEMS) throw new Error(`${came} of ${ITEMS}`);
	};
	const one = organizations.slice(0, 1);
	const byItem = '={{ $json.api_key }}';
	const works = new Map([
		['one account, its key in the credential', work(one, one[0]!.api_key)],
		['one account, the key by an expression', work(one, byItem)],
		[`${ACCOUNTS} accounts, the key by an expression`, work(organizations, byItem)],
	]);
	for (const warmUp of works.values()) await warmUp();
	const costs = await inTurns(works, runs);
	await api.close();
	return costs;
}
