import { Poller } from '../../test/support/poller.ts';
import { startFarEmulator } from './farEmulator.ts';
import { inTurns, type Cost } from './measure.ts';

export const ACCOUNTS = 60;

/** How many calls all accounts have within Look Back. */
export const CALLS = 2500;

export const LATENCY = 50;

const MINUTE = 60_000;

/** What a poll of New Call costs that reads many accounts and finds nothing new, and its requests. */
export async function polls(runs: number): Promise<{ cost: Cost; requests: number }> {
	const api = await startFarEmulator('empty');
	const each = Math.ceil(CALLS / ACCOUNTS);
	const dates = Array.from({ length: each }, (_, at) =>
		new Date(Date.now() - (at + 1) * 3 * MINUTE).toISOString(),
	);
	const clients = await api.organizations(ACCOUNTS, dates);
	const accounts = clients.map(({ api_key }, at) => [`Client ${at}`, api_key]);
	const poller = new Poller({
		emulator: api,
		parameters: { event: 'newCall' },
		credentials: {
			ykVoiceApi: {
				apiKey: '',
				baseUrl: api.url,
				accounts: JSON.stringify(Object.fromEntries(accounts)),
			},
		},
	});
	await poller.activate();
	await api.latency(LATENCY);
	await api.reset();
	const poll = async () => {
		const items = await poller.tick();
		if (items.length > 0 || poller.errors.length > 0) throw new Error('It found something new');
	};
	await poll();
	const { requests } = await api.seen();
	const costs = await inTurns(new Map([['poll', poll]]), runs);
	await api.close();
	return { cost: costs.get('poll')!, requests };
}
