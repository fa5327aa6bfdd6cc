import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Fault } from '../emulator/index.ts';
import { severalAccounts } from '../support/account.ts';
import { ROOT } from '../support/root.ts';
import { mismatches, type Schema } from '../support/schemas.ts';
import { EVENT_NAMES, EVENTS, MINUTE, SECOND, stage, type StageOptions } from '../support/stage.ts';
import { ENGINES } from '../support/polling.ts';

// The trigger with several accounts in one credential. How one poll reads them: unit/accounts. Accounts that come, go
// and get other keys: the histories of unit/poll.

/** Two accounts, North and South, with one trigger. */
async function twoAccounts(
	event = 'newCall',
	parameters: INodeParameters = {},
	more: Partial<StageOptions> = {},
) {
	// Without n8n's scheduler, the context of this test would keep its first credential.
	const given = await stage({ event, parameters, engine: 'scheduler', ...more });
	const { emulator } = given;
	emulator.otherStore.addAgent('inbound');
	emulator.otherStore.setBalance(50);
	const keys = { North: emulator.keys.all, South: emulator.keys.otherOrg };
	given.poller.parameters = { ...given.poller.parameters, authentication: 'accounts' };
	/** The credential has these accounts from now on. */
	const use = (accounts: Record<string, string>) => {
		given.poller.credentials = severalAccounts(accounts, emulator.url);
	};
	use(keys);
	const south = { ...given, store: emulator.otherStore };
	/** Requests with this key have this status from now on. */
	const fail = (key: string, status: number) => {
		const match: Fault['match'] = ({ headers }) => headers.authorization === `Bearer ${key}`;
		emulator.faults.add({ kind: 'status', status, times: Infinity, match });
	};
	return { ...given, keys, south, fail, use };
}

const accountsOf = (items: IDataObject[]) => items.map(({ account }) => account);

/** What n8n's assistant is told of the items of the trigger. */
const SCHEMA = JSON.parse(
	readFileSync(join(ROOT, 'nodes/YkVoiceTrigger/__schema__/v1.0.0/output.json'), 'utf8'),
) as Schema;

/** Fields of the schema that no item below has. */
const ELSEWHERE = ['incomplete', 'new_fields', 'transcript_text', 'trigger_notice'];

const shown = new Set(ELSEWHERE);

describe.each(EVENT_NAMES)('the event %s', (event) => {
	const { happen, parameters } = EVENTS[event]!;

	it('starts the workflow for all accounts, and each item names its account', async () => {
		const given = await twoAccounts(event, parameters);
		const { poller, tick, south, keys } = given;
		if (event === 'contactAddedToList') {
			await expect(poller.activate()).rejects.toMatchObject({
				message: 'Contact Added to List: a contact list belongs to one account',
				description: expect.stringContaining("'Account Names or IDs'"),
			});
			poller.parameters = { ...poller.parameters, accounts: ['North'] };
		} else {
			await poller.activate();
			const expected = await happen(south);
			expect(await tick()).toEqual([expect.objectContaining({ account: 'South', ...expected })]);
		}
		await poller.activate();
		const expected = await happen(given);
		const items = await tick();
		expect(items).toEqual([expect.objectContaining({ account: 'North', ...expected })]);
		for (const name of Object.keys(items[0]!)) shown.add(name);
		expect(mismatches(items[0]!, SCHEMA)).toEqual([]);
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
		for (const key of Object.values(keys)) expect(poller.known).not.toContain(key);
	});
});

it('the output schema names only fields that items have', () => {
	expect(Object.keys(SCHEMA.properties).filter((field) => !shown.has(field))).toEqual([]);
});

it('Account Names or IDs chooses some of them, also by an expression', async () => {
	const accounts = '={{ ["South"] }}';
	const { poller, tick, store, south } = await twoAccounts('newCall', { accounts });
	await poller.activate();
	store.addCall();
	south.store.addCall();
	expect(accountsOf(await tick())).toEqual(['South']);
});

it.each([
	['no account, by an expression', '={{ [] }}', /'Account Names or IDs' has no value/],
	['an unknown one', ['Nowhere'], /none of the accounts under 'Account Names or IDs'/],
])('to choose %s is refused', async (_what, accounts, message) => {
	const { poller, emulator } = await twoAccounts('newCall', { accounts });
	await expect(poller.activate()).rejects.toThrow(message);
	expect(emulator.requests).toEqual([]);
});

describe('an account that fails', () => {
	it.each(ENGINES)(
		'is named once by a failed execution, and the others go on, with n8n’s %s engine',
		async (engine) => {
			const { poller, tick, store, south, fail, keys, emulator } = await twoAccounts(
				'newCall',
				{},
				{ engine },
			);
			await poller.activate();
			// Another kind of failure is told, and the first one again after it was well.
			for (const status of [401, 403, 401]) {
				fail(keys.South, status);
				store.addCall();
				south.store.addCall();
				const error = await poller.failingTick();
				expect(error.message).toMatch(new RegExp(`^South: .*${status}`));
				// With a status, n8n with durable cursors would pause the trigger.
				for (const part of [error, error.cause]) expect(part).not.toHaveProperty('httpCode');
				expect(error.failure).toBeUndefined();
				expect(accountsOf(await tick())).toEqual(['North']);
				expect(await tick()).toEqual([]);
				emulator.faults.clear();
				expect(accountsOf(await tick())).toEqual(['South']);
			}
			expect(poller.errors).toHaveLength(3);
			expect(poller.items.filter((item) => 'trigger_notice' in item)).toEqual([]);
		},
	);

	it('is named if its key is no key, and begins when it is corrected', async () => {
		const { poller, tick, store, south, keys, use } = await twoAccounts();
		use({ ...keys, South: '***' });
		await poller.activate();
		store.addCall();
		expect((await poller.failingTick()).message).toMatch(/^South: The key of "South"/);
		use(keys);
		expect(accountsOf(await tick())).toEqual(['North']);
		south.store.addCall();
		expect(accountsOf(await tick())).toEqual(['South']);
	});

	it('is told once more if n8n starts again before anything has come', async () => {
		const { poller, tick, store, fail, keys } = await twoAccounts(
			'newCall',
			{},
			{ engine: 'legacy' },
		);
		await poller.activate();
		fail(keys.South, 401);
		// n8n stores that it was told with the next item.
		for (const [told, isItem] of [
			[1, false],
			[1, true],
			[0, false],
		] as const) {
			await tick();
			await tick();
			expect(poller.errors.splice(0)).toHaveLength(told);
			if (isItem) store.addCall();
			expect(await tick()).toHaveLength(isItem ? 1 : 0);
			await poller.restart();
		}
	});

	it('is told after 15 minutes if it may pass by itself', async () => {
		const { poller, fail, keys, tick, store } = await twoAccounts();
		await poller.activate();
		fail(keys.South, 500);
		for (let minute = 0; minute <= 15; minute += 1) {
			store.addCall();
			expect(await tick()).toHaveLength(minute < 15 ? 1 : 0);
		}
		expect(poller.errors).toMatchObject([{ message: expect.stringMatching(/^South: .*500/) }]);
		expect(await tick()).toHaveLength(1);
	});

	it('does not stop the publishing: the next poll names it, and it begins with the first poll that can read it', async () => {
		const { poller, fail, keys, south, tick, clock, emulator } = await twoAccounts();
		fail(keys.South, 401);
		expect(await poller.activate()).toEqual([]);
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/^South: .*401/);
		south.store.addCall();
		emulator.faults.clear();
		expect(await tick()).toEqual([]);
		south.store.addCall();
		expect(accountsOf(await tick())).toEqual(['South']);
	});
});

it('accounts that all fail, or that cannot be read, fail the publishing and the poll, and nothing is lost', async () => {
	const { poller, store, tick, fail, keys, emulator, use } = await twoAccounts();
	const failAll = () => Object.values(keys).forEach((key, at) => fail(key, [401, 500][at]!));
	failAll();
	await expect(poller.activate()).rejects.toThrow(/^North: .*401.* South: .*500/);
	emulator.faults.clear();
	await poller.activate();
	store.addCall();
	failAll();
	const error = await poller.failingTick();
	expect(error.message).toMatch(/^North: .*401.* South: .*500/);
	// n8n would pause the trigger for the status of one account.
	expect(error).not.toHaveProperty('httpCode');
	expect(error.failure).toBeUndefined();
	emulator.faults.clear();
	use({ North: '***' });
	expect((await poller.failingTick()).message).toContain('***');
	use(keys);
	expect(accountsOf(await tick())).toEqual(['North']);
});

/** Events of a value, which shows no records. */
const VALUES = ['lowBalance', 'lowMinutes'];

const SEVERAL = EVENT_NAMES.filter((event) => event !== 'contactAddedToList');

describe.each(SEVERAL)('keys that are swapped, with the event %s', (event) => {
	it.each(['uuid', 'whole number'] as const)(
		'start from now, and say so (IDs: %s)',
		async (ids) => {
			const { happen, parameters } = EVENTS[event]!;
			const given = await twoAccounts(event, parameters, { readings: { ids } });
			const { poller, clock, tick, south, keys, use } = given;
			// Calendar events show no date of creation. With one ID and one status they are told apart by nothing.
			if (event !== 'eventStatusChanged') for (const { store } of [given, south]) store.made = 500;
			// Before the activation nothing polls, so each of both has records that nobody was told of.
			for (const stage of [given, south, south]) {
				await happen(stage);
				clock.advance(SECOND);
			}
			await poller.activate();
			if (!VALUES.includes(event)) {
				await happen(given);
				await tick();
			}
			const before = poller.items.length;
			use({ North: keys.South, South: keys.North });
			clock.advance(MINUTE);
			expect((await poller.failingTick()).message).toMatch(
				/^North, South: .*started again from now/,
			);
			expect(await tick()).toEqual([]);
			expect(poller.items).toHaveLength(before);
			const { id, ...expected } = await happen(south);
			await tick();
			expect(poller.items.at(-1)).toMatchObject({ account: 'North', ...expected });
			if (id !== undefined) expect(String(poller.items.at(-1)!.id)).toBe(id);
			expect(poller.items).toHaveLength(before + 1);
		},
	);

	it('of the same account go on', async () => {
		if (VALUES.includes(event)) return;
		const { happen, parameters } = EVENTS[event]!;
		const given = await twoAccounts(event, parameters);
		const { poller, tick, emulator, use, keys } = given;
		await poller.activate();
		await happen(given);
		await tick();
		const expected = await happen(given);
		use({ ...keys, North: emulator.keys.read });
		expect(await tick()).toEqual([expect.objectContaining({ account: 'North', ...expected })]);
		expect(poller.errors).toEqual([]);
	});
});

it('nothing of another account is an old value of an agent, although its details cannot be read', async () => {
	const { poller, tick, store, south, keys, use, emulator, clock } = await twoAccounts(
		'agentChanged',
		{},
		{ readings: { ids: 'whole number' } },
	);
	await poller.activate();
	use({ North: keys.South, South: keys.North });
	emulator.faults.add({
		kind: 'status',
		status: 500,
		times: Infinity,
		match: ({ path }) => /agents\/./.test(path),
	});
	clock.advance(MINUTE);
	expect((await poller.failingTick()).message).toMatch(/^North, South: .*500/);
	emulator.faults.clear();
	await poller.failingTick();
	for (const one of [store, south.store]) {
		const [agent] = one.agents.all();
		one.agents.change(agent!.id, { first_message: 'Hello' });
	}
	for (const item of await tick()) expect(item).toMatchObject({ changed_fields: 'first_message' });
	expect(poller.items).toHaveLength(2);
});

it('60 wallets that fall give 60 alarms, and nothing warns', async () => {
	const warnings: string[] = [];
	const onWarning = (warning: Error) => void warnings.push(warning.name);
	process.on('warning', onWarning);
	onTestFinished(() => void process.off('warning', onWarning));
	const { poller, emulator, tick, use } = await twoAccounts('lowBalance', { threshold: 10 });
	const all = Array.from({ length: 60 }, () => emulator.addOrganization('empty'));
	for (const { store } of all) store.setBalance(50);
	use(Object.fromEntries(all.map(({ apiKey }, at) => [`Client ${at}`, apiKey])));
	await poller.activate();
	for (const { store } of all) store.setBalance(5);
	const items = await tick();
	expect(new Set(accountsOf(items)).size).toBe(60);
	expect(await tick()).toEqual([]);
	expect(warnings).toEqual([]);
});

it('the test event is the newest record of the accounts', async () => {
	const { poller, store, south, clock } = await twoAccounts();
	store.addCall();
	clock.advance(MINUTE);
	const { id } = south.store.addCall();
	clock.advance(MINUTE);
	expect(await poller.fetchTestEvent()).toMatchObject([{ account: 'South', id }]);
	const { id: newest } = store.addCall();
	expect(await poller.fetchTestEvent()).toMatchObject([{ account: 'North', id: newest }]);
});
