import { DateTime } from 'luxon';
import { z } from 'zod';

import type { JsonObject } from '../json';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const E164 = /^\+[1-9]\d{6,14}$/;

/** A record's identifier. Reference: identifiers are UUIDs throughout. */
export const id = z
	.string()
	.trim()
	.regex(UUID, { message: 'must be a UUID such as 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37' });

/** A phone number in E.164; the separators people write are taken out. */
export const phone = z
	.string()
	// What is written as +44 (0)20 is dialled without the 0.
	.transform((text) => (/\(0\)/.test(text) ? text : text.replace(/[\s().\-/]/g, '')))
	.refine((text) => E164.test(text), {
		message: 'must be a phone number in E.164 form such as +14155550123',
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

/** One of the keys of a map that also feeds a dropdown. */
export const oneOf = <T extends Record<string, string>>(map: T) =>
	z.string().transform((value, ctx): keyof T & string => {
		if (Object.hasOwn(map, value)) return value as keyof T & string;
		ctx.addIssue({ code: 'custom', message: `must be one of: ${Object.keys(map).join(', ')}` });
		return z.NEVER;
	});

/** A point in time in any ISO 8601 form; the API gets it in UTC. */
export const isoDate = z
	.preprocess((value) => (value instanceof Date ? value.toJSON() : value), z.string())
	.transform((value, ctx) => {
		const date = DateTime.fromISO(value.trim(), { zone: 'utc' });
		if (date.isValid) return date.toISO();
		ctx.addIssue({
			code: 'custom',
			message: 'must be a date and time in ISO 8601 form such as 2026-01-31T09:00:00Z',
		});
		return z.NEVER;
	});

/** A number, also as the text that an expression or an AI model hands over. */
export const number = (min = -Infinity, max = Infinity) =>
	z
		.preprocess(
			(value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
			z.number(),
		)
		.refine((value) => value >= min && value <= max, {
			message: max === Infinity ? `must be at least ${min}` : `must be between ${min} and ${max}`,
		});

export const integer = (min: number, max = Infinity) =>
	number(min, max).refine((value) => Number.isInteger(value), {
		message: 'must be a whole number',
	});

export const flag = z.preprocess(
	(value) => (value === 'true' ? true : value === 'false' ? false : value),
	z.boolean(),
);

/** A list: an array, also as JSON, or text separated by commas: expressions and AI models hand over each. */
export const list = <T extends z.ZodTypeAny>(item: T) =>
	z.preprocess((value) => {
		if (typeof value !== 'string') return value;
		if (value.trim().startsWith('[')) return jsonIn(value);
		return value
			.split(',')
			.map((part) => part.trim())
			.filter(Boolean);
	}, z.array(item));

/** What JSON text says; undefined where it is none. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

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
	z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** What a list is searched for; left blank, it is not. */
export const searchText = optional(textOrNumber(textUpTo(Infinity)));

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
 */
export function patch(
	set: JsonObject,
	cleared: readonly string[],
	ctx: z.RefinementCtx,
): JsonObject {
	const both = cleared.filter((field) => field in set);
	const body = { ...set, ...Object.fromEntries(cleared.map((field) => [field, null])) };
	for (const field of both) {
		const path = ['updateFields', field];
		ctx.addIssue({ code: 'custom', path, message: 'is both set and cleared' });
	}
	if (Object.keys(body).length === 0) {
		ctx.addIssue({ code: 'custom', message: 'Nothing to update: set or clear at least one field' });
	}
	return body;
}
