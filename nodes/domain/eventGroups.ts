import { listAll } from '../api/lists';
import type { Api, Request } from '../api/session';
import { firstOf, isObject, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { namingKey } from './namedValues';

/**
 * The events of a list that comes grouped by date, each with its date. What the groups look like is not
 * shown: a list of groups, an object by date and pairs of date and group are understood, each with its
 * events in one list or several; and a flat list. All else stays as it is, for the reader to refuse.
 */
export const calendarEventsIn = (data: unknown): unknown =>
	partsIn(data)?.flatMap(({ head, lists }) =>
		lists === undefined
			? [head]
			: [...lists.values()].flat().map((event) => ({ date: dateOf(head), ...event })),
	) ?? data;

/** A group's date, however the field is called. */
const dateOf = (head: JsonObject) => head.date ?? Object.values(head).find(isDate) ?? head.day;

/** Flat events, put back under their dates. */
export function groupByDate(
	events: JsonObject[],
	dayOf: (event: JsonObject) => unknown,
): JsonObject[] {
	const groups = new Map<unknown, JsonObject[]>();
	for (const event of events) {
		const day = dayOf(event);
		groups.set(day, [...(groups.get(day) ?? []), event]);
	}
	return [...groups].map(([date, group]) => ({ date, events: group }));
}

/** A group as the server has it; or a record that stands by itself. */
interface Part {
	/** The record, or what is said of the group besides its records. */
	head: JsonObject;
	/** The group's records, by the names of their lists. */
	lists?: Map<string, JsonObject[]>;
}

/**
 * A list of any endpoint from its start. Where it comes in groups by date, what limit and offset
 * count lies inside of them: the records are read to their end, and put back into groups with the
 * server's own names.
 */
export async function listGroups(api: Api, request: Request): Promise<JsonObject[]> {
	const groupOf = new Map<JsonObject, { head: JsonObject; name: string }>();
	const records = await listAll(api, request, Infinity, (data) => {
		const parts = partsIn(data);
		for (const { head, lists = [] } of parts ?? [])
			for (const [name, own] of lists) for (const one of own) groupOf.set(one, { head, name });
		return (
			parts?.flatMap(({ head, lists }) => (lists ? [...lists.values()].flat() : [head])) ?? data
		);
	});
	const joined = new Map<unknown, JsonObject>();
	for (const record of records) {
		const { head, name } = groupOf.get(record) ?? {};
		const key = head === undefined ? record : JSON.stringify(head);
		const whole = joined.get(key) ?? { ...(head ?? record) };
		if (name !== undefined) ((whole[name] ??= []) as JsonObject[]).push(record);
		joined.set(key, whole);
	}
	return [...joined.values()];
}

const DATE = /^\d{4}-\d\d-\d\d/;

const isDate = (value: unknown) => typeof value === 'string' && DATE.test(value);

/** What a group of events calls their list, as far as the reference has a word for it. */
const EVENTS = 'events';

/** The groups and other records that data consists of; undefined where it is no list of such. */
function partsIn(data: unknown): Part[] | undefined {
	const byDate = pairsIn(data)?.map(toEntry);
	const entries = byDate ?? data;
	if (!Array.isArray(entries) || !entries.every(isObject)) return undefined;
	const names = new Set([EVENTS, ...entries.flatMap(namesOfLists)]);
	const parts = entries.map((entry) => partOf(entry, names));
	return byDate && parts.some(({ lists }) => lists === undefined) ? undefined : parts;
}

/** What lies under each date: an object's, or that of a list of pairs. */
function pairsIn(data: unknown): Array<[date: unknown, held: unknown]> | undefined {
	const pairs: unknown = isObject(data) ? Object.entries(data) : data;
	const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && isDate(pair[0]);
	return Array.isArray(pairs) && pairs.every(isPair)
		? (pairs as Array<[unknown, unknown]>)
		: undefined;
}

/** The same, as a list of groups would have it. */
function toEntry([date, held]: [unknown, unknown]): JsonObject {
	if (!isObject(held)) return { date, [EVENTS]: held };
	return isRecord(held) && !(EVENTS in held) ? { date, [EVENTS]: [held] } : { date, ...held };
}

/** Under which names an entry holds lists of what looks like events. */
const namesOfLists = (entry: JsonObject): string[] =>
	Object.keys(entry).filter((name) => {
		const value = entry[name];
		return isListOfRecords(value) && value.length > 0 && value.every(isRecord);
	});

/**
 * A group has a date and, under one of these names, a list; null is an empty one. A record that merely
 * carries a list, such as of guests, is known by its own id or status: an event has both (reference:
 * "event by id", "Event status").
 */
function partOf(entry: JsonObject, names: ReadonlySet<string>): Part {
	const fields = Object.entries(entry);
	const lists = fields.filter(
		([name, value]) =>
			(isListOfRecords(value) && namingKey(value) === undefined) ||
			(value === null && names.has(name)),
	);
	const head = Object.fromEntries(fields.filter((field) => !lists.includes(field)));
	const says = Object.entries(head).filter(([name, value]) => !ID.test(name) && !isDate(value));
	const isNamed = lists.some(([name]) => name === EVENTS);
	const isGroup = hasId(head)
		? isNamed && says.every(([, value]) => typeof value !== 'string')
		: isNamed || (!hasStatus(head) && Object.values(head).some(isDate));
	if (!isGroup || !lists.some(([name]) => names.has(name))) return { head: entry };
	return {
		head,
		lists: new Map(lists.map(([name, value]) => [name, (value ?? []) as JsonObject[]])),
	};
}

const ID = /^(id|guid|uid|uuid)$|[_-]id$|[a-z]I[dD]$/;

const hasId = (record: JsonObject) => Object.keys(record).some((name) => ID.test(name));

const hasStatus = (record: JsonObject) => firstOf(record, ASSUMED.eventState) !== undefined;

const isRecord = (held: JsonObject) => hasId(held) || hasStatus(held);

const isListOfRecords = (value: unknown): value is JsonObject[] =>
	Array.isArray(value) && value.every(isObject);
