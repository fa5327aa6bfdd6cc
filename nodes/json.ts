import { shortKey } from './digest';

export type JsonObject = Record<string, unknown>;

/** So much of a text is compared, in characters. */
const LONGEST = 200;

/**
 * Compares two entries by text, for sorting, the same on every machine. `localeCompare` depends on the
 * machine's language, and its first use costs 8 ms.
 */
export const byText =
	<T>(textOf: (entry: T) => string) =>
	(one: T, other: T): number => {
		const [a, b] = [one, other].map((entry) => textOf(entry).slice(0, LONGEST).toLowerCase()) as [
			string,
			string,
		];
		return a < b ? -1 : Number(a > b);
	};

/** Entries with the same key, in their order. A long text as a key is cut, and ends in a digest: do not show it. */
export function groupedBy<Key, T>(entries: readonly T[], keyOf: (entry: T) => Key): Map<Key, T[]> {
	const groups = new Map<Key, T[]>();
	for (const entry of entries) {
		const own = keyOf(entry);
		const key = typeof own === 'string' ? (shortKey(own) as Key) : own;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [entry]);
		else group.push(entry);
	}
	return groups;
}

/** An object with those of its fields that fit. */
export const fitting = <V>(
	fields: Readonly<Record<string, V>>,
	fits: (name: string, value: V) => boolean,
): Record<string, V> =>
	Object.fromEntries(Object.entries(fields).filter(([name, value]) => fits(name, value)));

/** An object without some of its fields. */
export const without = <T extends object, Name extends keyof T & string>(
	fields: T,
	...names: Name[]
): Omit<T, Name> =>
	fitting(fields as JsonObject, (name) => !(names as string[]).includes(name)) as Omit<T, Name>;

/** Whether a value is a JSON object: not null and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of the first of these fields that has one. See `fieldAt`. */
export function firstOf(record: JsonObject, names: readonly string[]): unknown {
	for (const name of names) {
		const value = fieldAt(record, name);
		if (value !== undefined && value !== null && value !== '') return value;
	}
	return undefined;
}

/** The value of a field. A name with dots leads into objects, unless a field has this very name. */
export function fieldAt(record: JsonObject, name: string): unknown {
	if (Object.hasOwn(record, name)) return record[name];
	let value: unknown = record;
	for (const part of name.split('.')) {
		if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
		value = value[part];
	}
	return value;
}

/** Invisible characters that chats and web pages add to copied text. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Non-breaking spaces. A plain space is meant. */
const FIXED_SPACES = /[\u00a0\u2007\u202f]/g;

/** A name or value as the user meant it: without invisible characters and outer spaces. */
export const tidy = (text: string): string =>
	text.replace(UNSEEN, '').replace(FIXED_SPACES, ' ').trim();

/** The value that a JSON text holds, also if a chat added invisible marks to it; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
	for (const written of [text, tidy(text)]) {
		try {
			return JSON.parse(written) as unknown;
		} catch {
			// The other form may be readable.
		}
	}
	return undefined;
}

/** A text, or a number as text; for an object, its id. Undefined if there is neither. */
export function textIn(value: unknown): string | undefined {
	if (isObject(value)) return isObject(value.id) ? undefined : textIn(value.id);
	// A whole number beyond this was rounded when it was read, so two records could have the same one.
	if (typeof value === 'number')
		return Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The text of the first of these fields that has one. */
export const firstText = (record: JsonObject, names: readonly string[]): string | undefined =>
	names.map((name) => textIn(fieldAt(record, name))).find((text) => text !== undefined);

/** A number, also given as text. An empty text, a list or false is no number: they would count as 0. */
export function numberIn(value: unknown): number | undefined {
	const isNumber = typeof value === 'number' || (typeof value === 'string' && /\d/.test(value));
	const number = isNumber ? Number(value) : NaN;
	return Number.isNaN(number) ? undefined : number;
}
