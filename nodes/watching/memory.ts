import { isObject, type JsonObject } from '../json';
import { digest } from '../digest';
import { isTimes } from './progress';

/**
 * Bounds, in records and seconds.
 *
 * `most`: how many records one poll reads. `gone`: a record that was missing for so long is new when it
 * comes back. `stale`: how old an answer may be. `delayed`: how many changes wait for Limit per Poll.
 * `patience`: how long a change waits for parts of its record that cannot be read. `fields`: how many
 * names of fields are remembered.
 */
export const BOUNDS = {
	most: 5000,
	gone: 86_400,
	stale: 300,
	delayed: 1000,
	patience: 10_800,
	fields: 1000,
};

/** One record of an answer. */
export interface Shown {
	key: string;
	id: string;
	state: string;
	record: JsonObject;
}

/** A change that waits: Limit per Poll delays it, or a part of its record cannot be read. */
export type Delayed = [id: string, before: string | null, state: string];

/** What the trigger remembers of a list. Times in seconds, on n8n's clock. */
export interface Memory {
	/** Key of each record → what it showed last. */
	known: Map<string, string>;
	/** Key of a record that is missing → since when. */
	gone: Record<string, number>;
	/** Key of a record that has changed → the state before, and when it left that. */
	left: Record<string, [state: string, at: number]>;
	delayed: Delayed[];
	/** Key of a record of which a part cannot be read → since when. */
	failing: Record<string, number>;
	/** The key of the last record that was returned, if others had to wait. */
	turn?: string;
	/** Stand for the names of the fields that the records showed, if these are not too many. */
	fields?: string[];
}

/**
 * Which records are new, or have another state than at the last poll. If a record goes back to the state
 * that it has just left, the answer is probably out of date. It counts if it stays that way.
 */
export const changesIn = (shown: Shown[], { known, left }: Memory, now: number): Shown[] =>
	shown.filter(({ key, state }) => {
		const [before, at] = left[key] ?? [];
		const isBack = before === state && isRecent(BOUNDS.stale, at, now);
		return known.get(key) !== state && !isBack;
	});

/**
 * The changes, from the one whose turn it is. Otherwise records that change with every poll could keep the
 * others away for ever.
 * @param all in the order of the changes
 * @param last the key of the last record that was returned
 */
export function rotatedAfter(changed: Shown[], all: Shown[], last: string): Shown[] {
	const places = new Map(all.map(({ key }, at) => [key, at]));
	const from = places.get(last) ?? -1;
	const isAfter = ({ key }: Shown) => places.get(key)! > from;
	return [...changed.filter(isAfter), ...changed.filter((one) => !isAfter(one))];
}

/** The names of all fields of these records; undefined if they are too many to be remembered. */
function namesIn(shown: Shown[]): string[] | undefined {
	const names = new Set<string>();
	for (const { record } of shown) {
		for (const name of Object.keys(record)) names.add(name);
		if (names.size > BOUNDS.fields) return undefined;
	}
	return [...names];
}

/** What stands for the names of the fields that are shown, or were shown before. */
export function fieldsOf(shown: Shown[], before: string[] = []): string[] | undefined {
	const names = namesIn(shown);
	const fields = names && [...new Set([...before, ...names.map(digest)])];
	return fields && fields.length > BOUNDS.fields ? undefined : fields;
}

/** The names of fields that no record showed before. */
export function newFieldsIn(shown: Shown[], { fields }: Memory): string[] {
	const before = fields && new Set(fields);
	return before ? (namesIn(shown) ?? []).filter((name) => !before.has(digest(name))) : [];
}

/** What is remembered after a poll. A missing record stays known for a day, as an answer may omit it once. */
export function remember(
	before: Memory,
	shown: Shown[],
	seen: Shown[],
	now: number,
): Pick<Memory, 'known' | 'gone' | 'left'> {
	const known = new Map(before.known);
	const recent = Object.entries(before.left).filter(([, [, at]]) =>
		isRecent(BOUNDS.stale, at, now),
	);
	const left = Object.fromEntries(recent);
	for (const { key, state } of seen) {
		if (known.has(key)) left[key] = [known.get(key)!, now];
		known.set(key, state);
	}
	const listed = new Set(shown.map(({ key }) => key));
	const missing = [...known.keys()]
		.filter((key) => !listed.has(key))
		.map((key) => [key, before.gone[key] ?? now] as const);
	const kept = missing
		.filter(([, at]) => now - at < BOUNDS.gone)
		.sort(([, one], [, other]) => other - one)
		.slice(0, BOUNDS.most);
	const gone = Object.fromEntries(kept);
	for (const [key] of missing) if (!Object.hasOwn(gone, key)) known.delete(key);
	return { known, gone, left };
}

export const packMemory = ({ known, ...rest }: Memory): object => ({
	...rest,
	known: Object.fromEntries(known),
});

/** The memory in a stored value. Undefined if it is missing or damaged. */
export function memoryIn(raw: unknown): Memory | undefined {
	if (!isObject(raw)) return undefined;
	const { known, gone, left, delayed, failing, fields, turn } = raw;
	if (!isObject(known) || !isTexts(Object.values(known))) return undefined;
	if (!isTimes(gone) || !isTimes(failing) || !isObject(left)) return undefined;
	if (!Object.values(left).every((one) => Array.isArray(one) && isTexts([one[0]])))
		return undefined;
	if (!Array.isArray(delayed) || !delayed.every(isDelayed)) return undefined;
	return {
		known: new Map(Object.entries(known as Record<string, string>)),
		gone,
		left: left as Memory['left'],
		delayed,
		failing,
		...(isTexts(fields) && { fields }),
		...(typeof turn === 'string' && { turn }),
	};
}

const isTexts = (raw: unknown): raw is string[] =>
	Array.isArray(raw) && raw.every((one) => typeof one === 'string');

const isDelayed = (raw: unknown): raw is Delayed =>
	Array.isArray(raw) && raw.length === 3 && isTexts([raw[0], raw[1] ?? '', raw[2]]);

const isRecent = (span: number, since: number | undefined, now: number) =>
	since !== undefined && now >= since && now - since < span;
