import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isObject, type JsonObject } from '../json';
import { jsonIn, oneOf, phone } from './schema';

/** What the API sets by itself. */
export const READ_ONLY = /^(id|organization_id|created_at|updated_at|item_count|contact_count)$/;

/** A field inside a nested object, such as a custom field, is a column of its own. */
export const SEPARATOR = '.';

export function splitColumn(path: string): [name: string, inner: string | undefined] {
	const at = path.indexOf(SEPARATOR);
	return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)];
}

const SPECIFY = { fields: 'Using Fields Below', json: 'Using JSON' } as const;

/**
 * The parameters by which a record is entered: mapped field by field, or as JSON.
 *
 * @param dependsOn the parameters on which it depends what fields there are
 */
export const recordFields = (mapper: string, dependsOn: string[] = []): INodeProperties[] => [
	{
		displayName: 'Specify Fields',
		name: 'specifyFields',
		type: 'options',
		options: Object.entries(SPECIFY).map(([value, name]) => ({ name, value })),
		default: 'fields',
		description: 'How the fields of the record are entered',
	},
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
				// For an update too: where n8n calls it one, it wants a field to match records by.
				mode: 'add',
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
				fieldWords: { singular: 'field', plural: 'fields' },
				noFieldsError: 'No fields found. Use JSON instead.',
			},
		},
		description:
			"The documented fields, and those found in your account's own records. Fields left empty are not sent.",
	},
	{
		displayName: 'JSON',
		name: 'json',
		type: 'json',
		displayOptions: { show: { specifyFields: ['json'] } },
		default: '{}',
		description: 'The fields of the record as a JSON object, by their names in the API',
	},
];

/** A JSON object, also as text. */
export const jsonObject = z
	.preprocess(
		(value) => (typeof value === 'string' ? jsonIn(value) : value),
		z.record(z.string(), z.unknown()).or(z.undefined()),
	)
	.transform((value, ctx): JsonObject => {
		if (value !== undefined) return value as JsonObject;
		ctx.addIssue({ code: 'custom', message: 'must be a JSON object such as {"name": "value"}' });
		return z.NEVER;
	});

/** The record that `recordFields` describes; it must have at least one field. */
export const recordShape = {
	specifyFields: oneOf(SPECIFY),
	record: z.record(z.string(), z.unknown()).optional(),
	json: jsonObject.optional(),
};

export function recordOf(
	{
		specifyFields,
		record,
		json,
	}: { specifyFields: string; record?: JsonObject; json?: JsonObject },
	ctx: z.RefinementCtx,
): JsonObject {
	const fields = (specifyFields === 'json' ? json : record) ?? {};
	if (Object.keys(fields).length === 0) {
		ctx.addIssue({
			code: 'custom',
			path: [specifyFields === 'json' ? 'json' : 'record'],
			message: 'must have at least one field with a value',
		});
	}
	return fields;
}

/** The phone number in a record's field, in E.164. */
export function phoneIn(name: string, value: unknown, ctx: z.RefinementCtx): string | undefined {
	const { data, error } = phone.safeParse(String(value));
	if (error)
		ctx.addIssue({ code: 'custom', message: `The field ${name} ${error.issues[0]?.message}` });
	return data;
}

/** Where a record repeats what a parameter says, the two must agree: neither may win in silence. */
export function agreeing(
	record: JsonObject,
	name: string,
	value: string,
	parameter: string,
	ctx: z.RefinementCtx,
): void {
	if (!Object.hasOwn(record, name) || record[name] === value) return;
	ctx.addIssue({
		code: 'custom',
		message: `The field ${name} and "${parameter}" differ: leave the field out, or give both the same value`,
	});
}

/**
 * A record with some fields replaced, for a PUT: what the API sets by itself is left out, nested
 * objects are merged one level deep. Reference: PUT of contacts, catalogues and items; that PUT
 * replaces the whole record is the meaning of the method, not shown in words.
 * @throws Error where what was read is no record, so that nothing is lost by writing it back
 */
export function merged(present: unknown, changes: JsonObject): JsonObject {
	if (!isObject(present)) {
		throw new Error('the present record could not be read, so nothing was changed');
	}
	const kept = Object.fromEntries(
		Object.entries(present).filter(([name]) => !READ_ONLY.test(name)),
	);
	const nested = Object.entries(changes).map(([name, value]) => {
		const before = kept[name];
		return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value];
	});
	return { ...kept, ...Object.fromEntries(nested) };
}
