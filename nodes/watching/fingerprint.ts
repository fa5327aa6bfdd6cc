import { createHash } from 'crypto';

import { isObject, type JsonObject } from '../json';

/** Length of a key. Of 10,000 keys, the chance that a new one equals another is 1 in 10^14. */
export const KEY = 10;

/** A short text that stands for a long one. */
export const shorten = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, KEY);

/** Length of a fingerprint: 36 bits. The chance that a change of a record is overlooked is 1 in 10^10. */
const LENGTH = 6;

/**
 * A short text that stands for the content of a record. The order of fields and of lists does not
 * count, and an empty field counts like a missing one.
 *
 * @param ignored names of fields that do not count, at any depth
 */
export const fingerprintOf = (record: JsonObject, ignored: readonly string[] = []): string =>
	shorten(JSON.stringify(plain(record, new Set(ignored))) ?? '').slice(0, LENGTH);

function plain(value: unknown, ignored: ReadonlySet<string>): unknown {
	if (Array.isArray(value)) {
		const texts = value.map((one) => JSON.stringify(plain(one, ignored)) ?? 'null');
		return texts.length > 0 ? texts.sort() : undefined;
	}
	if (!isObject(value)) return value === null || value === '' ? undefined : value;
	const fields = Object.entries(value)
		.filter(([name]) => !ignored.has(name))
		.map(([name, held]) => [name, plain(held, ignored)] as const)
		.filter(([, held]) => held !== undefined)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return fields.length > 0 ? fields : undefined;
}
