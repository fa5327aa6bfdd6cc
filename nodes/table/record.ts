import { validateFieldType, type FieldType } from 'n8n-workflow';

import type { Names } from '../api/names';
import { fitting, isObject, jsonIn, textIn, type JsonObject } from '../json';
import { quoted } from '../words';
import { namingKey, valuesByName, withNamedEntries, withNamedValues } from '../domain/namedValues';
import {
	lackingIn,
	isBlank,
	jsonObject,
	notNumber,
	noValueFor,
	nonBlank,
	phone,
	trimmed,
} from './schema';
import { form, when, type Form, type Parameter, type Refuse } from './form';
import type { Place } from './place';
import { choice, json, severalLoaded } from './kinds';

/** What the API sets by itself. */
export const READ_ONLY = /^(id|organization_id|created_at|updated_at|item_count|contact_count)$/;

/** The fields without those: a Get returns them too. */
export const writable = (record: JsonObject): JsonObject =>
	fitting(record, (name) => !READ_ONLY.test(name));

/**
 * Where the value of a mapper column is in the record. A custom field is inside another field: its column is
 * `custom_fields.name`, or in a list of names and values `custom_fields[key].name`.
 */
export function fieldPathOf(column: string): { name: string; inner?: string; key?: string } {
	const [, name = column, key, inner] = /^([^.]*?)(?:\[(\w+)\])?\.(.*)$/s.exec(column) ?? [];
	return { name, inner, key };
}

const fieldOf = (record: JsonObject, name: string): unknown =>
	Object.hasOwn(record, name) ? record[name] : undefined;

export function valueAt(record: JsonObject, column: string): unknown {
	const { name, inner, key } = fieldPathOf(column);
	const value = fieldOf(record, name);
	if (inner === undefined) return value;
	if (key !== undefined && Array.isArray(value)) {
		return value.findLast((entry) => isObject(entry) && String(entry[key]) === inner)?.value;
	}
	return isObject(value) ? fieldOf(value, inner) : undefined;
}

export interface RecordHow {
	/** The record exists already. Fields that the API sets itself are left out: a Get may have returned them. */
	exists?: boolean;
	/** A record without fields is right too, because another parameter says which record there must be. */
	mayBeEmpty?: boolean;
	/** Checks the record, and may change it. */
	check?(record: JsonObject, refuse: Refuse, names: Names): JsonObject;
	/** Parameters that decide which fields there are. */
	dependsOn?: string[];
	/** The parameter that must have a value before n8n shows the fields. */
	shownAfter?: string;
	/** What the user can do if no fields are found. */
	noFields?: string;
	/** Method that lists the fields to clear, if the user may clear some. */
	clearable?: string;
}

/** How the fields of a record are entered. */
export const specify = choice(
	{ fields: 'Using Fields Below', json: 'Using JSON' },
	{ displayName: 'Specify Fields' },
);

/** Fields as JSON, for `Using JSON`. @param description what the JSON holds, if it is not simply the fields */
export const jsonField = (description?: string) =>
	when(
		{ show: { specifyFields: ['json'] } },
		{ json: json({ displayName: 'JSON', required: true, description }, jsonObject) },
	);

const mapper = (
	method: string,
	{ dependsOn, noFields = 'Use JSON instead.' }: RecordHow,
): Parameter<JsonObject> => ({
	shown: {
		displayName: 'Fields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: dependsOn,
			resourceMapper: {
				resourceMapperMethod: method,
				// Also for an update: with the mode 'update', n8n asks for a field to match records by.
				mode: 'add',
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
				fieldWords: { singular: 'field', plural: 'fields' },
				noFieldsError: `No fields found. ${noFields}`,
			},
		},
		description: 'The fields to send, without empty ones',
	},
	read: readMapper,
});

/**
 * The values of a resource mapper by column: those that the user mapped, or those of the input item's
 * fields with the same names. Columns that were left empty are absent.
 */
function readMapper(value: unknown, place: Place): JsonObject {
	const mapper = isObject(value) ? value : {};
	const columns = Array.isArray(mapper.schema) ? mapper.schema.filter(isObject) : [];
	const types = new Map(columns.map(({ id, type }) => [String(id), type]));
	const { item } = place.reading;
	let entries = Object.entries(isObject(mapper.value) ? mapper.value : {});
	if (mapper.mappingMode === 'autoMapInputData') {
		const names = [...types.keys()];
		assertFits(item, names, place);
		entries = names.map((name) => [name, item[name] ?? valueAt(item, name)]);
	}
	const filled = entries.filter(([, entry]) => entry !== undefined && entry !== null);
	const fit = ([column, entry]: [string, unknown]) => {
		const type = types.get(column);
		const fitted = fitType(entry, type);
		const isText = type === 'number' && typeof fitted === 'string' && !isBlank(fitted);
		if (isText) place.complain(`→ '${column}' ${notNumber(fitted)}`);
		return [column, fitted];
	};
	return place.whole(() => Object.fromEntries(filled.map(fit)) as JsonObject);
}

/** With Map Automatically, a heading in another spelling would be left out without a word. */
function assertFits(item: JsonObject, names: string[], place: Place): void {
	const headings = Object.keys(item);
	const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	const misspelt = headings.flatMap((heading) => {
		const meant = names.find((name) => bare(name) === bare(heading));
		return meant === undefined || names.includes(heading) || headings.includes(meant)
			? []
			: `${quoted([heading])} is ${quoted([meant])}`;
	});
	if (misspelt.length > 0)
		place.refuse(
			`has other names than the input item: ${misspelt.join(', ')}. Rename these fields`,
		);
	const isThere = (name: string) => valueAt(item, name) !== undefined || name in item;
	if (headings.length > 0 && names.length > 0 && !names.some(isThere))
		place.refuse(
			`has none of the fields of the input item (${quoted(headings)}). It takes ${quoted(names)}`,
		);
}

/** A value in the type of its column if it can be: expressions give numbers as text. n8n does not convert here. */
function fitType(value: unknown, type: unknown): unknown {
	if (type === 'string') {
		return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
	}
	if (typeof type !== 'string' || typeof value !== 'string' || value.trim() === '') return value;
	const result = validateFieldType('', value, type as FieldType);
	return result.valid ? result.newValue : value;
}

/**
 * A record that the user enters: mapped field by field, or as JSON. It has at least one field. Combine it
 * with the other parameters by `and`, so that the user sees the mistakes of both.
 */
export const recordForm = (method: string, how: RecordHow = {}): Form<{ record: JsonObject }> =>
	form({
		specifyFields: specify,
		...when(
			{
				show: { specifyFields: ['fields'] },
				...(how.shownAfter && { hide: { [how.shownAfter]: [''] } }),
			},
			{ record: mapper(method, how) },
		),
		...jsonField(),
		...(how.clearable !== undefined && {
			clearFields: severalLoaded(
				{
					displayName: 'Clear Field Names or IDs',
					loadOptionsMethod: how.clearable,
					description:
						'The fields to empty. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
				trimmed(nonBlank()),
			),
		}),
	}).check(({ specifyFields: way, record = {}, json = {}, clearFields = [] }, refuse, names) => {
		const isMapped = way === 'fields';
		const path = isMapped ? 'record' : 'json';
		const given = isMapped ? record : json;
		// In JSON, null clears a field.
		const isSent = (name: string, value: unknown) =>
			!(isBlank(value) && (isMapped || typeof value === 'string')) &&
			!(how.exists && READ_ONLY.test(name));
		const named = fitting(isMapped ? withoutBlanks(given) : given, isSent);
		if (!how.mayBeEmpty && Object.keys(named).length === 0 && clearFields.length === 0) {
			refuse('must have at least one field with a value', path);
		}
		const lacking = lackingIn(named);
		if (lacking !== undefined) refuse(noValueFor(lacking), path);
		// What is sent is JSON: a date is a text.
		const plain = JSON.parse(JSON.stringify(named)) as JsonObject;
		const entered = isMapped ? toRecord(plain, refuse) : plain;
		const whole = withCleared(entered, clearFields, refuse);
		return { record: how.check?.(whole, refuse, names) ?? whole };
	});

/** An empty cell is not sent, also inside of an object such as `extras`. */
const withoutBlanks = (record: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
			if (!isObject(value) || Object.keys(value).length === 0) return [[name, value]];
			const filled = fitting(value, (_inner, cell) => !isBlank(cell));
			return Object.keys(filled).length > 0 ? [[name, filled]] : [];
		}),
	);

function withCleared(record: JsonObject, columns: string[], refuse: Refuse): JsonObject {
	for (const column of columns) {
		const isSet = valueAt(record, column) !== undefined && 'is set as well';
		const why = READ_ONLY.test(column) ? 'cannot be changed' : isSet;
		if (why) refuse(`names a field that ${why}: ${column}`, 'clearFields');
	}
	const cleared = toRecord(Object.fromEntries(columns.map((column) => [column, null])), refuse);
	return { ...record, ...completeChanges(record, cleared) };
}

function toRecord(columns: JsonObject, refuse: Refuse): JsonObject {
	const isInner = ([column]: [string, unknown]) => fieldPathOf(column).inner !== undefined;
	const entries = Object.entries(columns);
	const record = new Map(entries.filter((entry) => !isInner(entry)));
	for (const [column, value] of entries.filter(isInner)) {
		const { name, inner = '', key } = fieldPathOf(column);
		const present = record.get(name);
		const whole = typeof present === 'string' ? (jsonIn(present) ?? present) : present;
		const changed = withInner(whole, { [inner]: value }, key);
		if (changed === undefined) refuse(`has both ${name} and ${column}: map only one`, 'record');
		record.set(name, changed);
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

/** A record whose phone numbers are in E.164. Null stays: it clears an optional number. */
export const withPhones = (
	record: JsonObject,
	isPhone: (name: string) => boolean,
	refuse: Refuse,
): JsonObject =>
	Object.fromEntries(
		Object.entries(record).map(([name, value]) => {
			if (!isPhone(name) || value === null) return [name, value];
			const { data, error } = phone.safeParse(value);
			if (error) refuse(`The field ${name} ${error.issues[0]?.message}`);
			return [name, data];
		}),
	);

/** If a record repeats the value of a parameter, both must be equal: none is ignored in silence. */
export function agreeing(
	record: JsonObject,
	name: string,
	value: string | number,
	parameter: string,
	refuse: Refuse,
): void {
	if (!Object.hasOwn(record, name) || textIn(record[name]) === String(value)) return;
	refuse(
		`The field ${name} and '${parameter}' differ. Remove the field, or give both the same value`,
	);
}

/**
 * The whole record with the changes, for a PUT, without the fields that the API sets itself. Inner fields
 * that the changes do not name stay, for example other custom fields, in their form: an object or a list.
 * Reference: PUT of contacts, catalogues and items. That it replaces the whole record is the method's meaning.
 * @throws Error if the entries of a list cannot be told apart
 */
export function mergeRecord(present: JsonObject, changes: JsonObject): JsonObject {
	const kept = writable(present);
	return { ...kept, ...completeChanges(kept, changes) };
}

/** Whether a change has inner fields, so that it must be joined with the current ones. */
export const isPart = (change: unknown): boolean =>
	isObject(change) || namingKey(change) !== undefined;

/**
 * Each change, joined with the current value of its field. Reference: PATCH of events and tools does not show
 * what happens to the other fields inside an object.
 * @throws Error if the entries of a list cannot be told apart
 */
export const completeChanges = (present: JsonObject, changes: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(changes).map(([name, value]) => {
			const before = fieldOf(present, name);
			const joined = joinValues(before, value);
			const isList = Array.isArray(before) && before.some(isObject);
			if (joined === undefined && isPart(value) && isList) {
				throw new Error(
					`the entries of ${quoted([name])} cannot be told apart: one has no value, or two have the same name. So nothing was changed. Turn 'Keep Other Fields' off and enter every field that the record is to have.`,
				);
			}
			return [name, joined ?? value];
		}),
	);

/** The current value of a field with the changes, in its current form. Undefined if the changes replace it. */
function joinValues(before: unknown, changes: unknown): unknown {
	if (isObject(before) && isObject(changes))
		return { ...before, ...completeChanges(before, changes) };
	if (isObject(changes)) return withInner(before, changes);
	const key = namingKey(changes);
	if (key === undefined) return undefined;
	const entries = changes as JsonObject[];
	if (isObject(before)) return { ...before, ...valuesByName(entries, key) };
	return namingKey(before) ? withNamedEntries(before as JsonObject[], entries) : undefined;
}
