import type { INodeProperties } from 'n8n-workflow';

import type { Call } from './operation';
import { merged } from './record';
import type { JsonObject } from '../json';

/** A PUT replaces the whole record; users of n8n expect an update to change what they name. */
export const keepUntouched: INodeProperties = {
	displayName: 'Keep Other Fields',
	name: 'keepUntouched',
	type: 'boolean',
	default: true,
	description:
		'Whether to keep the fields not named above: the record is read first, and written back with the changes. A change that someone else makes in between is overwritten.',
};

/** For an AI that builds workflows. */
export const keepUntouchedHint =
	'Fields that are not named keep their values while keepUntouched is true; with false the record is replaced.';

/** The input of a replacing update: where the record is, and what `replace` needs. */
export const replacement = (where: JsonObject, record: JsonObject, keep: boolean): JsonObject => ({
	...where,
	use: { record, keep },
});

/** Read, merge, write; or write only. Reference: PUT of contacts, catalogues and items. */
export async function replace(
	{ use, ...where }: JsonObject,
	{ api, request }: Call,
): Promise<unknown> {
	const { record, keep } = use as { record: JsonObject; keep: boolean };
	const { method, path } = request(where);
	const present = keep ? ((await api.send({ method: 'GET', path })).data as JsonObject) : {};
	const { data } = await api.send({ method, path, body: merged(present, record) });
	return data;
}
