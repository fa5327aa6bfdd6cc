import { mock } from 'node:test';

import { startEmulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';

const MINUTE = 60_000;

/** How long the calls last: long enough for the pauses to have become the longest. */
const LASTS = 6 * MINUTE;

/** Requests of waiting for the results of test calls. */
export interface Waits {
	items: number;
	/** In the first minute, that of the calls themselves and the looks before them left out. */
	first: number;
	/** In the fifth. */
	fifth: number;
}

/** What waiting for so many test calls at once costs the API. Minutes pass at once. */
export async function waiting(items: number): Promise<Waits> {
	let at = Date.now();
	mock.timers.enable({ apis: ['Date'], now: at });
	const giveBack = sleepOn({ advance: (ms) => mock.timers.setTime((at += ms)) });
	const emulator = await startEmulator({ data: 'small' });
	try {
		const { store } = emulator;
		store.testCallCourse = { endsAfter: LASTS };
		const agent = store.agents.find(({ agent_type: type }) => type === 'outbound')!;
		const numbers = Array.from({ length: items }, (_, index) => `+3933312345${10 + index}`);
		for (const number of numbers) store.verifiedNumbers.add(number);
		const { json } = await runNode({
			parameters: {
				resource: 'playground',
				operation: 'makeTestCall',
				agent_id: locator(agent.id),
				phone_number: '={{ $json.number }}',
				waitForResult: true,
				options: { maxCalls: items },
			},
			credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
			items: numbers.map((number) => ({ json: { number } })),
		});
		const ended = json.filter(({ result }) => result === 'ended').length;
		if (ended !== items) throw new Error(`${ended} of ${items} calls ended`);
		const lastCall = emulator.requests.findLastIndex(({ method }) => method === 'POST');
		const began = emulator.requests[lastCall]!.at;
		const looks = emulator.requests.slice(lastCall + 1);
		const within = (minute: number) =>
			looks.filter((look) => Math.floor((look.at - began) / MINUTE) === minute - 1).length;
		return { items, first: within(1), fifth: within(5) };
	} finally {
		giveBack();
		mock.timers.reset();
		await emulator.close();
	}
}
