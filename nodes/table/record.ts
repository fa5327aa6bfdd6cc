import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isObject, jsonIn, type JsonObject } from '../json';
import { namingKey, valuesByName, withNamedEntries, withNamedValues } from '../domain/namedValues';
import { isBlank, jsonObject, list, nonBlank, oneOf, phone, trimmed } from './schema';

/** What the API sets by itself. */
export const READ_ONLY = /^(id|organization_id|created_at|updated_at|item_count|contact_count)$/;

/** Where the value of a mapper column is in the record. A custom field is inside another field. */
interface FieldPath {
	name: string;
	/** The field inside `name`. */
	inner?: string;
	/** If `name` holds a list of names and values: the field of an entry that holds its name. */
	key?: string;
}

/** A column's name in n8n: `name`, `custom_fields.name`, or `custom_fields[key].name`. */
export const columnAt = ({ name, inner, key }: FieldPath): string =>
	name + (key === undefined ? '' : `[${key}]`) + (inner === undefined ? '' : `.${inner}`);

export function fieldPathOf(column: string): FieldPath {
	const [, name = column, key, inner] = /^([^.]*?)(?:\[(\w+)\])?\.(.*)$/s.exec(column) ?? [];
	return { name, inner, key };
}

/** The value of a column in a record. Undefined if there is none. */
export function valueAt(record: JsonObject, column: string): unknown {
	const { name, inner, key } = fieldPathOf(column);
	const value = Object.hasOwn(record, name) ? record[name] : undefined;
	if (inner === undefined) return value;
	const isList = key !== undefined && Array.isArray(value);
	const whole = isList ? valuesByName(value.filter(isObject), key) : value;
	return isObject(whole) && Object.hasOwn(whole, inner) ? whole[inner] : undefined;
}

/** The two ways to enter fields: parameter value → display name. */
export const SPECIFY = { fields: 'Using Fields Below', json: 'Using JSON' } as const;

export const specifyFields: INodeProperties = {
	displayName: 'Specify Fields',
	name: 'specifyFields',
	type: 'options',
	options: Object.entries(SPECIFY).map(([value, name]) => ({ name, value })),
	default: 'fields',
	description: 'How to enter the fields',
};

/** The parameter for fields as JSON. @param description what the JSON holds */
export const jsonFields = (description: string): INodeProperties => ({
	displayName: 'JSON',
	name: 'json',
	type: 'json',
	displayOptions: { show: { specifyFields: ['json'] } },
	default: '{}',
	description,
});

/**
 * The parameters to enter a record: mapped field by field, or as JSON.
 *
 * @param dependsOn parameters that decide which fields there are
 * @param noFields what the user can do if no fields are found
 */
export const recordFields = (
	mapper: string,
	dependsOn: string[] = [],
	noFields = 'Use JSON instead.',
): INodeProperties[] => [
	specifyFields,
	{
		displayName: 'Fields',
		name: 'record',
		type: 'resourceMapper',
		noDataExpression: true,
		displayOptions: { show: { specifyFields: ['fields'] } },
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			...(dependsOn.length > 0 && { loadOptionsDependsOn: dependsOn }),
			resourceMapper: {
				resourceMapperMethod: mapper,
				// Also for an update: with the mode 'update', n8n asks for a field to match records by.
				mode: 'add',
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
				fieldWords: { singular: 'field', plural: 'fields' },
				noFieldsError: `No fields found. ${noFields}`,
			},
		},
		description:
			'The list shows the known fields and those of your own records. Empty fields are not sent.',
	},
	jsonFields('Fields of the record as a JSON object, with their names in the API'),
];

/**
 * The parameter that empties fields of an existing record.
 *
 * @param loadOptionsMethod lists the fields that the records of the account have
 */
export const clearRecordFields = (loadOptionsMethod: string): INodeProperties => ({
	displayName: 'Clear Field Names or IDs',
	name: 'clearFields',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod },
	default: [],
	description:
		'The fields to empty: each is sent as null. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

const recordShape = {
	specifyFields: oneOf(SPECIFY),
	/** Column → value. */
	record: z.record(z.string(), z.unknown()).optional(),
	json: jsonObject.optional(),
	/** Columns that become null. */
	clearFields: list(trimmed(nonBlank())).default([]),
};

interface RecordRules {
	/** The record exists already. Fields that the API sets itself are left out: a Get may have returned them. */
	exists?: boolean;
	/** Fields whose empty text is never sent, not even from JSON. */
	blankIsNothing?: RegExp;
	/** Fields that must have a value if they are named. */
	required?: readonly string[];
	/** A record without fields is right too, because another parameter says which record there must be. */
	mayBeEmpty?: boolean;
	/** Checks the record, and may change it. */
	check?(record: JsonObject, ctx: z.RefinementCtx): JsonObject;
}

/**
 * The schema of `recordFields`. It returns `{ record }` with at least one field. Combine it with the
 * schema of the other parameters by `and`, so that the user sees the mistakes of both.
 */
export const recordInput = ({
	exists = false,
	blankIsNothing,
	required = [],
	mayBeEmpty = false,
	check = (record) => record,
}: RecordRules = {}) =>
	z
		.object(recordShape)
		.transform(({ specifyFields: way, record = {}, json = {}, clearFields }, ctx) => {
			const isMapped = way === 'fields';
			const path = [isMapped ? 'record' : 'json'];
			const given = isMapped ? record : json;
			const saysNothing = (name: string, value: unknown) =>
				isBlank(value) && (isMapped || (value !== null && blankIsNothing?.test(name)));
			const isSent = ([name, value]: [string, unknown]) =>
				!saysNothing(name, value) && !(exists && READ_ONLY.test(name));
			const named = Object.fromEntries(Object.entries(given).filter(isSent));
			if (!mayBeEmpty && Object.keys(named).length === 0 && clearFields.length === 0) {
				const message = `must have at least one field with a value${exists ? ' that can be changed' : ''}`;
				ctx.addIssue({ code: 'custom', path, message });
			}
			for (const name of required) {
				if (!Object.hasOwn(given, name) || !isBlank(given[name])) continue;
				ctx.addIssue({ code: 'custom', path, message: `must have a value for ${name}` });
			}
			const entered = isMapped ? nested(named, ctx) : named;
			return { record: check(withCleared(entered, clearFields, ctx), ctx) };
		});

/** The record with null in the columns to clear. */
function withCleared(record: JsonObject, columns: string[], ctx: z.RefinementCtx): JsonObject {
	for (const column of columns) {
		const refuse = (why: string) =>
			ctx.addIssue({ code: 'custom', path: ['clearFields'], message: `${why}: ${column}` });
		if (READ_ONLY.test(column)) refuse('names a field that cannot be changed');
		else if (valueAt(record, column) !== undefined) refuse('names a field that is set as well');
	}
	const cleared = nested(Object.fromEntries(columns.map((column) => [column, null])), ctx);
	return { ...record, ...joinedEach(record, cleared) };
}

/** Makes a record of columns. */
function nested(columns: JsonObject, ctx: z.RefinementCtx): JsonObject {
	const paths = Object.entries(columns).map(([path, value]) => ({
		...fieldPathOf(path),
		path,
		value,
	}));
	const record = new Map<string, unknown>();
	for (const { name, inner, value } of paths) if (inner === undefined) record.set(name, value);
	for (const { name, inner, key, path, value } of paths) {
		if (inner === undefined) continue;
		const held = record.get(name);
		const whole = typeof held === 'string' ? (jsonIn(held) ?? held) : held;
		const changed = withInner(whole, { [inner]: value }, key);
		if (changed !== undefined) record.set(name, changed);
		else
			ctx.addIssue({
				code: 'custom',
				path: ['record'],
				message: `has both ${name} and ${path}, which exclude each other. Map only one of them`,
			});
	}
	return Object.fromEntries(record);
}

/** A field with some of its inner fields changed. Undefined if it has no inner fields. */
function withInner(whole: unknown, changes: JsonObject, key = namingKey(whole)): unknown {
	if (key !== undefined && (whole === undefined || Array.isArray(whole))) {
		return withNamedValues((whole ?? []) as JsonObject[], key, changes);
	}
	return whole === undefined || isObject(whole) ? { ...whole, ...changes } : undefined;
}

/** The phone number in a record's field, in E.164. */
export function phoneIn(name: string, value: unknown, ctx: z.RefinementCtx): string | undefined {
	const { data, error } = phone.safeParse(value);
	if (error)
		ctx.addIssue({ code: 'custom', message: `The field ${name} ${error.issues[0]?.message}` });
	return data;
}

/** If a record repeats the value of a parameter, both must be equal: none is ignored in silence. */
export function agreeing(
	record: JsonObject,
	name: string,
	value: string | number,
	parameter: string,
	ctx: z.RefinementCtx,
): void {
	if (!Object.hasOwn(record, name) || String(record[name]) === String(value)) return;
	ctx.addIssue({
		code: 'custom',
		message: `The field ${name} and '${parameter}' differ. Remove the field, or give both the same value`,
	});
}

/**
 * The whole record with the changes, for a PUT, without the fields that the API sets itself. Inner fields
 * that the changes do not name stay, for example other custom fields. They also keep their form: an
 * object or a list.
 * Reference: PUT of contacts, catalogues and items. It does not say that PUT replaces the whole record,
 * but that is the meaning of the method.
 * @throws Error if what was read is no record. Writing it back could lose data
 */
export function merged(present: unknown, changes: JsonObject): JsonObject {
	const kept = Object.fromEntries(
		Object.entries(recordRead(present)).filter(([name]) => !READ_ONLY.test(name)),
	);
	return { ...kept, ...joinedEach(kept, changes) };
}

/**
 * The changes for a PATCH. Every object in them gets its other inner fields too, because a server may
 * replace the whole object.
 * Reference: PATCH of events and tools. It does not show what happens inside an object.
 * @throws Error if what was read is no record
 */
export const completed = (present: unknown, changes: JsonObject): JsonObject =>
	joinedEach(recordRead(present), changes);

/** Whether a change has inner fields, so that the current record must be read first. */
export const hasNested = (changes: JsonObject): boolean =>
	Object.values(changes).some((value) => isObject(value) || namingKey(value) !== undefined);

function recordRead(present: unknown): JsonObject {
	if (isObject(present)) return present;
	throw new Error('the current record could not be read, so nothing was changed');
}

/** Each change, joined with the current value of its field. */
const joinedEach = (present: JsonObject, changes: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(changes).map(([name, value]) => {
			const before = Object.hasOwn(present, name) ? present[name] : undefined;
			return [name, joined(before, value) ?? value];
		}),
	);

/** The current value of a field with the changes, in its current form. Undefined if the changes replace it. */
function joined(before: unknown, changes: unknown): unknown {
	if (isObject(before) && isObject(changes)) {
		return { ...before, ...joinedEach(before, changes) };
	}
	if (isObject(changes)) return withInner(before, changes);
	const key = namingKey(changes);
	if (key === undefined) return undefined;
	const entries = changes as JsonObject[];
	if (isObject(before)) return { ...before, ...valuesByName(entries, key) };
	return namingKey(before) ? withNamedEntries(before as JsonObject[], entries) : undefined;
}
