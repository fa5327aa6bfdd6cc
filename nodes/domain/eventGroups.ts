import { firstOf, groupedBy, isObject, textIn, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { namingKey } from './namedValues';

/**
 * The calendar events in an answer that groups them by date, each with its date. The reference does not
 * show the form of the groups. This reads a list of groups, an object with a list or a group for each date,
 * and a flat list. Any other data is returned unchanged, and the caller then refuses it.
 * Reference: GET /events, "grouped by date".
 */
export function calendarEventsIn(data: unknown): unknown {
	if (isObject(data)) {
		const groups = Object.entries(data).map(([date, held]) =>
			isObject(held) ? { date, ...held } : { date, [EVENTS]: held },
		);
		const isByDate = Object.keys(data).every(isDate) && groups.every(isGroup);
		return isByDate ? groups.flatMap(eventsIn) : data;
	}
	if (!Array.isArray(data) || !data.every(isObject)) return data;
	if (!data.some(isGroup) && !data.every(hasEvents)) return data;
	return data.flatMap((entry) => (isEvent(entry) && !hasEvents(entry) ? [entry] : eventsIn(entry)));
}

/** Flat events, put back under their dates. */
export function groupByDate(
	events: JsonObject[],
	dayOf: (event: JsonObject) => unknown,
): JsonObject[] {
	return [...groupedBy(events, dayOf)].map(([date, group]) => ({ date, events: group }));
}

/** The events of a group, each with the date of the group. */
const eventsIn = (group: JsonObject): JsonObject[] => {
	const shown = group.date ?? Object.values(group).find(isDate) ?? group.day;
	const date = textIn(shown);
	return listsIn(group)
		.flat()
		.map((event) => ({ date, ...event }));
};

/** The usual name of the list in a group of events. */
const EVENTS = 'events';

/**
 * Whether an entry is a group and not an event. Both may hold lists, for example of guests. But an event
 * has an id and a status of its own (reference: "event by id", "Event status").
 */
function isGroup(entry: JsonObject): boolean {
	if (!isEvent(entry)) return hasEvents(entry) || listsIn(entry).length > 0;
	return hasEvents(entry) && Boolean((entry[EVENTS] as unknown[] | null)?.length);
}

const isEvent = (entry: JsonObject): boolean =>
	Object.keys(entry).some((name) => /^id$|_id$/i.test(name)) ||
	firstOf(entry, ASSUMED.eventState) !== undefined;

const hasEvents = ({ [EVENTS]: held }: JsonObject): boolean =>
	held === null || isListOfRecords(held);

/** The lists of records in an entry. Custom fields may be lists too, of names and values. */
const listsIn = (entry: JsonObject): JsonObject[][] =>
	Object.entries(entry).flatMap(([name, held]) =>
		isListOfRecords(held) && (name === EVENTS || namingKey(held) === undefined) ? [held] : [],
	);

const isListOfRecords = (value: unknown): value is JsonObject[] =>
	Array.isArray(value) && value.every(isObject);

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
