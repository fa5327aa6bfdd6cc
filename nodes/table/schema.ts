import { z } from 'zod';

import { climbs } from '../api/path';
import { isObject, jsonIn, tidy, type JsonObject } from '../json';
import { momentIn } from './dates';
import { isAddress, lastUuidIn, PHONE_RULE, UUID_RULE, uuidIn } from './identifier';

const E164 = /^\+[1-9]\d{6,14}$/;

/** Absent, or nothing to see. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && tidy(value) === '');

/** What `read` makes of a value. Where it makes nothing, `message` says what the value must be. */
const readAs = <T>(
	message: string | ((value: unknown) => string),
	read: (value: unknown) => T | undefined,
	ofBlank = 'is required',
): z.ZodType<T, z.ZodTypeDef, unknown> =>
	z.unknown().transform((value, ctx): T => {
		const result = isBlank(value) ? undefined : read(value);
		if (result !== undefined) return result;
		const said = typeof message === 'function' ? message(value) : message;
		ctx.addIssue({ code: 'custom', message: isBlank(value) ? ofBlank : said });
		return z.NEVER;
	});

/** Text without unseen marks; a whole number too, as expressions hand over either. */
function nameIn(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === 'string' ? tidy(value) : undefined;
}

/**
 * What an ID must be; of an address, which the ID may have been meant to be in, what it lacks. A number
 * that large may stand for another record's.
 */
const idMessage = (message: string) => (value: unknown) => {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return 'is a whole number beyond 2^53, which n8n rounds: hand the ID over as text, exactly as the API has it';
	}
	return isAddress(nameIn(value) ?? '')
		? 'is an address in which the ID cannot be told: enter the ID alone'
		: message;
};

const ID_MESSAGE = idMessage('must be an ID: text or a whole number, and no path');

function idIn(value: unknown): string | undefined {
	const name = nameIn(value);
	if (name === undefined || /[\p{Cc}\p{Cs}]/u.test(name) || climbs(name)) return undefined;
	return isAddress(name) ? lastUuidIn(name) : name;
}

/**
 * A record's identifier where the reference does not say what it is: any text, or a whole number; or
 * an address that ends in a UUID. It becomes one segment of a path, so it must not lead to another.
 */
export const id = readAs(ID_MESSAGE, idIn);

/** The same for a body, where an API whose identifiers are numbers may want one: it stays a number. */
export const idAsGiven = readAs<string | number>(ID_MESSAGE, (value) => {
	const text = idIn(value);
	return text !== undefined && typeof value === 'number' ? value : text;
});

/**
 * An identifier that the reference calls a UUID: of agents, contacts, voices, numbers and
 * organizations. It may be given as an address that holds it, and no other.
 */
export const uuid = readAs(idMessage(UUID_RULE.message), (value) => uuidIn(nameIn(value) ?? ''));

/** A phone number in E.164; the separators people write are taken out. */
export const phone = readAs(PHONE_RULE.message, (value) => {
	const written = typeof value === 'string' ? tidy(value) : '';
	// What is written as +44 (0)20 is dialled without the 0.
	const digits = /\(0\)/.test(written) ? '' : written.replace(/[\s().\-/\u2010-\u2015]/g, '');
	return E164.test(digits) ? digits : undefined;
});

/** Text of at most `max` characters, counted as people do: an emoji is one. */
export const textUpTo = (max: number) =>
	z.string().refine((value) => [...value].length <= max, {
		message: `must have at most ${max} characters`,
	});

/** Free text, also as the number that an expression hands over. */
export const textOrNumber = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => (typeof value === 'number' ? String(value) : value), schema);

/** Text that must say something. */
export const nonBlank = (max = Infinity) =>
	textUpTo(max).refine((value) => value.trim() !== '', { message: 'must not be blank' });

/** The name of an item's field for a file. */
export const fieldName = z.string().trim().pipe(nonBlank()).default('data');

/** Text, also as the number or boolean that an expression hands over. */
export const scalarText = z.preprocess(
	(value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
	z.string(),
);

/** A name or a value, such as of a status: without what stands around it unseen. */
export const trimmed = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => (typeof value === 'string' ? tidy(value) : value), schema);

/**
 * One of the keys of a map that also feeds a dropdown, however its letters are written, or as the
 * dropdown shows it. What could mean two of them is refused.
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

/** `Not Answered`, `not_answered` and `not-answered` are the same; a minus in front is not. */
const bare = (word: string) => word.toLowerCase().replace(/(?<=\w)[\s_-]+(?=\w)/g, ' ');

const isSameWord = (one: string, other = '') => one !== '' && bare(one) === bare(other);

/** A point in time; the API gets it in ISO 8601, in UTC. See `momentIn`. */
export const isoDate = readAs(
	'must be a date and time in ISO 8601 form such as 2026-01-31T09:00:00Z',
	(value) => momentIn(value, 'utc'),
);

/** A number, also as the text that an expression or an AI model hands over. */
export const number = (min = -Infinity, max = Infinity) =>
	readAs('must be a number', (value) => {
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
 * A list: an array, also as JSON, or text with separators: expressions and AI models hand over each.
 *
 * @param separator what stands between two entries
 */
export const list = <T extends z.ZodTypeAny>(item: T, separator = /[,\n]/) =>
	z.preprocess((value) => {
		if (typeof value === 'number') return [value];
		if (typeof value !== 'string') return value;
		if (tidy(value).startsWith('[')) return jsonIn(value);
		return value.split(separator).map(tidy).filter(Boolean);
	}, z.array(item));

/** Phone numbers, between which people also write semicolons. */
export const phones = list(phone, /[,;\n]/);

/** A JSON object, also as text. */
export const jsonObject = readAs('must be a JSON object such as {"name": "value"}', (value) => {
	const held = typeof value === 'string' ? jsonIn(value) : value;
	return isObject(held) ? held : undefined;
});

/** Pairs of names and values as an object; the values of a name that is given twice are a list. */
export function objectOfPairs(pairs: Array<{ name: string; value: string }>): JsonObject {
	const values = new Map<string, string[]>();
	for (const { name, value } of pairs) values.set(name, [...(values.get(name) ?? []), value]);
	return Object.fromEntries(
		[...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]),
	);
}

/** A filter that was added but left blank filters nothing. */
export const optional = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

/** What a list is searched for; left blank, it is not. */
export const searchText = optional(trimmed(textOrNumber(textUpTo(Infinity))));

/** The name of a record's field; left blank, those that are assumed. */
export const recordField = optional(z.string().trim());

/** An object of optional settings: n8n's collections. */
export const collection = <T extends z.ZodRawShape>(shape: T) => {
	const schema = z.object(shape).partial().strict();
	return schema.default({} as never) as unknown as z.ZodType<
		z.infer<typeof schema>,
		z.ZodTypeDef,
		unknown
	>;
};

/**
 * The body of a partial update: what is absent stays as it is, a value sets, and a cleared
 * field becomes null. Reference: "Agent update", rules 1, 2 and 5.
 *
 * @param emptied what a cleared field becomes where the reference does not show that null clears it
 */
export function patch(
	set: JsonObject,
	cleared: readonly string[],
	ctx: z.RefinementCtx,
	emptied: null | '' = null,
): JsonObject {
	const both = cleared.filter((field) => field in set);
	const body = { ...set, ...Object.fromEntries(cleared.map((field) => [field, emptied])) };
	for (const field of both) {
		const path = ['updateFields', field];
		ctx.addIssue({ code: 'custom', path, message: 'is both set and cleared' });
	}
	if (Object.keys(body).length === 0) {
		ctx.addIssue({ code: 'custom', message: 'Nothing to update: set or clear at least one field' });
	}
	return body;
}
