import { DateTime } from 'luxon';

import { byText, type JsonObject } from '../json';
import { partAt, partsOf, type Part } from '../table/period';
import { UNGROUPED, type Grouping, type Periods, type Side } from './report';

/** The ways to group that every statistic has. */
export const TIME_GROUPS = {
	none: 'None',
	day: 'Day',
	hour: 'Hour of Day',
	month: 'Month',
	week: 'Week',
	weekday: 'Weekday',
} as const;

export type TimeGroup = keyof typeof TIME_GROUPS;

export const isTimeGroup = (group: string): group is TimeGroup => Object.hasOwn(TIME_GROUPS, group);

const WEEKDAYS = [
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
	'Sunday',
] as const;

/** Groups of the calendar or the clock, in the zone of the periods. What is still to come has no row. */
export function byTime(group: TimeGroup, periods: Periods, now: DateTime): Grouping {
	const zone = periods.present.start.zone;
	const local = (at: number) => DateTime.fromMillis(at, { zone });
	switch (group) {
		case 'none':
			return UNGROUPED;
		case 'hour':
			return {
				keyOf: (_record, at) => String(local(at).hour),
				expected: Array.from({ length: 24 }, (_, hour) => String(hour)),
				columns: (key) => ({ hour: Number(key) }),
			};
		case 'weekday':
			return {
				keyOf: (_record, at) => String(local(at).weekday),
				expected: WEEKDAYS.map((_, index) => String(index + 1)),
				columns: (key) => ({ weekday: WEEKDAYS[Number(key) - 1], weekday_number: Number(key) }),
			};
		default:
			return byPart(group, periods, now);
	}
}

/**
 * Days, weeks or months. The first of the period stands beside the first of the one before, and so
 * on; where that one has more of them, those have rows of their own.
 */
function byPart(unit: 'day' | 'week' | 'month', { present, before }: Periods, now: DateTime) {
	const until = now < present.end && now > present.start ? now.plus(1) : present.end;
	const parts: Record<Side, Part[]> = {
		present: partsOf(present, unit),
		before: before ? partsOf(before, unit) : [],
	};
	const shown = partsOf({ start: present.start, end: until }, unit).length;
	const grouping: Grouping = {
		keyOf: (_record, at, side) => String(partAt(parts[side], at)),
		expected: Array.from({ length: shown }, (_, index) => String(index)),
		columns: (key) => ({
			[unit]: parts.present[Number(key)]?.name ?? null,
			...(before && { [`${unit}_before`]: parts.before[Number(key)]?.name ?? null }),
		}),
	};
	return grouping;
}

/**
 * Groups by what a record says.
 *
 * @param untold what to tell the user where no record says it, and that is no answer
 * @param columns what names the group besides its key
 */
export const byValue = (
	column: string,
	valueOf: (record: JsonObject) => string | null,
	untold?: string,
	columns: (key: string | null) => JsonObject = () => ({}),
): Grouping => ({
	keyOf: valueOf,
	expected: [],
	columns: (key) => ({ [column]: key, ...columns(key) }),
	untold,
});

/** Rows in the order of a column, what has none at the end. */
export const sortedBy = (rows: JsonObject[], column: string): JsonObject[] =>
	rows.toSorted(
		(one, other) =>
			Number(one[column] === null) - Number(other[column] === null) ||
			byText((row: JsonObject) => String(row[column]))(one, other),
	);

/** Rows with the largest figure first. */
export const largestFirst = (rows: JsonObject[], column: string): JsonObject[] =>
	rows.toSorted((one, other) => Number(other[column]) - Number(one[column]));
