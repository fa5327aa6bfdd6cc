import type { IExecuteFunctions, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import type { z } from 'zod';

import { isObject, type JsonObject } from '../json';
import { toIso } from '../time';
import { isLocator, oneOfThese } from './locator';
import { mapped } from './mapped';
import { isBlank, wordsFor } from './schema';

type Field = INodeProperties;

/** The values that the user entered, and the labels of settings whose expression returned nothing. */
export interface Entered {
	values: JsonObject;
	empty: string[];
}

/**
 * Reads the parameters of one item as plain values, by name. A resource locator becomes its value (or
 * `{ [mode]: value }` for a mode other than list and ID). A local date gets the workflow's time zone.
 * A setting that was added but is empty is reported: without it a filter would silently match more.
 *
 * @param given the node's stored parameters, without the hidden ones
 */
export function readParameters(
	context: IExecuteFunctions,
	given: JsonObject,
	fields: Field[],
	itemIndex: number,
): Entered {
	const values: JsonObject = {};
	const item: ItemReading = { context, itemIndex, empty: [] };
	for (const field of fields) {
		if (!Object.hasOwn(given, field.name)) continue;
		const value: unknown = context.getNodeParameter(field.name, itemIndex, null);
		const entered = isNothing(value) ? value : plainValue(value, field, field.displayName, item);
		if (isNothing(entered)) item.empty.push(field.displayName);
		else values[field.name] = entered;
	}
	return { values, empty: item.empty };
}

/** The item that is read, and the labels of its settings that were found empty so far. */
interface ItemReading {
	context: IExecuteFunctions;
	itemIndex: number;
	empty: string[];
}

function plainValue(
	value: unknown,
	field: Field | undefined,
	label: string,
	item: ItemReading,
): unknown {
	if (isLocator(value)) {
		const isPlainMode = value.mode === 'list' || value.mode === 'id';
		return isPlainMode ? value.value : { [value.mode]: value.value };
	}
	const { context, itemIndex } = item;
	if (field?.type === 'dateTime') return toIso(value, context.getTimezone()) ?? value;
	if (field?.type === 'resourceMapper')
		return mapped(value, context.getInputData()[itemIndex]?.json);
	if (Array.isArray(value)) return value.map((entry) => plainValue(entry, field, label, item));
	const holdsSettings = field?.type === 'collection' || field?.type === 'fixedCollection';
	return holdsSettings && isObject(value) ? plainSettings(value, field, label, item) : value;
}

/** The settings of a collection as plain values. Its empty ones are noted in `item`. */
function plainSettings(
	settings: JsonObject,
	collection: Field,
	label: string,
	item: ItemReading,
): JsonObject {
	const entries = Object.entries(settings).map(([name, value]) => {
		const child = childOf(collection, name);
		const isLabelled = child !== undefined && !isGroup(child);
		const ownLabel = isLabelled ? `${label} → ${child.displayName}` : label;
		const entered = plainValue(value, asField(child), ownLabel, item);
		if (isNothing(entered)) item.empty.push(ownLabel);
		return [name, entered];
	});
	return Object.fromEntries(entries) as JsonObject;
}

/**
 * Turns the issues that zod found into messages with the labels that the user sees.
 *
 * @param told labels of settings that already have a message
 */
export function problems(
	issues: z.ZodIssue[],
	fields: Field[],
	values: JsonObject,
	told: string[] = [],
): string[] {
	return issues.flatMap((issue) => {
		const { subject, words } = complaint(issue, fields, values);
		if (subject === '') return [words];
		return told.includes(subject) ? [] : [`'${subject}' ${words}`];
	});
}

function complaint(issue: z.ZodIssue, fields: Field[], values: JsonObject) {
	const labels: string[] = [];
	let children: Array<Field | INodePropertyCollection> = fields;
	let field: Field | undefined;
	let value: unknown = values;
	for (const step of issue.path) {
		value =
			isObject(value) || Array.isArray(value) ? (value as JsonObject)[step as string] : undefined;
		if (typeof step === 'number') {
			labels.push(`entry ${step + 1}`);
			continue;
		}
		const child = children.find(({ name }) => name === step);
		if (child === undefined) continue;
		field = isGroup(child) ? undefined : child;
		if (field) labels.push(field.displayName);
		children = isGroup(child) ? child.values : ((child.options ?? []) as Field[]);
	}
	return { subject: labels.join(' → '), words: wordsOf(issue, value, field) };
}

function wordsOf(issue: z.ZodIssue, value: unknown, field?: Field): string {
	if (field?.type === 'resourceLocator' && isBlank(isLocator(value) ? value.value : value)) {
		return `is empty: choose ${oneOfThese(field.displayName)}`;
	}
	return wordsFor(issue, value);
}

function childOf(field: Field, name: string): Field | INodePropertyCollection | undefined {
	const options = (field.options ?? []) as Array<Field | INodePropertyCollection>;
	return options.find((option) => option.name === name);
}

/** A group of a fixedCollection as a collection: both hold fields. */
function asField(child: Field | INodePropertyCollection | undefined): Field | undefined {
	if (child === undefined || !isGroup(child)) return child;
	return { ...child, type: 'collection', options: child.values, default: {} };
}

const isGroup = (child: Field | INodePropertyCollection): child is INodePropertyCollection =>
	'values' in child;

const isNothing = (value: unknown) => value === undefined || value === null;
