import type { INodeProperties, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';

import { byText, fitting, isObject, jsonIn, without } from '../json';
import { toIso } from '../time';
import type { Form, Parameter } from './form';
import type { Rule } from '../domain/identifiers';
import { isLocator, valueOfLocator, type Place } from './place';
import * as schema from './schema';
import { isBlank, isLeftBlank, type Schema } from './schema';
import { sentences } from '../words';

// The kinds of parameters. Each supplies n8n's type, its default and its options, and reads what users,
// expressions and AI models enter.

export type Said = Omit<INodeProperties, 'name' | 'type' | 'default' | 'options'>;

/** Value for the API → display name. */
export type Choices = Readonly<Record<string, string>>;

/** Text, read by a schema. A list is text too, with commas. */
export const text = <T>(display: Said & { default?: string }, as: Schema<T>): Parameter<T> =>
	withDefault({ type: 'string', default: '', ...display }, as);

/**
 * What narrows a list. Left empty by hand, it is not set. If an expression gives a blank it is refused, so
 * that the list is not longer than the user expects.
 */
export const narrowing = <T>(parameter: Parameter<T>): Parameter<T | undefined> => ({
	...parameter,
	read(value, place) {
		const isList = Array.isArray(parameter.shown.default);
		const isNothing = (entered: unknown) => isBlank(entered) || isLeftBlank(entered);
		const mustHaveValue = place.isExpression && !place.reading.isTool;
		if (isNothing(value) && mustHaveValue) return place.lack();
		const read = isBlank(value) && !isList ? undefined : parameter.read(value, place);
		return isNothing(read) && mustHaveValue ? place.lack() : read;
	},
});

/** A setting that is not set if it is blank, such as an empty cell of a table. */
export const mayBeBlank = <T>(parameter: Parameter<T>): Parameter<T | undefined> => ({
	...parameter,
	mayBeBlank: true,
});

/** A JSON value. As a tool, blank fields in it are not set. */
export const json = <T>(display: Said, as: Schema<T>): Parameter<T> => ({
	shown: { type: 'json', default: '{}', ...display },
	read(value = {}, place) {
		const plain = typeof value === 'string' ? (jsonIn(value) ?? value) : value;
		if (typeof plain === 'string' && /^\s*\{\{/.test(plain)) {
			place.refuse('holds an expression as text: switch the field from Fixed to Expression');
		}
		return place.parse(as, place.reading.isTool ? withoutBlanks(plain) : plain);
	},
});

function withoutBlanks(value: unknown): unknown {
	if (!isObject(value)) return value;
	const kept = fitting(value, (_name, inner) => !isLeftBlank(inner ?? ''));
	return Object.fromEntries(
		Object.entries(kept).map(([name, inner]) => [name, withoutBlanks(inner)]),
	);
}

export const color = (display: Said & { default: string }): Parameter<string> =>
	withDefault({ type: 'color', ...display }, schema.color);

export const toggle = (display: Said & { default?: boolean }): Parameter<boolean> =>
	withDefault({ type: 'boolean', default: false, ...display }, schema.flag);

type NumberSaid = Said & { min?: number; max?: number; default: number };

export const number = ({ min, max, ...display }: NumberSaid): Parameter<number> => {
	const typeOptions = min === undefined ? undefined : { minValue: min, maxValue: max };
	return withDefault({ type: 'number', typeOptions, ...display }, schema.number(min, max));
};

export const wholeNumber = (display: NumberSaid & { min: number }): Parameter<number> =>
	withDefault(number(display).shown, schema.integer(display.min, display.max));

/** A date and time, as ISO 8601 in UTC. A value without a zone is in the workflow's time zone. */
export const moment = (display: Said): Parameter<string> => ({
	shown: { type: 'dateTime', default: '', ...display },
	read: (value, place) =>
		toIso(value, place.reading.zone) ??
		place.refuse(
			isBlank(value) ? 'is required' : 'must be a date and time such as 2026-01-31T09:00:00Z',
		),
});

/** A sentence of its own among the parameters, for what must not be overlooked. It has no value. */
export const notice = (displayName: string): Parameter<undefined> => ({
	shown: { displayName, type: 'notice', default: '' },
	read: () => undefined,
});

export const firstKey = (map: object): string => Object.keys(map)[0] ?? '';

export const choices = (
	map: Choices,
	meanings: Readonly<Record<string, string | undefined>> = {},
): INodePropertyOptions[] =>
	Object.entries(map)
		.map(([value, name]) => ({ name, value, description: meanings[value] }))
		.sort(byText(({ name }) => name));

/** `meanings`: what the choices mean, for the dropdown. */
type ChoiceSaid<Key extends string, Default> = Said & {
	meanings?: Readonly<Partial<Record<NoInfer<Key>, string>>>;
	default?: NoInfer<Default>;
};

type KeyOf<M> = keyof M & string;

/** One of the keys of a map. Its default is the first, unless it is told. */
export const choice = <M extends Choices>(
	map: M,
	{ meanings, ...display }: ChoiceSaid<KeyOf<M>, KeyOf<M>>,
): Parameter<KeyOf<M>> =>
	withDefault(
		{ type: 'options', options: choices(map, meanings), default: firstKey(map), ...display },
		schema.oneOf(map),
	);

/** Several keys of a map. @param ofNone what is wrong if there is none */
export const several = <M extends Choices>(
	map: M,
	{ meanings, ...display }: ChoiceSaid<KeyOf<M>, Array<KeyOf<M>>>,
	ofNone?: string,
): Parameter<Array<KeyOf<M>>> =>
	withDefault(
		{ type: 'multiOptions', options: choices(map, meanings), default: [], ...display },
		schema.list(schema.oneOf(map), ofNone).transform((all) => [...new Set(all)]),
	);

export const severalLoaded = <T>(
	{ loadOptionsMethod, ...display }: Said & { loadOptionsMethod: string },
	item: Schema<T>,
	ofNone?: string,
): Parameter<T[]> =>
	withDefault(
		{ type: 'multiOptions', typeOptions: { loadOptionsMethod }, default: [], ...display },
		schema.list(item, ofNone),
	);

/** A parameter that has its default where the node has no value for it. */
const withDefault = <T>(shown: Parameter<T>['shown'], as: Schema<T>): Parameter<T> => ({
	shown,
	read: (value = shown.default, place) => place.parse(as, value),
});

export interface PickerSaid<T> {
	displayName: string;
	/** A method of `listSearch`. */
	search: string;
	/** What else it means, besides the ID of this record. */
	description?: string;
	/** The operation that shows the IDs; '' if there is none. */
	from?: string;
	hint?: string;
	/** Whether the user must choose one. 'whenAdded' is for an optional setting: n8n must not ask for it. */
	required?: boolean | 'whenAdded';
	dependsOn?: string[];
	/** The form of an ID, if the reference shows it. */
	rule?: Rule;
	/** An example of an ID, if it is not a UUID. */
	idExample?: string;
	/** More ways to name the record, such as its phone number. */
	modes?: ReadonlyArray<
		Record<'displayName' | 'name' | 'placeholder', string> & { rule: Rule; as: Schema<T> }
	>;
}

/** A record that is chosen from a searchable list, or by its ID. n8n's resource locator. */
export const picker = <T>(display: PickerSaid<NoInfer<T>>, as: Schema<T>): Parameter<T> => {
	const { displayName, description = '', hint, required = true, dependsOn, modes = [] } = display;
	const { from = `Get Many ${displayName}s` } = display;
	const advice = from && `. ${from} shows the IDs`;
	const origin = from && `ID from ${from}`;
	const both = description && origin && sentences(description, `${origin}.`);
	return {
		shown: {
			displayName,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			...(required === true && { required }),
			typeOptions: dependsOn && { loadOptionsDependsOn: dependsOn },
			description: both || description || origin,
			hint,
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: {
						searchListMethod: display.search,
						searchable: true,
						slowLoadNotice: { message: "Slow? Choose 'By ID'", timeout: 5000 },
					},
					validation: validation(display),
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: `e.g. ${display.idExample ?? '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37'}`,
					validation: validation(display, display.rule),
				},
				...modes.map((mode): INodePropertyMode => ({
					...without(mode, 'rule', 'as'),
					type: 'string',
					validation: validation(display, mode.rule),
				})),
			],
		},
		read(value, place) {
			const record = valueOfLocator(value);
			if (required && isBlank(record)) {
				if (place.isExpression && !place.reading.isTool) return place.lack();
				return place.refuse(`is empty: choose ${withArticle(displayName)}${advice}`);
			}
			const mode = isLocator(value) && modes.find(({ name }) => name === value.mode);
			if (mode) return place.parse(mode.as, record);
			const meant = modes.find((other) => other.as.safeParse(record).success);
			// A model fills in the value alone, and cannot choose how it names the record.
			if (meant && !place.reading.isTool)
				return place.refuse(`is not an ID: choose '${meant.displayName}' instead of 'By ID'`);
			return place.parse(meant?.as ?? as, record, advice);
		},
	};
};

/** What n8n's editor checks before a run. In a collection, it does not check that a record was chosen. */
function validation<T>(
	{ displayName, required }: PickerSaid<T>,
	rule?: Rule,
): INodePropertyMode['validation'] {
	const isAsked = required === 'whenAdded';
	if (rule === undefined && !isAsked) return undefined;
	const errorMessage = rule
		? `'${displayName}' ${rule.message}`
		: `Choose ${withArticle(displayName)}`;
	const filled = rule?.regex ?? String.raw`[^]*\S[^]*`;
	const regex = isAsked ? filled : String.raw`(?:\W*|${filled})`;
	return [{ type: 'regex', properties: { regex, errorMessage } }];
}

const withArticle = (name: string) =>
	`${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name.toLowerCase()}`;

/** Optional settings, such as "Filters" or "Update Fields". n8n's collection. */
export const collection = <T>(
	display: Said & { placeholder: string },
	members: Form<T>,
): Parameter<T> => ({
	shown: { type: 'collection', default: {}, options: sorted(members.properties), ...display },
	read: (value = {}, place) => readFields(members, value, place),
	inside: members,
});

/** A group of fields that are set together. n8n's fixedCollection. */
export const group = <T>(
	display: Said & { placeholder: string },
	{ name, displayName, fields }: Member<T>,
): Parameter<T> => {
	const values = sorted(fields.properties);
	// n8n drops an empty group when another field is added, so it is added with its values.
	const defaults = Object.fromEntries(values.map(({ name, default: value }) => [name, value]));
	return {
		shown: {
			type: 'fixedCollection',
			// Without this n8n 1 drops a group that holds nothing but defaults.
			typeOptions: { multipleValues: false },
			default: { [name]: defaults },
			options: [{ displayName, name, values }],
			...display,
		},
		read: (value, place) =>
			readFields(fields, isObject(value) ? value[name] : value, place.inside('', name)),
		inside: fields,
	};
};

/** Any number of entries with the same fields. n8n's fixedCollection with multiple values. */
export const entries = <T>(
	display: Said & { placeholder: string },
	{ name, displayName, fields }: Member<T>,
): Parameter<T[]> => {
	const values = fields.properties;
	const texts = values.filter(({ type }) => type === 'string');
	// An AI model leaves blank what it does not set, and half an entry means nothing.
	const isUnset = (entry: unknown) =>
		isObject(entry) && texts.some((member) => isBlank(entry[member.name]));
	return {
		shown: {
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			options: [{ displayName, name, values }],
			...display,
		},
		read(value = {}, place) {
			const at = place.inside('', name);
			const list = isObject(value) ? (value[name] ?? []) : value;
			if (!Array.isArray(list)) return at.refuse(isBlank(list) ? 'is required' : 'must be a list');
			const readEntry = (entry: unknown, index: number): T[] => {
				if (place.reading.isTool && isUnset(entry)) return [];
				return [place.attempt(() => readFields(fields, entry, at.entry(index))) as T];
			};
			return place.whole(() => list.flatMap(readEntry));
		},
		inside: fields,
	};
};

interface Member<T> {
	name: string;
	displayName: string;
	fields: Form<T>;
}

const readFields = <T>(fields: Form<T>, value: unknown, place: Place): T =>
	isObject(value)
		? fields.read(value, place)
		: place.refuse(isBlank(value) ? 'is required' : 'must be a group of fields');

const sorted = (properties: INodeProperties[]): INodeProperties[] =>
	[...properties].sort(byText(({ displayName }) => displayName));
