import { isObject, type JsonObject } from '../json';
import { namingKey } from './namedValues';

/** How a record is made smaller. */
export type Simplify = (record: JsonObject) => JsonObject;

/** The named fields, for records whose shape the reference shows. */
export const namedFields =
	(...names: string[]): Simplify =>
	(record) =>
		Object.fromEntries(
			names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
		);

/**
 * The flat fields, and the named ones, for records whose shape the reference does not show:
 * choosing by name could drop the very field that matters. An object or a list of single values counts
 * as flat, and so do names with values, such as custom fields may be; null stays, so that every item has the same columns.
 */
export const plainFields =
	(...nested: string[]): Simplify =>
	(record) =>
		Object.fromEntries(
			Object.entries(record).filter(
				([name, value]) =>
					nested.includes(name) ||
					isSingle(value) ||
					(isObject(value) && Object.values(value).every(isSingle)) ||
					(Array.isArray(value) && value.every(isSingle)) ||
					namingKey(value) !== undefined,
			),
		);

/** A record with these of its fields in front, in this order: n8n's table shows what comes first. */
export const inFront =
	(...names: string[]): Simplify =>
	(record) => ({ ...namedFields(...names)(record), ...record });

const isSingle = (value: unknown) => value === null || typeof value !== 'object';
