import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { callSubject } from '../../nodes/statistics/callStatistics.ts';
import { byTime, byValue, isTimeGroup, largestFirst } from '../../nodes/statistics/groupings.ts';
import {
	currencyOf,
	itemSubject,
	soldLinesOf,
	orderSubject,
} from '../../nodes/statistics/orderStatistics.ts';
import { counted, periodsOf } from '../../nodes/statistics/reading.ts';
import { Report, UNGROUPED, type Layout } from '../../nodes/statistics/report.ts';
import { walletSubject } from '../../nodes/statistics/walletStatistics.ts';
import type { RunContext } from '../../nodes/table/operation.ts';
import { toMillis } from '../../nodes/time.ts';

const ZONE = 'Europe/Rome';
const NOW = DateTime.fromISO('2026-11-21T10:00', { zone: ZONE });
const periods = periodsOf({ period: 'lastMonth' }, true, NOW);
const [START, MIDDLE, END] = [
	periods.before!.start.toMillis(),
	periods.chosen.start.toMillis(),
	periods.chosen.end.toMillis(),
];

const IN_PERIOD = new Date(MIDDLE).toISOString();

function reported<T>(layout: Omit<Layout<T>, 'dateFields' | 'periods'>, records: JsonObject[]) {
	const report = new Report({ ...layout, periods, dateFields: ['created_at'] });
	for (const record of records) {
		const date = report.dateOf(record);
		if (date) report.add(record, date);
	}
	return report.rows();
}

/** A date from before the period before until after the period, or something that is no date. */
const created = fc.oneof(
	{
		weight: 30,
		arbitrary: fc
			.integer({ min: START - 86_400_000, max: END + 86_400_000 })
			.map((ms) => new Date(ms).toISOString()),
	},
	{ weight: 4, arbitrary: fc.constantFrom(START, MIDDLE, END).map((ms) => new Date(ms).toJSON()) },
	{ weight: 1, arbitrary: fc.constantFrom(undefined, null, '', 'soon', '2026-10-01') },
);

const sideOf = ({ created_at: date }: JsonObject) => {
	const at = toMillis(date);
	if (at === undefined || at < START || at >= END) return undefined;
	return at < MIDDLE ? 'before' : 'present';
};

const ofSide = <R extends JsonObject>(records: R[], side: string) =>
	records.filter((record) => sideOf(record) === side);

const undatedIn = (records: JsonObject[]) =>
	records.filter(({ created_at: date }) => toMillis(date) === undefined).length;

/** A share in percent with two digits, by whole numbers. */
const percentOf = (part: number, whole: number) =>
	whole === 0 ? null : Math.round((part * 100_00) / whole) / 100;

/** One row for all records. */
const totalOf = <T>(subject: Layout<T>['subject'], records: JsonObject[]) =>
	reported({ subject, grouping: UNGROUPED }, records)[0]!;

describe('calls', () => {
	const call = fc.record({
		created_at: created,
		call_status: fc.constantFrom(
			'Completed',
			'completed',
			'Not Answered',
			'not_answered',
			'In Progress',
			'Parked',
			undefined,
		),
		duration_seconds: fc.oneof(fc.nat(3600), fc.constantFrom(undefined, null, 'long', -5)),
		ai_provider_fallback_used: fc.constantFrom(true, false, null, undefined),
		transfer_time: fc.constantFrom('2026-10-01T00:00:00Z', null, undefined),
		agent_id: fc.constantFrom('a', 'b', 'c'),
	});

	/** The figures of a row, counted in another way. */
	function figuresOf(calls: JsonObject[]) {
		const having = (name: string, ...values: unknown[]) =>
			calls.filter((one) => values.includes(one[name])).length;
		const status = (...names: unknown[]) => having('call_status', ...names);
		const timed = calls
			.map(({ duration_seconds: seconds }) => seconds)
			.filter((seconds) => typeof seconds === 'number' && seconds >= 0) as number[];
		const seconds = timed.reduce((sum, one) => sum + one, 0);
		const fallback = having('ai_provider_fallback_used', true);
		const isFallbackKnown = having('ai_provider_fallback_used', true, false);
		const isTransferKnown = calls.length - having('transfer_time', undefined);
		const transferred = isTransferKnown - having('transfer_time', null);
		const completed = status('Completed', 'completed');
		const isEmpty = calls.length === 0;
		return {
			calls: calls.length,
			minutes: isEmpty || timed.length > 0 ? Math.round((seconds * 100) / 60) / 100 : null,
			average_seconds:
				timed.length > 0 ? Math.round((seconds * 10) / timed.length + 1e-9) / 10 : null,
			completion_rate: percentOf(completed, calls.length - status('In Progress', undefined)),
			completed,
			not_answered: status('Not Answered', 'not_answered'),
			in_progress: status('In Progress'),
			other_status: status('Parked'),
			without_status: status(undefined),
			transferred: isEmpty || isTransferKnown > 0 ? transferred : null,
			transfer_rate: percentOf(transferred, isTransferKnown),
			transfer_unknown: calls.length - isTransferKnown,
			fallback_used: isEmpty || isFallbackKnown > 0 ? fallback : null,
			fallback_rate: percentOf(fallback, isFallbackKnown),
			fallback_unknown: calls.length - isFallbackKnown,
			without_duration: calls.length - timed.length,
		};
	}

	/** The group of a call, found in another way. */
	const GROUPS: Record<string, (at: DateTime, call: JsonObject) => unknown> = {
		none: () => undefined,
		day: (at) => at.toISODate(),
		hour: (at) => at.hour,
		month: (at) => at.toFormat('yyyy-MM'),
		week: (at) => at.toFormat("kkkk-'W'WW"),
		weekday: (at) => at.weekdayLong,
		agent_id: (_at, { agent_id: agent }) => agent,
	};

	test.each(Object.keys(GROUPS))('by %s have the figures of their group', (group) => {
		const grouping = isTimeGroup(group)
			? byTime(group, periods, NOW)
			: byValue(group, ({ agent_id: agent }) => String(agent));
		fc.assert(
			fc.property(fc.array(call, { maxLength: 120 }), (calls: JsonObject[]) => {
				const rows = reported({ subject: callSubject({}), grouping }, calls);
				const groupOf = (one: JsonObject) =>
					GROUPS[group]!(DateTime.fromMillis(toMillis(one.created_at)!, { zone: ZONE }), one);
				const present = ofSide(calls, 'present');
				for (const row of rows) {
					const own = present.filter((one) => groupOf(one) === row[group]);
					expect(row).toMatchObject(figuresOf(own));
					expect(row.without_date).toBe(undatedIn(calls));
				}
				const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
				expect(total('calls')).toBe(present.length);
				expect(total('calls_before')).toBe(ofSide(calls, 'before').length);
			}),
			{ numRuns: 30 },
		);
	});

	test('have the figures of the period before beside them, and the difference', () => {
		fc.assert(
			fc.property(fc.array(call, { maxLength: 60 }), (calls: JsonObject[]) => {
				const row = totalOf(callSubject({}), calls);
				const present: JsonObject = figuresOf(ofSide(calls, 'present'));
				const before: JsonObject = figuresOf(ofSide(calls, 'before'));
				for (const [name, figure] of Object.entries(before)) {
					expect(row[`${name}_before`], name).toBe(figure);
					const isKnown = figure !== null && present[name] !== null;
					const difference = Number((Number(present[name]) - Number(figure)).toFixed(2));
					expect(row[`${name}_difference`], name).toBe(isKnown ? difference : null);
				}
			}),
		);
	});

	test.each([
		[{ duration_minutes: '1.5' }, {}, 90],
		[{ duration_ms: 1500 }, {}, 1.5],
		[{ talk_time: 30 }, { name: 'talk_time' }, 30],
		[{ talk: { minutes: 0.5 } }, { name: 'talk.minutes', unit: 'minutes' as const }, 30],
		[{ duration: 30 }, {}, null],
	])('%j with the field %j lasts %s seconds', (fields, duration, seconds) => {
		const row = totalOf(callSubject(duration), [{ created_at: IN_PERIOD, ...fields }]);
		expect(row.average_seconds).toBe(seconds);
	});

	test('of a day with 25 hours are counted in that day', () => {
		const rows = reported({ subject: callSubject({}), grouping: byTime('day', periods, NOW) }, [
			{ created_at: '2026-10-24T22:00:00Z' },
			{ created_at: '2026-10-25T22:59:59.999Z' },
			{ created_at: '2026-10-25T23:00:00Z' },
		]);
		const counts = Object.fromEntries(rows.map((row) => [row.day, row.calls]));
		expect(rows).toHaveLength(31);
		expect(counts).toMatchObject({ '2026-10-24': 0, '2026-10-25': 2, '2026-10-26': 1 });
		expect(rows[0]).toMatchObject({ day: '2026-10-01', day_before: '2026-09-01' });
		// September has no 31st.
		expect(rows[30]).toMatchObject({ day: '2026-10-31', day_before: null });
	});

	test('of a period before that has more days have rows of their own', () => {
		const march = periodsOf({ period: 'lastMonth' }, true, NOW.set({ month: 3 }));
		const report = new Report({
			subject: callSubject({}),
			grouping: byTime('day', march, NOW),
			periods: march,
			dateFields: ['created_at'],
		});
		const late = { created_at: '2026-01-31T10:00:00Z' };
		report.add(late, report.dateOf(late)!);
		expect(report.rows().at(-1)).toMatchObject({
			day: null,
			day_before: '2026-01-31',
			calls: 0,
			calls_before: 1,
		});
	});

	test('of a running period have no rows for the days to come', () => {
		const running = periodsOf({ period: 'thisMonth' }, false, NOW);
		expect(byTime('day', running, NOW).expected).toHaveLength(21);
	});

	test('are refused if none of them shows its group', () => {
		const grouping = byValue('status', () => null, 'no status');
		const layout = { subject: callSubject({}), grouping };
		expect(reported(layout, [])).toEqual([]);
		expect(() => reported(layout, [{ created_at: IN_PERIOD }])).toThrow('no status');
	});
});

/** Cents as text or as a JSON number, and what is no amount. */
const amount = fc.oneof(
	{ weight: 10, arbitrary: fc.integer({ min: 0, max: 99_999_999 }) },
	{ weight: 1, arbitrary: fc.constant(null) },
);
const written = (cents: number | null, asText: boolean) => {
	if (cents === null) return null;
	const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
	return asText ? text : Number(text);
};
const sumOf = (cents: Array<number | null>) =>
	cents.reduce<bigint>((sum, one) => sum + BigInt(one ?? 0), 0n);
const euros = (cents: bigint) => Number(cents) / 100;

describe('orders', () => {
	const order = fc
		.record({
			created_at: created,
			status: fc.constantFrom('pending', 'confirmed', 'completed', 'cancelled', 'refused'),
			cents: amount,
			asText: fc.boolean(),
			currency: fc.constantFrom('EUR', 'usd', undefined),
		})
		.map(({ cents, asText, ...rest }) => ({
			...rest,
			cents,
			total_amount: written(cents, asText),
		}));

	test('are added up to the cent, and each currency by itself', () => {
		fc.assert(
			fc.property(fc.array(order, { maxLength: 200 }), (orders) => {
				const revenue = ['confirmed', 'completed'];
				const series = { column: 'currency', of: currencyOf() };
				const layout = { subject: orderSubject(revenue), grouping: UNGROUPED, series };
				const rows = reported(layout, orders);
				const shown = ({ currency }: { currency?: string }) => currency?.toUpperCase() ?? null;
				const currencies = new Set(orders.filter(sideOf).map(shown));
				const expected = currencies.size > 0 ? [...currencies].sort() : [null];
				expect(rows.map((row) => row.currency).sort()).toEqual(expected);
				for (const row of rows) {
					const own = ofSide(orders, 'present').filter((one) => shown(one) === row.currency);
					const sold = own.filter((one) => revenue.includes(one.status) && one.cents !== null);
					const sum = sumOf(sold.map(({ cents }) => cents));
					expect(row.amount).toBe(euros(sumOf(own.map(({ cents }) => cents))));
					expect(row.revenue).toBe(euros(sum));
					expect(row.revenue_orders).toBe(sold.length);
					const average =
						(2n * sum + BigInt(sold.length)) / (2n * BigInt(Math.max(1, sold.length)));
					expect(row.average).toBe(sold.length > 0 ? euros(average) : null);
					expect(row.refused).toBe(own.filter(({ status }) => status === 'refused').length);
					expect(row.without_amount).toBe(own.filter(({ cents }) => cents === null).length);
				}
			}),
		);
	});

	test('are split into items, the one that was sold most first', () => {
		const line = fc.record({
			sku: fc.constantFrom('A', 'B', undefined),
			name: fc.constantFrom('Pizza', 'Tea'),
			quantity: fc.integer({ min: 1, max: 9 }),
			cents: fc.integer({ min: 1, max: 9999 }),
		});
		const grouping = byValue('item', ({ sku, name }) => String(sku ?? name));
		fc.assert(
			fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
				const line_items = lines.map((one) => ({ ...one, unit_price: written(one.cents, true) }));
				const order = { created_at: IN_PERIOD, line_items };
				const sold = soldLinesOf(order, 'EUR')!.map((one) => ({ ...order, ...one }));
				const rows = largestFirst(reported({ subject: itemSubject, grouping }, sold), 'quantity');
				for (const row of rows) {
					const own = lines.filter(({ sku, name }) => (sku ?? name) === row.item);
					const sum = (of: (one: (typeof own)[0]) => number) =>
						own.reduce((total, one) => total + of(one), 0);
					expect(row).toMatchObject({
						quantity: sum(({ quantity }) => quantity),
						amount: sum(({ quantity, cents }) => quantity * cents) / 100,
						order_lines: own.length,
					});
				}
				const quantities = rows.map((row) => Number(row.quantity));
				expect(quantities).toEqual(quantities.toSorted((one, other) => other - one));
			}),
		);
	});
});

describe('transactions', () => {
	const transaction = fc.record({
		created_at: created,
		kind: fc.constantFrom('ADD', 'CONSUME', 'GIFT'),
		cents: amount,
		asText: fc.boolean(),
	});

	test.each([1, -1])('are added up to the cent, with a CONSUME of sign %d', (sign) => {
		fc.assert(
			fc.property(fc.array(transaction, { maxLength: 100 }), (drawn) => {
				const transactions = drawn.map(({ kind, cents, asText, created_at }) => {
					const plain = written(cents, asText);
					const isTurned = kind === 'CONSUME' && sign < 0 && plain !== null;
					const turned = asText ? `-${plain}` : -Number(plain);
					return { created_at, kind, cents, type: kind, amount: isTurned ? turned : plain };
				});
				const row = totalOf(walletSubject(), transactions);
				const own = ofSide(transactions, 'present');
				const of = (wanted: string) =>
					sumOf(own.filter(({ kind }) => kind === wanted).map(({ cents }) => cents));
				expect(row).toMatchObject({
					transactions: own.length,
					added: euros(of('ADD')),
					consumed: euros(of('CONSUME')),
					net: euros(of('ADD') - of('CONSUME')),
					other_type: own.filter(({ kind }) => kind === 'GIFT').length,
					without_amount: own.filter(({ cents }) => cents === null).length,
				});
			}),
		);
	});

	test.each([1, -1])('of the other sign are subtracted, also if CONSUME has sign %d', (sign) => {
		const transactions = [5, 3.5, -2].map((amount) => ({
			created_at: IN_PERIOD,
			type: 'CONSUME',
			amount: amount * sign,
		}));
		expect(totalOf(walletSubject(), transactions).consumed).toBe(6.5);
	});
});

test('a report of 100,000 calls keeps only its figures', async () => {
	const size = 100_000;
	let largest = 0;
	const send = async ({ query }: { query: { offset: number; limit: number } }) => {
		const { offset, limit } = query;
		const count = Math.max(0, Math.min(limit, size - offset));
		const data = Array.from({ length: count }, (_, index) => {
			const id = offset + index;
			return { id, created_at: new Date(END - 1 - id * 100).toISOString() };
		});
		return { data, meta: { total_items: size } };
	};
	const context = {
		api: { send } as unknown as RunContext['api'],
		request: () => ({ method: 'GET' as const, path: '/call-history' }),
		tell: () => {},
	};
	const grouping = byTime('day', periods, NOW);
	const layout = { subject: callSubject({}), grouping, periods, dateFields: ['created_at'] };
	const report = await counted(context, layout, (record) => {
		largest = Math.max(largest, Number(record.id));
		return [record];
	});
	expect(largest).toBe(size - 1);
	expect(report.figures.calls).toBe(size);
	const state = JSON.stringify(report, (_key, value: unknown) =>
		value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value,
	);
	expect(state.length).toBeLessThan(60_000);
	expect(state).not.toContain('created_at":"2026');
});
