import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

import type { LoggedRequest } from '../emulator/index.ts';
import type { NodeResult } from '../support/harness.ts';
import {
	isFull,
	labelOf,
	operations,
	run,
	sampleRun,
	startEmulator,
	tally,
	type Emulator,
} from './lab.ts';
import { REPRESENTATIVE } from './table.ts';

const tried = isFull ? operations : REPRESENTATIVE;

/** Here, all items together need as many requests as one, so none is left when the key is revoked. */
const TOGETHER = ['agent.getVoicePreview', 'contactList.sync'];

const ITEMS = 4;
const PARALLEL = 2;

afterAll(() => {
	console.log(`A key revoked in mid-run: ${tally.runs} runs, ${tally.requests} requests`);
});

/** Runs several items, and revokes the key after as many requests as one item needs. */
async function revoked(
	name: string,
	onError: 'stopWorkflow' | 'continueRegularOutput',
	look: (result: NodeResult, emulator: Emulator, asked: LoggedRequest[]) => void,
): Promise<void> {
	const emulator = await startEmulator({ data: 'small' });
	try {
		const alone = sampleRun(emulator, name);
		// Otherwise items would share one request.
		const separately = { combineItems: false };
		const [item = { json: {} }] = alone.items;
		const first = await startEmulator({ data: 'small' });
		await run(first, {
			...alone,
			items: [item],
			parameters: { ...alone.parameters, ...separately },
		});
		await first.close();

		emulator.faults.add({ kind: 'unauthorized', skip: first.requests.length, times: Infinity });
		const { parameters } = sampleRun(emulator, name, { concurrency: PARALLEL });
		const result = await run(emulator, {
			parameters: { ...parameters, ...separately },
			items: Array.from({ length: ITEMS }, () => structuredClone(item)),
			node: { onError },
		});
		// Requests could still be sent after n8n has the error.
		await sleep(200);
		look(result, emulator, first.requests);
	} finally {
		await emulator.close();
	}
}

const apart = tried.filter((name) => !TOGETHER.includes(name));

describe.concurrent.each(apart)('%s, when the key is revoked in mid-run', (name) => {
	const label = labelOf(name);

	it('ends with an error, and sends nothing more', async () => {
		await revoked(name, 'stopWorkflow', ({ error, json }, { requests }, asked) => {
			expect(json).toEqual([]);
			expect(error?.message).toBe(`${label}401 AUTHENTICATION_FAILED: the API key was revoked`);
			expect(error?.description).toMatch(/Check the key in the credential/);
			const writes = asked.some(({ method }) => method !== 'GET');
			// If an item needs several reads, the next one may start when another failed.
			const underWay = writes ? 1 : 2 * PARALLEL;
			expect(requests.length).toBeLessThanOrEqual(asked.length + underWay);
		});
	});

	it('hands on the error of each item with Continue On Fail', async () => {
		await revoked(name, 'continueRegularOutput', ({ error, items }) => {
			expect(error).toBeUndefined();
			const paired = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
			expect([...new Set(paired)].sort()).toEqual(Array.from({ length: ITEMS }, (_, at) => at));
			expect(paired).toEqual(paired.toSorted((one, other) => one - other));
			const failed = items.filter(({ json }) => 'error' in json);
			expect(failed.length).toBeGreaterThanOrEqual(ITEMS - PARALLEL);
			for (const { json } of failed) {
				expect(json.error).toBe(`${label}401 AUTHENTICATION_FAILED: the API key was revoked`);
			}
		});
	});
});
