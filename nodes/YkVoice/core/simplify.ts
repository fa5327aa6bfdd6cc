import type { JsonObject } from './pages';

/** How a record is made smaller. */
export type Simplify = (record: JsonObject) => JsonObject;

/** The named fields, for records whose shape the reference shows. */
export const only =
	(...names: string[]): Simplify =>
	(record) =>
		Object.fromEntries(
			names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
		);

/**
 * The fields that say something in a word, and the named ones, for records whose shape the
 * reference does not show: choosing by name could drop the very field that matters.
 */
export const plain =
	(...nested: string[]): Simplify =>
	(record) =>
		Object.fromEntries(
			Object.entries(record).filter(
				([name, value]) =>
					nested.includes(name) || (value !== null && value !== '' && typeof value !== 'object'),
			),
		);

/** Without what is empty, for records whose nested fields matter, such as custom fields. */
export const filledOnly: Simplify = (record) =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== ''));
