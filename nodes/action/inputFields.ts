import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { freeName } from '../domain/freeName';
import { tidy } from '../json';
import type { Result } from './failures';

/** The keys of the API begin so, and `henryk_nowak@example.com` is none. Reference: "Authentication" 2. */
const KEY = /(?<![a-z0-9])yk_[\w-]{8}/i;

/** What JSON writes for a line break. */
const ESCAPED = /\\(u....|.)/g;

/** The fields of one input item that its output items get, each with its value as text. */
export type InputFields = ReadonlyMap<string, string>;

/**
 * Reads the fields of an input item that the user includes, before anything is sent. A field that holds a
 * key of the API is never one of them.
 * @param names of the fields, or `*` for all
 */
export function readInputFields(json: IDataObject, names: readonly string[]): InputFields {
	const isAll = names.includes('*');
	const wanted = Object.entries(json).filter(([name]) => isAll || names.includes(name));
	const texts = wanted.map(([name, value]) => [name, JSON.stringify(value) ?? ''] as const);
	const isKey = (text: string) => KEY.test(tidy(text).replace(ESCAPED, ' '));
	return new Map(texts.filter((pair) => !pair.some(isKey)));
}

/**
 * Adds the fields of the input items to their output items, also to those of failed items. An item that
 * comes of several gets the fields in which they agree. One that says that its record is missing gets all.
 *
 * @param names of the fields that the user includes, or `*` for all
 */
export function addInputFields(
	context: IExecuteFunctions,
	results: readonly Result[],
	fields: readonly InputFields[],
	names: readonly string[],
): void {
	for (const { output, isMissing } of results) {
		const isAll = isMissing === true || names.includes('*');
		for (const item of output) {
			const [first, ...others] = sourcesOf(item);
			const common = [...(fields[first!] ?? [])].filter(
				([name, text]) =>
					(isAll || names.includes(name)) && others.every((at) => fields[at]?.get(name) === text),
			);
			if (common.length === 0) continue;
			const added: IDataObject = {};
			// First those that keep their names.
			const isTaken = ([name]: [string, string]) => Number(freeName(name, item.json) !== name);
			for (const [name] of common.toSorted((a, b) => isTaken(a) - isTaken(b))) {
				added[freeName(name, item.json, added)] = context.getInputData()[first!]!.json[name];
			}
			// The JSON of a failed item cannot be replaced.
			if (item.error) Object.assign(item.json, added);
			else item.json = { ...added, ...item.json };
		}
	}
}

const sourcesOf = ({ pairedItem = [] }: INodeExecutionData): number[] =>
	[pairedItem].flat().map((source) => (typeof source === 'number' ? source : source.item));
