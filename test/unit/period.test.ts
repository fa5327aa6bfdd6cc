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
	type Bounds = [start: string, end: string];
	test.each<[NamedPeriod, now: string, expected: Bounds, before?: Bounds]>([
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
		['tomorrow', '2026-03-29T09:30', ['2026-03-30', '2026-03-31']],
		['next7Days', '2026-03-29T09:30', ['2026-03-30', '2026-04-06']],
		['next30Days', '2026-03-29T09:30', ['2026-03-30', '2026-04-29']],
	])('%s, seen from %s, and the one before', (name, now, expected, before) => {
		const period = periodOf(name, at(now));
		expect(shown(period)).toEqual(expected);
		if (before) expect(shown(periodBefore(name, period, at(now)))).toEqual(before);
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

	const [OVER, RUNNING] = ['2026-05-01', '2026-03-27T10:00'];
	test.each([
		['whole months', OVER, '2026-03-01', '2026-05-01', '2026-01-01', '2026-03-01'],
		['whole days', OVER, '2026-03-25', '2026-04-01', '2026-03-18', '2026-03-25'],
		['hours', OVER, '2026-03-29', '2026-03-29T06:00', '2026-03-28T19:00', '2026-03-29'],
		['a running month', RUNNING, '2026-03-01', '2026-04-01', '2026-02-01', '2026-02-27T10:00'],
		['running days', RUNNING, '2026-03-25', '2026-04-01', '2026-03-18', '2026-03-20T10:00'],
		[
			'running hours',
			RUNNING,
			'2026-03-27T06:00',
			'2026-03-27T18:00',
			'2026-03-26T18:00',
			'2026-03-26T22:00',
		],
	])('between two moments, %s: as long before, or as far', (_what, now, start, end, ...before) => {
		const between = { start: at(start!), end: at(end!) };
		expect(shown(periodBefore('between', between, at(now!)))).toEqual(before);
	});

	/** A period as it is seen at a moment somewhere, with weeks that begin on some day. */
	const scene = fc
		.record({
			zone: fc.constantFrom(...ZONES),
			ms: fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2030, 0, 1) }),
			name: fc.constantFrom(
				...(Object.keys(PERIODS).filter((name) => name !== 'between') as NamedPeriod[]),
			),
			first: fc.constantFrom(...(Object.keys(FIRST_DAYS) as FirstDay[])),
		})
		.map(({ zone, ms, name, first }) => {
			const now = DateTime.fromMillis(ms, { zone });
			return { now, name, first, period: periodOf(name, now, first) };
		});
	const ISO_DAY = { monday: 1, saturday: 6, sunday: 7 } as const;
	const isStartOfDay = (date: DateTime) => date.minus(1).toISODate() !== date.toISODate();

	test('begins and ends with the first moment of a day, and follows the period before', () => {
		const property = fc.property(scene, ({ now, name, first, period }) => {
			const { start, end } = period;
			expect([isStartOfDay(start), isStartOfDay(end), start < end]).toEqual([true, true, true]);
			const isRunning = name.startsWith('this') || name === 'today';
			expect([now >= start, now < end]).toEqual([true, isRunning]);
			const before = periodBefore(name, period, now);
			if (name.endsWith('Week')) {
				const days = [start, end, before.start].map(({ weekday }) => weekday);
				expect(days).toEqual(days.map(() => ISO_DAY[first]));
			}
			expect(before.start < before.end || isRunning).toBe(true);
			expect(before.end <= start).toBe(true);
			if (!isRunning) expect(+before.end).toBe(+start);
		});
		fc.assert(property, { numRuns: 60 });
	});

	test('is divided into parts without a gap, and each moment is in one of them', () => {
		const unitOfParts = fc.constantFrom('day' as const, 'week' as const, 'month' as const);
		const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
		const property = fc.property(scene, unitOfParts, share, (given, unit, share) => {
			const { now, first, period } = given;
			const [start, end] = [+period.start, +period.end];
			const parts = partsOf(period, unit);
			const inZone = (ms: number) => DateTime.fromMillis(ms, { zone: now.zone });
			expect([...parts.map((part) => part.start), end]).toEqual([
				start,
				...parts.map((part) => part.end),
			]);
			expect(parts.every((part) => part.start < part.end)).toBe(true);
			expect(parts.every((part) => isStartOfDay(inZone(part.start)))).toBe(true);
			expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
			const within = Math.floor(start + share * (end - start));
			const local = inZone(within);
			const firstOfWeek = local.minus({ days: (local.weekday - ISO_DAY[first] + 7) % 7 });
			const names = {
				day: local.toISODate(),
				month: local.toFormat('yyyy-MM'),
				week: first === 'monday' ? local.toFormat("kkkk-'W'WW") : firstOfWeek.toISODate(),
			};
			expect(parts[partAt(parts, within)]!.name).toBe(names[unit]);
			expect([start - 1, end].map((moment) => partAt(parts, moment))).toEqual([-1, -1]);
		});
		fc.assert(property, { numRuns: 60 });
	});
});

test('a period of thousands of years is refused after as many days as a report may have', () => {
	const whole = { start: at('0001-01-01'), end: at('9999-01-01') };
	expect(() => partsOf(whole, 'day')).toThrow('more than 2000 days');
	const years = (end: string) => partsOf({ start: at('2020-01-01'), end: at(end) }, 'day').length;
	expect(years('2025-01-01')).toBe(1827);
	expect(() => years('2026-01-01')).toThrow('more than 2000 days');
});
