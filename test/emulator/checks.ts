import { invalid } from './envelope.ts';
import { instant } from './time.ts';

/** Reads one value of a body: returns what is stored, or throws a 400. */
export type Rule = (value: unknown, name: string) => unknown;
/** The fields of a body or of an object in it. Other fields are refused. */
export type Rules = Readonly<Record<string, Rule>>;
export type Fields = Record<string, unknown>;

export const isBlank = (text: string) => text.trim() === '';

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object by its rules: unknown properties, missing ones and wrong values are a 400 (section "Errors"). */
export function readFields(
	value: unknown,
	rules: Rules,
	required: readonly string[] = [],
	where = 'body',
): Fields {
	if (!isObject(value)) throw invalid(`${where} must be a JSON object`);
	const unknown = Object.keys(value).filter((name) => !Object.hasOwn(rules, name));
	const missing = required.filter((name) => value[name] === undefined);
	if (unknown.length > 0)
		throw invalid(`${where} has unknown or read-only properties: ${unknown.join(', ')}`, unknown);
	if (missing.length > 0) throw invalid(`${where} lacks required properties`, missing);
	const entries = Object.entries(value).map(([name, inner]) => [name, rules[name]!(inner, name)]);
	return Object.fromEntries(entries);
}

/** A rule for values of which this is true. */
export const passing =
	(isRight: (value: any) => boolean, form: string): Rule =>
	(value, name) => {
		if (!isRight(value)) throw invalid(`${name} must be ${form}`);
		return value;
	};

export const nullable =
	(rule: Rule): Rule =>
	(value, name) =>
		value === null ? null : rule(value, name);

/** An object with fields of its own. */
export const object =
	(rules: Rules, required: readonly string[] = []): Rule =>
	(value, name) =>
		readFields(value, rules, required, name);

/** Limits count characters, so an emoji is one and not two. */
export function text({ max = Infinity, min = 0 } = {}): Rule {
	const fits = (value: unknown) =>
		typeof value === 'string' &&
		[...value].length <= max &&
		(min === 0 || ([...value].length >= min && !isBlank(value)));
	return passing(fits, `text of ${min} to ${max} characters`);
}

export const oneOf = (...allowed: string[]) =>
	passing((value) => allowed.includes(value), `one of ${allowed.join(', ')}`);

export function number({ min = -Infinity, whole = false } = {}): Rule {
	const fits = (value: unknown) =>
		typeof value === 'number' && value >= min && (!whole || Number.isInteger(value));
	return passing(fits, `${whole ? 'an integer' : 'a number'} of at least ${min}`);
}

export function listOf(rule: Rule, max = Infinity): Rule {
	return (value, name) => {
		if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
		if (value.length > max) throw invalid(`${name} has more than ${max} items`);
		return value.map((item, index) => rule(item, `${name}[${index}]`));
	};
}

const matching = (pattern: RegExp, form: string) =>
	passing((value) => typeof value === 'string' && pattern.test(value), form);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const boolean = passing((value) => typeof value === 'boolean', 'true or false');
/** Stored in lower case, because a UUID means the same in upper case. */
export const uuid: Rule = (value, name) =>
	String(matching(UUID, 'a UUID')(value, name)).toLowerCase();
/** Section "Other records": phone numbers are E.164. */
export const phone = matching(/^\+\d{8,15}$/, 'a phone number in E.164 format');
export const email = matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address');
export const date = passing(
	(value) => /^.{10}$/.test(value) && instant(value) !== undefined,
	'a date YYYY-MM-DD',
);

/** Section "Errors": a schedule has a form. */
export const clockTime = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time HH:MM');

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export const language = passing(
	(value) => /^[a-z]{2}$/.test(value) && LANGUAGES.of(value) !== undefined,
	'an ISO 639-1 code',
);
