import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { freeName } from '../domain/freeName';
import { tidy } from '../json';
import { NO_ANSWER, type Result } from './failures';

/** A key of the API begins so. Inside of a word, `yk_` begins none. Reference: "Authentication" 2. */
const KEY = /(?<![a-z0-9])yk_[\w-]{8}/i;

/** What JSON writes for a line break. */
const ESCAPED = /\\(u....|.)/g;

/** The fields of an input item that the user includes by name, or `*` for all, as text. None holds a key of the API. */
function readInputFields(json: IDataObject, names: readonly string[]): Map<string, string> {
	const isAll = names.includes('*');
	const wanted = Object.entries(json).filter(([name]) => isAll || names.includes(name));
	const texts = wanted.map(([name, value]) => [name, JSON.stringify(value) ?? ''] as const);
	const isKey = (text: string) => KEY.test(tidy(text).replace(ESCAPED, ' '));
	return new Map(texts.filter((pair) => !pair.some(isKey)));
}

/**
 * Adds the fields of the input items to their output items. An item that comes of several gets the fields in
 * which they agree. One that says that its record is missing gets all. A field that any output item has, or
 * would have if it failed, gets another name in all of them, so that they fit one table.
 */
export function addInputFields(
	context: IExecuteFunctions,
	results: readonly Result[],
	names: readonly string[],
): void {
	if (names.length === 0 && !results.some(({ isMissing }) => isMissing)) return;
	const inputs = context.getInputData().map(({ json }) => json);
	const known: Array<Map<string, string>> = [];
	const common = (item: INodeExecutionData, isAll: boolean) => {
		const read = (at: number) =>
			(known[at] ??= readInputFields(inputs[at] ?? {}, isAll ? ['*'] : names));
		const [first, ...others] = sourcesOf(item);
		const fields = others.map(read);
		return [...read(first!)]
			.filter(([name, text]) => fields.every((other) => other.get(name) === text))
			.map(([name]) => [name, inputs[first!]![name]] as const);
	};
	const { onError } = context.getNode();
	// At the error output, n8n adds the input fields itself, and takes no item with others there.
	const isOurs = ({ json }: INodeExecutionData) =>
		onError !== 'continueErrorOutput' || !Object.hasOwn(json, 'error');
	const given = results.flatMap(({ output, isMissing }) => {
		const isAll = isMissing === true || names.includes('*');
		return output.filter(isOurs).map((item) => ({ item, added: common(item, isAll), isMissing }));
	});
	const taken: IDataObject = onError === 'continueRegularOutput' ? { ...NO_ANSWER } : {};
	for (const { item } of given) Object.assign(taken, item.json);
	const included = [...new Set(given.flatMap(({ added }) => added.map(([name]) => name)))];
	const isTaken = (name: string) => Number(freeName(name, taken) !== name);
	const named = new Map<string, string>();
	// First those that keep their names.
	for (const name of included.toSorted((a, b) => isTaken(a) - isTaken(b))) {
		const free = freeName(name, taken);
		named.set(name, free);
		taken[free] = null;
	}
	const found = given.filter(({ isMissing }) => !isMissing);
	const columns = new Set(found.flatMap(({ added }) => added.map(([name]) => name)));
	const none = Object.fromEntries([...columns].map((name) => [named.get(name), null]));
	for (const { item, added, isMissing } of given) {
		const renamed = added.map(([name, value]) => [named.get(name), value] as const);
		item.json = { ...(!isMissing && none), ...Object.fromEntries(renamed), ...item.json };
	}
}

const sourcesOf = ({ pairedItem = [] }: INodeExecutionData): number[] =>
	[pairedItem].flat().map((source) => (typeof source === 'number' ? source : source.item));
