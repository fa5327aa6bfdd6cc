import type { Names } from '../api/names';
import { fitting, isObject, type JsonObject } from '../json';
import { inZone } from '../time';
import { ASSUMED } from './assumed';
import { namingKey, valuesByName } from './namedValues';

/** How a record of an account is made smaller. */
export type Simplify = (record: JsonObject, names: Names) => JsonObject;

/** The same for a record that all accounts show alike. */
type SimplifyAny = (record: JsonObject) => JsonObject;

/** Keeps the named fields. For records whose fields the reference shows. */
export const namedFields =
	(...names: string[]): SimplifyAny =>
	(record) => {
		const kept: Array<[string, unknown]> = [];
		for (const name of names) if (Object.hasOwn(record, name)) kept.push([name, record[name]]);
		return Object.fromEntries(kept);
	};

/** Keeps the id and the fields of these names. A name may lead into a field: `custom_fields.tier`. */
export const selectedFields =
	(names: readonly string[]): SimplifyAny =>
	(record) =>
		Object.fromEntries(
			['id', ...names]
				.map((name) => [name, selectedValue(record, name)])
				.filter(([name, value]) => name !== 'id' || value !== undefined)
				.map(([name, value]) => [name, value ?? null]),
		);

/** The value of a field, also inside of custom fields in any form. Undefined if there is none. */
function selectedValue(record: JsonObject, name: string): unknown {
	if (Object.hasOwn(record, name)) return record[name];
	let value: unknown = record;
	for (const part of name.split('.')) {
		const key = namingKey(value);
		if (key !== undefined) value = valuesByName(value as JsonObject[], key);
		if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
		value = value[part];
	}
	return value;
}

/** How many fields Simplify keeps: n8n's rule for verified nodes. */
const MOST_FIELDS = 10;

/** Records that got parts because the user asked for them, and what each of them was without. */
const withoutParts = new WeakMap<JsonObject, JsonObject>();

/** A record with parts that the user includes. Simplify never drops a field because of them. */
export function withIncluded(record: JsonObject, ...parts: unknown[]): JsonObject {
	const whole = Object.assign({}, record, ...parts) as JsonObject;
	withoutParts.set(whole, record);
	return whole;
}

/** Another form of the same record, with the same included parts. */
export function asBefore(record: JsonObject, changed: JsonObject): JsonObject {
	const base = withoutParts.get(record);
	if (base !== undefined) withoutParts.set(changed, base);
	return changed;
}

/**
 * Keeps at most ten fields, in the order of the record, and at most ten of what the user included. For
 * records whose fields the reference does not show: these fields first, and then flat ones: phone numbers
 * and addresses, other fields, notes, and last empty fields. A field is flat if it holds a single value, an
 * object or a list of single values, or a list of objects that each have a "value".
 *
 * @param first fields that are kept even if they are not flat
 */
export const topFields =
	(...first: readonly string[]): SimplifyAny =>
	(record) => {
		const kept = topNames(record, ['id', ...first]);
		return fitting(record, (name) => kept.has(name));
	};

function topNames(record: JsonObject, first: readonly string[]): Set<string> {
	const base = withoutParts.get(record);
	const own = base ? fitting(record, (name) => !Object.hasOwn(base, name)) : record;
	const flat = Object.keys(fitting(own, (_name, value) => isFlat(value)));
	const ranked = flat.toSorted((a, b) => rankOf(a, own[a]) - rankOf(b, own[b]));
	const names = new Set([...first.filter((name) => Object.hasOwn(own, name)), ...ranked]);
	return new Set([...(base ? topNames(base, first) : []), ...[...names].slice(0, MOST_FIELDS)]);
}

/** How soon a field is kept. An agency's sheet needs the phone number of an order more than its notes. */
function rankOf(name: string, value: unknown): number {
	const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
	if (isEmpty || value === '') return 3;
	if (/note|comment|remark/i.test(name)) return 2;
	return /phone|mobile|address/i.test(name) ? 0 : 1;
}

/** The moments that the reference calls date-time. Reference: "Agent", "Other records". */
const MOMENTS = ['created_at', 'updated_at', 'transfer_time', 'checked_at', 'valid_until'];

/**
 * A simplified record as a row: its custom fields beside the others, as `custom_fields.tier`, and its
 * moments in the time zone of the workflow. Calendar events keep their moments: they have zones of their own.
 *
 * @param request the request that the record comes from
 */
export function toRow(record: JsonObject, zone: string, request: string): JsonObject {
	const isEvent = request.includes('/events');
	return Object.fromEntries(
		Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
			if (!isEvent && MOMENTS.includes(name)) return [[name, inZone(value, zone)]];
			if (!ASSUMED.customFields.some((custom) => custom === name)) return [[name, value]];
			const key = namingKey(value);
			const fields = key === undefined ? value : valuesByName(value as JsonObject[], key);
			if (!isObject(fields)) return [[name, value]];
			return Object.entries(fields).map(([inner, each]) => [`${name}.${inner}`, each]);
		}),
	);
}

/**
 * A contact: its custom fields stay, in any form. If a contact list shows memberships, the contact in
 * them stays, too. Reference: "Other records", Contact.
 */
export const simplifyContact: Simplify = (contact, { contactPhone }) =>
	topFields('contact', contactPhone, 'secondary_phone_number', ...ASSUMED.customFields)(contact);

/** An item: the fields that the reference names. Reference: "Other records", Catalogue item. */
export const simplifyItem: Simplify = (item, { itemSku }) =>
	topFields(
		itemSku,
		'name',
		'price',
		'currency',
		'quantity',
		'category',
		'description',
		ASSUMED.itemCatalogue,
	)(item);

/** A calendar event: its extras stay, in any form. Reference: "event by id". */
export const simplifyEvent: Simplify = (event, { eventDate, eventState }) =>
	topFields(...eventDate, ...eventState, ...ASSUMED.customFields)(event);

/** Puts these fields in front, in this order. n8n's table shows the first fields without scrolling. */
export const inFront = (...names: string[]): SimplifyAny => {
	const front = namedFields(...names);
	return (record) => asBefore(record, { ...front(record), ...record });
};

const isFlat = (value: unknown) => {
	if (value === null || typeof value !== 'object') return true;
	if (Array.isArray(value)) {
		return value.every(isSingle) || value.every((entry) => isObject(entry) && 'value' in entry);
	}
	return Object.values(value).every(isSingle);
};

const isSingle = (value: unknown) => value === null || typeof value !== 'object';
