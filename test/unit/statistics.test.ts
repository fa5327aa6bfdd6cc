import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { callSubject } from '../../nodes/statistics/callStatistics.ts';
import { byTime, byValue, isTimeGroup } from '../../nodes/statistics/groupings.ts';
import { itemSubject, orderSubject, soldLinesOf } from '../../nodes/statistics/orderStatistics.ts';
import { currencyIn, periodsOf } from '../../nodes/statistics/tabulate.ts';
import { Tabulation, UNGROUPED, type Layout } from '../../nodes/statistics/tabulation.ts';
import { walletSubject } from '../../nodes/statistics/walletStatistics.ts';
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

function reported(layout: Omit<Layout, 'dateFields' | 'periods'>, records: JsonObject[]) {
	const tabulation = new Tabulation({ ...layout, periods, dateFields: ['created_at'] });
	for (const record of records) {
		const date = tabulation.dateOf(record);
		if (date) tabulation.add(record, date);
	}
	return tabulation.rows();
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
const totalOf = (subject: Layout['subject'], records: JsonObject[]) =>
	reported({ subject, groupings: [UNGROUPED] }, records)[0]!;

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
			...(isEmpty || status(undefined) < calls.length
				? {
						completed,
						not_answered: status('Not Answered', 'not_answered'),
						in_progress: status('In Progress'),
						other_status: status('Parked'),
					}
				: { completed: null, not_answered: null, in_progress: null, other_status: null }),
			without_status: status(undefined),
			transferred: isEmpty || isTransferKnown > 0 ? transferred : null,
			// Who shows only the transferred calls says nothing about a share.
			transfer_rate:
				transferred === isTransferKnown && isTransferKnown < calls.length
					? null
					: percentOf(transferred, isTransferKnown),
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
				const rows = reported({ subject: callSubject({}), groupings: [grouping] }, calls);
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
			{ numRuns: 12 },
		);
	});

	test('have the figures of the period before beside them, and the difference [P5]', () => {
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
			{ numRuns: 25 },
		);
	});

	test.each([
		[{ duration_minutes: '1.5' }, {}, 90],
		[{ duration_ms: 1500 }, {}, 1.5],
		[{ duration_minutes: 50 / 60 }, {}, 50],
		[{ talk_time: 30 }, { name: 'talk_time' }, 30],
		[{ talk: { minutes: 0.5 } }, { name: 'talk.minutes', unit: 'minutes' as const }, 30],
		[{ duration: 30 }, {}, null],
	])('%j with the field %j lasts %s seconds', (fields, duration, seconds) => {
		const row = totalOf(callSubject(duration), [{ created_at: IN_PERIOD, ...fields }]);
		expect(row.average_seconds).toBe(seconds);
	});

	test('of a day with 25 hours are counted in that day', () => {
		const rows = reported({ subject: callSubject({}), groupings: [byTime('day', periods, NOW)] }, [
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
		const tabulation = new Tabulation({
			subject: callSubject({}),
			groupings: [byTime('day', march, NOW)],
			periods: march,
			dateFields: ['created_at'],
		});
		const late = { created_at: '2026-01-31T10:00:00Z' };
		tabulation.add(late, tabulation.dateOf(late)!);
		expect(tabulation.rows().at(-1)).toMatchObject({
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
		const grouping = byValue('status', () => undefined, 'no status');
		const layout = { subject: callSubject({}), groupings: [grouping] };
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
	const REVENUE = ['confirmed', 'completed'];
	const order = fc
		.record({
			created_at: created,
			status: fc.constantFrom('pending', 'confirmed', 'completed', 'cancelled', 'refused'),
			cents: amount,
			asText: fc.boolean(),
			currency: fc.constantFrom('EUR', 'usd'),
		})
		.map(({ cents, asText, ...rest }) => ({
			...rest,
			cents,
			total_amount: written(cents, asText),
		}));

	const rowsOf = (orders: JsonObject[], currencyField?: string) =>
		reported(
			{
				subject: orderSubject(REVENUE),
				groupings: [UNGROUPED],
				currencyOf: currencyIn(currencyField),
				currencyField,
			},
			orders,
		);

	test('are added up to the cent, and each currency by itself [P129] [P132]', () => {
		fc.assert(
			fc.property(fc.array(order, { maxLength: 200 }), (orders) => {
				const rows = rowsOf(orders);
				const counted = new Set(orders.filter(sideOf).map((one) => one.currency.toUpperCase()));
				const expected = counted.size > 0 ? [...counted].sort() : [null];
				expect(rows.map((row) => row.currency).sort()).toEqual(expected);
				for (const row of rows) {
					const isOwn = ({ currency }: JsonObject) =>
						String(currency).toUpperCase() === row.currency;
					const own = ofSide(orders, 'present').filter(isOwn);
					const sold = own.filter(({ status }) => REVENUE.includes(status));
					const [paid, priced] = [sold, own].map((all) =>
						all.filter(({ cents }) => cents !== null),
					);
					const sum = sumOf(paid!.map(({ cents }) => cents));
					const isKnown = (all: unknown[], some: unknown[]) => all.length === 0 || some.length > 0;
					const average = (2n * sum + BigInt(paid!.length)) / (2n * BigInt(paid!.length || 1));
					expect(row).toMatchObject({
						amount: isKnown(own, priced!) ? euros(sumOf(own.map(({ cents }) => cents))) : null,
						revenue: isKnown(sold, paid!) ? euros(sum) : null,
						revenue_orders: paid!.length,
						average: paid!.length > 0 ? euros(average) : null,
						refused: own.filter(({ status }) => status === 'refused').length,
						without_amount: own.length - priced!.length,
					});
				}
			}),
			{ numRuns: 25 },
		);
	});

	const sold = (fields: JsonObject) => ({ created_at: IN_PERIOD, status: 'completed', ...fields });

	test('have null for what no order shows, because 0 would be a claim [P130]', () => {
		const unpriced = { revenue: null, average: null, amount: null, without_amount: 1 };
		expect(rowsOf([sold({})])[0]).toMatchObject({ ...unpriced, completed: 1, refused: 0 });
		expect(rowsOf([sold({ status: undefined, total_amount: 5 })])[0]).toMatchObject({
			...{ revenue: null, revenue_orders: null, amount: 5, without_status: 1 },
			...{ completed: null, refused: null, other_status: null },
		});
		expect(rowsOf([])[0]).toMatchObject({ revenue: 0, amount: 0, completed: 0 });
	});

	test('without a currency are of one, which is not shown [P133]', () => {
		const orders = [sold({ total_amount: 5 }), sold({ total_amount: 7, currency: ' ' })];
		expect(rowsOf(orders)).toMatchObject([{ currency: null, orders: 2, revenue: 12 }]);
	});

	test('are not added up if some show a currency and others do not [P134]', () => {
		const orders = [
			sold({ total_amount: 5, currency: 'EUR' }),
			sold({ total_amount: 7, currency: ' ' }),
		];
		expect(rowsOf(orders)).toMatchObject([
			{ currency: 'EUR', revenue: 5 },
			{ currency: null, orders: 1, revenue: null, average: null, amount: null },
		]);
	});

	test('have the currency in which their lines agree', () => {
		const line_items = (...codes: string[]) => codes.map((currency) => ({ price: 1, currency }));
		const orders = [['EUR', 'eur'], ['USD']].map((codes) =>
			sold({ total_amount: 5, line_items: line_items(...codes) }),
		);
		expect(rowsOf(orders)).toMatchObject([
			{ currency: 'EUR', revenue: 5 },
			{ currency: 'USD', revenue: 5 },
		]);
		const mixed = sold({ total_amount: 5, line_items: line_items('USD', 'EUR') });
		expect(rowsOf([mixed])).toMatchObject([{ currency: 'EUR, USD', revenue: 5 }]);
	});

	test('are not added up if no record has the field that the user names [P132]', () => {
		const orders = ['EUR', 'USD'].map((currency) => sold({ total_amount: 5, currency }));
		expect(rowsOf(orders, 'curency')).toMatchObject([{ currency: null, revenue: null }]);
	});

	test('have null for a quantity or an amount that no line shows', () => {
		const lines = soldLinesOf({ line_items: [{ name: 'Tea' }, { name: 'Tea' }] }, currencyIn())!;
		const sold = lines.map((line) => ({ ...line, created_at: IN_PERIOD }));
		expect(totalOf(itemSubject, sold)).toMatchObject({
			...{ quantity: null, amount: null },
			...{ order_lines: 2, without_quantity: 2, without_amount: 2 },
		});
	});
});

describe('transactions', () => {
	const transaction = fc.record({
		created_at: created,
		kind: fc.constantFrom('ADD', 'CONSUME', 'GIFT'),
		cents: fc.integer({ min: 1, max: 99_999_999 }),
		asText: fc.boolean(),
	});

	const rowOf = (transactions: JsonObject[]) => totalOf(walletSubject(), transactions);
	const paid = (type: string | undefined, ...amounts: unknown[]) =>
		amounts.map((amount) => ({ created_at: IN_PERIOD, type, amount }));

	test.each([1, -1])('are added up to the cent, with a CONSUME of sign %d [P129]', (sign) => {
		fc.assert(
			fc.property(fc.array(transaction, { maxLength: 100 }), (drawn) => {
				const transactions = drawn.map(({ kind, cents, asText, created_at }) => {
					const plain = written(cents, asText);
					const turned = asText ? `-${plain}` : -Number(plain);
					const amount = kind === 'CONSUME' && sign < 0 ? turned : plain;
					return { created_at, kind, cents, type: kind, amount };
				});
				const own = ofSide(transactions, 'present');
				const of = (wanted: string) =>
					sumOf(own.filter(({ kind }) => kind === wanted).map(({ cents }) => cents));
				expect(rowOf(transactions)).toMatchObject({
					transactions: own.length,
					added: euros(of('ADD')),
					consumed: euros(of('CONSUME')),
					net: euros(of('ADD') - of('CONSUME')),
					other_type: own.filter(({ kind }) => kind === 'GIFT').length,
					without_amount: 0,
				});
			}),
			{ numRuns: 25 },
		);
	});

	test.each([1, -1])(
		'that correct others are subtracted, whatever their size: sign %d [P135]',
		(sign) => {
			const signed = (...amounts: number[]) => amounts.map((amount) => amount * sign);
			expect(rowOf(paid('CONSUME', ...signed(5, 3.5, -2))).consumed).toBe(6.5);
			expect(rowOf(paid('CONSUME', ...signed(10, 20, -50))).consumed).toBe(-20);
			expect(rowOf(paid('ADD', 30, -40)).added).toBe(-10);
			// Nothing tells a correction from spending if there is nothing else.
			expect(rowOf(paid('CONSUME', ...signed(-6))).consumed).toBe(6);
		},
	);

	test('have no total of spending if nobody can tell which of them correct others [P136]', () => {
		const row = rowOf([...paid('ADD', 100), ...paid('CONSUME', 10, -50)]);
		expect(row).toMatchObject({ added: 100, consumed: null, net: null, consumptions: 2 });
	});

	test('have the type that one of its names shows', () => {
		const layout = { subject: walletSubject(), groupings: [UNGROUPED] };
		const spent = { created_at: IN_PERIOD, amount: 5, transaction_type: 'CONSUME', type: 'call' };
		expect(reported(layout, [spent])).toMatchObject([{ consumed: 5, other_type: 0 }]);
	});

	test('show the sign of spending in each currency by itself', () => {
		const transactions = [
			...paid('CONSUME', -10, -20, 50).map((one) => ({ ...one, currency: 'EUR' })),
			...paid('CONSUME', 1, 2, 3, 4).map((one) => ({ ...one, currency: 'USD' })),
		];
		const layout = {
			subject: walletSubject(),
			groupings: [UNGROUPED],
			currencyOf: currencyIn(),
		};
		expect(reported(layout, transactions)).toMatchObject([
			{ currency: 'EUR', consumed: -20, net: 20 },
			{ currency: 'USD', consumed: 10, net: -10 },
		]);
	});

	test('have null for what none of them shows [P130]', () => {
		expect(rowOf([...paid('ADD', null), ...paid('CONSUME', 'ten')])).toMatchObject({
			...{ added: null, consumed: null, net: null, without_amount: 2 },
			...{ additions: 1, consumptions: 1 },
		});
		expect(rowOf(paid(undefined, 5))).toMatchObject({
			...{ added: null, consumed: null, net: null, other_type: 1 },
			...{ additions: null, consumptions: null },
		});
		expect(rowOf([])).toMatchObject({ added: 0, consumed: 0, net: 0 });
	});
});
