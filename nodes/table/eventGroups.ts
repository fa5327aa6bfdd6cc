import { listAll } from '../api/lists';
import type { Api, Request } from '../api/session';
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
		return events === undefined || 'id' in entry ? [entry] : dated(dateOf(entry), events);
	});
}

/**
 * The same, for whom a list that is not understood is an error: groups by date become their events, all
 * else stays as it is.
 */
export const eventsByDate = (data: unknown): unknown =>
	groupsIn(data)?.flatMap(({ head, records }) => dated(dateOf(head), records)) ?? data;

/** A group's date, however the field is called. */
const dateOf = (head: JsonObject) =>
	head.date ?? Object.values(head).find((value) => typeof value === 'string' && DATE.test(value));

const dated = (date: unknown, events: unknown): JsonObject[] =>
	(Array.isArray(events) ? events : []).filter(isObject).map((event) => ({ date, ...event }));

/** Flat events, put back under their dates. */
export function groupByDate(events: JsonObject[]): JsonObject[] {
	const groups = new Map<unknown, JsonObject[]>();
	for (const event of events) groups.set(event.date, [...(groups.get(event.date) ?? []), event]);
	return [...groups].map(([date, group]) => ({ date, events: group }));
}

/** A group as the server has it: what is said of it, and how it calls the list of its records. */
interface Group {
	head: JsonObject;
	name: string;
	records: JsonObject[];
}

/**
 * A list of any endpoint from its start. Where it comes in groups by date, what limit and offset
 * count lies inside of them: the records are read to their end, and put back into groups with the
 * server's own names.
 */
export async function listGroups(api: Api, request: Request): Promise<JsonObject[]> {
	const groupOf = new Map<JsonObject, Group>();
	const records = await listAll(api, request, Infinity, (data) => {
		const groups = groupsIn(data);
		for (const group of groups ?? [])
			for (const record of group.records) groupOf.set(record, group);
		return groups?.flatMap((group) => group.records) ?? data;
	});
	if (groupOf.size === 0) return records;
	const joined = new Map<string, Group>();
	for (const record of records) {
		const group = groupOf.get(record)!;
		const key = JSON.stringify(group.head);
		const whole = joined.get(key) ?? { ...group, records: [] };
		whole.records.push(record);
		joined.set(key, whole);
	}
	return [...joined.values()].map(({ head, name, records: own }) => ({ ...head, [name]: own }));
}

const DATE = /^\d{4}-\d\d-\d\d/;

/** The groups by date that data consists of; undefined where it is anything else. */
function groupsIn(data: unknown): Group[] | undefined {
	if (isObject(data)) {
		const isByDate = Object.keys(data).every((date) => DATE.test(date));
		return isByDate ? groupsIn(Object.entries(data).map(toGroup)) : undefined;
	}
	if (!Array.isArray(data)) return undefined;
	const groups = data.map((entry: unknown): Group | undefined => {
		if (!isObject(entry) || 'id' in entry) return undefined;
		const lists = Object.entries(entry).filter(([, value]) => isListOfRecords(value));
		const hasDate = Object.values(entry).some((value) => DATE.test(String(value)));
		if (lists.length !== 1 || !hasDate) return undefined;
		const [name, records] = lists[0] as [string, JsonObject[]];
		const { [name]: _records, ...head } = entry;
		return { head, name, records };
	});
	return groups.includes(undefined) ? undefined : (groups as Group[]);
}

const toGroup = ([date, events]: [string, unknown]) => ({ date, events });

const isListOfRecords = (value: unknown) => Array.isArray(value) && value.every(isObject);
