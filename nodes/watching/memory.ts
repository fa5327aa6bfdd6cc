import { KEY, shorten } from './fingerprint';
import { isObject, type JsonObject } from '../json';

/**
 * Bounds, in records and seconds.
 *
 * `most`: how many records one poll reads. `gone`: a record that was missing for so long is new when it
 * comes back. `stale`: how old an answer may be. `all`: if at least so many records change at once, the
 * API may have changed and not the records.
 */
export const BOUNDS = { most: 5000, gone: 86_400, stale: 300, all: 10 };

/** One record of an answer. */
export interface Shown {
	key: string;
	id: string;
	state: string;
	record: JsonObject;
}

/** A change that Limit per Poll holds back. */
export type Delayed = [id: string, before: string | null, state: string];

/** What the trigger remembers of a list. Times in seconds, on n8n's clock. */
export interface Memory {
	/** Key of each record → what it showed last. */
	known: Map<string, string>;
	/** Key of a record that is missing → since when. */
	gone: Record<string, number>;
	/** Key and state → when the record left that state. */
	left: Record<string, number>;
	delayed: Delayed[];
	/** Stands for the names of the fields that the records showed. */
	fields?: string;
}

/**
 * Which records are new, or have another state than at the last poll. If a record goes back to a state
 * that it has just left, the answer is probably out of date. It counts if it stays that way.
 */
export const changesIn = (shown: Shown[], { known, left }: Memory, now: number): Shown[] =>
	shown.filter(
		({ key, state }) => known.get(key) !== state && !isRecent(BOUNDS.stale, left[key + state], now),
	);

/**
 * Whether the API has changed and not the records: all known records changed at once, they are many, and
 * they show other fields than before. If the fields are the same, it may be an import.
 */
export function areReshaped(shown: Shown[], changed: Shown[], { known, fields }: Memory): boolean {
	const count = (some: Shown[]) => some.filter(({ key }) => known.has(key)).length;
	const areAllChanged = count(shown) >= BOUNDS.all && count(changed) === count(shown);
	return areAllChanged && fields !== fieldsOf(shown);
}

/** A short text that stands for the names of all fields that are shown. */
export const fieldsOf = (shown: Shown[]): string =>
	shorten([...new Set(shown.flatMap(({ record }) => Object.keys(record)))].sort().join());

/** What is remembered after a poll. A missing record stays known for a day, as an answer may omit it once. */
export function remember(
	before: Memory,
	shown: Shown[],
	seen: Shown[],
	now: number,
): Pick<Memory, 'known' | 'gone' | 'left'> {
	const known = new Map(before.known);
	const recent = Object.entries(before.left).filter(([, at]) => isRecent(BOUNDS.stale, at, now));
	const left = Object.fromEntries(recent);
	for (const { key, state } of seen) {
		if (known.has(key)) left[key + known.get(key)!] = now;
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
	known: [...known].map(([key, state]) => key + state),
});

/** The memory in a stored value. Undefined if it is missing or damaged. */
export function memoryIn(raw: unknown): Memory | undefined {
	if (!isObject(raw)) return undefined;
	const { known, gone, left, delayed, fields } = raw;
	if (!Array.isArray(known) || !known.every((one) => typeof one === 'string' && one.length >= KEY))
		return undefined;
	if (!isTimes(gone) || !isTimes(left)) return undefined;
	if (!Array.isArray(delayed) || !delayed.every(isDelayed)) return undefined;
	const entries = (known as string[]).map((one) => [one.slice(0, KEY), one.slice(KEY)] as const);
	const memory = { known: new Map(entries), gone, left, delayed };
	return typeof fields === 'string' ? { ...memory, fields } : memory;
}

const isTimes = (raw: unknown): raw is Record<string, number> =>
	isObject(raw) && Object.values(raw).every(Number.isSafeInteger);

const isDelayed = (raw: unknown): raw is Delayed =>
	Array.isArray(raw) &&
	raw.length === 3 &&
	[raw[0], raw[1] ?? '', raw[2]].every((part) => typeof part === 'string');

const isRecent = (span: number, since: number | undefined, now: number) =>
	since !== undefined && now >= since && now - since < span;
