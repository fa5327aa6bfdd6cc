import { subscribe } from 'node:diagnostics_channel';

import { Poller } from '../../test/support/poller.ts';
import { startFarEmulator } from './farEmulator.ts';
import { inTurns, type Cost } from './measure.ts';

export const ACCOUNTS = 60;

/** How many calls all accounts have within Look Back. */
export const CALLS = 2500;

const MINUTE = 60_000;

/** What a poll of New Call costs that reads many accounts and finds nothing new, and its requests. */
export async function polls(runs: number, latency: number) {
	const calls = Math.ceil(CALLS / ACCOUNTS);
	const clients = { count: ACCOUNTS, calls, newest: 3 * MINUTE, apart: 3 * MINUTE };
	const api = await startFarEmulator({ clients, latency });
	const accounts = Object.fromEntries(api.clients.map((key, at) => [`Client ${at}`, key]));
	const poller = new Poller({
		parameters: { event: 'newCall', authentication: 'accounts' },
		credentials: {
			ykVoiceAccountsApi: { baseUrl: api.url, accounts: JSON.stringify(accounts) },
		},
	});
	await poller.activate();
	let requests = 0;
	subscribe('http.client.request.start', () => void (requests += 1));
	const [cost] = await inTurns(runs, async () => {
		requests = 0;
		const items = await poller.tick();
		if (items.length > 0 || poller.errors.length > 0) throw new Error('It found something new');
	});
	await api.close();
	return { cost: cost as Cost, requests };
}
