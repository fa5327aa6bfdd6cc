import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toFileName } from '../domain/fileName';
import { FAILED, freeName, withAccount } from '../domain/freeName';
import type { JsonObject } from '../json';
import { DONE, WithFile } from '../table/operation';
import type { Task } from './tasks';

/** Without a type, n8n guesses one from the content. In n8n 1 and 2.20, some 230 bytes stop n8n for ever then. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The records of a task as items, each with its file if it has one. Those of a list have the name of their
 * account, so that lists of several clients can stand in one table.
 */
export async function makeItems(
	context: IExecuteFunctions,
	{ items, shape, account }: Task,
	isList: boolean,
	records: Array<JsonObject | WithFile>,
): Promise<INodeExecutionData[]> {
	// One for all: a request of many items may answer with many records.
	const pairedItem = pairedWith(items);
	// DONE is no record of the API, but stands for an empty answer.
	const toItem = (record: JsonObject): INodeExecutionData => {
		const shown = withoutError(record === DONE ? record : (shape?.(record) ?? record));
		const isNamed = isList && account.name !== undefined;
		const json = isNamed ? withAccount(account.name!, shown) : shown;
		return { json: json as IDataObject, pairedItem };
	};
	const toFileItem = async ({ record, file }: WithFile): Promise<INodeExecutionData> => {
		const { field, content, name, mimeType } = file;
		const { prepareBinaryData } = context.helpers;
		const binary = await prepareBinaryData(content, toFileName(name), mimeType || UNKNOWN_TYPE);
		return { ...toItem(record), binary: { [field]: binary } };
	};
	return await Promise.all(
		records.map((given) => (given instanceof WithFile ? toFileItem(given) : toItem(given))),
	);
}

/**
 * The record with the fields of a failed item under other names. Else n8n would take its item for one: with
 * Retry On Fail it runs the node again, which would repeat a change.
 */
const withoutError = (record: JsonObject): JsonObject =>
	FAILED.some((name) => Object.hasOwn(record, name))
		? Object.fromEntries(
				Object.entries(record).map(([name, value]) => [
					FAILED.includes(name) ? freeName(`api_${name}`, record) : name,
					value,
				]),
			)
		: record;

const pairedWith = ([item, ...others]: Task['items']) =>
	others.length > 0 ? [item, ...others].map((each) => ({ item: each })) : { item };
