import type { INodeParameters } from 'n8n-workflow';
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
import { runNode, type NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const MISSING = 'There is no such record in this account (404 NOT_FOUND)';
const TO_ERROR_OUTPUT = { node: { onError: 'continueErrorOutput' } } as const;

accountForEachTest({ data: 'empty' });

/** Runs an operation once for each of these IDs. */
const runFor = async (
	name: string,
	ids: unknown[],
	parameters: INodeParameters = {},
	rest: Partial<NodeRun> = {},
) =>
	await run(
		name,
		parameters,
		ids.map((id) => ({ id }) as never),
		rest,
	);

const getCalls = async (ids: unknown[], rest: Partial<NodeRun> = {}, more: INodeParameters = {}) =>
	await runFor('call.get', ids, { call_id: locator('={{ $json.id }}'), ...more }, rest);

const updateAgents = async (ids: unknown[], rest: Partial<NodeRun> = {}, options = {}) => {
	const updateFields = { first_message: 'Hi' };
	const parameters = { agent_id: locator('={{ $json.id }}'), updateFields, options };
	return await runFor('agent.update', ids, parameters, rest);
};

/** Adds records, and gives their ids. */
const calls = (count: number) => Array.from({ length: count }, () => emulator.store.addCall().id);
const agents = (count: number) =>
	Array.from({ length: count }, () => emulator.store.addAgent('inbound').id);

const each = (ids: unknown[]) => ids.map((_, item) => [item]);

test('items keep their order and pairing, whatever the order of the answers', async () => {
	const ids = calls(25);
	slowly((n) => ((n * 7) % 10) * 8);
	const result = await getCalls(ids);
	expect(result.json.map(({ id }) => id)).toEqual(ids);
	expect(pairsOf(result)).toEqual(each(ids));
});

describe('how many requests are under way', () => {
	test('10 reads at first', async () => {
		const seen = slowly(() => 40, 10);
		await getCalls(calls(15));
		expect([emulator.requests.length, seen.most]).toEqual([15, 10]);
	});

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
			expect.stringMatching(/'Agent' is empty: choose an agent/),
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
		await delay(100);
		expect(emulator.requests.length).toBeLessThanOrEqual(6 + 10);
	});

	test.each<[what: string, ids: number[], rest: Partial<NodeRun>, most: number]>([
		['its own', [1], {}, 4 + 10],
		['those of other items', [1, 2], {}, 4 + 10],
		['its own, with Continue On Fail', [1], CONTINUE, 4 + 10],
		['only its own, with Continue On Fail', [1, 2], CONTINUE, 4 + 10 + 11],
	])('stops the pages of a list: %s', async (_what, ids, rest, most) => {
		emulator.store.fill({ calls: 1000 });
		emulator.faults.add({ kind: 'status', status: 400, skip: 3 });
		slowly(() => 5);
		const { json, messages } = await runFor('call.getAll', ids, { returnAll: true }, rest);
		expect(messages.join()).toMatch(/\(400 /);
		await delay(50);
		expect(emulator.requests.length).toBeLessThanOrEqual(most);
		if (most > 20) expect(json).toHaveLength(1 + 1000);
	});

	test('with Continue On Fail comes out in its place, paired with its item', async () => {
		const ids = calls(25);
		for (const at of [0, 7, 24]) ids[at] = NOWHERE;
		slowly((n) => ((n * 7) % 10) * 4);
		const result = await getCalls(ids, CONTINUE);
		expect(pairsOf(result)).toEqual(each(ids));
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
		const missing = { error: MISSING, status: 404, code: 'NOT_FOUND' };
		expect(bad.map(({ json }) => json)).toEqual([missing, missing]);
		expect(bad.map(({ pairedItem }) => pairedItem)).toEqual([2, 11]);
		// n8n hands the items on as they are if the next node is switched off.
		const off = { disabled: true, onError: 'continueErrorOutput' } as const;
		const { json } = await runNode({ parameters: {}, credentials: {}, items: bad, node: off });
		expect(json).toEqual([missing, missing]);
	});

	test('of an expression fails its item alone', async () => {
		const ids: unknown[] = calls(3);
		const [first, , last] = ids;
		ids[1] = 5;
		const call_id = locator('={{ $json.id.urlEncode() }}');
		for (const rest of [CONTINUE, TO_ERROR_OUTPUT]) {
			const { outputs, error, messages } = await getCalls(ids, rest, { call_id });
			expect(error).toBeUndefined();
			const json = outputs.flat().map((item) => item.json);
			expect(json.flatMap(({ id }) => id ?? [])).toEqual([first, last]);
			expect(messages).toEqual([expect.stringMatching(/urlEncode/)]);
		}
	});

	test.each<[complaint: RegExp, more: INodeParameters, credential: object]>([
		[/Base URL/, {}, { baseUrl: '' }],
		[/Input Fields/, { options: { inputFields: ',' } }, {}],
	])('of the credential or of an option fails every item: %s', async (complaint, more, given) => {
		const ykVoiceApi = { ...credentials().ykVoiceApi, ...given };
		const rest = { credentials: { ykVoiceApi }, ...TO_ERROR_OUTPUT };
		const { outputs } = await getCalls(calls(3), rest, more);
		const [good, bad] = outputs;
		expect(good).toEqual([]);
		expect(bad!.map(({ json }) => json.error)).toEqual(
			Array(3).fill(expect.stringMatching(complaint)),
		);
		expect(bad!.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2]);
		expect(emulator.requests).toEqual([]);
	});
});
