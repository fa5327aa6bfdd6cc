import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { accountForEachTest, credentials, emulator, slowly } from '../support/account.ts';
import { runNode, type NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const BY_ITEM = locator('={{ $json.id }}');
const CONTINUE = { onError: 'continueRegularOutput' as const };

accountForEachTest({ data: 'empty' });

const run = async (parameters: INodeParameters, ids: unknown[], rest: Partial<NodeRun> = {}) =>
	await runNode({
		parameters,
		credentials: credentials(),
		items: ids.map((id) => ({ json: { id } as never })),
		...rest,
	});

const getCall: INodeParameters = { resource: 'call', operation: 'get', call_id: BY_ITEM };

const getAllCalls: INodeParameters = { resource: 'call', operation: 'getAll' };

const updateAgent: INodeParameters = {
	resource: 'agent',
	operation: 'update',
	agent_id: BY_ITEM,
	updateFields: { first_message: 'Hi' },
};

/** Adds records, and gives their ids. */
const calls = (count: number) => Array.from({ length: count }, () => emulator.store.addCall().id);
const agents = (count: number) =>
	Array.from({ length: count }, () => emulator.store.addAgent('inbound').id);

const pairs = (items: Array<{ pairedItem?: unknown }>) => items.map(({ pairedItem }) => pairedItem);

describe('items', () => {
	test('keep their order and pairing, whatever the order of the answers', async () => {
		const ids = calls(25);
		slowly((n) => ((n * 7) % 10) * 8);
		const { items, json } = await run(getCall, ids);
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(pairs(items)).toEqual(ids.map((_, item) => ({ item })));
	});
});

describe('how many requests are under way', () => {
	test('10 reads at first', async () => {
		const seen = slowly(() => 40, 10);
		await run(getCall, calls(15));
		expect(emulator.requests).toHaveLength(15);
		expect(seen.most).toBe(10);
	});

	test('parts that are added to each record count as requests', async () => {
		calls(21);
		const seen = slowly(() => 30);
		const options = { include: ['detail', 'summary', 'transcript'] };
		await run({ ...getAllCalls, options }, [1]);
		expect(emulator.requests).toHaveLength(64);
		expect(seen.most).toBeLessThanOrEqual(50);
	});

	test('one change after another, in the items’ order', async () => {
		const ids = agents(8);
		const seen = slowly((n) => (9 - n) * 4);
		const { json } = await run(updateAgent, ids);
		expect(json).toHaveLength(8);
		expect(seen.most).toBe(1);
		expect(emulator.requests.map(({ path }) => path.split('/').at(-1))).toEqual(ids);
	});

	test('several changes if the user allows them', async () => {
		const ids = agents(12);
		const seen = slowly((n) => ((n * 5) % 7) * 5 + 30, 4);
		const { json } = await run({ ...updateAgent, options: { writes: 4 } }, ids);
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(seen.most).toBe(4);
	});
});

describe('input that cannot be used', () => {
	const notId = [...Array.from({ length: 4 }, () => NOWHERE), '..'];

	test.each([
		['a read', getCall],
		['a change', updateAgent],
	])('in the last item of %s: nothing at all is sent', async (_what, parameters) => {
		const { error } = await run(parameters, notId);
		expect(error?.message).toMatch(/must be an? (UUID|ID)/);
		expect(error?.context?.itemIndex).toBe(4);
		expect(emulator.requests).toEqual([]);
	});

	test('with Continue On Fail, the others go on', async () => {
		const [good] = agents(1);
		const { items } = await run(updateAgent, ['x', good, ''], {
			node: CONTINUE,
		});
		expect(items.map(({ json }) => json.error ?? json.id)).toEqual([
			expect.stringMatching(/must be an ID such as/),
			good,
			expect.stringMatching(/'Agent' is empty: choose an agent/),
		]);
		expect(pairs(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(emulator.requests).toHaveLength(1);
	});
});

describe('a failure', () => {
	test('stops further reads', async () => {
		const ids = calls(60);
		ids[5] = NOWHERE;
		slowly(() => 10);
		const { error } = await run(getCall, ids);
		expect(error?.context?.itemIndex).toBe(5);
		await delay(100);
		expect(emulator.requests.length).toBeLessThanOrEqual(6 + 10);
	});

	test.each<[what: string, ids: number[], node: NodeRun['node'], most: number]>([
		['its own', [1], {}, 4 + 10],
		['those of other items', [1, 2], {}, 4 + 10],
		['its own, with Continue On Fail', [1], CONTINUE, 4 + 10],
		['only its own, with Continue On Fail', [1, 2], CONTINUE, 4 + 10 + 11],
	])('stops the pages of a list: %s', async (_what, ids, node, most) => {
		emulator.store.fill({ calls: 1000 });
		emulator.faults.add({ kind: 'status', status: 400, skip: 3 });
		slowly(() => 5);
		const list = { ...getAllCalls, returnAll: true };
		const { json, error } = await run(list, ids, { node });
		expect(String(error?.message ?? json[0]?.error ?? json.at(-1)?.error)).toMatch(/\(400 /);
		await delay(50);
		expect(emulator.requests.length).toBeLessThanOrEqual(most);
		if (most > 20) expect(json).toHaveLength(1 + 1000);
	});

	test('with Continue On Fail comes out in its place, paired with its item', async () => {
		const ids = calls(25);
		for (const at of [0, 7, 24]) ids[at] = NOWHERE;
		slowly((n) => ((n * 7) % 10) * 4);
		const { items, error } = await run(getCall, ids, {
			node: CONTINUE,
		});
		expect(error).toBeUndefined();
		expect(pairs(items)).toEqual(ids.map((_, item) => ({ item })));
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual(
			ids.map((id) =>
				id === NOWHERE ? 'There is no such record in this account (404 NOT_FOUND)' : id,
			),
		);
	});

	test('goes to the error output alone', async () => {
		const ids = calls(12);
		for (const at of [2, 11]) ids[at] = NOWHERE;
		const { outputs, error } = await run(getCall, ids, {
			node: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		const [good, bad] = outputs;
		expect(good!.map(({ json }) => json.id)).toEqual(ids.filter((id) => id !== NOWHERE));
		expect(pairs(good!)).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9, 10].map((item) => ({ item })));
		const missing = {
			error: 'There is no such record in this account (404 NOT_FOUND)',
			status: 404,
			code: 'NOT_FOUND',
		};
		expect(bad!.map(({ json }) => json)).toEqual([missing, missing]);
		expect(pairs(bad!)).toEqual([2, 11]);
		// The next node may be one that hands items on as they are.
		const off = { disabled: true, onError: 'continueErrorOutput' } as const;
		const { json } = await runNode({ parameters: {}, credentials: {}, items: bad!, node: off });
		expect(json).toEqual([missing, missing]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'of an expression fails its item alone: %s',
		async (onError) => {
			const ids = calls(3);
			const call_id = locator('={{ $json.id.urlEncode() }}');
			const { outputs, error } = await run({ ...getCall, call_id }, [ids[0], 5, ids[2]] as never, {
				node: { onError },
			});
			expect(error).toBeUndefined();
			const json = outputs.flat().map((item) => item.json);
			expect(json.filter(({ id }) => id).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
			expect(json.map((item) => item.error).filter(Boolean)).toEqual([
				expect.stringMatching(/urlEncode/),
			]);
			if (onError === 'continueErrorOutput') expect(pairs(outputs[1]!)).toEqual([1]);
		},
	);

	test.each([
		['a credential that cannot be used', {}, { baseUrl: '' }, /Base URL/],
		['an option that cannot be used', { options: { inputFields: ',' } }, {}, /Input Fields/],
	])('of %s fails every item', async (_what, more, credential, complaint) => {
		const { ykVoiceApi } = credentials();
		const { outputs } = await run({ ...getCall, ...more }, calls(3), {
			credentials: { ykVoiceApi: { ...ykVoiceApi, ...credential } },
			node: { onError: 'continueErrorOutput' },
		});
		const [good, bad] = outputs;
		expect(good).toEqual([]);
		expect(bad!.map(({ json }) => json.error)).toEqual(
			Array(3).fill(expect.stringMatching(complaint)),
		);
		expect(pairs(bad!)).toEqual([0, 1, 2]);
		expect(emulator.requests).toEqual([]);
	});

	test('by the rate limit makes all items wait', async () => {
		const ids = calls(30);
		emulator.faults.add({ kind: 'status', status: 429, retryAfter: '1', skip: 10 });
		const start = Date.now();
		const { json } = await run(getCall, ids);
		expect(json).toHaveLength(30);
		expect(Date.now() - start).toBeGreaterThanOrEqual(1000);
		// One request is sent again: the one that was refused.
		expect(emulator.requests.length).toBe(31);
	});
});
