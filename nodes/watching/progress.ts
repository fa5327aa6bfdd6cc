import { digest } from '../digest';
import { firstOf, fitting, isObject, textIn, type JsonObject } from '../json';
import { MINUTE, SECOND, toMillis } from '../time';

// How far a list is done: what the trigger remembers of it.

/** How far the floor stays below Look Back (ms), because n8n's clock may be minutes ahead of the API's. */
const MARGIN = 15 * MINUTE;

/** How far a list is done, as plain JSON. A record is new if it is not done and not older than the floor. */
export interface Progress {
	/** Nothing older is read (ms, a whole second). */
	floor: number;
	/** Key of each record that was returned or not wanted → the second in which it was created. */
	done: Record<string, number>;
	/** Key of each record that waits for a part of it → since which second. */
	pending: Record<string, number>;
}

/** A record of a list. */
export interface Listed {
	/** Short text that stands for the id. */
	key: string;
	id: string;
	/** When it was created (ms). */
	created: number;
	record: JsonObject;
}

/** What to do with a new record. A record without a verdict comes again with the next poll. */
export type Verdict = 'unwanted' | 'waiting' | { item: JsonObject };

/** Undefined if the record has no id, or no date in these fields. */
export function listed(record: JsonObject, dateFields: readonly string[]): Listed | undefined {
	const [id, created] = [textIn(record.id), toMillis(firstOf(record, dateFields))];
	if (id === undefined || created === undefined) return undefined;
	return { key: digest(id), id, created, record };
}

/** Oldest first. */
export const byAge = (a: Listed, b: Listed): number =>
	a.created - b.created || (a.id < b.id ? -1 : 1);

export const isNew = ({ key, created }: Listed, { floor, done }: Progress): boolean =>
	created >= floor && !Object.hasOwn(done, key);

/** Nothing is done from this time on (ms). */
export const progressFrom = (from: number): Progress => ({
	floor: secondOf(from) * SECOND,
	done: {},
	pending: {},
});

/** The floor of a list whose newest record was created then (ms). */
export const floorBelow = (newest: number, lookBack: number): number =>
	secondOf(newest - lookBack - MARGIN) * SECOND;

export const secondOf = (ms: number): number => Math.floor(ms / SECOND);

/**
 * How far the list is done after a poll. Records that are returned or not wanted are done, and the others
 * stay new. The floor follows the newest done record, and never passes a record that is not done.
 *
 * @param found all new records
 * @param verdicts by key
 * @param limit how many records to return at most
 * @param now the time at which the poll began (ms): a date in the future does not raise the floor
 * @returns `items` oldest first
 */
export function advance(
	before: Progress,
	found: Listed[],
	verdicts: ReadonlyMap<string, Verdict>,
	{ limit, lookBack, now }: { limit: number; lookBack: number; now: number },
): { progress: Progress; items: JsonObject[] } {
	const done = { ...before.done };
	const items: JsonObject[] = [];
	const left = new Map<string, Listed>();
	for (const one of found.toSorted(byAge)) {
		const verdict = verdicts.get(one.key);
		if (typeof verdict === 'object' && items.length < limit) items.push(verdict.item);
		else if (verdict !== 'unwanted') {
			left.set(one.key, one);
			continue;
		}
		done[one.key] = secondOf(one.created);
	}
	const newest = Object.values(done).reduce((most, second) => Math.max(most, second), -Infinity);
	const [oldestLeft] = left.values();
	const wanted = floorBelow(Math.min(newest * SECOND, now), lookBack);
	const highest = secondOf(oldestLeft?.created ?? Infinity) * SECOND;
	const floor = Math.max(before.floor, Math.min(wanted, highest));
	const progress = {
		floor,
		done: fitting(done, (_key, second) => second * SECOND >= floor),
		pending: fitting(before.pending, (key) => left.has(key)),
	};
	return { progress, items };
}

const isSeconds = (raw: unknown): raw is Record<string, number> =>
	isObject(raw) && Object.values(raw).every(Number.isSafeInteger);

/** The progress in a stored value. Undefined if it is missing or has another form. */
export function progressIn(raw: unknown): Progress | undefined {
	if (!isObject(raw) || !Number.isSafeInteger(raw.floor)) return undefined;
	const { floor, done, pending } = raw;
	if (!isSeconds(done) || !isSeconds(pending)) return undefined;
	// A copy: what n8n stores changes at the end of a poll only.
	return { floor: floor as number, done, pending: { ...pending } };
}
