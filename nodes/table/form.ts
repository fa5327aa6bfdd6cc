import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Names } from '../api/names';
import { isObject, type JsonObject } from '../json';
import { quoted } from '../words';
import { Place, problemsIn, readingOf, valueOfLocator, type Reading } from './place';
import { isBlank, isLeftBlank } from './schema';

/** A parameter: how n8n shows it, and how its value is read. It gets its name from the form. */
export interface Parameter<T> {
	shown: Omit<INodeProperties, 'name'>;
	/**
	 * The value for the row. What is wrong with it is noted in `place`.
	 * @param value undefined if the node has no value for this parameter
	 * @throws Refused if something is wrong with it
	 */
	read(value: unknown, place: Place): T;
	inside?: Form<unknown>;
	/** As a setting, it is read even if the user did not add it. See `always`. */
	isAlways?: true;
	/** A blank, also a blank cell of a table, counts as not set. See `mayBeBlank`. */
	mayBeBlank?: true;
	/** What an AI model leaves blank has its default, and is not off. */
	staysOn?: true;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type ValueOf<P> = P extends Parameter<infer T> ? T : never;

export type InputOf<F> = F extends Form<infer T> ? T : never;

export type SettingsOf<P extends Parameters> = {
	[Name in keyof P as P[Name] extends { isAlways: true } ? Name : never]: ValueOf<P[Name]>;
} & {
	[Name in keyof P as P[Name] extends { isAlways: true } ? never : Name]?: ValueOf<P[Name]>;
};

/**
 * Notes that a rule is broken.
 *
 * @param path the parameter that breaks it, from the form on. Without it, `words` are a whole sentence
 */
export type Refuse = (words: string, ...path: Array<string | number>) => void;

/** Parameters that belong together, and what they are read as. */
export class Form<T> {
	readonly parameters: Parameters;

	/** Reads the values by name. What is wrong with them is noted in `place`. @throws Refused if something is */
	readonly read: (values: JsonObject, place: Place) => T;

	constructor(parameters: Parameters, read: (values: JsonObject, place: Place) => T) {
		this.parameters = parameters;
		this.read = read;
	}

	get properties(): INodeProperties[] {
		return Object.entries(this.parameters).map(([name, { shown }]) => {
			// n8n's lint wants the label first.
			const { displayName, ...rest } = shown;
			return { displayName, name, ...rest };
		});
	}

	/**
	 * Checks the values together and makes the row's input of them. The rule is only asked if each value
	 * is right by itself.
	 */
	check<Input>(rule: (values: T, refuse: Refuse, names: Names) => Input): Form<Input> {
		return new Form(this.parameters, (values, place) => {
			const read = this.read(values, place);
			const refuse: Refuse = (words, ...path) => {
				const labels = this.#labelsOf(path);
				labels.reduce((at, label) => at.inside(label, ''), place).complain(words);
			};
			return place.whole(() => rule(read, refuse, place.reading.names));
		});
	}

	/** Both forms as one. A mistake in one of them does not hide those in the other. */
	and<Other>(other: Form<Other>): Form<T & Other> {
		return new Form({ ...this.parameters, ...other.parameters }, (values, place) => {
			const read = (each: Form<unknown>) => place.attempt(() => each.read(values, place));
			return Object.assign({}, ...place.whole(() => [read(this), read(other)])) as T & Other;
		});
	}

	#labelsOf([step, ...rest]: Array<string | number>): string[] {
		if (step === undefined) return [];
		if (typeof step === 'number') return [`entry ${step + 1}`, ...this.#labelsOf(rest)];
		const { shown, inside } = this.parameters[step] as Parameter<unknown>;
		return [shown.displayName, ...(inside ? inside.#labelsOf(rest) : [])];
	}
}

/** Parameters that are always there, if they are shown. */
export const form = <P extends Parameters>(parameters: P) =>
	new Form(parameters, (values, place) =>
		place.whole(
			() => readAll(parameters, values, place) as { [Name in keyof P]: ValueOf<P[Name]> },
		),
	);

/** Parameters that the user adds if they are needed, for a collection. */
export const settings = <P extends Parameters>(parameters: P) =>
	new Form(parameters, (values, place) =>
		place.whole(() => {
			const unknown = Object.keys(values).filter((name) => !Object.hasOwn(parameters, name));
			if (unknown.length > 0) place.complain(`has no field ${quoted(unknown)}`);
			return readAll(parameters, values, place, true) as SettingsOf<P>;
		}),
	);

/** A setting that has the default of its literal if the user did not add it. */
export const always = <T>(setting: Parameter<T>): Parameter<T> & { isAlways: true } => ({
	...setting,
	read: (value = setting.shown.default, place) => setting.read(value, place),
	isAlways: true,
});

/**
 * Shows parameters only under a condition on earlier parameters of the same form. Otherwise they are
 * not read.
 */
export const when = <P extends Parameters>(displayOptions: IDisplayOptions, parameters: P) =>
	Object.fromEntries(
		Object.entries(parameters).map(([name, parameter]) => [
			name,
			{ ...parameter, shown: { ...parameter.shown, displayOptions } },
		]),
	) as { [Name in keyof P]: Parameter<ValueOf<P[Name]> | undefined> };

/** @param isOptional whether a parameter without a value is left out, as settings are */
function readAll(parameters: Parameters, values: JsonObject, place: Place, isOptional = false) {
	const read: JsonObject = {};
	for (const [name, parameter] of Object.entries(parameters)) {
		const { displayName, displayOptions } = parameter.shown;
		if (displayOptions && !isShown(displayOptions, read, place.reading.isTool)) continue;
		const inside = place.inside(displayName, name);
		const value = place.attempt(() => readOne(parameter, values, name, inside, isOptional));
		if (value !== undefined) read[name] = value;
	}
	return read;
}

function readOne(
	{ read, inside, isAlways, mayBeBlank, staysOn }: Parameter<unknown>,
	values: JsonObject,
	name: string,
	place: Place,
	isOptional: boolean,
): unknown {
	const plain = valueOfLocator(values[name]);
	// The trash icon of an option that holds a group leaves an empty object (n8n issue 36224).
	const isEmptied =
		isOptional && inside !== undefined && isObject(plain) && Object.keys(plain).length === 0;
	const isAdded = Object.hasOwn(values, name) && !isEmptied;
	// An AI model must give every parameter. Those that it does not need it leaves out, blank or null.
	if (!isAdded || (place.reading.isTool && isLeftBlank(plain ?? ''))) {
		const isSet = !isOptional || isAlways || (isAdded && staysOn);
		return isSet ? read(undefined, place) : undefined;
	}
	if (mayBeBlank && plain !== undefined && isBlank(plain)) return undefined;
	return plain === undefined || plain === null ? place.lack() : read(values[name], place);
}

/** Whether n8n shows a parameter, given those before it. A name such as `/wait` is outside of the form. */
function isShown(
	{ show = {}, hide = {} }: IDisplayOptions,
	read: JsonObject,
	isTool: boolean,
): boolean {
	const is = ([name, wanted]: [string, unknown]) =>
		(wanted as unknown[]).includes(name === '@tool' ? isTool : read[name]);
	const within = Object.entries(show).filter(([name]) => !name.startsWith('/'));
	return within.every(is) && !Object.entries(hide).some(is);
}

/**
 * Reads the parameters of a node with a form. Returns the input, or all that is wrong.
 *
 * @param stored the node's parameters, without the hidden ones: they show which values are expressions
 * @param evaluate n8n's value of a parameter
 */
export function readForm<T>(
	form: Form<T>,
	stored: JsonObject,
	evaluate: (name: string) => unknown,
	circumstances: Partial<Reading>,
): { input: T; problems?: undefined } | { input?: undefined; problems: string } {
	const reading = readingOf(circumstances);
	const names = Object.keys(form.parameters).filter((name) => Object.hasOwn(stored, name));
	const values = Object.fromEntries(names.map((name) => [name, evaluate(name)]));
	const place = new Place(reading, stored);
	const read = place.attempt(() => ({ input: form.read(values, place) }));
	return read ?? { problems: problemsIn(reading) };
}
