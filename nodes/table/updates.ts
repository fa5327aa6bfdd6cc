import { answerBehind } from '../api/apiError';
import { pathTo } from '../api/path';
import { fitting, type JsonObject } from '../json';
import { form, type Parameters, type Refuse } from './form';
import { operation, type Operation } from './operation';
import type { RowApi } from './rowApi';
import { several, toggle, type Choices } from './kinds';
import { quoted } from '../words';
import { completeChanges, isPart, mergeRecord, recordForm, type RecordHow } from './record';

export const clearFields = <M extends Choices>(
	map: M,
	description = 'Fields to reset to their default',
) => several(map, { displayName: 'Clear Fields', description });

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
	for (const field of cleared) {
		if (field in named) refuse('is both set and cleared', 'updateFields', field);
	}
	const body = { ...named, ...Object.fromEntries(cleared.map((field) => [field, emptied])) };
	if (Object.keys(body).length === 0) refuse('Nothing to update: set or clear at least one field');
	return body;
}

const keeping = (description: string) =>
	toggle({ displayName: 'Keep Other Fields', default: true, description });

/** A PUT replaces the whole record; users of n8n expect an update to change only what they name. */
export const keepOthers = keeping('Whether to keep the fields that are not set above');

/** The same for a PATCH, which keeps the other fields anyway, but maybe not those inside an object. */
export const keepInner = keeping('Whether to keep the fields that are not set in an object');

/** What to do if a PUT is refused because of a field that was only read. */
export const ONLY_READ =
	"If it names a field that you did not enter: the node read it and sent it back. Turn 'Keep Other Fields' off and enter every field that the record is to have.";

const REFUSED = `The API refused the data. Correct the value named above and run again. ${ONLY_READ}`;

/**
 * An update by PUT: reads, merges and writes, or only writes. Reference: PUT of catalogues and items.
 * @param method lists the record's fields for the editor
 */
export const replacingRow = (
	description: string,
	pattern: `/${string}`,
	record: Parameters,
	method: string,
	how: RecordHow = {},
): Operation =>
	operation({
		name: 'Update',
		hint: 'Fields that are not named keep their values while keepUntouched is true; with false the record is replaced.',
		description,
		request: `PUT ${pattern}`,
		does: 'change',
		fields: () =>
			form(record)
				.and(recordForm(method, { ...how, exists: true }))
				.and(form({ keepUntouched: keepOthers })),
		hints: ({ keepUntouched: keeps }): Readonly<Record<number, string>> =>
			keeps ? { 400: REFUSED } : {},
		async run({ record, keepUntouched: keeps, ...about }, api) {
			const path = pathTo(pattern, about);
			return await api.alone(path, async () =>
				keeps
					? await putBack(path, await api.get(path), record, api)
					: await api.change('PUT', path, record),
			);
		},
	});

/**
 * Writes a record back with changes. If the API lists fields that it refuses, and these were only read, the
 * record is sent once more without them, and the user is told.
 */
export async function putBack(
	path: string,
	present: JsonObject,
	changes: JsonObject,
	{ change, tell }: Pick<RowApi, 'change' | 'tell'>,
): Promise<unknown> {
	const body = mergeRecord(present, changes);
	const onlyRead = Object.keys(present).filter(
		(name) => !Object.hasOwn(changes, name) && mayBeComputed(name, present[name]),
	);
	return await change('PUT', path, body).catch(async (error: unknown) => {
		const refused = refusedIn(error, onlyRead);
		if (refused.length === 0) throw error;
		const accepted = fitting(body, (name) => !refused.includes(name));
		const data = await change('PUT', path, accepted);
		tell(
			`The API refuses some fields that you did not set, so the update was sent without them: ${quoted(refused)}. Everything else was saved.`,
		);
		return data;
	});
}

/**
 * Whether the API makes the value itself, or there is none. Any other may be what somebody entered, and a PUT
 * without it would empty it.
 */
const mayBeComputed = (name: string, value: unknown): boolean =>
	value === null || /^(revision|version|last_\w+_at|\w*(call|order)s?_count)$/.test(name);

/**
 * The fields that a refused PUT must not send, if the API lists their names and nothing else. A name in a
 * sentence does not count: the sentence may be about its value, and a PUT without the field would empty it.
 */
function refusedIn(error: unknown, onlyRead: string[]): string[] {
	const { status, details } = answerBehind(error) ?? {};
	if (status !== 400 && status !== 422) return [];
	const names: unknown =
		typeof details === 'string' ? details.split(',').map((name) => name.trim()) : details;
	const isList = (list: unknown): list is string[] =>
		Array.isArray(list) && list.every((name) => onlyRead.includes(name as string));
	return isList(names) ? names : [];
}

/**
 * The body of a PATCH: the changes, with each object in them whole if the user wants to keep the other
 * fields inside. Only then the present record is read.
 */
export const patchBody = async (
	{ record, keepUntouched: keeps }: { record: JsonObject; keepUntouched: boolean },
	read: () => Promise<JsonObject>,
): Promise<JsonObject> =>
	keeps && Object.values(record).some(isPart) ? completeChanges(await read(), record) : record;
