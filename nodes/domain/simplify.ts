import type { Names } from '../api/names';
import { isObject, type JsonObject } from '../json';
import { inZone } from '../time';
import { ASSUMED } from './assumed';
import { namingKey, valuesByName } from './namedValues';

/** A record, and what goes out with it. */
export class FullRecord {
	/** The name of its account, if the item shows it. */
	account?: string;

	readonly record: JsonObject;

	/** What the user included or the node adds. Simplify keeps all of it. */
	readonly beside: JsonObject;

	/** More fields of the record, from a request of its own. */
	readonly detail: JsonObject;

	constructor(record: JsonObject, beside: JsonObject = {}, detail: JsonObject = {}) {
		this.record = record;
		this.beside = beside;
		this.detail = detail;
	}

	get whole(): JsonObject {
		return { ...this.record, ...this.detail, ...this.beside };
	}

	with(more: JsonObject): FullRecord {
		return new FullRecord(this.record, { ...this.beside, ...more }, this.detail);
	}
}

/** Which fields of a record Simplify keeps, besides its ID and its custom fields. */
export interface Columns {
	/** These come first, in this order. */
	first: readonly string[];
	/** These do not count among the ten, and keep their form. */
	onTop?: readonly string[];
	/** No other fields are kept, because the reference shows all of them. */
	isAll?: boolean;
}

/** Which fields go out: those that Simplify keeps, those of these names, or all. */
export interface Shape {
	columns?: Columns;
	selected?: readonly string[];
}

/** How many fields Simplify keeps: n8n's rule for verified nodes. */
const MOST_FIELDS = 10;

/**
 * Records as rows of one table: all have the same columns, which follow from the names of all records and
 * never from what one of them holds. Ten fields of the records and ten of their details are columns, and
 * all that stands beside them. Single values stay, a list of them is a text, an object has a column for
 * each of its fields (`custom_fields.tier`), and what is empty is null. Moments are shown in the zone.
 */
export function toRows(
	entries: readonly FullRecord[],
	columns: Columns,
	zone: string,
): JsonObject[] {
	const { first, onTop = [] } = columns;
	const order = ['id', ...first];
	const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
	const wholes = entries.map(({ whole }) => whole);
	const cells = keptIn(entries, columns)
		.sort((a, b) => placeOf(a) - placeOf(b))
		.flatMap((name) => {
			const rows = wholes.map(({ [name]: value }) =>
				onTop.includes(name)
					? { [name]: inZone(value, zone) }
					: Object.fromEntries(cellsOf(name, value, zone)),
			);
			const names = namesIn(rows);
			// An object that one record does not have needs no column of its own.
			const isUsed = (column: string) =>
				rows.some(({ [column]: value }) => (value ?? null) !== null) ||
				!(isCustom(column) || names.some((other) => other.startsWith(`${column}.`)));
			return names.filter(isUsed).map((column) => ({ column, rows }));
		});
	return entries.map((_, at) =>
		Object.fromEntries(cells.map(({ column, rows }) => [column, rows[at]![column] ?? null])),
	);
}

function keptIn(entries: readonly FullRecord[], columns: Columns): string[] {
	const records = entries.map(({ record }) => record);
	const details = entries.map(({ detail }) => detail);
	const own = fieldsOf(records, namesIn(records), columns);
	const known = new Set(namesIn(records));
	const more = namesIn(details).filter((name) => !known.has(name));
	const beside = namesIn(entries.map((entry) => entry.beside));
	return [...new Set([...own, ...fieldsOf(details, more, columns), ...beside])];
}

/**
 * Which of these fields are kept: up to ten, custom fields, and what comes on top. A field that is not named
 * must be flat in all records: a single value, a list or an object of single values, or names with values.
 */
function fieldsOf(
	records: JsonObject[],
	all: string[],
	{ first, onTop = [], isAll }: Columns,
): string[] {
	const isOnTop = (name: string) => onTop.includes(name) || isCustom(name);
	const named = ['id', ...first].filter((name) => all.includes(name));
	const others = all.filter((name) => records.every(({ [name]: value }) => isFlat(value)));
	const ranked = isAll ? named : [...named, ...others.sort((a, b) => rankOf(a) - rankOf(b))];
	const counted = [...new Set(ranked)].filter((name) => !isOnTop(name));
	return [...counted.slice(0, MOST_FIELDS), ...all.filter(isOnTop)];
}

const namesIn = (records: readonly JsonObject[]) => [...new Set(records.flatMap(Object.keys))];

/** How soon a field is kept. A phone number is needed more often than a note. */
function rankOf(name: string): number {
	if (/note|comment|remark/i.test(name)) return 2;
	return /phone|mobile|address/i.test(name) ? 0 : 1;
}

const isCustom = (name: string) => ASSUMED.customFields.some((custom) => custom === name);

const isSingle = (value: unknown) => value === null || typeof value !== 'object';

const isFlat = (value: unknown) =>
	isSingle(value) || Object.values(innerOf(value) ?? (value as object)).every(isSingle);

function innerOf(value: unknown): JsonObject | undefined {
	const key = namingKey(value);
	if (key !== undefined) return valuesByName(value as JsonObject[], key);
	return isObject(value) ? value : undefined;
}

function cellsOf(name: string, value: unknown, zone: string): Array<[string, unknown]> {
	const inner = Object.entries(innerOf(value) ?? {});
	if (inner.length === 0) return [[name, isObject(value) ? null : cellOf(value, zone)]];
	return inner.flatMap(([key, each]) => cellsOf(`${name}.${key}`, each, zone));
}

function cellOf(value: unknown, zone: string): unknown {
	const shown = inZone(value, zone);
	if (isSingle(shown)) return shown === '' ? null : shown;
	if (!Array.isArray(shown) || !shown.every(isSingle)) return JSON.stringify(shown);
	return shown.filter((each) => each !== null && each !== '').join(', ') || null;
}

/** Records with their IDs and the fields of these names. A name may lead into a field: `custom_fields.tier`. */
export function selectedFields(
	entries: readonly FullRecord[],
	names: readonly string[],
	zone: string,
): JsonObject[] {
	const rows = entries.map(({ whole }) => {
		const valueOf = (name: string) => {
			const value = selectedValue(whole, name);
			return isFlat(value) && !isObject(value) ? cellOf(value, zone) : inZone(value, zone);
		};
		return Object.fromEntries(['id', ...names].map((name) => [name, valueOf(name) ?? null]));
	});
	const hasId = names.includes('id') || rows.some(({ id }) => id !== null);
	return hasId ? rows : rows.map(({ id: _, ...row }) => row);
}

/** The value of a field, also inside of custom fields in any form. Undefined if there is none. */
function selectedValue(record: JsonObject, name: string): unknown {
	if (Object.hasOwn(record, name)) return record[name];
	let value: unknown = record;
	for (const part of name.split('.')) {
		value = innerOf(value);
		if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
		value = value[part];
	}
	return value;
}

/** A contact list may show memberships, with the contact in them. Reference: "Other records", Contact. */
export const simplifyContact = ({ contactPhone }: Names): Columns => ({
	first: ['contact', contactPhone, 'secondary_phone_number'],
});

/** Reference: "Other records", Catalogue item. */
export const simplifyItem = ({ itemSku }: Names): Columns => ({
	first: [
		...[itemSku, 'name', 'price', 'currency', 'quantity', 'category', 'description'],
		ASSUMED.itemCatalogue,
	],
});

/** A calendar event, or those of a day. Reference: "event by id". */
export const simplifyEvent = (): Columns => ({
	first: [...ASSUMED.eventDate, ...ASSUMED.eventStatus],
	onTop: ['events'],
});
