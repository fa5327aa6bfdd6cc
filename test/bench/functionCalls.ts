import { Session } from 'node:inspector/promises';

import { runNode } from '../support/harness.ts';
import { startFarEmulator } from './farEmulator.ts';

/** Records of each list, and how many lists are read: those of two accounts, one of them twice. */
export const RECORDS = 60;
const LISTS = [0, 1, 0];

/** What reading some short lists costs: how often a function of this package is called, and requests. */
export async function functionCalls(): Promise<{ calls: number; requests: number }> {
	const api = await startFarEmulator('empty');
	const dates = Array<string>(RECORDS).fill(new Date().toISOString());
	const accounts = await api.organizations(2, dates);
	const run = async () => {
		const { json, error } = await runNode({
			parameters: { resource: 'call', operation: 'getAll', returnAll: true, simplify: false },
			credentials: { ykVoiceApi: { baseUrl: api.url, apiKey: '={{ $json.api_key }}' } },
			items: LISTS.map((at) => ({ json: accounts[at]! })),
		});
		if (error !== undefined) throw error;
		if (json.length < RECORDS * LISTS.length) throw new Error(`only ${json.length} calls came`);
	};
	await run();
	await api.reset();
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await run();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const requests = await api.seen();
	await api.close();
	const ours = result.filter(({ url }) => /\/dist\/(nodes|credentials)\//.test(url));
	const ranges = ours.flatMap(({ functions }) => functions.flatMap(({ ranges: [all] }) => all!));
	return { calls: ranges.reduce((sum, { count }) => sum + count, 0), requests };
}
