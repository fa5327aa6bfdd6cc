import { isObject, type JsonObject } from '../json';

/**
 * The events of a list that comes grouped by date, each with its date. What the groups look like
 * is not shown: both a list of groups and an object by date are understood, and a flat list.
 */
export function eventsOf(data: unknown): JsonObject[] {
	if (isObject(data)) {
		return Object.entries(data).flatMap(([date, events]) => dated(date, events));
	}
	return (Array.isArray(data) ? data : []).filter(isObject).flatMap((entry) => {
		const events = Object.values(entry).find(
			(value) => Array.isArray(value) && value.every(isObject),
		);
		return events === undefined || 'id' in entry ? [entry] : dated(entry.date, events);
	});
}

const dated = (date: unknown, events: unknown): JsonObject[] =>
	(Array.isArray(events) ? events : []).filter(isObject).map((event) => ({ date, ...event }));

/** Flat events, put back under their dates. */
export function groupByDate(events: JsonObject[]): JsonObject[] {
	const groups = new Map<unknown, JsonObject[]>();
	for (const event of events) groups.set(event.date, [...(groups.get(event.date) ?? []), event]);
	return [...groups].map(([date, group]) => ({ date, events: group }));
}
