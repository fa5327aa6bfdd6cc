import type { IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { runNode, type NodeResult } from '../support/harness.ts';

let api: Emulator;

beforeEach(async () => void (api = await startEmulator({ data: 'empty' })));
afterEach(async () => await api.close());

/** A workflow that a schedule starts, whose data n8n saves after each execution. */
class Workflow {
	saved: IDataObject = {};

	private process: string | undefined;

	private readonly id = randomUUID();

	readonly name: string;

	constructor(name = 'call.getNew') {
		this.name = name;
	}

	/** @param keys of the clients, one item each */
	async run(
		keys: string[] = [api.keys.all],
		parameters: INodeParameters = {},
		{
			mode = 'trigger',
			node = {},
			cancelAfter,
		}: { mode?: WorkflowExecuteMode; node?: object; cancelAfter?: Promise<unknown> } = {},
	): Promise<NodeResult & { ids: unknown[] }> {
		const [resource, operation] = this.name.split('.') as [string, string];
		const result = await runNode({
			parameters: { resource, operation, ...parameters },
			credentials: { ykVoiceApi: { apiKey: '={{ $json.key }}', baseUrl: api.url } },
			items: keys.map((key, client) => ({ json: { key, client } })),
			node: { id: this.id, ...node },
			staticData: structuredClone(this.saved),
			process: this.process,
			mode,
			cancelAfter,
		});
		if (mode !== 'manual') this.saved = result.staticData;
		return { ...result, ids: result.json.map(({ id }) => id) };
	}

	/** Another process of n8n runs it from now on, and gets nothing of what was saved. */
	lose(): void {
		this.saved = {};
		this.process = 'worker';
	}
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('Call: Get New', () => {
	test('returns each call once, oldest first; the first run skips what exists [P179] [P180]', async () => {
		api.store.addCall({ created_at: ago(30) });
		const workflow = new Workflow();
		const first = await workflow.run();
		expect(first.ids).toEqual([]);
		expect(first.hints.map(({ message }) => message).join()).toMatch(/first execution/);

		const [one, two] = [
			api.store.addCall({ created_at: ago(2) }),
			api.store.addCall({ created_at: ago(1) }),
		];
		expect((await workflow.run()).ids).toEqual([one.id, two.id]);
		expect((await workflow.run()).ids).toEqual([]);
	});

	test('the first run can return recent calls [P180]', async () => {
		const recent = api.store.addCall({ created_at: ago(120) });
		api.store.addCall({ created_at: ago(60 * 30) });
		const workflow = new Workflow();
		const parameters = { firstRun: 'recent', firstHours: 24 };
		expect((await workflow.run(undefined, parameters)).ids).toEqual([recent.id]);
		expect((await workflow.run(undefined, parameters)).ids).toEqual([]);
	});

	test('a manual execution shows the newest calls, oldest first, remembers nothing, and says so [P179] [P184]', async () => {
		const older = api.store.addCall({ created_at: ago(301) });
		const call = api.store.addCall({ created_at: ago(300) });
		const workflow = new Workflow();
		for (let run = 0; run < 2; run++) {
			const { ids, hints } = await workflow.run(undefined, {}, { mode: 'manual' });
			expect(ids).toEqual([older.id, call.id]);
			expect(hints.map(({ message }) => message).join()).toMatch(/manual execution/);
		}
		expect((await workflow.run()).ids).toEqual([]);
		expect((await workflow.run()).ids).toEqual([]);
	});

	test('a workflow that another one starts gets an error, as a test of that one would take records away [P196]', async () => {
		const call = api.store.addCall({ created_at: ago(300) });
		const workflow = new Workflow();
		await workflow.run();
		const { error, ids } = await workflow.run(undefined, {}, { mode: 'integrated' });
		expect(ids).toEqual([]);
		expect(error?.message).toContain('that another workflow starts');
		expect(call.id).toBeDefined();
	});

	test('each client has a memory of its own, and the key of none is stored', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const keys = [api.keys.all, other.apiKey];
		const parameters = { firstRun: 'recent', firstHours: 1 };
		await workflow.run(keys, parameters);
		const mine = api.store.addCall({ created_at: ago(1) });
		const theirs = other.store.addCall({ created_at: ago(1) });
		const { ids, items, staticData } = await workflow.run(keys, parameters);
		expect(ids).toEqual([mine.id, theirs.id]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const key of keys) expect(JSON.stringify(staticData)).not.toContain(key.slice(3));
		expect((await workflow.run([...keys, ...keys], parameters)).ids).toEqual([]);
	});

	test('two accounts under one name are an error, because one would hide records of the other', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const keys = [api.keys.all, other.apiKey];
		const named = (account: string) => ({ options: { account } });
		await workflow.run(keys, named('={{ String($json.client) }}'));
		const call = { id: '17', created_at: ago(1) };
		for (const { store } of [api, other]) store.addCall(call);
		expect((await workflow.run(keys, named('={{ String($json.client) }}'))).ids).toEqual([
			'17',
			'17',
		]);

		await workflow.run([api.keys.all], named('clients'));
		const mine = api.store.addCall({ created_at: ago(1) });
		const failing = await workflow.run(keys, named('clients'));
		expect(failing.error?.message).toMatch(/'Options → Account' is the same for several accounts/);
		const goOn = { node: { onError: 'continueErrorOutput' } };
		const parted = await workflow.run(keys, named('clients'), goOn);
		expect(parted.ids).toEqual([mine.id]);
		expect(parted.outputs[1]).toHaveLength(1);
	});

	test('items of one account with different filters are refused, because records would be lost [P189]', async () => {
		const keys = [api.keys.all, api.keys.all];
		const status = '={{ [$json.client === 0 ? "Completed" : "Busy"] }}';
		const filters = { call_status: status };
		const workflow = new Workflow();
		await workflow.run();
		const calls = ['Completed', 'Busy'].map((call_status) =>
			api.store.addCall({ created_at: ago(1), call_status } as object),
		);
		const failing = await workflow.run(keys, { filters });
		expect(failing.error?.message).toMatch(/the same account have different 'Filters'/);
		expect(new Set((await workflow.run()).ids)).toEqual(new Set(calls.map(({ id }) => id)));

		const apart = { filters, options: { account: '={{ "part " + $json.client }}' } };
		await workflow.run(keys, apart);
		const later = ['Completed', 'Busy'].map((call_status) =>
			api.store.addCall({ created_at: ago(1), call_status } as object),
		);
		expect((await workflow.run(keys, apart)).ids).toEqual(later.map(({ id }) => id));
	});

	test('a client whose key fails stays as it is, and others go on [P181]', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const keys = [other.apiKey, api.keys.all];
		await workflow.run(keys);
		const [mine, theirs] = [api, other].map(({ store }) => store.addCall({ created_at: ago(1) }));
		const goOn = { node: { onError: 'continueErrorOutput' } };
		const failing = await workflow.run(['yk_wrong', api.keys.all], {}, goOn);
		expect(failing.ids).toEqual([mine!.id]);
		expect(failing.outputs[1]).toHaveLength(1);
		expect((await workflow.run(keys, {}, goOn)).ids).toEqual([theirs!.id]);
	});

	test('if the node fails, nothing of it is lost [P182]', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const keys = [api.keys.all, other.apiKey];
		await workflow.run(keys);
		const [mine, theirs] = [api, other].map(({ store }) => store.addCall({ created_at: ago(1) }));
		expect((await workflow.run([api.keys.all, 'yk_wrong'])).error).toBeDefined();
		expect((await workflow.run(keys)).ids).toEqual([mine!.id, theirs!.id]);
	});

	test('if n8n ends the execution, by Stop or its time limit, nothing of it is lost [P222]', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const keys = [api.keys.all, other.apiKey];
		await workflow.run(keys);
		const { id } = api.store.addCall({ created_at: ago(1) });
		const slow = api.requests.length + 1;
		const reached = async () => {
			while (api.requests.length < slow) await new Promise((resolve) => setTimeout(resolve, 5));
			await new Promise((resolve) => setTimeout(resolve, 50));
		};
		const match = ({ headers }: { headers: Record<string, unknown> }) =>
			String(headers.authorization).endsWith(other.apiKey);
		api.faults.add({ kind: 'hang', match });
		const node = { onError: 'continueErrorOutput' };
		await workflow.run(keys, {}, { node, cancelAfter: reached() });
		api.faults.clear();
		expect((await workflow.run(keys)).ids).toEqual([id]);
	});

	test.each([{ error: 'busy line' }, { $error: 'busy line', $json: {} }])(
		'a record with the fields of a failed item is none: %j [P152]',
		async (fields) => {
			const workflow = new Workflow();
			await workflow.run();
			const call = api.store.addCall({ created_at: ago(1), ...fields } as object);
			const { ids, json } = await workflow.run(undefined, { simplify: false });
			expect(ids).toEqual([call.id]);
			expect(json[0]).not.toHaveProperty('error');
			expect(Object.values(json[0]!)).toContain('busy line');
		},
	);

	test('Retry On Fail with Continue could lose records of other clients, so it is refused [P153]', async () => {
		const other = api.addOrganization();
		const workflow = new Workflow();
		const node = { retryOnFail: true, waitBetweenTries: 1, onError: 'continueRegularOutput' };
		await workflow.run([other.apiKey, api.keys.all]);
		const call = api.store.addCall({ created_at: ago(1) });
		const { json } = await workflow.run(['yk_wrong', api.keys.all], {}, { node });
		expect(json).toHaveLength(2);
		for (const { error } of json) expect(error).toContain("'Retry On Fail' is on");
		expect((await workflow.run()).ids).toEqual([call.id]);
	});

	test('Account stands for a client whose key changes [P185]', async () => {
		const workflow = new Workflow();
		const parameters = { options: { account: '={{ "client " + $json.client }}' } };
		await workflow.run([api.keys.all], parameters);
		const call = api.store.addCall({ created_at: ago(1) });
		expect((await workflow.run([api.keys.readWrite], parameters)).ids).toEqual([call.id]);
	});

	test('Limit delays, and drops nothing [P183]', async () => {
		const workflow = new Workflow();
		await workflow.run();
		const calls = [5, 4, 3, 2, 1].map((minutes) => api.store.addCall({ created_at: ago(minutes) }));
		const ids: unknown[] = [];
		for (let run = 0; run < 3; run++)
			ids.push(...(await workflow.run(undefined, { options: { executionLimit: 2 } })).ids);
		expect(ids).toEqual(calls.map(({ id }) => id));
	});

	test('if n8n does not hand over what it saved, the node says so and loses nothing in silence [P193]', async () => {
		const workflow = new Workflow();
		await workflow.run();
		api.store.addCall({ created_at: ago(1) });
		workflow.lose();
		expect((await workflow.run()).error?.message).toContain('did not hand over');
		// Another node of this name, as after the first was deleted.
		expect((await new Workflow().run()).error).toBeUndefined();
	});
});

test('Wallet: Get New Transactions shows the newest by hand, if the list begins with the oldest', async () => {
	await api.close();
	api = await startEmulator({ data: 'empty', readings: { order: 'oldest first' } });
	for (let at = 0; at < 150; at++) api.store.addTransaction({ created_at: ago(500 - at) });
	const newest = api.store.transactions.all().slice(-10);
	const workflow = new Workflow('wallet.getNewTransactions');
	const { ids } = await workflow.run(undefined, {}, { mode: 'manual' });
	expect(ids).toEqual(newest.map(({ id }) => id));
});

test('Wallet: Get New Transactions skips what exists when its filter changes, and when it changes back', async () => {
	const workflow = new Workflow('wallet.getNewTransactions');
	const newOf = async (filters: INodeParameters = {}) =>
		(await workflow.run(undefined, { filters })).ids;
	await newOf();
	for (const filters of [{ transaction_type: 'ADD' }, {}]) {
		api.store.addTransaction({ created_at: ago(1), transaction_type: 'ADD' });
		expect(await newOf(filters)).toEqual([]);
		expect(await newOf(filters)).toEqual([]);
	}
	const { id } = api.store.addTransaction({ created_at: ago(1) });
	expect(await newOf()).toEqual([id]);
	expect(await newOf()).toEqual([]);
});

test.each([null, 'x', { a: { batch: 1 } }, { a: { batch: 1, at: 1, state: 5 } }])(
	'a damaged memory %j is no error',
	async (damaged) => {
		const id = randomUUID();
		const { error } = await runNode({
			parameters: { resource: 'call', operation: 'getNew' },
			credentials: { ykVoiceApi: { apiKey: api.keys.all, baseUrl: api.url } },
			node: { id },
			staticData: { global: { [`ykVoiceGetNew:${id}`]: damaged } } as IDataObject,
			mode: 'trigger',
		});
		expect(error).toBeUndefined();
	},
);
