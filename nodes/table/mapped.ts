import type { FieldType } from 'n8n-workflow';
import { validateFieldType } from 'n8n-workflow';

import { isObject, type JsonObject } from '../json';
import { valueAt } from './columns';

/**
 * The values of a resource mapper by column: those that the user mapped, or those of the input item's
 * fields with the same names. Columns that were left empty are absent.
 */
export function mapped(value: unknown, item: JsonObject = {}): JsonObject {
	const mapper = isObject(value) ? value : {};
	const columns = Array.isArray(mapper.schema) ? mapper.schema.filter(isObject) : [];
	const entries =
		mapper.mappingMode === 'autoMapInputData'
			? columns.map(({ id }) => [String(id), valueAt(item, String(id))] as const)
			: Object.entries(isObject(mapper.value) ? mapper.value : {});
	return Object.fromEntries(
		entries
			.filter(([, entry]) => !isNothing(entry))
			.map(([path, entry]) => [path, fitted(entry, columns.find(({ id }) => id === path)?.type)]),
	);
}

/**
 * Converts a value to the type of its column if it can be read as that type: expressions give numbers
 * as text and text as numbers. n8n does not convert here.
 */
function fitted(value: unknown, type: unknown): unknown {
	if (type === 'string') {
		return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
	}
	if (typeof type !== 'string' || typeof value !== 'string' || value.trim() === '') return value;
	const result = validateFieldType('', value, type as FieldType);
	return result.valid ? result.newValue : value;
}

const isNothing = (value: unknown) => value === undefined || value === null;
