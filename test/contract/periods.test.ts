import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import { changeAccount, emulator, run } from '../support/account.ts';
import { Clock } from '../support/clock.ts';
import { locator } from '../support/samples.ts';

/** The clocks were set back in the night before the 25th. */
const NOW = Date.UTC(2026, 9, 26, 9);

let clock: Clock;
const renew = async (options: EmulatorOptions = {}) =>
	await changeAccount({ data: 'empty', now: () => clock.server, ...options });

beforeEach(async () => {
	clock = new Clock(NOW);
	await renew();
});

afterEach(async () => {
	clock.thaw();
	await emulator.close();
});

const runInRome = async (name: string, parameters: INodeParameters) =>
	await run(name, { returnAll: true, simplify: false, ...parameters }, [{}], {
		timezone: 'Europe/Rome',
	});
const getCalls = async (parameters: INodeParameters) => await runInRome('call.getAll', parameters);

const datesOf = (records: IDataObject[]) => records.map(({ created_at: date }) => date).sort();

/** The last and the first moments around midnight in Rome. */
const AROUND = [
	'2026-10-23T22:00:00.000Z',
	'2026-10-24T21:59:59.999Z',
	'2026-10-24T22:00:00.000Z',
	'2026-10-25T22:59:59.999Z',
	'2026-10-25T23:00:00.000Z',
];

const ADD: Record<string, (created_at: string) => unknown> = {
	'call.getAll': (created_at) => emulator.store.addCall({ created_at }),
	'order.getAll': (created_at) => emulator.store.addOrder({ created_at }),
	'wallet.getTransactions': (created_at) => emulator.store.addTransaction({ created_at }),
};

describe.each(Object.entries(ADD))('%s of a period', (name, add) => {
	test.each([
		['exclusive' as const, { period: 'yesterday' }],
		['inclusive' as const, { period: 'yesterday' }],
		[
			'exclusive' as const,
			{ period: 'between', created_after: '2026-10-25T00:00', created_before: '2026-10-26T00:00' },
		],
		[
			'exclusive' as const,
			{ created_after: '2026-10-25T00:00', created_before: '2026-10-26T00:00' },
		],
	])('created_after %s, %j: from its first moment to its last', async (bound, filters) => {
		await renew({ readings: { bound } });
		AROUND.forEach(add);
		const { json, error } = await runInRome(name, { filters });
		expect(error).toBeUndefined();
		expect(datesOf(json)).toEqual(AROUND.slice(2, 4));
	});

	test('without a beginning has all records created before its end', async () => {
		AROUND.forEach(add);
		const { json } = await runInRome(name, { filters: { created_before: AROUND[2]! } });
		expect(datesOf(json)).toEqual(AROUND.slice(0, 2));
		expect(emulator.requests[0]?.query).not.toHaveProperty('created_after');
	});

	test('leaves out a record without a date, and says so', async () => {
		AROUND.forEach(add);
		add('soon');
		const { json, hints } = await runInRome(name, { filters: { created_before: AROUND[3]! } });
		expect(datesOf(json)).toEqual(AROUND.slice(0, 3));
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^1 of the records have no readable date.*left out/),
		]);
	});

	test('is refused if no record has a date', async () => {
		add('soon');
		const { error } = await runInRome(name, { filters: { created_before: AROUND[3]! } });
		expect(error?.message).toContain('have no date and time in "created_at"');
	});
});

test.each(['created_at', '-created_at'])('a period is whole if sorted by %s', async (sort) => {
	await renew();
	for (let at = 0; at < 350; at++) {
		emulator.store.addCall({ created_at: new Date(NOW - at * 60_000).toISOString() });
	}
	const [from, until] = [350, 200].map((minutes) => new Date(NOW - minutes * 60_000).toISOString());
	const filters = { created_after: from!, created_before: until! };
	const { error, json } = await getCalls({ filters, sort: { sort } });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(149);
});

test('Last Week is the same week in lists and in statistics, whichever day it begins on', async () => {
	// A Saturday, the Sunday after it, and the Sunday after that.
	for (const day of ['17', '18', '25']) {
		const created_at = `2026-10-${day}T12:00:00.000Z`;
		for (const add of Object.values(ADD)) add(created_at);
	}
	for (const [firstDay, count] of [
		['monday', 1],
		['sunday', 1],
		['saturday', 2],
	] as const) {
		const filters = { period: 'lastWeek', firstDay };
		const options = { firstDay };
		for (const [name, column] of [
			['call', 'calls'],
			['order', 'orders'],
			['wallet', 'transactions'],
		] as const) {
			const list = name === 'wallet' ? 'wallet.getTransactions' : `${name}.getAll`;
			const { json } = await runInRome(list, { filters });
			const counted = await runInRome(`${name}.getStatistics`, { period: 'lastWeek', options });
			expect([json.length, counted.json[0]?.[column]], `${name} ${firstDay}`).toEqual([
				count,
				count,
			]);
		}
	}
});

describe('filters that do not go together', () => {
	test('Sort and Sort Field', async () => {
		const { error } = await getCalls({ sort: { sort: 'created_at', sortField: 'cost' } });
		expect(error?.message).toContain("Sort Field' takes the place of 'Sort By': remove one");
		expect(emulator.requests).toEqual([]);
	});

	test.each<[INodeParameters, string]>([
		[
			{ period: 'between', created_after: AROUND[0]! },
			"needs 'Created After' and 'Created Before'",
		],
		[{ period: 'today', created_after: AROUND[0]! }, 'has bounds of its own'],
		[{ created_after: AROUND[1]!, created_before: AROUND[1]! }, 'must be later'],
	])('%j', async (filters, message) => {
		const { error } = await getCalls({ filters });
		expect(error?.message).toContain(message);
		expect(emulator.requests).toEqual([]);
	});
});

describe('calls of an agent', () => {
	test('are found by the node, in a period or not, up to the limit', async () => {
		const [one, other] = [emulator.store.addAgent('inbound'), emulator.store.addAgent('inbound')];
		for (let at = 0; at < 250; at++) {
			emulator.store.addCall({ agent_id: at % 50 === 0 ? one.id : other.id });
		}
		const filters = { agent_id: locator(one.id.toUpperCase()) };
		const { json } = await getCalls({ filters });
		expect(json).toHaveLength(5);
		expect(json.every(({ agent_id: id }) => id === one.id)).toBe(true);
		expect((await getCalls({ filters, returnAll: false, limit: 2 })).json).toHaveLength(2);
		const today = await getCalls({ filters: { ...filters, period: 'today' } });
		expect(today.json).toHaveLength(5);
	});

	test('are refused for an ID that no agent can have, such as one that a model invents', async () => {
		emulator.store.addCall({ agent_id: emulator.store.addAgent('inbound').id });
		for (const name of ['Aurora', '12345']) {
			const { error } = await getCalls({ filters: { agent_id: locator(name) } });
			expect(error?.message).toContain('Choose the agent from the list');
		}
	});

	test('leave out a call that says that it has no agent, without a hint', async () => {
		const { id } = emulator.store.addAgent('inbound');
		emulator.store.addCall({ agent_id: null as never });
		const { json, hints } = await getCalls({ filters: { agent_id: locator(id) } });
		expect({ json, hints }).toEqual({ json: [], hints: [] });
	});
});

const PERSON = '+390612345678';

test('calls of a person are found by their number, in a period or not', async () => {
	for (const phone_number of [PERSON, '+14155550123', PERSON]) {
		emulator.store.addCall({ phone_number });
	}
	const filters = { phone_number: '+39 06 1234 5678' };
	const { json } = await getCalls({ filters });
	expect(json.map(({ phone_number: number }) => number)).toEqual([PERSON, PERSON]);
	expect((await getCalls({ filters: { ...filters, period: 'today' } })).json).toHaveLength(2);
	const statistics = { period: 'today', filters };
	expect((await runInRome('call.getStatistics', statistics)).json).toMatchObject([{ calls: 2 }]);
});

describe('calls that do not show what they are filtered by', () => {
	test.each([
		['agent_id', (id: string) => ({ agent_id: locator(id) }), 'agent by such an ID'],
		['phone_number', () => ({ phone_number: PERSON }), 'phone number'],
		['call_status', () => ({ call_status: ['Completed', 'Busy'] }), 'status'],
	] as const)(
		'are left out, and counted, if others show it, and an error otherwise: %s',
		async (field, filterBy, what) => {
			const { id } = emulator.store.addAgent('inbound');
			const filters = filterBy(id);
			emulator.store.addCall({ agent_id: id, phone_number: PERSON, [field]: undefined });
			expect((await getCalls({ filters })).error?.message).toContain('do not show their');
			const shown = emulator.store.addCall({ agent_id: id, phone_number: PERSON });
			const { json, hints } = await getCalls({ filters });
			expect(json.map(({ id: found }) => found)).toEqual([shown.id]);
			const left = [
				expect.objectContaining({
					message: expect.stringContaining(
						`Calls left out, because they do not show their ${what}: 1.`,
					),
				}),
			];
			expect(hints).toEqual(left);
			const statistics = await runInRome('call.getStatistics', { period: 'today', filters });
			expect(statistics).toMatchObject({ json: [{ calls: 1 }], hints: left });
			expect(await runInRome('call.count', { filters })).toMatchObject({
				json: [{ count: 1 }],
				hints: left,
			});
		},
	);
});

test('the order of calls is by any field that the user names', async () => {
	for (const duration_seconds of [20, 40, 30]) emulator.store.addCall({ duration_seconds });
	const { json } = await getCalls({ sort: { sortField: '-duration_seconds' } });
	expect(json.map(({ duration_seconds: seconds }) => seconds)).toEqual([40, 30, 20]);
	const { error } = await getCalls({ sort: { sortField: 'mood' } });
	expect(error?.description).toContain("Change or remove 'Sort Field'");
});
