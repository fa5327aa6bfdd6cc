import { answerBehind } from '../api/apiError';
import { pathTo } from '../api/path';
import { fitting, type JsonObject } from '../json';
import { form, type Parameter, type Parameters, type Refuse } from './form';
import { operation, type Operation } from './operation';
import type { RowApi } from './rowApi';
import { several, toggle } from './kinds';
import { quoted } from '../words';
import { completeChanges, hasNested, mergeRecord, recordForm, type RecordHow } from './record';

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

/** A PUT replaces the whole record; users of n8n expect an update to change only what they name. */
export const keepOthers = toggle({
	displayName: 'Keep Other Fields',
	default: true,
	description: 'Whether to keep the fields that are not set above',
});

/** The same for a PATCH, which keeps the other fields anyway, but maybe not those inside an object. */
export const keepInner = toggle({
	displayName: 'Keep Other Fields',
	default: true,
	description: 'Whether to keep the fields that are not set in an object',
});

/** What to do if a PUT is refused because of a field that was only read. */
export const ONLY_READ =
	"If it names a field that you did not enter: the node read it and sent it back. Turn 'Keep Other Fields' off and enter every field that the record is to have.";

const REFUSED = `The API refused the data. Correct the value named above and run again. ${ONLY_READ}`;

/**
 * An update by PUT: reads, merges and writes, or only writes. Reference: PUT of contacts, catalogues and
 * items.
 *
 * @param about the parameter for the record
 * @param method lists its fields for the editor
 */
export const replacingRow = (
	description: string,
	pattern: `/${string}`,
	about: Parameters,
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
			form(about)
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
 *
 * @param present the record as it was read
 * @returns what the API answers
 */
export async function putBack(
	path: string,
	present: JsonObject,
	changes: JsonObject,
	{ change, tell }: Pick<RowApi, 'change' | 'tell'>,
): Promise<unknown> {
	const body = mergeRecord(present, changes);
	const put = async (sent: JsonObject) => await change('PUT', path, sent);
	const onlyRead = Object.keys(present).filter(
		(name) => !Object.hasOwn(changes, name) && mayBeComputed(name, present[name]),
	);
	return await put(body).catch(async (error: unknown) => {
		const refused = refusedIn(error, onlyRead);
		if (refused.length === 0) throw error;
		const data = await put(fitting(body, (name) => !refused.includes(name)));
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
 *
 * @param onlyRead the fields that the user did not name
 */
function refusedIn(error: unknown, onlyRead: string[]): string[] {
	const { status, details } = answerBehind(error) ?? {};
	const isRefused = status === 400 || status === 422;
	const names: unknown =
		typeof details === 'string' ? details.split(',').map((name) => name.trim()) : details;
	if (!isRefused || !Array.isArray(names)) return [];
	return names.every((name) => onlyRead.includes(name as string)) ? (names as string[]) : [];
}

/**
 * The body of a PATCH: the changes, with each object in them whole if the user wants to keep the other
 * fields inside.
 *
 * @param read reads the present record; called only if the changes have an object
 */
export async function patchBody(
	{ record, keepUntouched: keeps }: { record: JsonObject; keepUntouched: boolean },
	read: () => Promise<JsonObject>,
): Promise<JsonObject> {
	return keeps && hasNested(record) ? completeChanges(await read(), record) : record;
}
