import type { INodeProperties } from 'n8n-workflow';

import type { RunContext } from './operation';
import { readRecord } from '../api/record';
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

/** What a replacing update needs besides where the record is. */
interface Replacement {
	/** The fields that the user named. */
	record: JsonObject;
	/** Whether the other fields stay as they are. */
	keepUntouched: boolean;
}

/** What a replacing update has in common with every other. */
export const replacing = {
	payload: ({ record }: Replacement) => record,
	/** Read, merge, write; or write only. Reference: PUT of contacts, catalogues and items. */
	async run(
		{ record, keepUntouched }: Replacement,
		{ api, request }: RunContext,
	): Promise<unknown> {
		const { method, path } = request();
		const present = keepUntouched ? await readRecord(api, { method: 'GET', path }) : {};
		const { data } = await api.send({ method, path, body: merged(present, record) });
		return data;
	},
};
