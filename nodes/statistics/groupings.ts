import { Info, type DateTime } from 'luxon';

import { byText, type JsonObject } from '../json';
import { DAYS_EARLIER, partAt, partsOf, type Part } from '../filters/period';
import { MINUTE } from '../time';
import { UNGROUPED, type Grouping, type Periods, type Side } from './tabulate';

export const TIME_GROUPS = {
	none: 'None',
	day: 'Day',
	hour: 'Hour of Day',
	month: 'Month',
	week: 'Week',
	weekday: 'Weekday',
} as const;

type TimeGroup = keyof typeof TIME_GROUPS;

export const isTimeGroup = (group: string): group is TimeGroup => Object.hasOwn(TIME_GROUPS, group);

const WEEKDAYS = Info.weekdays('long', { locale: 'en' });

/** Groups by time, in the time zone of the periods. Days, weeks and months in the future have no row. */
export function byTime(group: TimeGroup, periods: Periods, now: DateTime): Grouping {
	const { firstDay = 'monday', start } = periods.chosen;
	const earlier = DAYS_EARLIER[firstDay];
	/** A moment whose parts in UTC are those of the zone. A luxon date for each record would be slow. */
	const local = (at: number) => new Date(at + start.zone.offset(at) * MINUTE);
	switch (group) {
		case 'none':
			return UNGROUPED;
		case 'hour':
			return {
				keyOf: (_record, at) => String(local(at).getUTCHours()),
				expected: Array.from({ length: 24 }, (_, hour) => String(hour)),
				columns: (key) => ({ hour: Number(key) }),
			};
		case 'weekday':
			return {
				keyOf: (_record, at) => String(local(at).getUTCDay() || 7),
				expected: WEEKDAYS.map((_, index) => String(((index + 7 - earlier) % 7) + 1)),
				columns: (key) => ({ weekday: WEEKDAYS[Number(key) - 1], weekday_number: Number(key) }),
			};
		default:
			return byPart(group, periods, now);
	}
}

/**
 * Groups by day, week or month. The first day of the period is compared with the first day of the period
 * before, and so on. If the period before has more days, they get rows of their own.
 */
function byPart(unit: 'day' | 'week' | 'month', { chosen, before }: Periods, now: DateTime) {
	const until = (now > chosen.start && now < chosen.end ? now.plus(1) : chosen.end).toMillis();
	const parts: Record<Side, Part[]> = {
		chosen: partsOf(chosen, unit),
		before: before ? partsOf(before, unit) : [],
	};
	const shown = parts.chosen.filter(({ start }) => start < until).length;
	return {
		keyOf: (_record, at, side) => String(partAt(parts[side], at)),
		expected: Array.from({ length: shown }, (_, index) => String(index)),
		columns: (key) => ({
			[unit]: parts.chosen[Number(key)]?.name ?? null,
			...(before && { [`${unit}_before`]: parts.before[Number(key)]?.name ?? null }),
		}),
	} satisfies Grouping;
}

/** @param noneKnown the error if no record shows the value. Without it, they all form one group */
export const byValue = (
	column: string,
	valueOf: (record: JsonObject) => string | null | undefined,
	noneKnown?: string,
	columns: (key: string | null) => JsonObject = () => ({}),
): Grouping => ({
	keyOf: valueOf,
	expected: [],
	columns: (key) => ({ [column]: key, ...columns(key) }),
	noneKnown,
});

/** Rows sorted by a column with texts. Rows without a value come last. */
export const sortedBy = (rows: JsonObject[], column: string): JsonObject[] =>
	rows.toSorted(byText((row) => String(row[column] ?? '\uffff')));

export const largestFirst = (rows: JsonObject[], column: string): JsonObject[] =>
	rows.toSorted((one, other) => Number(other[column]) - Number(one[column]));
