import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { accountInTime, clock, emulator, restart, run } from '../support/account.ts';
import { MINUTE } from '../support/stage.ts';

/** The clocks were set back in the night before the 25th. */
const NOW = Date.UTC(2026, 9, 26, 9);

accountInTime(NOW);

const runInRome = async (name: string, parameters: INodeParameters) =>
	await run(name, { returnAll: true, simplify: false, ...parameters }, [{}], {
		timezone: 'Europe/Rome',
	});

const datesOf = (records: IDataObject[]) => records.map(({ created_at: date }) => date).sort();

/** The last and the first moments around midnight in Rome. */
const AROUND = [
	'2026-10-23T22:00:00.000Z',
	'2026-10-24T21:59:59.999Z',
	'2026-10-24T22:00:00.000Z',
	'2026-10-25T22:59:59.999Z',
	'2026-10-25T23:00:00.000Z',
];
const [, , BEGIN, LAST] = AROUND as [string, string, string, string];

const ADD: Record<string, (created_at: string) => unknown> = {
	'call.getAll': (created_at) => emulator.store.addCall({ created_at }),
	'order.getAll': (created_at) => emulator.store.addOrder({ created_at }),
	'wallet.getTransactions': (created_at) => emulator.store.addTransaction({ created_at }),
};

describe.each(Object.entries(ADD))('%s of a period', (name, add) => {
	const read = async (filters: INodeParameters) => await runInRome(name, { filters });

	const SUNDAY = { created_after: '2026-10-25T00:00', created_before: '2026-10-26T00:00' };

	test.each([
		['exclusive', { period: 'yesterday' }],
		['inclusive', { period: 'yesterday' }],
		['exclusive', { period: 'between', ...SUNDAY }],
		['exclusive', SUNDAY],
	] as const)(
		'has its first moment and its last, with created_after %s: %j',
		async (bound, filters) => {
			await restart({ readings: { bound } });
			AROUND.forEach(add);
			expect(datesOf((await read(filters)).json)).toEqual(AROUND.slice(2, 4));
		},
	);

	describe('without a beginning', () => {
		beforeEach(() => AROUND.forEach(add));

		test('has all records created before its end', async () => {
			expect(datesOf((await read({ created_before: BEGIN })).json)).toEqual(AROUND.slice(0, 2));
			expect(emulator.requests[0]?.query).not.toHaveProperty('created_after');
		});

		test('leaves out a record without a date, and says so', async () => {
			add('soon');
			const { json, hints } = await read({ created_before: LAST });
			expect(datesOf(json)).toEqual(AROUND.slice(0, 3));
			const message = expect.stringMatching(/^1 of the records have no readable date.*left out/);
			expect(hints).toMatchObject([{ message }]);
		});
	});

	test('is refused if no record has a date', async () => {
		add('soon');
		const { error } = await read({ created_before: LAST });
		expect(error?.message).toContain('have no date and time in "created_at"');
	});
});

test.each(['created_at', '-created_at'])('a period is whole if sorted by %s', async (sort) => {
	for (let at = 0; at < 350; at++) emulator.store.addCall({ created_at: clock.iso(at * MINUTE) });
	const filters = {
		created_after: clock.iso(350 * MINUTE),
		created_before: clock.iso(200 * MINUTE),
	};
	const { error, json } = await runInRome('call.getAll', { filters, sort: { sort } });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(149);
});

test('Last Week is the same week in lists and in statistics, whichever day it begins on', async () => {
	// A Saturday, the Sunday after it, and the Sunday after that.
	for (const day of ['17', '18', '25'])
		for (const add of Object.values(ADD)) add(`2026-10-${day}T12:00:00.000Z`);
	const lists = [
		['call.getAll', 'call', 'calls'],
		['order.getAll', 'order', 'orders'],
		['wallet.getTransactions', 'wallet', 'transactions'],
	] as const;
	for (const [firstDay, count] of Object.entries({ monday: 1, sunday: 1, saturday: 2 })) {
		for (const [list, resource, column] of lists) {
			const { json } = await runInRome(list, { filters: { period: 'lastWeek', firstDay } });
			expect(json, `${list} ${firstDay}`).toHaveLength(count);
			const parameters = { period: 'lastWeek', options: { firstDay } };
			const statistics = await runInRome(`${resource}.getStatistics`, parameters);
			expect(statistics.json[0]?.[column], `${resource} ${firstDay}`).toBe(count);
		}
	}
});

test.each<[message: string, INodeParameters]>([
	["needs 'Created After' and 'Created Before'", { period: 'between', created_after: BEGIN }],
	['has bounds of its own', { period: 'today', created_after: BEGIN }],
	['must be later', { created_after: BEGIN, created_before: BEGIN }],
])('bounds that do not go together are refused: %s', async (message, filters) => {
	const { error } = await runInRome('call.getAll', { filters });
	expect(error?.message).toContain(message);
	expect(emulator.requests).toEqual([]);
});
