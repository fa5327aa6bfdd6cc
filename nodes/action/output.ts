import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toFileName } from '../domain/fileName';
import type { JsonObject } from '../json';
import { DONE, type Operation } from '../table/operation';
import type { OutputOptions } from './chosen';
import { downloader } from './download';
import type { Task } from './tasks';

/** The field that only a failed item may have. */
const FAILED = 'error';

/** The keys of the API begin so. Reference: "Authentication" 2. */
const KEY = /yk_/i;

/** The records of a task as items, each with its file if the row makes one. */
export async function makeItems(
	context: IExecuteFunctions,
	row: Operation,
	{ input, items, shape, account }: Task,
	records: JsonObject[],
): Promise<INodeExecutionData[]> {
	// DONE is no record of the API, but stands for an empty answer.
	const toItem = (record: JsonObject): INodeExecutionData => ({
		json: withoutError(record === DONE ? record : (shape?.(record) ?? record)) as IDataObject,
		pairedItem: pairedWith(items),
	});
	if (row.deliver === undefined) return records.map(toItem);
	const deliver = async (given: JsonObject): Promise<INodeExecutionData> => {
		const { record, file } = await row.deliver!(input, given, downloader(context, account.baseUrl));
		if (file === undefined) return toItem(record);
		const { content, name, mimeType, field } = file;
		const held = await context.helpers.prepareBinaryData(content, toFileName(name), mimeType);
		return { ...toItem(record), binary: { [field]: held } };
	};
	return await Promise.all(records.map(deliver));
}

/**
 * The record with its field `error` under another name. n8n takes an item with `error` for a failed one: with
 * Retry On Fail it runs the node again, which would repeat a change and lose what Get New returned.
 */
const withoutError = (record: JsonObject): JsonObject =>
	Object.hasOwn(record, FAILED)
		? Object.fromEntries(
				Object.entries(record).map(([name, value]) => [
					name === FAILED ? freeName('api_error', record) : name,
					value,
				]),
			)
		: record;

const pairedWith = ([item, ...others]: Task['items']) =>
	others.length > 0 ? [item, ...others].map((each) => ({ item: each })) : { item };

/**
 * Adds the fields of the input items to their output items, also to those of failed items. A field that
 * holds a key of the API is never added. An item that comes of several gets the fields in which they agree.
 */
export function addInputFields(
	context: IExecuteFunctions,
	output: INodeExecutionData[],
	{ includeInputFields = 'none', inputFields: names }: OutputOptions,
): void {
	if (includeInputFields === 'none' && names === undefined) return;
	// Who names fields wants these, whatever the choice beside them says.
	const isWanted = (name: string) => names?.includes(name) ?? true;
	const inputs = context.getInputData().map(({ json }) => new Map(textsOf(json, isWanted)));
	for (const item of output) {
		const [first, ...others] = sourcesOf(item);
		const texts = [...(inputs[first!] ?? [])].filter(([name, text]) =>
			others.every((other) => inputs[other]?.get(name) === text),
		);
		const added: IDataObject = {};
		for (const [name] of texts) {
			added[freeName(name, item.json, added)] = context.getInputData()[first!]!.json[name];
		}
		// The JSON of a failed item cannot be replaced.
		if (item.error) Object.assign(item.json, added);
		else item.json = { ...added, ...item.json };
	}
}

/** The wanted fields without those that hold a key, each with its value as text. */
const textsOf = (json: IDataObject, isWanted: (name: string) => boolean): Array<[string, string]> =>
	Object.entries(json)
		.filter(([name]) => isWanted(name))
		.map(([name, value]): [string, string] => [name, JSON.stringify(value) ?? ''])
		.filter(([name, text]) => !KEY.test(name) && !KEY.test(text));

const sourcesOf = ({ pairedItem = [] }: INodeExecutionData): number[] =>
	[pairedItem].flat().map((source) => (typeof source === 'number' ? source : source.item));

/** The name of a further field beside these, which may have one of this name. */
function freeName(name: string, ...present: object[]): string {
	let free = name;
	const isTaken = () => free === FAILED || present.some((fields) => Object.hasOwn(fields, free));
	while (isTaken()) free = `input_${free}`;
	return free;
}
