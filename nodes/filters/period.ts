import { DateTime } from 'luxon';

import { quoted } from '../words';

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

type Calendar<Name extends string = string> = Readonly<
	Record<Name, readonly [label: string, unit: Unit, count: number, ago: number]>
>;

// Named periods as whole units of the calendar: how many, and how many units ago the first began.

const PAST = {
	last30Days: ['Last 30 Days', 'day', 30, 30],
	last7Days: ['Last 7 Days', 'day', 7, 7],
	lastMonth: ['Last Month', 'month', 1, 1],
	lastQuarter: ['Last Quarter', 'quarter', 1, 1],
	lastWeek: ['Last Week', 'week', 1, 1],
	lastYear: ['Last Year', 'year', 1, 1],
	thisMonth: ['This Month', 'month', 1, 0],
	thisQuarter: ['This Quarter', 'quarter', 1, 0],
	thisWeek: ['This Week', 'week', 1, 0],
	thisYear: ['This Year', 'year', 1, 0],
	today: ['Today', 'day', 1, 0],
	yesterday: ['Yesterday', 'day', 1, 1],
} as const satisfies Calendar;

const COMING = {
	next30Days: ['Next 30 Days', 'day', 30, -1],
	next7Days: ['Next 7 Days', 'day', 7, -1],
	tomorrow: ['Tomorrow', 'day', 1, -1],
} as const satisfies Calendar;

const CALENDAR: Calendar<NamedPeriod> = { ...PAST, ...COMING };

export type NamedPeriod = keyof typeof PAST | keyof typeof COMING;

export type PeriodName = NamedPeriod | 'between';

const labelsOf = <Name extends string>(calendar: Calendar<Name>) =>
	Object.fromEntries(
		Object.entries<Calendar[string]>(calendar).map(([name, [label]]) => [name, label]),
	) as Record<Name, string>;

export const EVENT_PERIODS = labelsOf(CALENDAR);

export const PERIODS = { between: 'Between', ...labelsOf(PAST) };

export const PERIOD_MEANINGS: Readonly<Partial<Record<PeriodName, string>>> = {
	between: 'From one moment to another',
	last30Days: 'The 30 full days before today',
	last7Days: 'The 7 full days before today',
	lastWeek: "From Monday to Sunday, unless 'First Day of Week' is another day",
	next30Days: 'The 30 full days after today',
	next7Days: 'The 7 full days after today',
	thisWeek: "From Monday to Sunday, unless 'First Day of Week' is another day",
};

export const FIRST_DAYS = { monday: 'Monday', saturday: 'Saturday', sunday: 'Sunday' } as const;

export type FirstDay = keyof typeof FIRST_DAYS;

/** How many days before Monday a week begins. */
export const DAYS_EARLIER = { monday: 0, saturday: 2, sunday: 1 } as const;

/** A period in one time zone. The start is inclusive, the end is exclusive. */
export interface Period {
	start: DateTime;
	end: DateTime;
	/** On which day its weeks begin. Default: Monday. */
	firstDay?: FirstDay;
}

/**
 * The first moment of the day, week, month, quarter or year of a date. In some zones the clocks change at
 * midnight. Then a day begins at one o'clock, or midnight comes twice.
 */
function startOf(date: DateTime, unit: Unit, firstDay: FirstDay = 'monday'): DateTime {
	const days = unit === 'week' ? DAYS_EARLIER[firstDay] : 0;
	// Arithmetic with dates is slow, also by no days.
	const start = days > 0 ? date.plus({ days }).startOf(unit).minus({ days }) : date.startOf(unit);
	const hourBefore = start.minus({ hours: 1 });
	// luxon's hasSame is wrong in zones whose clocks change an hour before midnight, such as America/Nuuk.
	return hourBefore.toISODate() === start.toISODate() ? hourBefore : start;
}

/** The start of the unit that comes `count` units after the one of the date. */
export const startOfOther = (date: DateTime, unit: Unit, count: number, firstDay?: FirstDay) =>
	startOf(noonOf(date, unit, firstDay).plus({ [unit]: count }), unit, firstDay);

/** Noon of the first day of a unit. Days are counted from there, because every day has exactly one. */
const noonOf = (date: DateTime, unit: Unit, firstDay?: FirstDay): DateTime =>
	startOf(date, unit, firstDay).set({ hour: 12 });

/** A named period, seen from `now`, in the zone of `now`. */
export function periodOf(name: NamedPeriod, now: DateTime, firstDay?: FirstDay): Period {
	const [, unit, count, ago] = CALENDAR[name];
	const start = startOfOther(now, unit, -ago, firstDay);
	return { start, end: startOfOther(now, unit, count - ago, firstDay), firstDay };
}

/**
 * The period to compare with: the same number of units before, or the same length of time before. A
 * period that is still running is compared with the same part of the one before, so that half a month
 * is not compared with a whole one.
 */
export function periodBefore(name: PeriodName, period: Period, now: DateTime): Period {
	const { start, end, firstDay } = period;
	const calendar = name === 'between' ? wholeUnits(start, end) : CALENDAR[name];
	const [, unit, count] = calendar ?? [0, 'millisecond' as const, +end - +start];
	const first =
		unit === 'millisecond' ? start.minus(count) : startOfOther(start, unit, -count, firstDay);
	const isRunning = start <= now && now < end;
	if (!isRunning) return { ...period, start: first, end: start };
	const same = now.minus({ [unit]: count });
	// A shorter month has no such day: then all of it is compared.
	const isCut = ['month', 'quarter', 'year'].includes(unit) && same.day !== now.day;
	const samePoint = isCut ? startOfOther(same, 'month', 1) : same;
	return { ...period, start: first, end: samePoint < start ? samePoint : start };
}

/** How many whole months, or else whole days, lie between two moments. */
function wholeUnits(start: DateTime, end: DateTime) {
	const unit = (['month', 'day'] as const).find((name) =>
		[start, end].every((date) => +date === +startOf(date, name)),
	);
	return unit && ([0, unit, Math.round(end.diff(start, unit).as(unit))] as const);
}

/** A day, week or month of a period. Times in ms since 1970. */
export interface Part {
	/** Such as 2026-10-31, 2026-W44 or 2026-10. A week that does not begin on Monday has its first day. */
	name: string;
	start: number;
	end: number;
}

const NAMES = {
	day: (date: DateTime) => date.toISODate(),
	month: (date: DateTime) => date.toISODate()?.slice(0, 7),
	week: (date: DateTime) => date.toISOWeekDate()?.slice(0, 8),
} as const;

/** More rows than this are of no use, and take long to make: five years have 1,827 days. */
const MOST_PARTS = 2000;

/** The days, weeks or months of a period, in order. The first and the last may be cut off. */
export function partsOf({ start, end, firstDay }: Period, unit: keyof typeof NAMES): Part[] {
	const parts: Part[] = [];
	const isNamedByDay = unit === 'week' && firstDay !== undefined && firstDay !== 'monday';
	const nameOf = NAMES[isNamedByDay ? 'day' : unit];
	const noon = noonOf(start, unit, firstDay);
	// The count grows, so the loop ends even if a day of a zone begins where another one does.
	for (let count = 1, at = start; at < end; count++) {
		const next = startOf(noon.plus({ [unit]: count }), unit, firstDay);
		if (next <= at) continue;
		if (parts.length === MOST_PARTS) {
			throw new Error(
				`This period has more than ${MOST_PARTS} ${unit}s. Choose a shorter period, or another 'Group By'.`,
			);
		}
		const until = next < end ? next : end;
		parts.push({
			name: String(nameOf(isNamedByDay ? startOf(at, unit, firstDay) : at)),
			start: at.toMillis(),
			end: until.toMillis(),
		});
		at = next;
	}
	return parts;
}

/** -1 if no part contains the moment. */
export const partAt = (parts: readonly Part[], at: number) =>
	parts.findIndex(({ start, end }) => at >= start && at < end);

export const isWithin = ({ start, end }: Partial<Period>, at: number): boolean =>
	(start === undefined || at >= start.toMillis()) && (end === undefined || at < end.toMillis());

/** No record of a list has a date, so that none belongs to a period for certain. */
export const undated = (fields: readonly string[]) =>
	new Error(
		`The records of this list have no date and time in ${quoted(fields)}, so they cannot be limited to a period`,
	);
