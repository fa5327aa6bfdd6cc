import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';

import { byText, isObject, jsonIn, without } from '../json';
import { toIso } from '../time';
import type { Form, Parameter } from './form';
import { ANYTHING, orNothing, type Rule } from '../domain/identifiers';
import { isLocator, oneOfThese, valueOfLocator, type Place } from './place';
import * as schema from './schema';
import { isBlank, type Schema } from './schema';

// The kinds of parameters. Each supplies n8n's type, its default and its options, and reads what users,
// expressions and AI models enter.

/** What a user sees of a parameter. */
export type Said = Omit<INodeProperties, 'name' | 'type' | 'default' | 'options'>;

/** Value for the API → display name. */
export type Choices = Readonly<Record<string, string>>;

/** Text, read by a schema. A list is text too, with commas. */
export const text = <T>(said: Said & { default?: string }, as: Schema<T>): Parameter<T> =>
	withDefault({ type: 'string', default: '', ...said }, as);

/**
 * What narrows a list. Left empty by hand, it is not set. If an expression gives a blank it is refused, so
 * that the list is not longer than the user expects.
 */
export const narrowing = <T>(parameter: Parameter<T>): Parameter<T | undefined> => ({
	...parameter,
	read(value, place) {
		const isList = Array.isArray(parameter.shown.default);
		const isNothing = (held: unknown) =>
			isBlank(held) || (Array.isArray(held) && held.length === 0);
		if (isNothing(value) && place.isExpression) return place.lack();
		const read = isBlank(value) && !isList ? undefined : parameter.read(value, place);
		return isNothing(read) && place.isExpression ? place.lack() : read;
	},
});

/** What a person must give, and an AI model may leave blank: then it is not set. */
export const blankForTool = <T>(parameter: Parameter<T>): Parameter<T | undefined> => ({
	...parameter,
	read: (value, place) =>
		place.reading.isTool && isBlank(value ?? '') ? undefined : parameter.read(value, place),
});

/** A setting that is not set if it is blank, such as an empty cell of a table. */
export const mayBeBlank = <T>(parameter: Parameter<T>): Parameter<T | undefined> => ({
	...parameter,
	mayBeBlank: true,
});

/** A JSON value. As a tool, blank fields in it are not set. */
export const json = <T>(said: Said, as: Schema<T>): Parameter<T> => ({
	shown: { type: 'json', default: '{}', ...said },
	read(value = {}, place) {
		const held = typeof value === 'string' ? (jsonIn(value) ?? value) : value;
		if (typeof held === 'string' && /^\s*\{\{/.test(held)) return place.refuse(NO_EXPRESSION);
		return place.parse(as, place.reading.isTool ? withoutBlanks(held) : held);
	},
});

const NO_EXPRESSION = 'holds an expression as text: switch the field from Fixed to Expression';

function withoutBlanks(value: unknown): unknown {
	if (!isObject(value)) return value;
	const isLeft = (held: unknown) =>
		(typeof held === 'string' && isBlank(held)) || (Array.isArray(held) && held.length === 0);
	const kept = Object.entries(value).filter(([, held]) => !isLeft(held));
	return Object.fromEntries(kept.map(([name, held]) => [name, withoutBlanks(held)]));
}

/** A colour, as `#rrggbb`. */
export const color = (said: Said & { default: string }): Parameter<string> =>
	withDefault({ type: 'color', ...said }, schema.color);

export const toggle = (said: Said & { default?: boolean }): Parameter<boolean> =>
	withDefault({ type: 'boolean', default: false, ...said }, schema.flag);

interface Bounds {
	min?: number;
	max?: number;
	default: number;
}

export const number = ({ min, max, ...said }: Said & Bounds): Parameter<number> => {
	const typeOptions = {
		...(min !== undefined && { minValue: min }),
		...(max !== undefined && { maxValue: max }),
	};
	const hasBounds = min !== undefined || max !== undefined;
	return withDefault(
		{ type: 'number', ...(hasBounds && { typeOptions }), ...said },
		schema.number(min, max),
	);
};

export const wholeNumber = (said: Said & Bounds & { min: number }): Parameter<number> =>
	withDefault(number(said).shown, schema.integer(said.min, said.max));

/** A date and time, as ISO 8601 in UTC. A value without a zone is in the workflow's time zone. */
export const moment = (said: Said): Parameter<string> => ({
	shown: { type: 'dateTime', default: '', ...said },
	read: (value, place) =>
		toIso(value, place.reading.zone) ??
		place.refuse(
			isBlank(value)
				? 'is required'
				: 'must be a date and time in ISO 8601 form such as 2026-01-31T09:00:00Z',
		),
});

/** A sentence of its own among the parameters, for what must not be overlooked. It has no value. */
export const notice = (displayName: string): Parameter<undefined> => ({
	shown: { displayName, type: 'notice', default: '' },
	read: () => undefined,
});

/** The first key of a map. It is the default of a dropdown. */
export const firstKey = (map: object): string => Object.keys(map)[0] ?? '';

/** The options of a dropdown. */
export const choices = (
	map: Choices,
	meanings: Readonly<Record<string, string | undefined>> = {},
): INodePropertyOptions[] =>
	Object.entries(map)
		.map(([value, name]) => ({
			name,
			value,
			...(meanings[value] && { description: meanings[value] }),
		}))
		.sort(byText(({ name }) => name));

interface Chosen<Key, Default> {
	/** What the choices mean, for the dropdown. */
	meanings?: Readonly<Partial<Record<NoInfer<Key & string>, string>>>;
	default?: Default;
}

/** One of the keys of a map. Its default is the first, unless it is told. */
export const choice = <M extends Choices>(
	map: M,
	{ meanings, ...said }: Said & Chosen<keyof M, NoInfer<keyof M & string>>,
): Parameter<keyof M & string> =>
	withDefault(
		{ type: 'options', options: choices(map, meanings), default: firstKey(map), ...said },
		schema.oneOf(map),
	);

/** Several keys of a map. @param ofNone what is wrong if there is none */
export const several = <M extends Choices>(
	map: M,
	{ meanings, ...said }: Said & Chosen<keyof M, Array<NoInfer<keyof M & string>>>,
	ofNone?: string,
): Parameter<Array<keyof M & string>> =>
	withDefault(
		{ type: 'multiOptions', options: choices(map, meanings), default: [], ...said },
		schema.list(schema.oneOf(map), ofNone).transform((all) => [...new Set(all)]),
	);

/** Several values of a list that the editor loads. */
export const severalLoaded = <T>(
	{ loadOptionsMethod, ...said }: Said & { loadOptionsMethod: string },
	item: Schema<T>,
	ofNone?: string,
): Parameter<T[]> =>
	withDefault(
		{ type: 'multiOptions', typeOptions: { loadOptionsMethod }, default: [], ...said },
		schema.list(item, ofNone),
	);

/** A parameter that has its default where the node has no value for it. */
function withDefault<T>(shown: Parameter<T>['shown'], as: Schema<T>): Parameter<T> {
	return {
		shown,
		read: (value, place) => place.parse(as, value === undefined ? shown.default : value),
	};
}

/** What a `picker` looks for, and how. */
export interface PickerSaid<T> {
	displayName: string;
	/** A method of `listSearch`. */
	search: string;
	description: string;
	hint?: string;
	/** Whether the user must choose one. 'whenAdded' is for an optional setting. */
	required?: boolean | 'whenAdded';
	dependsOn?: string[];
	/** The form of an ID, if the reference shows it. */
	rule?: Rule;
	/** An example of an ID, if it is not a UUID. */
	idExample?: string;
	/** Label of the text input, if it does not take an ID. */
	typedAs?: string;
	/** More ways to name the record, such as its phone number. */
	modes?: ReadonlyArray<PickerMode<T>>;
}

interface PickerMode<T> {
	displayName: string;
	name: string;
	placeholder: string;
	rule: Rule;
	as: Schema<T>;
}

/** A record that is chosen from a searchable list, or by its ID. n8n's resource locator. */
export const picker = <T>(said: PickerSaid<NoInfer<T>>, as: Schema<T>): Parameter<T> => {
	const { displayName, description, hint, required = true, dependsOn, modes = [] } = said;
	const typed = said.typedAs ?? 'By ID';
	return {
		shown: {
			displayName,
			type: 'resourceLocator',
			default: { __rl: true, mode: 'list', value: '' },
			...(required === true && { required }),
			...(dependsOn && { typeOptions: { loadOptionsDependsOn: dependsOn } }),
			description,
			...(hint && { hint }),
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: {
						searchListMethod: said.search,
						searchable: true,
						slowLoadNotice: { message: `Slow? Choose '${typed}'`, timeout: 5000 },
					},
					...validation(said),
				},
				{
					displayName: typed,
					name: 'id',
					type: 'string',
					placeholder: `e.g. ${said.idExample ?? '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37'}`,
					...validation(said, said.rule),
				},
				...modes.map((mode): INodePropertyMode => ({
					...without(mode, 'rule', 'as'),
					type: 'string',
					...validation(said, mode.rule),
				})),
			],
		},
		read(value, place) {
			const named = valueOfLocator(value);
			if (required && isBlank(named)) {
				return place.refuse(`is empty: choose ${oneOfThese(displayName)}`);
			}
			const mode = isLocator(value) && modes.find(({ name }) => name === value.mode);
			return place.parse(mode ? mode.as : as, named);
		},
	};
};

/** What n8n's editor checks before a run. In a collection, it does not check that a record was chosen. */
function validation<T>(
	{ displayName, required }: PickerSaid<T>,
	rule?: Rule,
): Pick<INodePropertyMode, 'validation'> {
	const isAsked = required === 'whenAdded';
	if (rule === undefined && !isAsked) return {};
	const regex = rule?.regex ?? ANYTHING;
	const errorMessage = rule
		? `'${displayName}' ${rule.message}`
		: `Choose ${oneOfThese(displayName)}`;
	const properties = { regex: isAsked ? regex : orNothing(regex), errorMessage };
	return { validation: [{ type: 'regex', properties }] };
}

/** Optional settings, such as "Filters" or "Update Fields". n8n's collection. */
export const collection = <T>(
	said: Said & { placeholder: string },
	members: Form<T>,
): Parameter<T> => ({
	shown: { type: 'collection', default: {}, options: sorted(members.properties), ...said },
	read: (value = {}, place) => readFields(members, value, place),
	inside: members,
});

/** A group of fields that are set together. n8n's fixedCollection. */
export const group = <T>(
	said: Said & { placeholder: string },
	{ name, displayName, fields }: Member<T>,
): Parameter<T> => {
	const values = sorted(fields.properties);
	// n8n drops an empty group when another field is added, so it is added with its values.
	const defaults = Object.fromEntries(values.map(({ name, default: value }) => [name, value]));
	const options: INodePropertyCollection[] = [{ displayName, name, values }];
	return {
		shown: {
			type: 'fixedCollection',
			// Without this n8n 1 drops a group that holds nothing but defaults.
			typeOptions: { multipleValues: false },
			default: { [name]: defaults },
			options,
			...said,
		},
		read(value, place) {
			const held = isObject(value) ? value[name] : value;
			return readFields(fields, held, place.group(name));
		},
		inside: fields,
	};
};

/** Any number of entries with the same fields. n8n's fixedCollection with multiple values. */
export const entries = <T>(
	said: Said & { placeholder: string },
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
			...said,
		},
		read(value = {}, place) {
			if (!isObject(value)) return place.refuse(notFields(value));
			const at = place.group(name);
			const { [name]: given = [] } = value;
			if (!Array.isArray(given)) return at.refuse('must be a list');
			const all = given
				.map((entry: unknown, index) => ({ entry, own: at.entry(index) }))
				.filter(({ entry }) => !(place.reading.isTool && isUnset(entry)));
			const readOne = ({ entry, own }: (typeof all)[number]) =>
				own.attempt(() => readFields(fields, entry, own)) as T;
			return place.whole(() => all.map(readOne));
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
	isObject(value) ? fields.read(value, place) : place.refuse(notFields(value));

const notFields = (value: unknown) =>
	isBlank(value) ? 'is required' : 'must be a group of fields';

const sorted = (properties: INodeProperties[]): INodeProperties[] =>
	[...properties].sort(byText(({ displayName }) => displayName));
