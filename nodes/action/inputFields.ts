import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { OutputOptions } from './requestOptions';

/** The field that only a failed item may have. */
export const FAILED = 'error';

/** The keys of the API begin so. Reference: "Authentication" 2. */
const KEY = /yk_/i;

/**
 * Adds the fields of the input items to their output items, also to those of failed items. A field that
 * holds a key of the API is never added. An item that comes of several gets the fields in which they agree.
 */
export function addInputFields(
	context: IExecuteFunctions,
	output: INodeExecutionData[],
	{ includeInputFields = 'none', inputFields = [] }: OutputOptions,
): void {
	if (includeInputFields === 'none') return;
	const isWanted = (name: string) => includeInputFields === 'all' || inputFields.includes(name);
	const inputs = context.getInputData().map(({ json }) => new Map(textsOf(json, isWanted)));
	for (const item of output) {
		const [first, ...others] = sourcesOf(item);
		const texts = [...(inputs[first!] ?? [])].filter(([name, text]) =>
			others.every((other) => inputs[other]?.get(name) === text),
		);
		const added: IDataObject = {};
		for (const [name] of texts) {
			added[freeName(name, item.json)] = context.getInputData()[first!]!.json[name];
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
		.filter(([, text]) => !KEY.test(text));

const sourcesOf = ({ pairedItem = [] }: INodeExecutionData): number[] =>
	[pairedItem].flat().map((source) => (typeof source === 'number' ? source : source.item));

/** The name of a further field of a record, which may have one of this name. */
export function freeName(name: string, record: object): string {
	const isTaken = name === FAILED || Object.hasOwn(record, name);
	return isTaken ? freeName(`input_${name}`, record) : name;
}
