import { DateTime, type Zone } from 'luxon';

import { toMillis } from '../../time';
import { ASSUMED } from '../../domain/assumed';
import { isState } from '../../domain/status';
import { firstOf, groupedBy, textIn, type JsonObject } from '../../json';
import { startOfOther, type Period } from '../../filters/period';
import { quoted } from '../../words';

type Tell = (message: string) => void;

/**
 * The calendar events of a period, with one of these statuses if there are any.
 * @param zone the time zone of events that only show their day
 * @param tell shows the user a hint about events that are left out
 * @throws Error if no event shows a date or a status to filter by
 */
export function filterEvents(
	events: JsonObject[],
	{ period, statuses }: { period: Partial<Period>; statuses: readonly string[] },
	zone: Zone,
	tell: Tell,
): JsonObject[] {
	const isDated = period.start !== undefined || period.end !== undefined;
	const inPeriod = isDated ? within(events, period, zone, tell) : events;
	return statuses.length > 0 ? withStatus(inPeriod, statuses, tell) : inPeriod;
}

/** The calendar events under their days in the time zone. */
export function groupByDay(events: JsonObject[], zone: Zone): JsonObject[] {
	const days = groupedBy(events, (event) => dayOf(event, zone));
	return [...days].map(([date, ofDay]) => ({ date, events: ofDay }));
}

/** The day of an event in the time zone, such as 2026-01-31, or that of its group if it shows no date. */
function dayOf(event: JsonObject, zone: Zone): unknown {
	const [date] = datesIn(event);
	if (date === undefined) return event.date;
	const at = WHOLE_DAY.test(date) ? undefined : toMillis(date);
	return at === undefined ? date.slice(0, 10) : DateTime.fromMillis(at, { zone }).toISODate();
}

function within(
	events: JsonObject[],
	{ start, end }: Partial<Period>,
	zone: Zone,
	tell: Tell,
): JsonObject[] {
	const spans = events.map((event) => spanOf(dateIn(event, zone), zone));
	const without = spans.filter((span) => span === undefined).length;
	if (events.length > 0 && without === events.length) {
		throw new Error(
			`The calendar events show no date in ${quoted(ASSUMED.eventDate)}, so the node cannot tell which are wanted. Remove the filter.`,
		);
	}
	if (without > 0) tell(`Calendar events without a date are left out: ${without}.`);
	return events.filter((_event, at) => {
		const span = spans[at];
		return (
			span !== undefined &&
			(end === undefined || span.first < end.toMillis()) &&
			(start === undefined || span.last >= start.toMillis())
		);
	});
}

function withStatus(events: JsonObject[], wanted: readonly string[], tell: Tell): JsonObject[] {
	const statusIn = (event: JsonObject) => textIn(firstOf(event, ASSUMED.eventStatus));
	const shown = new Set(events.flatMap((event) => statusIn(event) ?? []));
	if (events.length > 0 && shown.size === 0) {
		throw new Error(
			`No calendar event has a status in ${quoted(ASSUMED.eventStatus)}, so the node cannot tell which are wanted. Remove the filter.`,
		);
	}
	const found = events.filter((event) => isState(wanted, statusIn(event)));
	if (events.length > 0 && found.length === 0) {
		tell(
			`No calendar event has the status ${wanted.join(' or ')}. The statuses found: ${quoted([...shown])}.`,
		);
	}
	return found;
}

const STARTS_WITH_DAY = /^\d{4}-\d\d-\d\d/;

const WHOLE_DAY = /^\d{4}-\d\d-\d\d$/;

/** A day may be written so: the reference leaves the form open. In other fields it is a moment. */
const MIDNIGHT_IN_UTC = /^\d{4}-\d\d-\d\dT00:00(:00(\.0+)?)?(Z|[+-]00:?00)?$/;
const DAY_FIELD = /(^|\.)(date|day)$/;

/** The dates of an event, with a time or without. A day that is written as midnight in UTC becomes a day. */
const datesIn = (event: JsonObject): string[] =>
	ASSUMED.eventDate.flatMap((name) => {
		const value = firstOf(event, [name]);
		if (typeof value !== 'string' || !STARTS_WITH_DAY.test(value)) return [];
		if (DAY_FIELD.test(name) && MIDNIGHT_IN_UTC.test(value)) return value.slice(0, 10);
		return WITHOUT_ZONE.test(value) ? inOwnZone(value, event) : value;
	});

const WITHOUT_ZONE = /T[\d:.]+$/;

/** A moment with the zone that the event names, if it does. */
function inOwnZone(moment: string, event: JsonObject): string {
	const zone = zoneOf(event);
	return (zone && DateTime.fromISO(moment, { zone }).toUTC().toISO()) ?? moment;
}

function zoneOf(event: JsonObject): string | undefined {
	const zone = firstOf(event, ASSUMED.eventZone);
	return typeof zone === 'string' ? zone : undefined;
}

/**
 * When an event begins, as exactly as it shows it: groups give their day to all of their events, and the
 * time may stand in a field of its own.
 */
function dateIn(event: JsonObject, zone: Zone): string | undefined {
	const dates = datesIn(event);
	const moment = dates.find((date) => !WHOLE_DAY.test(date));
	if (moment !== undefined || dates[0] === undefined) return moment;
	const [, hour, rest] = CLOCK.exec(textIn(event.start_time) ?? '') ?? [];
	if (hour === undefined) return dates[0];
	const iso = `${dates[0].slice(0, 10)}T${hour.padStart(2, '0')}${rest}`;
	return DateTime.fromISO(iso, { zone: zoneOf(event) ?? zone }).toISO() ?? dates[0];
}

const CLOCK = /^(\d{1,2})(:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)$/;

/** One moment if an event shows a time, otherwise its whole day. In ms. */
function spanOf(date: string | undefined, zone: Zone): { first: number; last: number } | undefined {
	if (date === undefined) return undefined;
	if (!WHOLE_DAY.test(date)) {
		const at = toMillis(date);
		return at === undefined ? undefined : { first: at, last: at };
	}
	const day = DateTime.fromISO(date.slice(0, 10), { zone });
	if (!day.isValid) return undefined;
	const [first, next] = [startOfOther(day, 'day', 0), startOfOther(day, 'day', 1)];
	return { first: first.toMillis(), last: next.toMillis() - 1 };
}
