import { fitting, isObject, type JsonObject } from '../json';

/** What the API sets by itself. */
export const READ_ONLY = /^(id|organization_id|created_at|updated_at|item_count|contact_count)$/;

/** The fields without those: a Get returns them too. */
export const writable = (record: JsonObject): JsonObject =>
	fitting(record, (name) => !READ_ONLY.test(name));

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
	if (key !== undefined && Array.isArray(value)) {
		return value.findLast((entry) => isObject(entry) && String(entry[key]) === inner)?.value;
	}
	return isObject(value) && Object.hasOwn(value, inner) ? value[inner] : undefined;
}
