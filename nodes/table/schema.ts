import { DateTime } from 'luxon';
import { z } from 'zod';

import { climbs } from '../api/baseUrl';
import {
	isAddress,
	lastUuidIn,
	phoneNumberIn,
	phoneProblem,
	UUID_RULE,
	uuidIn,
} from '../domain/identifiers';
import { isObject, jsonIn, tidy, type JsonObject } from '../json';
import { quoted } from '../words';

/**
 * The path of the first value that JSON leaves out or turns into null, such as `extras.guests`. An expression
 * without a value leaves such a one, and it would clear the field.
 */
export function lackingIn(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null || isMoment(value)) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		if (isLacking(inner)) return name;
		const deeper = lackingIn(inner);
		if (deeper !== undefined) return `${name}.${deeper}`;
	}
	return undefined;
}

const isLacking = (value: unknown) =>
	value === undefined ||
	// What n8n makes of a date of an expression that is none.
	value === 'Invalid DateTime' ||
	(typeof value === 'number' && !Number.isFinite(value)) ||
	(typeof value === 'object' && value !== null && isMoment(value) && Number.isNaN(Number(value)));

/** An item can hold an object that only looks like a date. It has no functions. */
const isMoment = (value: object) =>
	value instanceof Date || (DateTime.isDateTime(value) && typeof value.toMillis === 'function');

export type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Whether a value is missing or has no visible character. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && !VISIBLE.test(value));

/** Whether a text shows nothing, or a list has no entry. */
export const isLeftBlank = (value: unknown): boolean =>
	(typeof value === 'string' && isBlank(value)) || (Array.isArray(value) && value.length === 0);

const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800]/u;

/** Messages of our schemas are kept, those of zod are replaced. */
export function wordsFor({ code, message }: z.ZodIssue, value: unknown): string {
	if (code === 'custom') return message;
	return isBlank(value) ? 'is required' : 'must be text';
}

export const valueBehind = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
	path.reduce((inner, step) => (inner as JsonObject | undefined)?.[step as string], value);

/**
 * A schema that reads a value with `read`. If `read` returns undefined, the issue is `message`: what the
 * value must be. A blank value gets `ofBlank` instead.
 */
const readAs = <T>(
	message: string | ((value: unknown) => string),
	read: (value: unknown) => T | undefined,
	ofBlank = 'is required',
): Schema<T> =>
	z.unknown().transform((value, ctx): T => {
		const result = isBlank(value) ? undefined : read(value);
		if (result !== undefined) return result;
		const wrong = typeof message === 'string' ? message : message(value);
		ctx.addIssue({ code: 'custom', message: isBlank(value) ? ofBlank : wrong, fatal: true });
		return z.NEVER;
	});

/** Text without invisible marks. A whole number counts as text: expressions give either. */
function nameIn(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === 'string' ? tidy(value) : undefined;
}

const ID_MESSAGE = 'must be an ID, not a path or an address. Enter a long number as text';

function idIn(value: unknown): string | undefined {
	const name = nameIn(value) ?? '';
	if (name === '' || name.length > 2000 || /[\p{Cc}\p{Cs}]/u.test(name) || climbs(name))
		return undefined;
	return isAddress(name) ? lastUuidIn(name) : name;
}

/**
 * An ID whose form the reference does not show: any text, a whole number, or a web address that ends
 * in a UUID. It becomes one segment of a path, so it must not contain a path.
 */
export const id = readAs(ID_MESSAGE, idIn);

/** The same for a body. A number stays a number, because the API may expect one. */
export const idAsGiven = readAs<string | number>(ID_MESSAGE, (value) => {
	const text = idIn(value);
	return text !== undefined && typeof value === 'number' ? value : text;
});

/**
 * An ID that the reference calls a UUID: of agents, contacts, voices, phone numbers and organizations.
 * A web address is accepted if it contains exactly one UUID.
 */
export const uuid = readAs(UUID_RULE.message, (value) => uuidIn(nameIn(value) ?? ''));

/** A phone number as people have it. It becomes E.164. */
export const phone = readAs(phoneProblem, (value) =>
	typeof value === 'string' ? phoneNumberIn(tidy(value)) : undefined,
);

/** An emoji counts as one character. */
export const textUpTo = (max: number) =>
	z.string().refine((value) => value.length <= 2 * max && [...value].length <= max, {
		message: `must have at most ${max} characters`,
	});

/** Text. A number or boolean is accepted, because expressions give them. */
export const scalar = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess(
		(value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
		schema,
	);

export const scalarText = scalar(z.string());

export const nonBlank = (max = Infinity, message = 'must not be blank') =>
	textUpTo(max).refine((value) => !isBlank(value), { message });

/** Text of a field that only 'Clear Fields' empties: an expression without a value leaves a blank. */
export const keptIfBlank = (max = Infinity) =>
	nonBlank(max, "must not be blank. To empty it, choose it in 'Clear Fields'");

/** A text of a form, without invisible marks. */
const matching = (pattern: RegExp, message: string) =>
	readAs(message, (value) => pattern.exec(nameIn(value) ?? '')?.[0]);

export const color = matching(/^#[0-9a-f]{6}$/i, 'must be a color such as #2f6fed');

export const currencyCode = matching(
	/^[a-z]{3}$/i,
	'must be the code of a currency, such as EUR',
).transform((code) => code.toUpperCase());

/** The address of something that anyone may read. It holds no password. */
export const httpsAddress = readAs('must be an address that begins with https://', (value) => {
	const text = nameIn(value) ?? '';
	if (text.length > 2000 || !/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined;
	const { href, username, password } = new URL(text);
	return username || password ? undefined : href;
});

/** Name of the item's field that holds a file. */
export const fieldName = z.string().trim().pipe(nonBlank());

/** A name or a value without spaces and invisible marks around it. */
export const trimmed = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => (typeof value === 'string' ? tidy(value) : value), schema);

/**
 * One of the keys of a map that also fills a dropdown. Upper and lower case do not matter, and the
 * label is accepted as well. A text that fits two keys is refused.
 */
export const oneOf = <T extends Record<string, string>>(map: T) => {
	const keys = Object.keys(map) as Array<keyof T & string>;
	const message = `must be one of: ${keys.join(', ')}`;
	const read = (value: unknown) => {
		const name = nameIn(value);
		const meant = keys.filter((key) => isSameWord(key, name) || isSameWord(map[key] ?? '', name));
		return keys.find((key) => key === name) ?? (meant.length === 1 ? meant[0] : undefined);
	};
	return readAs(message, read, message);
};

/** `Not Answered`, `not_answered` and `not-answered` are the same. A minus in front is kept: it marks descending order. */
const bare = (word: string) =>
	word
		.toLowerCase()
		.replace(/[\s_-]+/g, (gap, at: number) =>
			at > 0 && at + gap.length < word.length ? ' ' : gap,
		);

const isSameWord = (word: string, other = '') => word !== '' && bare(word) === bare(other);

export function notNumber(value: unknown): string {
	const text = tidy(String(value));
	return /^-?\d+,\d+$/.test(text)
		? `must be a number with a point: ${text.replace(',', '.')}`
		: `must be a number, and is ${quoted([String(value)])}`;
}

/** A number, also as text: expressions and AI models give either. */
export const number = (min = -Infinity, max = Infinity) =>
	readAs(notNumber, (value) => {
		const result = typeof value === 'string' ? Number(tidy(value)) : value;
		return typeof result === 'number' && !Number.isNaN(result) ? result : undefined;
	}).refine((value) => value >= min && value <= max, {
		message: max === Infinity ? `must be at least ${min}` : `must be between ${min} and ${max}`,
	});

export const integer = (min: number, max = Infinity) =>
	number(min, max).refine((value) => Number.isInteger(value), {
		message: 'must be a whole number',
	});

export const flag = readAs('must be true or false', (value) =>
	typeof value === 'boolean'
		? value
		: [true, false].find((is) => isSameWord(String(is), nameIn(value))),
);

/**
 * A list: an array, JSON text, or text with separators. Expressions and AI models give any of them.
 *
 * @param ofNone what is wrong with a list without entries, if one is needed
 */
export const list = <T>(
	item: z.ZodType<T, z.ZodTypeDef, unknown>,
	ofNone?: string,
	separator = /[,\n]/,
): Schema<T[]> =>
	z.unknown().transform((value, ctx): T[] => {
		const refuse = (message: string, path: Array<string | number> = []) =>
			ctx.addIssue({ code: 'custom', path, message });
		const entries = entriesIn(value, separator);
		const isEmpty = isBlank(value) || entries?.length === 0;
		if (isEmpty && ofNone !== undefined) refuse(ofNone);
		else if (entries === undefined) refuse(isBlank(value) ? 'is required' : 'must be a list');
		return (entries ?? []).map((entry, index) => {
			const { data, error } = item.safeParse(entry);
			for (const issue of error?.issues ?? []) {
				refuse(wordsFor(issue, valueBehind(entry, issue.path)), [index, ...issue.path]);
			}
			return data as T;
		});
	});

function entriesIn(value: unknown, separator: RegExp): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (typeof value === 'number') return [value];
	if (typeof value !== 'string') return undefined;
	if (!tidy(value).startsWith('[')) return value.split(separator).map(tidy).filter(Boolean);
	const read = jsonIn(value);
	return Array.isArray(read) ? read : undefined;
}

export const phones = list(phone, undefined, /[,;\n]/);

/** What is wrong with JSON: where its text breaks, or what it must be. */
const jsonProblem = (must: string) => (value: unknown) => {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return must;
	const text = tidy(value);
	try {
		JSON.parse(text);
		return must;
	} catch (error) {
		const [, at] = /position (\d+)/.exec((error as Error).message) ?? [];
		const place = at && ` after ${quoted([text.slice(0, Number(at)).slice(-40)])}`;
		return `is not valid JSON${place ?? ''}. Look there for a comma or a quotation mark that is missing or does not belong, and for a line break in a text. For a text from an expression, write the whole as one expression: ={{ { notes: $json.t } }}`;
	}
};

/** JSON, also as text. @param must what it must be */
const jsonAs = <T>(must: string, is: (value: unknown) => value is T) =>
	readAs(jsonProblem(must), (value) => {
		const read = typeof value === 'string' ? jsonIn(value) : value;
		return is(read) ? read : undefined;
	});

export const jsonObject = jsonAs('must be a JSON object such as {"name": "value"}', isObject);

export const jsonBody = jsonAs(
	'must be a JSON object such as {"name": "value"}, or a list such as [{"name": "value"}]',
	(value): value is JsonObject | unknown[] => isObject(value) || Array.isArray(value),
).superRefine((value, ctx) => {
	const name = lackingIn(value);
	if (name !== undefined) ctx.addIssue({ code: 'custom', message: noValueFor(name) });
});

/** What is wrong with JSON that has a field without a value: it would be left out, or become null. */
export const noValueFor = (name: string): string =>
	`has a wrong value: ${name} has no value. Correct its expression, or remove it`;

/** An optional setting. Added but left blank, it counts as not set. */
export const optional = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

export const searchText = trimmed(scalar(textUpTo(Infinity)));

export const fieldNames = list(textUpTo(200), 'must name at least one field').refine(
	(names) => names.length <= 200,
	{ message: 'must name at most 200 fields' },
);
