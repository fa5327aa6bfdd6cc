import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import {
	startEmulator,
	type AddedOrganization,
	type Emulator,
	type FaultKind,
	type LoggedRequest,
	type Store,
} from '../emulator/index.ts';
import { operationsOf } from '../support/description.ts';
import { loadPackage, runNode } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';

// No request ever carries another item's key, whatever fails: for random items of random accounts.

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

const ACCOUNTS = 2;

/** An item without an account: its credential has no key. */
const NOBODY = -1;

interface Case {
	/** The account of each item. */
	owners: number[];
	concurrency: number;
	writes: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** What goes wrong, for which account, and after how many of its requests. */
	faults: Array<{ fault: FaultKind; account: number; skip: number }>;
	/** An account whose key is revoked. */
	revoked: number | undefined;
}

const SOON = '0.01';

const account = fc.integer({ min: 0, max: ACCOUNTS - 1 });

const fault = fc.constantFrom<FaultKind>(
	{ kind: 'status', status: 429, retryAfter: SOON },
	{ kind: 'status', status: 503, retryAfter: SOON },
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 400 },
	{ kind: 'unauthorized' },
	{ kind: 'half-body' },
	{ kind: 'no-meta' },
	{ kind: 'html' },
);

const withoutFaults: fc.Arbitrary<Case> = fc.record({
	owners: fc.array(account, { minLength: 1, maxLength: 6 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	writes: fc.integer({ min: 1, max: 3 }),
	onError: fc.constant('continueRegularOutput'),
	faults: fc.constant([]),
	revoked: fc.constant(undefined),
});

const withFaults: fc.Arbitrary<Case> = fc.record({
	owners: fc.array(fc.oneof({ weight: 9, arbitrary: account }, fc.constant(NOBODY)), {
		minLength: 2,
		maxLength: 6,
	}),
	concurrency: fc.integer({ min: 1, max: 5 }),
	writes: fc.integer({ min: 1, max: 3 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	faults: fc.array(fc.record({ fault, account, skip: fc.integer({ min: 0, max: 3 }) }), {
		maxLength: 4,
	}),
	revoked: fc.option(account, { nil: undefined, freq: 4 }),
});

/** An emulator with its accounts, each with another balance. */
async function world(fill = 0) {
	const emulator = await startEmulator({ data: 'empty' });
	const accounts = Array.from({ length: ACCOUNTS }, () => emulator.addOrganization());
	for (const [at, { store }] of accounts.entries()) {
		store.setBalance(1000 + at);
		if (fill > 0) store.fill({ calls: fill });
	}
	return { emulator, accounts, owners: ownersOf(accounts) };
}

/** The account of each record, by the record's id. */
function ownersOf(accounts: AddedOrganization[]): Map<string, number> {
	const tablesOf = (store: Store) => [
		store.agents,
		store.contacts,
		store.contactLists,
		store.calls,
		store.catalogues,
		store.items,
		store.orders,
		store.events,
		store.campaigns,
		store.transactions,
	];
	return new Map(
		accounts.flatMap(({ store }, at) =>
			tablesOf(store).flatMap((table) => table.all().map(({ id }) => [id, at] as const)),
		),
	);
}

/** The accounts whose ids occur in a value. */
function mentioned(owners: Map<string, number>, what: unknown): Set<number> {
	const words = JSON.stringify(what).match(/[0-9a-f-]{36}/g) ?? [];
	return new Set(words.map((word) => owners.get(word)).filter((owner) => owner !== undefined));
}

/**
 * Merges the parameters of one operation for several accounts. If a value differs between accounts, it
 * becomes an expression, and each item brings the value of its account.
 */
function merged(samples: INodeParameters[]) {
	const given: unknown[][] = samples.map(() => []);
	const merge = (parts: unknown[]): unknown => {
		const [first] = parts;
		if (new Set(parts.map((part) => JSON.stringify(part))).size === 1) return first;
		const lists = parts.filter(Array.isArray) as unknown[][];
		if (lists.length === parts.length && new Set(lists.map(({ length }) => length)).size === 1) {
			return lists[0]!.map((_, at) => merge(lists.map((list) => list[at])));
		}
		if (typeof first === 'object' && first !== null && !Array.isArray(first)) {
			return Object.fromEntries(
				Object.keys(first).map((name) => [
					name,
					merge(parts.map((part) => (part as IDataObject)[name])),
				]),
			);
		}
		const at = given[0]!.length;
		parts.forEach((part, account) => given[account]!.push(part));
		return `={{ $json.given[${at}] }}`;
	};
	return { parameters: merge(samples) as INodeParameters, given };
}

/** An operation that takes many requests for each record gets few records. */
const FEW: Record<string, object> = { 'call.getAll': { returnAll: false, limit: 1 } };

type World = Awaited<ReturnType<typeof world>>;

async function runCase({ emulator, accounts }: World, name: string, random: Case, more?: object) {
	const samples = accounts.map(
		({ store }) => samplesFor({ ...emulator, store } as Emulator)[name]!,
	);
	const { parameters, given } = merged(
		samples.map((sample) => ({ ...sample.parameters, ...FEW[name], ...more })),
	);
	const items = random.owners.map((owner): INodeExecutionData => {
		const [record = {}] = samples[Math.max(owner, 0)]!.items ?? [];
		return {
			json: {
				...record,
				given: given[Math.max(owner, 0)] as never,
				...(owner !== NOBODY && { key: accounts[owner]!.apiKey }),
			},
		};
	});
	for (const { fault, account, skip } of random.faults) {
		emulator.faults.add({
			...fault,
			skip,
			match: (request) => ownerOf(accounts, request) === account,
		});
	}
	if (random.revoked !== undefined) accounts[random.revoked]!.revoke();
	const [resource, operation] = name.split('.');
	const { concurrency, writes, onError } = random;
	return await runNode({
		parameters: {
			resource: resource!,
			operation: operation!,
			...parameters,
			requestOptions: { concurrency, writes },
		},
		items,
		node: { onError },
		credentials: { ykVoiceApi: { apiKey: '={{ $json.key }}', baseUrl: emulator.url } },
	});
}

function ownerOf(accounts: AddedOrganization[], { headers }: Pick<LoggedRequest, 'headers'>) {
	return accounts.findIndex(({ apiKey }) => headers.authorization === `Bearer ${apiKey}`);
}

type Pair = { item: number };

/** What must hold, whatever fails. */
function assertApart(
	{ emulator, accounts, owners }: World,
	{ owners: ofItems }: Case,
	outputs: INodeExecutionData[][],
) {
	const asked = ofItems.filter((owner) => owner !== NOBODY);
	for (const request of emulator.requests) {
		const owner = ownerOf(accounts, request);
		expect(asked, 'a key of no item').toContain(owner);
		const { path, query, body } = request;
		const named = mentioned(owners, [decodeURIComponent(path), query, body ?? null]);
		expect([...named], `${request.method} ${path}`).toEqual(named.size === 0 ? [] : [owner]);
	}
	for (const { json, pairedItem } of outputs.flat()) {
		const pairs = [pairedItem].flat() as Pair[];
		const itemsOwners = new Set(pairs.map(({ item }) => ofItems[item]!));
		expect(itemsOwners.size, 'one output of two accounts').toBe(1);
		const named = mentioned(owners, json);
		expect([...named], 'another account’s record').toEqual(
			named.size === 0 ? [] : [...itemsOwners],
		);
		if (typeof json.balance === 'number') {
			expect(json.balance).toBe(1000 + [...itemsOwners][0]!);
		}
	}
	const keys = accounts.map(({ apiKey }) => apiKey);
	expect(JSON.stringify(outputs)).not.toMatch(new RegExp(keys.join('|')));
}

async function check(random: Case, name: string, more?: object, fill?: number) {
	const here = await world(fill);
	try {
		const { outputs, error } = await runCase(here, name, random, more);
		assertApart(here, random, outputs);
		return { ...here, outputs, error };
	} finally {
		await here.emulator.close();
	}
}

// After a refusal the node sends more slowly, which takes long on a busy machine.
describe.concurrent('no request carries another item’s key [P120]', { timeout: 120_000 }, () => {
	test.each(operations)('%s', async (name) => {
		await fc.assert(
			fc.asyncProperty(withoutFaults, async (random) => {
				const { emulator, accounts, outputs } = await check(random, name);
				const present = [...new Set(random.owners)].sort();
				const asked = emulator.requests.map((request) => ownerOf(accounts, request));
				expect([...new Set(asked)].sort()).toEqual(present);
				const served = outputs
					.flat()
					.filter(({ json }) => json.error === undefined)
					.map(({ pairedItem }) => random.owners[([pairedItem].flat() as Pair[])[0]!.item]!);
				expect([...new Set(served)].sort()).toEqual(present);
			}),
			{ numRuns: 1 },
		);
		await fc.assert(
			fc.asyncProperty(withFaults, async (random) => void (await check(random, name))),
			{ numRuns: 1 },
		);
	});

	test('through the pages of lists, and what is added to their records [P120]', async () => {
		const more = { returnAll: true, options: { include: ['detail'] } };
		await fc.assert(
			fc.asyncProperty(withFaults, async (random) => {
				await check(random, 'call.getAll', more, 130);
			}),
			{ numRuns: 2 },
		);
	});
});

test('the check notices the key of another account', () => {
	const accounts = ['yk_a', 'yk_b'].map((apiKey) => ({ apiKey }) as AddedOrganization);
	const id = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
	const request = {
		method: 'GET',
		path: `/contacts/${id}`,
		query: {},
		body: undefined,
		headers: { authorization: 'Bearer yk_a' },
	} as unknown as LoggedRequest;
	const here = (owner: number) =>
		({
			emulator: { requests: [request] },
			accounts,
			owners: new Map([[id, owner]]),
		}) as unknown as World;
	const random = { owners: [0, 1] } as unknown as Case;
	expect(() => assertApart(here(0), random, [])).not.toThrow();
	expect(() => assertApart(here(1), random, [])).toThrow(/GET \/contacts/);
});
