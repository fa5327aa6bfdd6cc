import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { currencyIn } from '../../nodes/domain/money.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { callSubject } from '../../nodes/statistics/callStatistics.ts';
import { byTime } from '../../nodes/statistics/groupings.ts';
import { orderSubject } from '../../nodes/statistics/orderStatistics.ts';
import { periodsOf, Tabulation, UNGROUPED, type Layout } from '../../nodes/statistics/tabulate.ts';
import { walletSubject } from '../../nodes/statistics/walletStatistics.ts';

const ZONE = 'Europe/Rome';
const NOW = DateTime.fromISO('2026-11-21T10:00', { zone: ZONE });
const periods = periodsOf({ period: 'lastMonth' }, true, NOW);
/** The starts of the period and of the one before, and the end. */
const IN_PERIOD = periods.chosen.start.toUTC().toISO()!;
const BEFORE = periods.before!.start.toUTC().toISO()!;
const END = periods.chosen.end.toUTC().toISO()!;

function reported(layout: Omit<Layout, 'dateFields' | 'periods'>, records: JsonObject[]) {
	const tabulation = new Tabulation({
		...layout,
		periods,
		compare: true,
		differences: true,
		dateFields: ['created_at'],
	});
	for (const record of records) {
		const date = tabulation.dateOf(record);
		if (date) tabulation.add(record, date);
	}
	return tabulation.rows();
}

/** A row for each currency. */
const byCurrency = (subject: Layout['subject'], records: JsonObject[]) =>
	reported({ subject, groupings: [UNGROUPED], currencyOf: currencyIn(USUAL_NAMES) }, records);

/** One row for all records. */
const totalOf = (subject: Layout['subject'], records: JsonObject[]) =>
	reported({ subject, groupings: [UNGROUPED] }, records)[0]!;

describe('calls', () => {
	const calls = [
		{
			call_status: 'Completed',
			duration_seconds: 60,
			ai_provider_fallback_used: true,
			transfer_time: '2026-10-01T00:00:00Z',
		},
		{
			call_status: 'completed',
			duration_seconds: 90,
			ai_provider_fallback_used: false,
			transfer_time: null,
		},
		{
			call_status: 'Not Answered',
			duration_seconds: 0,
			ai_provider_fallback_used: null,
			transfer_time: null,
		},
		{ call_status: 'not_answered', duration_seconds: null },
		{ call_status: 'In Progress' },
		{ call_status: 'Parked', duration_seconds: 'long' },
		{ duration_seconds: -5 },
		...['Voicemail', 'Failed', 'Ended In Queue'].map((call_status) => ({
			call_status,
			duration_seconds: 20,
		})),
	];
	test('have their figures, those of the period before, and the difference', () => {
		const present = calls.map((call) => ({ ...call, created_at: IN_PERIOD }));
		const before = { created_at: BEFORE, call_status: 'Completed', duration_seconds: 30 };
		const outside = [END, 'soon'].map((created_at) => ({ ...before, created_at }));
		const subject = callSubject(USUAL_NAMES, { transfers: true });
		expect(totalOf(subject, [...present, before, ...outside])).toMatchObject({
			calls: 10,
			calls_before: 1,
			calls_difference: 9,
			minutes: 3.5,
			minutes_before: 0.5,
			minutes_difference: 3,
			// Only of completed calls: a voicemail is no conversation.
			completed_average_seconds: 75,
			completed_average_seconds_before: 30,
			completed_average_seconds_difference: 45,
			completion_rate: 25,
			completion_rate_before: 100,
			completion_rate_difference: -75,
			completed: 2,
			not_answered: 2,
			in_progress: 1,
			other_status: 1,
			without_status: 1,
			transferred: 1,
			transfer_rate: 33.33,
			transfer_unknown: 7,
			transferred_before: null,
			transferred_difference: null,
			fallback_used: 1,
			fallback_rate: 50,
			fallback_unknown: 8,
			without_duration: 3,
		});
	});

	test.each([
		[{ duration_minutes: 50 / 60 }, {}, 50],
		[{ duration_ms: '1500' }, {}, 1.5],
		[{ talk: { minutes: 0.5 } }, { callLength: ['talk.minutes'], callUnit: 'minutes' }, 30],
		[{ duration: 30 }, {}, null],
	])('%j with the names %j lasts %s seconds', (fields, named, seconds) => {
		const call = { created_at: IN_PERIOD, status: 'completed', ...fields };
		const row = totalOf(callSubject({ ...USUAL_NAMES, ...named }), [call]);
		expect(row.completed_average_seconds).toBe(seconds);
	});

	test('are counted by day, beside the same day of the month before', () => {
		const layout = { subject: callSubject(USUAL_NAMES), groupings: [byTime('day', periods, NOW)] };
		// The last moment of a day with 25 hours, and the next one.
		const calls = ['2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'];
		const rows = reported(
			layout,
			calls.map((created_at) => ({ created_at })),
		);
		expect(rows).toHaveLength(31);
		expect(rows[0]).toMatchObject({ day: '2026-10-01', calls: 0, day_before: '2026-09-01' });
		expect(rows.slice(24, 26)).toMatchObject([{ calls: 1 }, { calls: 1 }]);
		// September has no 31st.
		expect(rows[30]).toMatchObject({ day: '2026-10-31', day_before: null });
	});

	test('of a running period have no rows for the days to come', () => {
		const running = periodsOf({ period: 'thisMonth' }, false, NOW);
		expect(byTime('day', running, NOW).expected).toHaveLength(21);
	});
});

describe('orders', () => {
	const rowsOf = (...orders: JsonObject[]) =>
		byCurrency(orderSubject(['confirmed', 'completed']), orders);

	const sold = (fields: JsonObject) => ({ created_at: IN_PERIOD, status: 'completed', ...fields });

	test('are added up to the cent, and each currency by itself', () => {
		const rows = rowsOf(
			sold({ total_amount: 0.1, currency: 'EUR' }),
			sold({ total_amount: '0.20', currency: 'eur', status: 'confirmed' }),
			sold({ total_amount: 90_071_992_547.41, currency: 'EUR' }),
			sold({ total_amount: 5, currency: 'EUR', status: 'refused' }),
			sold({ total_amount: null, currency: 'EUR' }),
			sold({ total_amount: '7.05', currency: 'usd' }),
			sold({ total_amount: 9, currency: 'USD', created_at: BEFORE }),
		);
		expect(rows).toMatchObject([
			{
				currency: 'EUR',
				orders: 5,
				amount: 90_071_992_552.71,
				refused: 1,
				without_amount: 1,
				revenue: 90_071_992_547.71,
				revenue_orders: 3,
				average: 30_023_997_515.9,
			},
			{
				currency: 'USD',
				orders: 1,
				amount: 7.05,
				average: 7.05,
				revenue: 7.05,
				revenue_before: 9,
			},
		]);
	});

	test('have null for what no order shows, because 0 would be a claim', () => {
		const unpriced = { revenue: null, average: null, amount: null, without_amount: 1 };
		expect(rowsOf(sold({}))).toMatchObject([{ ...unpriced, completed: 1, refused: 0 }]);
		expect(rowsOf(sold({ status: undefined, total_amount: 5 }))).toMatchObject([
			{
				revenue: null,
				revenue_orders: null,
				amount: 5,
				without_status: 1,
				completed: null,
				refused: null,
				other_status: null,
			},
		]);
		expect(rowsOf()).toMatchObject([{ revenue: 0, amount: 0, completed: 0 }]);
	});

	test.each([
		['BHD', [10.005], 10.005],
		['JPY', [1000, 1001], 1001],
		['EUR', [0.01, 0.02], 0.02],
	])('have an average with the digits of %s', (currency, amounts, average) => {
		const orders = amounts.map((total_amount) => sold({ total_amount, currency }));
		expect(rowsOf(...orders)).toMatchObject([{ average }]);
	});

	const withLines = (...codes: string[]) =>
		sold({ total_amount: 5, line_items: codes.map((currency) => ({ price: 1, currency })) });
	test.each<[what: string, orders: JsonObject[], rows: JsonObject[]]>([
		[
			'are not added up if some show a currency and others do not',
			[sold({ total_amount: 5, currency: 'EUR' }), sold({ total_amount: 7, currency: ' ' })],
			[
				{ currency: 'EUR', revenue: 5 },
				{ currency: null, orders: 1, revenue: null, average: null, amount: null },
			],
		],
		[
			'have the currency in which their lines agree, or all of them',
			[withLines('EUR', 'eur'), withLines('USD', 'EUR')],
			[
				{ currency: 'EUR', revenue: 5 },
				{ currency: 'EUR, USD', revenue: 5 },
			],
		],
	])('%s', (_what, orders, rows) => {
		expect(rowsOf(...orders)).toMatchObject(rows);
	});
});

describe('transactions', () => {
	const rowOf = (transactions: JsonObject[]) => totalOf(walletSubject(USUAL_NAMES), transactions);
	const paid = (type: string | undefined, ...amounts: unknown[]) =>
		amounts.map((amount) => ({ created_at: IN_PERIOD, type, amount }));

	test.each(['', '-'])('are added up to the cent, with a CONSUME as %s0.10', (sign) => {
		const spent = paid('CONSUME', `${sign}0.10`, Number(`${sign}0.2`), `${sign}70000000.01`);
		const transactions = [...paid('ADD', 50, '0.07'), ...spent, ...paid('GIFT', 3)];
		expect(rowOf(transactions)).toMatchObject({
			transactions: 6,
			added: 50.07,
			consumed: 70_000_000.31,
			net: -69_999_950.24,
			other_type: 1,
			without_amount: 0,
		});
	});

	test('have null for what none of them shows', () => {
		expect(rowOf([...paid('ADD', null), ...paid('CONSUME', 'ten')])).toMatchObject({
			added: null,
			consumed: null,
			net: null,
			without_amount: 2,
			additions: 1,
			consumptions: 1,
		});
		expect(rowOf(paid(undefined, 5))).toMatchObject({
			added: null,
			consumed: null,
			net: null,
			other_type: 1,
			additions: null,
			consumptions: null,
		});
		expect(rowOf([])).toMatchObject({ added: 0, consumed: 0, net: 0 });
	});
});
