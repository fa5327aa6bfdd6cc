import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import {
	accountForEachTest,
	CONTINUE,
	credentials,
	emulator,
	pairsOf,
	run,
	slowly,
} from '../support/account.ts';
import type { NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const MISSING = 'There is no such record in this account (404 NOT_FOUND)';
const TO_ERROR_OUTPUT = { node: { onError: 'continueErrorOutput' } } as const;

accountForEachTest({ data: 'empty' });

const BY_ID = locator('={{ $json.id }}');

const itemsOf = (ids: unknown[]) => ids.map((id) => ({ id }) as never);

const getCalls = async (ids: unknown[], rest: Partial<NodeRun> = {}, call_id = BY_ID) =>
	await run('call.get', { call_id }, itemsOf(ids), rest);

const updateAgents = async (ids: unknown[], rest: Partial<NodeRun> = {}, options = {}) => {
	const parameters = { agent_id: BY_ID, updateFields: { first_message: 'Hi' }, options };
	return await run('agent.update', parameters, itemsOf(ids), rest);
};

/** Adds records, and gives their ids. */
const calls = (count: number) => Array.from({ length: count }, () => emulator.store.addCall().id);
const agents = (count: number) =>
	Array.from({ length: count }, () => emulator.store.addAgent('inbound').id);

describe('how many requests are under way', () => {
	test('one change after another, in the items’ order', async () => {
		const ids = agents(8);
		const seen = slowly((n) => (9 - n) * 4);
		expect((await updateAgents(ids)).json).toHaveLength(8);
		expect(seen.most).toBe(1);
		expect(emulator.requests.map(({ path }) => path.split('/').at(-1))).toEqual(ids);
	});

	test('several changes if the user allows them', async () => {
		const ids = agents(12);
		const seen = slowly((n) => ((n * 5) % 7) * 5 + 30, 4);
		const { json } = await updateAgents(ids, {}, { writes: 4 });
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(seen.most).toBe(4);
	});
});

describe('input that cannot be used', () => {
	test.each([
		['a read', getCalls],
		['a change', updateAgents],
	])('in the last item of %s: nothing at all is sent', async (_what, work) => {
		const { error } = await work([...Array<string>(4).fill(NOWHERE), '..']);
		expect(error?.message).toMatch(/must be an? (UUID|ID)/);
		expect(error?.context?.itemIndex).toBe(4);
		expect(emulator.requests).toEqual([]);
	});

	test('with Continue On Fail, the others go on', async () => {
		const [good] = agents(1);
		const result = await updateAgents(['x', good, ''], CONTINUE);
		expect(result.json.map(({ error, id }) => error ?? id)).toEqual([
			expect.stringMatching(/must be an ID such as/),
			good,
			expect.stringMatching(/'Agent' has no value\. Correct its expression/),
		]);
		expect(pairsOf(result)).toEqual([[0], [1], [2]]);
		expect(emulator.requests).toHaveLength(1);
	});
});

describe('a failure', () => {
	test('stops further reads', async () => {
		const ids = calls(60);
		ids[5] = NOWHERE;
		slowly(() => 10);
		const { error } = await getCalls(ids);
		expect(error?.context?.itemIndex).toBe(5);
		expect(error?.description).toMatch(/set 'On Error' to 'Continue'/);
		await delay(100);
		expect(emulator.requests.length).toBeLessThanOrEqual(6 + 10);
	});

	test('with Continue On Fail comes out in its place, whatever the order of the answers', async () => {
		const ids = calls(25);
		for (const at of [0, 7, 24]) ids[at] = NOWHERE;
		slowly((n) => ((n * 7) % 10) * 4);
		const result = await getCalls(ids, CONTINUE);
		expect(pairsOf(result)).toEqual(ids.map((_, item) => [item]));
		const wanted = ids.map((id) => (id === NOWHERE ? MISSING : id));
		expect(result.json.map(({ id, error }) => id ?? error)).toEqual(wanted);
	});

	test('goes to the error output alone', async () => {
		const ids = calls(12);
		for (const at of [2, 11]) ids[at] = NOWHERE;
		const { outputs } = await getCalls(ids, TO_ERROR_OUTPUT);
		const [good = [], bad = []] = outputs;
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3, 4, 5, 6, 7, 8, 9, 10].map((item) => ({ item })),
		);
		expect(good.map(({ json }) => json.id)).toEqual(ids.filter((id) => id !== NOWHERE));
		const missing = { error: MISSING, id: NOWHERE };
		expect(bad.map(({ json }) => json)).toEqual([missing, missing]);
		expect(bad.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 11 }]);
	});

	test('of an expression fails its item alone', async () => {
		const ids: unknown[] = calls(3);
		const [first, , last] = ids;
		ids[1] = 5;
		const call_id = locator('={{ $json.id.urlEncode() }}');
		for (const rest of [CONTINUE, TO_ERROR_OUTPUT]) {
			const { outputs, error, messages } = await getCalls(ids, rest, call_id);
			expect(error).toBeUndefined();
			const json = outputs.flat().map((item) => item.json);
			const good = json.filter((one) => !one.error);
			expect(good.map(({ id }) => id)).toEqual([first, last]);
			expect(messages).toEqual([expect.stringMatching(/urlEncode/)]);
		}
	});

	test('of the credential fails every item', async () => {
		const ykVoiceApi = { ...credentials().ykVoiceApi, baseUrl: '' };
		const rest = { credentials: { ykVoiceApi }, ...TO_ERROR_OUTPUT };
		const { outputs } = await getCalls(calls(3), rest);
		const [good, bad] = outputs;
		expect(good).toEqual([]);
		expect(bad!.map(({ json }) => json.error)).toEqual(
			Array(3).fill(expect.stringMatching(/Base URL/)),
		);
		expect(bad!.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(emulator.requests).toEqual([]);
	});
});
