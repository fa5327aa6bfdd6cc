import type { Names } from '../api/names';
import { isObject, type JsonObject } from '../json';
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
export const MOST_FIELDS = 10;

/**
 * Keeps at most ten fields, in the order of the record. For records whose fields the reference does not
 * show: these fields first, and then the first flat ones. A field is flat if it holds a single value, an
 * object or a list of single values, or a list of objects that each have a "value". Null stays, so that
 * every item has the same columns.
 *
 * @param first fields that are kept even if they are not flat
 */
export const topFields =
	(...first: readonly string[]): SimplifyAny =>
	(record) => {
		const kept = new Set(['id']);
		for (const name of first) {
			if (kept.size < MOST_FIELDS && Object.hasOwn(record, name)) kept.add(name);
		}
		for (const [name, value] of Object.entries(record)) {
			if (kept.size < MOST_FIELDS && !kept.has(name) && isFlat(value)) kept.add(name);
		}
		return Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)));
	};

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
	return (record) => ({ ...front(record), ...record });
};

const isFlat = (value: unknown) => {
	if (value === null || typeof value !== 'object') return true;
	if (Array.isArray(value)) {
		return value.every(isSingle) || value.every((entry) => isObject(entry) && 'value' in entry);
	}
	return Object.values(value).every(isSingle);
};

const isSingle = (value: unknown) => value === null || typeof value !== 'object';
