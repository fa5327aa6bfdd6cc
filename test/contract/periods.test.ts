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

/** The lists that have a period, with their statistics. */
const LISTS: Array<
	[list: string, resource: string, column: string, add: (created_at: string) => unknown]
> = [
	['call.getAll', 'call', 'calls', (created_at) => emulator.store.addCall({ created_at })],
	['order.getAll', 'order', 'orders', (created_at) => emulator.store.addOrder({ created_at })],
	[
		'wallet.getTransactions',
		'wallet',
		'transactions',
		(created_at) => emulator.store.addTransaction({ created_at }),
	],
];

describe.each(LISTS)('%s of a period', (name, resource, column, add) => {
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

	test('Yesterday and Last Week are the same in statistics, whichever day the week begins on', async () => {
		AROUND.forEach(add);
		// A Saturday and the Sunday after it. The 25th of AROUND is the next Sunday.
		for (const day of ['17', '18']) add(`2026-10-${day}T12:00:00.000Z`);
		for (const [period, firstDay, count] of [
			['yesterday', 'monday', 2],
			['lastWeek', 'monday', 4],
			['lastWeek', 'sunday', 3],
		] as const) {
			const { json } = await read({ period, firstDay });
			expect(json, firstDay).toHaveLength(count);
			const given = { period, options: { firstDay } };
			const statistics = await runInRome(`${resource}.getStatistics`, given);
			expect(statistics.json[0]?.[column], firstDay).toBe(count);
		}
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

test.each<[message: string, INodeParameters, name?: string]>([
	[
		"needs 'Created After' and 'Created Before'",
		{ filters: { period: 'between', created_after: BEGIN } },
	],
	['has bounds of its own', { filters: { period: 'today', created_after: BEGIN } }],
	['must be later', { filters: { created_after: BEGIN, created_before: BEGIN } }],
	[
		"'Until' must be later than 'From'",
		...([{ period: 'between', from: BEGIN, until: BEGIN }, 'order.getStatistics'] as const),
	],
])('bounds that do not go together are refused: %s', async (message, parameters, name) => {
	const { error } = await runInRome(name ?? 'call.getAll', parameters);
	expect(error?.message).toContain(message);
	expect(emulator.requests).toEqual([]);
});
