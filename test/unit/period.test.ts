import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import {
	FIRST_DAYS,
	isWithin,
	partAt,
	partsOf,
	PERIODS,
	periodBefore,
	periodOf,
	type FirstDay,
	type NamedPeriod,
	type PeriodName,
} from '../../nodes/filters/period.ts';

/** Zones whose clocks change at night, at midnight, by half an hour, never, or that skipped a day. */
const ZONES = [
	'UTC',
	'Europe/Rome',
	'America/New_York',
	'America/Havana',
	'America/Sao_Paulo',
	'America/St_Johns',
	'Asia/Kolkata',
	'Australia/Lord_Howe',
	'Pacific/Apia',
];

const at = (text: string, zone = 'Europe/Rome') => DateTime.fromISO(text, { zone });

/** The bounds of a period on the clocks of its time zone. */
const shown = ({ start, end }: { start: DateTime; end: DateTime }) =>
	[start, end].map((bound) => bound.toFormat("yyyy-MM-dd'T'HH:mm").replace('T00:00', ''));

describe('a named period', () => {
	test.each<[NamedPeriod, string, [start: string, end: string], [start: string, end: string]]>([
		['today', '2026-10-25T12:00', ['2026-10-25', '2026-10-26'], ['2026-10-24', '2026-10-24T12:00']],
		['yesterday', '2026-03-30', ['2026-03-29', '2026-03-30'], ['2026-03-28', '2026-03-29']],
		['last7Days', '2026-04-01T09:30', ['2026-03-25', '2026-04-01'], ['2026-03-18', '2026-03-25']],
		['thisMonth', '2026-03-31T10:00', ['2026-03-01', '2026-04-01'], ['2026-02-01', '2026-03-01']],
		['lastMonth', '2026-01-01', ['2025-12-01', '2026-01-01'], ['2025-11-01', '2025-12-01']],
		['lastQuarter', '2026-02-03', ['2025-10-01', '2026-01-01'], ['2025-07-01', '2025-10-01']],
		[
			'thisWeek',
			'2026-03-29T12:00',
			['2026-03-23', '2026-03-30'],
			['2026-03-16', '2026-03-22T12:00'],
		],
		['lastWeek', '2026-01-01', ['2025-12-22', '2025-12-29'], ['2025-12-15', '2025-12-22']],
		['thisYear', '2028-02-29T06:00', ['2028-01-01', '2029-01-01'], ['2027-01-01', '2027-03-01']],
		['lastYear', '2026-06-01', ['2025-01-01', '2026-01-01'], ['2024-01-01', '2025-01-01']],
	])('%s, seen from %s, and the one before', (name, now, expected, before) => {
		const period = periodOf(name, at(now));
		expect(shown(period)).toEqual(expected);
		expect(shown(periodBefore(name, period, at(now)))).toEqual(before);
	});

	test.each<[NamedPeriod, start: string, end: string]>([
		['tomorrow', '2026-03-30', '2026-03-31'],
		['next7Days', '2026-03-30', '2026-04-06'],
		['next30Days', '2026-03-30', '2026-04-29'],
	])('%s begins with the next day', (name, start, end) => {
		expect(shown(periodOf(name, at('2026-03-29T09:30')))).toEqual([start, end]);
	});

	test('a moment lies in a period from its start until before its end', () => {
		const { start, end } = periodOf('today', at('2026-03-29T09:30'));
		const [first, after] = [start.toMillis(), end.toMillis()];
		const moments = [first - 1, first, after - 1, after];
		const inside = (period: Parameters<typeof isWithin>[0]) =>
			moments.map((moment) => isWithin(period, moment));
		expect(inside({ start, end })).toEqual([false, true, true, false]);
		expect(inside({ start })).toEqual([false, true, true, true]);
		expect(inside({ end })).toEqual([true, true, true, false]);
		expect(inside({})).toEqual([true, true, true, true]);
	});

	test.each([
		['whole months', '2026-03-01', '2026-05-01', '2026-01-01'],
		['whole days', '2026-03-25', '2026-04-01', '2026-03-18'],
		['hours', '2026-03-29', '2026-03-29T06:00', '2026-03-28T19:00'],
	])('between two moments, %s: the one before is as long', (_what, start, end, before) => {
		const between = { start: at(start), end: at(end) };
		const now = at('2026-05-01');
		expect(shown(periodBefore('between', between, now))).toEqual([before, start]);
	});

	test.each([
		['a whole month', '2026-03-01', '2026-04-01', '2026-02-01', '2026-02-27T10:00'],
		['whole days', '2026-03-25', '2026-04-01', '2026-03-18', '2026-03-20T10:00'],
		['hours', '2026-03-27T06:00', '2026-03-27T18:00', '2026-03-26T18:00', '2026-03-26T22:00'],
	])('between two moments that is still running, %s: to the same point', (...given) => {
		const [, start, end, first, samePoint] = given;
		const now = at('2026-03-27T10:00');
		const before = periodBefore('between', { start: at(start), end: at(end) }, now);
		expect(shown(before)).toEqual([first, samePoint]);
	});

	const moment = fc.record({
		zone: fc.constantFrom(...ZONES),
		ms: fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2030, 0, 1) }),
	});
	const named = fc.constantFrom(
		...(Object.keys(PERIODS) as PeriodName[]).filter(
			(name): name is NamedPeriod => name !== 'between',
		),
	);

	const firstDay = fc.constantFrom(...(Object.keys(FIRST_DAYS) as FirstDay[]));
	const ISO_DAY = { monday: 1, saturday: 6, sunday: 7 } as const;

	test('begins and ends with the first moment of a day, and follows the period before', () => {
		fc.assert(
			fc.property(moment, named, firstDay, ({ zone, ms }, name, first) => {
				const now = DateTime.fromMillis(ms, { zone });
				const period = periodOf(name, now, first);
				for (const bound of [period.start, period.end]) {
					expect(bound.minus(1).toISODate()).not.toBe(bound.toISODate());
				}
				expect(period.start < period.end).toBe(true);
				expect(ms >= period.start.toMillis()).toBe(true);
				const isRunning = name.startsWith('this') || name === 'today';
				expect(ms < period.end.toMillis()).toBe(isRunning);
				const before = periodBefore(name, period, now);
				if (name.endsWith('Week')) {
					const days = [period.start, period.end, before.start].map(({ weekday }) => weekday);
					expect(days).toEqual(days.map(() => ISO_DAY[first]));
				}
				expect(before.start < before.end || isRunning).toBe(true);
				expect(before.end <= period.start).toBe(true);
				if (!isRunning) expect(+before.end).toBe(+period.start);
			}),
			{ numRuns: 60 },
		);
	});

	test('is divided into parts without a gap, and each moment is in one of them', () => {
		fc.assert(
			fc.property(
				moment,
				named,
				fc.constantFrom('day' as const, 'week' as const, 'month' as const),
				fc.double({ min: 0, max: 0.999999, noNaN: true }),
				firstDay,
				({ zone, ms }, name, unit, share, first) => {
					const period = periodOf(name, DateTime.fromMillis(ms, { zone }), first);
					const parts = partsOf(period, unit);
					expect(parts[0]?.start).toBe(+period.start);
					expect(parts.at(-1)?.end).toBe(+period.end);
					for (const [index, part] of parts.entries()) {
						if (index > 0) expect(part.start).toBe(parts[index - 1]?.end);
						expect(part.start).toBeLessThan(part.end);
						const before = DateTime.fromMillis(part.start - 1, { zone });
						expect(before.toISODate()).not.toBe(
							DateTime.fromMillis(part.start, { zone }).toISODate(),
						);
					}
					expect(new Set(parts.map((part) => part.name)).size).toBe(parts.length);
					const within = Math.floor(+period.start + share * (+period.end - +period.start));
					const found = parts[partAt(parts, within)]!;
					const local = DateTime.fromMillis(within, { zone });
					const expected = {
						day: local.toISODate(),
						month: local.toFormat('yyyy-MM'),
						week:
							first === 'monday'
								? local.toFormat("kkkk-'W'WW")
								: local.minus({ days: (local.weekday - ISO_DAY[first] + 7) % 7 }).toISODate(),
					};
					expect(found.name).toBe(expected[unit]);
					expect(partAt(parts, +period.start - 1)).toBe(-1);
					expect(partAt(parts, +period.end)).toBe(-1);
				},
			),
			{ numRuns: 60 },
		);
	});
});

test('a period of thousands of years is refused after as many days as a report may have', () => {
	const whole = { start: at('0001-01-01'), end: at('9999-01-01') };
	expect(() => partsOf(whole, 'day')).toThrow('more than 2000 days');
	const years = (end: string) => partsOf({ start: at('2020-01-01'), end: at(end) }, 'day').length;
	expect(years('2025-01-01')).toBe(1827);
	expect(() => years('2026-01-01')).toThrow('more than 2000 days');
});
