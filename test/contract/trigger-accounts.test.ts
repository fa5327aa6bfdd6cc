import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Fault } from '../emulator/index.ts';
import { severalAccounts } from '../support/account.ts';
import { ROOT } from '../support/root.ts';
import { mismatches, type Schema } from '../support/schemas.ts';
import { EVENT_NAMES, EVENTS, HOUR, MINUTE, stage } from '../support/stage.ts';

// The trigger with several accounts in one credential. How one poll reads them: unit/accounts. Accounts that come, go
// and get other keys: the histories of unit/poll.

/** Two accounts, North and South, with one trigger. */
async function twoAccounts(event = 'newCall', parameters: INodeParameters = {}) {
	// Without n8n's scheduler, the context of this test would keep its first credential.
	const given = await stage({ event, parameters, engine: 'scheduler' });
	const { emulator } = given;
	emulator.otherStore.addAgent('inbound');
	emulator.otherStore.setBalance(50);
	const keys = { North: emulator.keys.all, South: emulator.keys.otherOrg };
	given.poller.credentials = severalAccounts(keys, emulator.url);
	given.poller.parameters = { ...given.poller.parameters, authentication: 'accounts' };
	const south = { ...given, store: emulator.otherStore };
	/** Requests with this key have this status from now on. */
	const fail = (key: string, status: number) => {
		const match: Fault['match'] = ({ headers }) => headers.authorization === `Bearer ${key}`;
		emulator.faults.add({ kind: 'status', status, times: Infinity, match });
	};
	return { ...given, keys, south, fail };
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
	it('is named once, the others go on, and its calls come later', async () => {
		const { poller, tick, store, south, fail, keys, emulator } = await twoAccounts();
		await poller.activate();
		fail(keys.South, 401);
		store.addCall();
		south.store.addCall();
		const [item, ...others] = await tick();
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			account: 'North',
			trigger_notice: expect.stringMatching(/^South: .*401/),
		});
		store.addCall();
		expect((await tick())[0]).not.toHaveProperty('trigger_notice');
		emulator.faults.clear();
		expect(accountsOf(await tick())).toEqual(['South']);
	});

	it('is named if its key is no key, and begins when it is corrected', async () => {
		const { poller, tick, store, keys, emulator } = await twoAccounts();
		poller.credentials = severalAccounts({ ...keys, South: '***' }, emulator.url);
		await poller.activate();
		store.addCall();
		expect(await tick()).toMatchObject([
			{ account: 'North', trigger_notice: expect.stringMatching(/^South: The key of "South"/) },
		]);
	});

	it('is told by a failed execution if nothing else comes, without a status that would slow n8n down', async () => {
		const { poller, fail, keys, tick, emulator } = await twoAccounts();
		await poller.activate();
		// Another kind of failure is told, and the first one again after it.
		for (const status of [401, 403, 401]) {
			fail(keys.South, status);
			const error = await poller.failingTick();
			expect(error.message).toMatch(new RegExp(`^South: .*${status}`));
			for (const part of [error, error.cause]) expect(part).not.toHaveProperty('httpCode');
			expect(error.failure).toBeUndefined();
			expect(await tick()).toEqual([]);
			emulator.faults.clear();
		}
		expect(poller.errors).toHaveLength(3);
	});

	it('is told after 15 minutes if it may pass by itself', async () => {
		const { poller, fail, keys, tick } = await twoAccounts();
		await poller.activate();
		fail(keys.South, 500);
		for (let minute = 0; minute < 15; minute += 1) await tick();
		expect(poller.errors).toEqual([]);
		expect(await tick()).toEqual([]);
		await tick(HOUR);
		expect(poller.errors).toMatchObject([{ message: expect.stringMatching(/^South: .*500/) }]);
	});

	it('does not stop the publishing: the next poll names it, and it begins later', async () => {
		const { poller, fail, keys, south, tick, clock, emulator } = await twoAccounts();
		fail(keys.South, 500);
		expect(await poller.activate()).toEqual([]);
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/^South: .*500/);
		south.store.addCall();
		emulator.faults.clear();
		expect(await tick()).toEqual([]);
		south.store.addCall();
		expect(accountsOf(await tick())).toEqual(['South']);
	});
});

it('accounts that all fail, or whose keys are all wrong, fail the publishing and the poll, and nothing is lost', async () => {
	const { poller, store, tick, fail, keys, emulator } = await twoAccounts();
	const failAll = () => Object.values(keys).forEach((key) => fail(key, 401));
	failAll();
	await expect(poller.activate()).rejects.toMatchObject({ httpCode: '401' });
	emulator.faults.clear();
	await poller.activate();
	store.addCall();
	failAll();
	await poller.failingTick();
	emulator.faults.clear();
	const right = poller.credentials;
	poller.credentials = severalAccounts({ North: '***' }, emulator.url);
	expect((await poller.failingTick()).message).toContain('***');
	poller.credentials = right;
	expect(accountsOf(await tick())).toEqual(['North']);
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
