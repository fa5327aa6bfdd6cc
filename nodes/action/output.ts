import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toFileName } from '../domain/fileName';
import { FAILED, freeName, withAccount } from '../domain/freeName';
import type { JsonObject } from '../json';
import { FullRecord, selectedFields, toRows, type Columns } from '../domain/simplify';
import type { Task } from '../table/operation';
import { WithFile } from '../table/rowApi';
import type { Result } from './failures';

/** Without a type, n8n guesses one from the content. In n8n 1 and 2.20, some 230 bytes stop n8n for ever then. */
const UNKNOWN_TYPE = 'application/octet-stream';

export type Given = FullRecord | JsonObject | WithFile;

/**
 * The records of a task as items, each with its file if it has one. `showFields` adds their fields. Those of a
 * list have the name of their account, so that lists of several clients can stand in one table.
 */
export async function makeItems(
	context: IExecuteFunctions,
	{ items, account }: Task,
	isList: boolean,
	found: Given[],
): Promise<Required<Pick<Result, 'output' | 'records'>>> {
	const item = { json: {}, pairedItem: pairedWith(items) };
	const toItem = async (given: Given): Promise<INodeExecutionData> => {
		if (!(given instanceof WithFile)) return { ...item };
		const { field, content, name, mimeType } = given.file;
		const { prepareBinaryData } = context.helpers;
		const binary = await prepareBinaryData(content, toFileName(name), mimeType || UNKNOWN_TYPE);
		return { ...item, binary: { [field]: binary } };
	};
	const records = found.map((given) => {
		if (given instanceof FullRecord) return given;
		return new FullRecord(given instanceof WithFile ? given.record : given);
	});
	if (isList) for (const record of records) record.account = account.name;
	return { output: await Promise.all(found.map(toItem)), records };
}

/** Adds the fields of all items. Simplified items have the same columns, and so have those of chosen fields. */
export function showFields(results: readonly Result[], zone: string): void {
	const rows = results.flatMap(({ output, records = [], shape }) =>
		records.map((record, at) => ({ record, item: output[at]!, ...shape })),
	);
	const show = (shown: typeof rows, fieldsOf: (records: FullRecord[]) => JsonObject[]) => {
		const fields = fieldsOf(shown.map(({ record }) => record));
		shown.forEach(({ record, item }, at) => {
			item.json = withAccount(record.account, withoutError(fields[at]!)) as IDataObject;
		});
	};
	const simplified = rows.filter(({ columns }) => columns !== undefined);
	const columns = joined(simplified.map((row) => row.columns!));
	show(simplified, (records) => toRows(records, columns, zone));
	const chosen = rows.filter(({ selected }) => selected !== undefined);
	const names = unique(chosen.flatMap(({ selected }) => selected!));
	show(chosen, (records) => selectedFields(records, names, zone));
	const others = rows.filter((row) => (row.columns ?? row.selected) === undefined);
	show(others, (records) => records.map(({ whole }) => whole));
}

/** The columns of all accounts, which may name their fields in different ways. */
const joined = (all: readonly Columns[]): Columns => ({
	first: unique(all.flatMap(({ first }) => first)),
	onTop: unique(all.flatMap(({ onTop = [] }) => onTop)),
	isAll: all.some(({ isAll }) => isAll),
});

const unique = (names: readonly string[]) => [...new Set(names)];

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
