import { invalid } from './envelope.ts';
import { instant } from './time.ts';

/** Reads one value of a body: returns what is stored, or throws a 400. */
export type Rule = (value: unknown, name: string) => unknown;
export type Rules = Readonly<Record<string, Rule>>;
export type Fields = Record<string, unknown>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const E164 = /^\+\d{8,15}$/;

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}

/** Section "Other records": phone numbers are E.164. */
export function isPhone(value: unknown): value is string {
	return typeof value === 'string' && E164.test(value);
}

/** Limits count characters, so an emoji is one and not two. */
const characters = (text: string) => [...text].length;

export function isBlank(text: string): boolean {
	return text.trim() === '';
}

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object by its rules: unknown properties, missing ones and wrong values are a 400 (section "Errors"). */
export function readFields(
	body: unknown,
	rules: Rules,
	required: readonly string[] = [],
	where = 'body',
): Fields {
	if (!isObject(body)) throw invalid(`${where} must be a JSON object`);
	const unknown = Object.keys(body).filter((name) => !Object.hasOwn(rules, name));
	if (unknown.length > 0) {
		const names = unknown.join(', ');
		throw invalid(`${where} has unknown or read-only properties: ${names}`, unknown);
	}
	const missing = required.filter((name) => body[name] === undefined);
	if (missing.length > 0) throw invalid(`${where} lacks required properties`, missing);
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, rules[name]!(value, name)]),
	);
}

/** As readFields, for a partial update: an empty object is a 400 (section "Agent update", rule 5). */
export function readChanges(body: unknown, rules: Rules): Fields {
	const fields = readFields(body, rules);
	if (Object.keys(fields).length === 0)
		throw invalid('the body must contain at least one property');
	return fields;
}

export function nullable(rule: Rule): Rule {
	return (value, name) => (value === null ? null : rule(value, name));
}

export function text({ max = Infinity, min = 0 }: { max?: number; min?: number } = {}): Rule {
	return (value, name) => {
		if (typeof value !== 'string') throw invalid(`${name} must be a string`);
		if (characters(value) > max) throw invalid(`${name} has more than ${max} characters`);
		if (min > 0 && (characters(value) < min || isBlank(value)))
			throw invalid(`${name} must not be blank`);
		return value;
	};
}

export function oneOf(...allowed: string[]): Rule {
	return (value, name) => {
		if (typeof value !== 'string' || !allowed.includes(value))
			throw invalid(`${name} must be one of ${allowed.join(', ')}`);
		return value;
	};
}

export function number({
	min = -Infinity,
	whole = false,
}: { min?: number; whole?: boolean } = {}): Rule {
	return (value, name) => {
		const fits = typeof value === 'number' && value >= min && (!whole || Number.isInteger(value));
		if (!fits)
			throw invalid(`${name} must be ${whole ? 'an integer' : 'a number'} of at least ${min}`);
		return value;
	};
}

export function listOf(rule: Rule, max = Infinity): Rule {
	return (value, name) => {
		if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
		if (value.length > max) throw invalid(`${name} has more than ${max} items`);
		return value.map((item, index) => rule(item, `${name}[${index}]`));
	};
}

function test(passes: (value: unknown) => boolean, form: string): Rule {
	return (value, name) => {
		if (!passes(value)) throw invalid(`${name} must be ${form}`);
		return value;
	};
}

export const boolean = test((value) => typeof value === 'boolean', 'true or false');
/** Stored in lower case, because a UUID means the same in upper case. */
export const uuid: Rule = (value, name) => {
	if (!isUuid(value)) throw invalid(`${name} must be a UUID`);
	return value.toLowerCase();
};
/** An id, whatever its form. */
export const identifier: Rule = (value, name) => {
	if (typeof value !== 'string' || isBlank(value)) throw invalid(`${name} must be an identifier`);
	return value;
};
const textLike = (passes: (text: string) => boolean, form: string) =>
	test((value) => typeof value === 'string' && passes(value), form);

const matching = (pattern: RegExp, form: string) => textLike((text) => pattern.test(text), form);

export const phone = matching(E164, 'a phone number in E.164 format');
export const email = matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address');
export const currency = matching(/^[A-Z]{3}$/, 'an ISO 4217 code');
export const clockTime = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time HH:MM');

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export const language = textLike(
	(text) => /^[a-z]{2}$/.test(text) && LANGUAGES.of(text) !== undefined,
	'an ISO 639-1 code',
);
export const date = textLike(
	(text) => text.length === 10 && instant(text) !== undefined,
	'a date YYYY-MM-DD',
);
