import { firstText, isObject, type JsonObject } from '../../json';
import { namingKey } from '../../domain/namedValues';
import { digest } from '../../digest';
import type { WatchedStates } from '../../watching/statesWatcher';

type Compared = Pick<WatchedStates, 'stateOf' | 'shows' | 'added'>;

/** @param names the fields that may hold the status */
export const statusChanges = (names: readonly string[]): Compared => ({
	stateOf(record) {
		const isNone = names.some((name) => record[name] === null || record[name] === '');
		return firstText(record, names) ?? (isNone ? null : undefined);
	},
	shows: 'status',
	added: ({ state, before }) => ({ previous_status: before ?? null, new_status: state }),
});

/** Compares all that records show. The item says whether the record is new or changed, and how. */
export const contentChanges = (ignored: readonly string[]): Compared => ({
	stateOf: (record, _before, without) => fingerprintOf(record, [...ignored, ...without]),
	added: ({ before, newFields }) => ({
		change: before === undefined ? 'new' : 'changed',
		...(newFields.length > 0 && { new_fields: newFields.join(', ') }),
	}),
});

/** Length of a fingerprint: 36 bits. The chance that a change of a record is overlooked is 1 in 10^10. */
const LENGTH = 6;

/**
 * A short text that stands for the content of a record. The order of fields and of lists does not count, and an
 * empty field counts like a missing one. Ignored names do not count at any depth, also as a custom field's name.
 */
export const fingerprintOf = (record: JsonObject, ignored: readonly string[] = []): string =>
	digest(contentOf(record, new Set(ignored)) ?? '').slice(0, LENGTH);

/** The content of a value as a text. Undefined if it is empty. */
function contentOf(value: unknown, ignored: ReadonlySet<string>): string | undefined {
	const within = (member: unknown) => contentOf(member, ignored);
	if (Array.isArray(value)) {
		// Custom fields may be a list of names and values.
		const key = namingKey(value);
		const isIgnored = (entry: unknown) =>
			key !== undefined && ignored.has((entry as JsonObject)[key] as string);
		const counted = value.filter((entry) => !isIgnored(entry));
		const entries = counted.map((entry) => within(entry) ?? 'null').sort();
		return entries.length > 0 ? `[${entries.join()}]` : undefined;
	}
	if (!isObject(value)) return value === null || value === '' ? undefined : JSON.stringify(value);
	const fields = Object.keys(value)
		.filter((name) => !ignored.has(name))
		.sort()
		.map((name) => [JSON.stringify(name), within(value[name])] as const)
		.filter(([, content]) => content !== undefined);
	return fields.length > 0 ? `{${fields.join()}}` : undefined;
}
