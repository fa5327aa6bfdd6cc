import { fitting, type JsonObject } from '../json';
import type { Parameter, Refuse } from './form';
import { several } from './kinds';

/** The fields to clear in a partial update. */
export const clearFields = <M extends Readonly<Record<string, string>>>(
	map: M,
	description = 'Fields to reset to their default',
): Parameter<Array<keyof M & string>> => several(map, { displayName: 'Clear Fields', description });

/**
 * The body of a partial update: fields with values, and cleared fields as null. Fields that are
 * absent or undefined stay unchanged. Reference: "Agent update", rules 1, 2 and 5.
 *
 * @param emptied the value that clears a field, if the reference does not show that null does
 */
export function patch(
	set: JsonObject,
	cleared: readonly string[],
	refuse: Refuse,
	emptied: null | '' = null,
): JsonObject {
	const named = fitting(set, (_name, value) => value !== undefined);
	const both = cleared.filter((field) => field in named);
	const body = { ...named, ...Object.fromEntries(cleared.map((field) => [field, emptied])) };
	for (const field of both) refuse('is both set and cleared', 'updateFields', field);
	if (Object.keys(body).length === 0) {
		refuse('Nothing to update: set or clear at least one field');
	}
	return body;
}
