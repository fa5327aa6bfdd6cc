import { isObject, type JsonObject } from '../../json';
import { shorten } from '../reading/record';

/** 36 bits: of a record's own few states, one in 10^10 is taken for another. */
const LENGTH = 6;

/**
 * Stands for what a record says. In which order it says it, and whether it says nothing under a
 * name or leaves that out, does not count.
 *
 * @param ignored names of fields that do not count either, however deep
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
