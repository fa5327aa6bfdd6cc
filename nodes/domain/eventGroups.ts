import { firstOf, isObject, textIn, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { namingKey } from './namedValues';

/**
 * The calendar events in an answer that groups them by date, each with its date. The reference does not
 * show the form of the groups. This reads a list of groups, an object with a list or a group for each date,
 * and a flat list. Any other data is returned unchanged, and the caller then refuses it.
 * Reference: GET /events, "grouped by date".
 */
export function calendarEventsIn(data: unknown): unknown {
	const entries = isObject(data) ? groupsByDate(data) : data;
	if (!Array.isArray(entries) || !entries.every(isObject)) return data;
	const groups = entries.map((entry) => eventsIn(entry));
	if (entries.length > 0 && groups.every((events) => events === undefined)) return data;
	return entries.flatMap((entry, at) => groups[at] ?? (isEvent(entry) ? [entry] : []));
}

const groupsByDate = (data: JsonObject): JsonObject[] | undefined =>
	Object.keys(data).every(isDate)
		? Object.entries(data).map(([date, group]) =>
				isObject(group) ? { date, ...group } : { date, events: group },
			)
		: undefined;

/** The events of a group, each with its date. Undefined if the entry is an event, or holds no list. */
function eventsIn(group: JsonObject): JsonObject[] | undefined {
	const { events } = group;
	const isNamed = isListOfRecords(events) && (events.length > 0 || !isEvent(group));
	if (!isNamed && isEvent(group)) return undefined;
	// Custom fields may be lists too, of names and values.
	const lists = Object.entries(group).flatMap(([name, list]) =>
		isListOfRecords(list) && (name === 'events' || namingKey(list) === undefined) ? [list] : [],
	);
	if (lists.length === 0 && events !== null) return undefined;
	const date = textIn(group.date ?? Object.values(group).find(isDate) ?? group.day);
	return lists.flat().map((event) => ({ date, ...event }));
}

/** Both groups and events may hold lists, but an event has an id or a status. Reference: "Event status". */
const isEvent = (entry: JsonObject): boolean =>
	Object.keys(entry).some((name) => /^id$|_id$/i.test(name)) ||
	firstOf(entry, ASSUMED.eventStatus) !== undefined;

const isListOfRecords = (value: unknown): value is JsonObject[] =>
	Array.isArray(value) && value.every(isObject);

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
