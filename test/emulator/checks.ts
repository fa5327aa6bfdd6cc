import { invalid } from './envelope.ts';

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
const passing =
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

export const listOf =
	(rule: Rule): Rule =>
	(value, name) => {
		if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
		return value.map((item, index) => rule(item, `${name}[${index}]`));
	};

export const oneOf = (...allowed: string[]) =>
	passing((value) => allowed.includes(value), `one of ${allowed.join(', ')}`);

export const text = passing((value) => typeof value === 'string', 'text');
export const filled = passing((value) => typeof value === 'string' && !isBlank(value), 'no blank');
export const language = passing((value) => /^[a-z]{2}$/.test(value), 'an ISO 639-1 code');
export const number = passing((value) => typeof value === 'number', 'a number');
export const boolean = passing((value) => typeof value === 'boolean', 'true or false');
export const anyObject = passing(isObject, 'an object');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isUuid = passing((value) => UUID.test(value), 'a UUID');

/** Stored in lower case, because a UUID means the same in upper case. */
export const uuid: Rule = (value, name) => String(isUuid(value, name)).toLowerCase();
/** Section "Other records": phone numbers are E.164. */
export const phone = passing((value) => /^\+\d{8,15}$/.test(value), 'a number in E.164 format');
