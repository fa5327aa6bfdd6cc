import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { callSubject } from '../../nodes/statistics/calls.ts';
import {
	byTime,
	byValue,
	largestFirst,
	TIME_GROUPS,
	type TimeGroup,
} from '../../nodes/statistics/groupings.ts';
import {
	currencyOf,
	itemSubject,
	soldLinesOf,
	orderSubject,
	type SoldLine,
} from '../../nodes/statistics/orders.ts';
import { counted, periodsOf } from '../../nodes/statistics/reading.ts';
import { Report, type Layout } from '../../nodes/statistics/report.ts';
import { walletSubject } from '../../nodes/statistics/wallet.ts';
import type { RunContext } from '../../nodes/table/operation.ts';
import { momentOf } from '../../nodes/api/moment.ts';

const ZONE = 'Europe/Rome';
const NOW = DateTime.fromISO('2026-11-21T10:00', { zone: ZONE });
const periods = periodsOf({ period: 'lastMonth' }, true, NOW);
const [START, MIDDLE, END] = [
	periods.before!.start.toMillis(),
	periods.chosen.start.toMillis(),
	periods.chosen.end.toMillis(),
];

function reported<T>(layout: Omit<Layout<T>, 'dateFields' | 'periods'>, records: JsonObject[]) {
	const report = new Report({ ...layout, periods, dateFields: ['created_at'] });
	for (const record of records) {
		const date = report.dateOf(record);
		if (date) report.add(record, date);
	}
	return report.rows();
}

/** From a day before the period before to a day after the period, and what is no date. */
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
	const at = momentOf(date);
	if (at === undefined || at < START || at >= END) return undefined;
	return at < MIDDLE ? 'before' : 'present';
};

/** The records of a period, in the plainest way. */
const ofSide = <R extends JsonObject>(records: R[], side: string) =>
	records.filter((record) => sideOf(record) === side);

const undatedIn = (records: JsonObject[]) =>
	records.filter(({ created_at: date }) => momentOf(date) === undefined).length;

/** A share in percent with two digits, by whole numbers. */
const percentOf = (part: number, whole: number) =>
	whole === 0 ? null : Math.round((part * 100_00) / whole) / 100;

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
	type Call_ = typeof call extends fc.Arbitrary<infer C> ? C & JsonObject : never;

	/** What a row must say, counted again in another way. */
	function again(calls: Call_[]) {
		const status = (...names: unknown[]) =>
			calls.filter(({ call_status: one }) => names.includes(one)).length;
		const timed = calls.flatMap(({ duration_seconds: s }) =>
			typeof s === 'number' && s >= 0 ? [s] : [],
		);
		const seconds = timed.reduce((sum, one) => sum + one, 0);
		const known = calls.filter((one) => typeof one.ai_provider_fallback_used === 'boolean');
		const fallback = known.filter((one) => one.ai_provider_fallback_used).length;
		const told = calls.filter((one) => one.transfer_time !== undefined);
		const transferred = told.filter((one) => one.transfer_time).length;
		const completed = status('Completed', 'completed');
		const isEmpty = calls.length === 0;
		return {
			calls: calls.length,
			minutes: isEmpty || timed.length > 0 ? Math.round((seconds * 100) / 60) / 100 : null,
			average_seconds:
				timed.length > 0 ? Math.round((seconds * 10) / timed.length + 1e-9) / 10 : null,
			completion_rate: percentOf(
				completed,
				calls.length - status('In Progress') - status(undefined),
			),
			completed,
			not_answered: status('Not Answered', 'not_answered'),
			in_progress: status('In Progress'),
			other_status: status('Parked'),
			without_status: status(undefined),
			transferred: isEmpty || told.length > 0 ? transferred : null,
			transfer_rate: percentOf(transferred, told.length),
			transfer_unknown: calls.length - told.length,
			fallback_used: isEmpty || known.length > 0 ? fallback : null,
			fallback_rate: percentOf(fallback, known.length),
			fallback_unknown: calls.length - known.length,
			without_duration: calls.length - timed.length,
		};
	}

	const localOf: Record<TimeGroup, (at: DateTime) => unknown> = {
		none: () => undefined,
		day: (at) => at.toISODate(),
		hour: (at) => at.hour,
		month: (at) => at.toFormat('yyyy-MM'),
		week: (at) => at.toFormat("kkkk-'W'WW"),
		weekday: (at) => at.weekdayLong,
	};
	const groups = fc.constantFrom(...(Object.keys(TIME_GROUPS) as TimeGroup[]));

	test('are counted as counting them again does, in groups of every kind of time', () => {
		fc.assert(
			fc.property(fc.array(call, { maxLength: 120 }), groups, (drawn, group) => {
				const calls = drawn as Call_[];
				const grouping = byTime(group, periods, NOW);
				const rows = reported({ subject: callSubject({}), grouping }, calls);
				const local = (one: Call_) =>
					localOf[group](DateTime.fromMillis(momentOf(one.created_at)!, { zone: ZONE }));
				const present = ofSide(calls, 'present');
				for (const row of rows) {
					const own =
						group === 'none' ? present : present.filter((one) => local(one) === row[group]);
					expect(row).toMatchObject(again(own));
					expect(row.without_date).toBe(undatedIn(calls));
				}
				const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
				expect(total('calls')).toBe(present.length);
				expect(total('calls_before')).toBe(ofSide(calls, 'before').length);
			}),
			{ numRuns: 120 },
		);
	});

	test('the difference is exactly that', () => {
		fc.assert(
			fc.property(fc.array(call, { maxLength: 60 }), (drawn) => {
				const calls = drawn as Call_[];
				const [row] = reported(
					{ subject: callSubject({}), grouping: byTime('none', periods, NOW) },
					calls,
				);
				const before = again(ofSide(calls, 'before'));
				for (const [name, figure] of Object.entries(before)) {
					expect(row?.[`${name}_before`], name).toBe(figure);
					const present = row?.[name];
					const difference = row?.[`${name}_difference`];
					if (figure === null || present === null) expect(difference).toBe(null);
					else expect(difference).toBe(Number((Number(present) - figure).toFixed(2)));
				}
			}),
		);
	});

	test('of an agent stand in its row', () => {
		fc.assert(
			fc.property(fc.array(call, { maxLength: 60 }), (drawn) => {
				const calls = drawn as Call_[];
				const grouping = byValue('agent_id', ({ agent_id: id }) => String(id));
				const rows = reported({ subject: callSubject({}), grouping }, calls);
				for (const row of rows) {
					const own = calls.filter(({ agent_id: id }) => id === row.agent_id);
					expect(row).toMatchObject(again(ofSide(own, 'present')));
				}
				const seen = new Set(calls.filter((one) => sideOf(one)).map(({ agent_id: id }) => id));
				expect(rows.map(({ agent_id: id }) => id).sort()).toEqual([...seen].sort());
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
		const [row] = reported(
			{ subject: callSubject(duration), grouping: byTime('none', periods, NOW) },
			[{ created_at: new Date(MIDDLE).toISOString(), ...fields }],
		);
		expect(row?.average_seconds).toBe(seconds);
	});

	test('of a day that the clocks make longer are in that day', () => {
		const day = byTime('day', periods, NOW);
		const rows = reported({ subject: callSubject({}), grouping: day }, [
			{ created_at: '2026-10-24T22:00:00Z' },
			{ created_at: '2026-10-25T22:59:59.999Z' },
			{ created_at: '2026-10-25T23:00:00Z' },
		]);
		const counts = Object.fromEntries(rows.map((row) => [row.day, row.calls]));
		expect(rows).toHaveLength(31);
		expect(counts).toMatchObject({ '2026-10-24': 0, '2026-10-25': 2, '2026-10-26': 1 });
		expect(rows[0]).toMatchObject({ day: '2026-10-01', day_before: '2026-09-01' });
		// September has no 31st to stand beside.
		expect(rows[30]).toMatchObject({ day: '2026-10-31', day_before: null });
	});

	test('of a longer period before have rows of their own, without a day beside them', () => {
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
		const grouping = byTime('day', running, NOW);
		expect(grouping.expected).toHaveLength(21);
	});

	test('that do not tell their group are refused, unless there is none', () => {
		const grouping = byValue('status', () => null, 'no status');
		const layout = { subject: callSubject({}), grouping };
		expect(reported(layout, [])).toEqual([]);
		expect(() => reported(layout, [{ created_at: new Date(MIDDLE).toJSON() }])).toThrow(
			'no status',
		);
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

	test('come to the same, to the cent and by currency, as their cents do', () => {
		fc.assert(
			fc.property(fc.array(order, { maxLength: 200 }), (orders) => {
				const revenue = ['confirmed', 'completed'];
				const rows = reported(
					{
						subject: orderSubject(revenue),
						grouping: byTime('none', periods, NOW),
						series: { column: 'currency', of: currencyOf() },
					},
					orders,
				);
				const both = orders.filter((one) => sideOf(one) !== undefined);
				const currencies = new Set(both.map((one) => one.currency?.toUpperCase() ?? null));
				expect(rows.map((row) => row.currency).sort()).toEqual(
					both.length > 0 ? [...currencies].sort() : [null],
				);
				for (const row of rows) {
					const own = ofSide(orders, 'present').filter(
						(one) => (one.currency?.toUpperCase() ?? null) === row.currency,
					);
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

	test('are made of items: quantities and amounts by SKU and currency', () => {
		const line = fc.record({
			sku: fc.constantFrom('A', 'B', undefined),
			name: fc.constantFrom('Pizza', 'Tea'),
			quantity: fc.integer({ min: 1, max: 9 }),
			unit_price: fc.integer({ min: 1, max: 9999 }).map((cents) => written(cents, true)),
		});
		fc.assert(
			fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
				const order_ = { created_at: new Date(MIDDLE).toISOString(), line_items: lines };
				const sold = soldLinesOf(order_, 'EUR')!.map((one) => ({ ...order_, ...one }));
				const rows = largestFirst(
					reported(
						{
							subject: itemSubject,
							grouping: byValue('item', (one) => {
								const { sku, name } = one as SoldLine;
								return sku ?? name;
							}),
						},
						sold,
					),
					'quantity',
				);
				for (const row of rows) {
					const own = lines.filter(({ sku, name }) => (sku ?? name) === row.item);
					const quantity = own.reduce((sum, one) => sum + one.quantity, 0);
					const cents = own.reduce(
						(sum, one) => sum + one.quantity * Math.round(Number(one.unit_price) * 100),
						0,
					);
					expect(row).toMatchObject({ quantity, amount: cents / 100, order_lines: own.length });
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
				const [row] = reported(
					{ subject: walletSubject(), grouping: byTime('none', periods, NOW) },
					transactions,
				);
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

	test('that take back what others did are subtracted, whatever sign is the usual one', () => {
		for (const sign of [1, -1]) {
			const book = (amounts: number[]) =>
				amounts.map((one) => ({
					created_at: new Date(MIDDLE).toISOString(),
					type: 'CONSUME',
					amount: one * sign,
				}));
			const grouping = byTime('none', periods, NOW);
			const [row] = reported({ subject: walletSubject(), grouping }, book([5, 3.5, -2]));
			expect(row?.consumed).toBe(6.5);
		}
	});
});

describe('a reading of 100,000 calls', () => {
	test('hands over each page and forgets it: of what was read only the figures are left', async () => {
		const size = 100_000;
		const made = (at: number): JsonObject => ({
			id: at,
			created_at: new Date(END - 1 - at * 100).toISOString(),
			call_status: 'Completed',
			duration_seconds: 60,
		});
		let largest = 0;
		const api = {
			send: async ({ query }: { query: { offset: number; limit: number } }) => {
				const { offset, limit } = query;
				const count = Math.max(0, Math.min(limit, size - offset));
				const data = Array.from({ length: count }, (_, at) => made(offset + at));
				return { data, meta: { total_items: size } };
			},
		} as unknown as RunContext['api'];
		const layout = {
			subject: callSubject({}),
			grouping: byTime('day', periods, NOW),
			periods,
			dateFields: ['created_at'],
		};
		const request = () => ({ method: 'GET' as const, path: '/call-history' });
		const report = await counted({ api, request, tell: () => {} }, layout, (record) => {
			largest = Math.max(largest, Number(record.id));
			return [record];
		});
		expect(largest).toBe(size - 1);
		expect(report.figures.calls).toBe(size);
		// The report's own state: a tally for each day, and nothing of any record.
		const held = JSON.stringify(report, (_key, value: unknown) =>
			value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value,
		);
		expect(held.length).toBeLessThan(60_000);
		expect(held).not.toContain('created_at":"2026');
	});
});
