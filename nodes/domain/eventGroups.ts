import { listAll } from '../api/lists';
import type { Api, Request } from '../api/session';
import { firstOf, isObject, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { namingKey } from './namedValues';

/**
 * The calendar events in an answer that groups them by date, each with its date. The reference does not
 * show the form of the groups. This reads a list of groups, an object with a group for each date, pairs of
 * date and group, and a flat list. A group may have its events in one list or several. Any other data is
 * returned unchanged, and the caller then refuses it.
 */
export const calendarEventsIn = (data: unknown): unknown =>
	partsIn(data)?.flatMap(
		({ head, lists }) =>
			recordsOf(lists)?.map((event) => ({ date: dateOf(head), ...event })) ?? [head],
	) ?? data;

/** The date of a group, in whichever field it is. */
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

/** A group of an answer, or a record that is in no group. */
interface Part {
	/** The record, or the group's own fields without its lists of records. */
	head: JsonObject;
	/** Name of the list → its records. Undefined for a record that is in no group. */
	lists?: Map<string, JsonObject[]>;
}

/**
 * Reads a list of any endpoint, for API Request. If it comes in groups by date, limit and offset count the
 * records inside them. So the records of all pages are read, and then put back into their groups.
 */
export async function listGroups(api: Api, request: Request): Promise<JsonObject[]> {
	const groupOf = new Map<JsonObject, Membership>();
	const recordsIn = (data: unknown) => {
		const parts = partsIn(data ?? []);
		if (parts === undefined) throw new Error(NO_LIST);
		for (const part of parts) noteGroup(part, groupOf);
		return parts.flatMap(({ head, lists }) => recordsOf(lists) ?? [head]);
	};
	const records = await listAll(api, request, { records: recordsIn });
	const joined = new Map<unknown, { head: JsonObject; lists: Map<string, JsonObject[]> }>();
	for (const record of records) {
		const { head = record, name } = groupOf.get(record) ?? {};
		const key = head === record ? record : JSON.stringify(head);
		const whole = joined.get(key) ?? { head, lists: new Map<string, JsonObject[]>() };
		joined.set(key, whole);
		if (name === undefined) continue;
		const list = whole.lists.get(name) ?? [];
		whole.lists.set(name, list);
		list.push(record);
	}
	return [...joined.values()].map(({ head, lists }) => ({
		...head,
		...Object.fromEntries(lists),
	}));
}

const NO_LIST =
	"The answer is not a list, so it has no pages. Turn off 'All Pages' to get it as it is.";

/** The group of a record: the group's own fields, and the name of the list that holds the record. */
interface Membership {
	head: JsonObject;
	name: string;
}

function noteGroup({ head, lists = new Map() }: Part, groupOf: Map<JsonObject, Membership>): void {
	for (const [name, records] of lists) {
		for (const record of records) groupOf.set(record, { head, name });
	}
}

const recordsOf = (lists: Part['lists']) => lists && [...lists.values()].flat();

const DATE = /^\d{4}-\d\d-\d\d/;

const isDate = (value: unknown) => typeof value === 'string' && DATE.test(value);

/** The usual name of the list in a group of events. */
const EVENTS = 'events';

/** The groups and single records in an answer. Undefined if the data has another form. */
function partsIn(data: unknown): Part[] | undefined {
	const byDate = pairsIn(data)?.map(toEntry);
	const entries = byDate ?? data;
	if (!Array.isArray(entries) || !entries.every(isObject)) return undefined;
	const names = new Set([EVENTS, ...entries.flatMap(namesOfLists)]);
	const parts = entries.map((entry) => partOf(entry, names));
	return byDate && parts.some(({ lists }) => lists === undefined) ? undefined : parts;
}

/** The pairs of date and group, from an object or a list of pairs. Undefined if the data is neither. */
function pairsIn(data: unknown): Array<[date: unknown, held: unknown]> | undefined {
	const pairs: unknown = isObject(data) ? Object.entries(data) : data;
	const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && isDate(pair[0]);
	return Array.isArray(pairs) && pairs.every(isPair)
		? (pairs as Array<[unknown, unknown]>)
		: undefined;
}

/** A pair of date and group in the form that a list of groups has. */
function toEntry([date, held]: [unknown, unknown]): JsonObject {
	if (!isObject(held)) return { date, [EVENTS]: held };
	return isRecord(held) && !(EVENTS in held) ? { date, [EVENTS]: [held] } : { date, ...held };
}

/** Names of the fields that hold lists of records. */
const namesOfLists = (entry: JsonObject): string[] =>
	Object.keys(entry).filter((name) => {
		const value = entry[name];
		return isListOfRecords(value) && value.length > 0 && value.every(isRecord);
	});

/**
 * Decides whether an entry is a group or a record. A group has a date and, in a field with one of these
 * names, a list or null. A record may have a list too, for example of guests. But it has an id or a status
 * of its own: an event has both (reference: "event by id", "Event status").
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
