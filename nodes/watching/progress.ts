import { firstOf, isObject, textIn, type JsonObject } from '../json';
import { DAY, MINUTE, SECOND, toMillis } from '../time';
import { digest } from '../digest';

/**
 * Bounds of what is stored, in records and ms.
 *
 * `read`: how many records are read at once. `done`: how many are remembered, at 20 bytes each. `waiting`: how many may wait although
 * they are older than the floor. `id`: how long an id may be. `ahead`: how far in the future a date is
 * still believed. `margin`: how far the floor stays below Look Back. It is more than `ahead`, so that a
 * record dated in the future cannot push the floor past a late one. `drift`: how wrong n8n's clock may
 * be at a beginning if the API's answers have no date.
 */
export const LIMITS = {
	read: 100_000,
	done: 10_000,
	waiting: 500,
	id: 200,
	ahead: 10 * MINUTE,
	margin: 15 * MINUTE,
	drift: DAY,
};

/** How far a list is done. A record is new if it is not done and not older than the floor. */
export interface Progress {
	/** Nothing older is read (ms, a whole second). */
	floor: number;
	/** Key of each record that was returned or not wanted → the second in which it was created. */
	done: Map<string, number>;
	/** Records older than the floor that still wait: id → when it was created (ms). */
	waiting: Record<string, number>;
	/** Key of each record that lacks only a part of it → since which second, on n8n's clock. */
	pending: Map<string, number>;
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
	if (id === undefined || id.length > LIMITS.id || created === undefined) return undefined;
	return { key: digest(id), id, created, record };
}

/** Oldest first. */
export const byAge = (a: Listed, b: Listed): number =>
	a.created - b.created || (a.id < b.id ? -1 : 1);

export const isNew = ({ key, id, created }: Listed, { floor, done, waiting }: Progress): boolean =>
	!done.has(key) && (created >= floor || Object.hasOwn(waiting, id));

export const progressFrom = (from: number): Progress => ({
	floor: secondOf(from) * SECOND,
	done: new Map(),
	waiting: {},
	pending: new Map(),
});

const secondOf = (ms: number) => Math.floor(ms / SECOND);

/**
 * How far the list is done after a poll.
 *
 * 1. Records that are returned or not wanted are done. The others stay new.
 * 2. The floor follows the newest done record at the distance of `lookBack` and the margin. It never
 *    passes a record that was not judged, or that the limit delays, and one that lacks a part only if there
 *    is too much to remember.
 * 3. A record that waits is remembered by its id when the floor passes it.
 *
 * @param found all new records
 * @param verdicts by key
 * @param limit how many records to return at most
 * @param now the time at which the poll began, on the API's clock (ms)
 * @returns `items` oldest first; `isShortened` if the floor had to rise further, because there is too
 *   much to remember
 */
export function advance(
	before: Progress,
	found: Listed[],
	verdicts: ReadonlyMap<string, Verdict>,
	{ limit, lookBack, now }: { limit: number; lookBack: number; now: number },
): { progress: Progress; items: JsonObject[]; isShortened: boolean } {
	const done = new Map(before.done);
	const waiting = new Map(Object.entries(before.waiting));
	const items: JsonObject[] = [];
	/** Records that wait, oldest first, but for those that are below the floor already. */
	const held: Listed[] = [];
	/** When the oldest record was created that was not judged, or that the limit delays. */
	let delayed = Infinity;
	for (const one of found.toSorted(byAge)) {
		const verdict = verdicts.get(one.key);
		if (verdict === 'unwanted' || (typeof verdict === 'object' && items.length < limit)) {
			done.set(one.key, secondOf(one.created));
			waiting.delete(one.id);
			if (typeof verdict === 'object') items.push(verdict.item);
		} else if (waiting.has(one.id)) continue;
		else if (verdict === 'waiting') held.push(one);
		else delayed = Math.min(delayed, one.created);
	}

	const newest = newestOf(done, now);
	const places = Math.max(0, LIMITS.waiting - waiting.size);
	const wanted = Math.min(newest - lookBack - LIMITS.margin, held[places]?.created ?? Infinity);
	// The floor stays below the beginning of the poll, so that it cannot pass records created meanwhile.
	const least = Math.min(floorOfNewest(done), newest, now);
	const floorAt = (ms: number) => Math.max(before.floor, secondOf(Math.min(ms, delayed)) * SECOND);
	const lacking = held.find(({ key }) => before.pending.has(key))?.created ?? Infinity;
	const floor = floorAt(Math.max(Math.min(wanted, lacking), least));

	for (const { id, created } of held.slice(0, places))
		if (created < floor) waiting.set(id, created);
	for (const [key, second] of done) if (second * SECOND < floor) done.delete(key);
	const fresh = new Set(found.map(({ key }) => key));
	const stillPending = [...before.pending].filter(([key]) => fresh.has(key) && !done.has(key));
	const pending = new Map(stillPending.slice(0, LIMITS.done));
	const progress = { floor, done, waiting: Object.fromEntries(waiting), pending };
	return { progress, items, isShortened: floor > floorAt(wanted) };
}

/** The newest date of the done records (ms), without dates in the future. */
function newestOf(done: Progress['done'], now: number): number {
	let newest = -Infinity;
	const latest = secondOf(now + LIMITS.ahead);
	for (const second of done.values()) if (second <= latest) newest = Math.max(newest, second);
	return newest * SECOND;
}

/** The lowest floor at which the done records are few enough to remember (ms). */
function floorOfNewest(done: Progress['done']): number {
	if (done.size <= LIMITS.done) return -Infinity;
	const seconds = [...done.values()].sort((one, other) => one - other);
	return (seconds[done.size - LIMITS.done - 1]! + 1) * SECOND;
}

/** The progress as plain JSON. Seconds are counted from the floor, so that they are short. */
export const packProgress = ({ floor, done, waiting, pending }: Progress): object => {
	const pack = (seconds: ReadonlyMap<string, number>) =>
		Object.fromEntries([...seconds].map(([key, second]) => [key, second - secondOf(floor)]));
	return { floor, done: pack(done), waiting, pending: pack(pending) };
};

/** Whether a value is a time in ms that a Date can hold. */
const isDate = (raw: unknown): raw is number => typeof raw === 'number' && Math.abs(raw) <= 8.64e15;

/** Whether a value is an object of whole numbers. */
export const isTimes = (raw: unknown): raw is Record<string, number> =>
	isObject(raw) && Object.values(raw).every(Number.isSafeInteger);

/** The progress in a stored value. Undefined if it is missing or damaged. */
export function progressIn(raw: unknown): Progress | undefined {
	if (!isObject(raw)) return undefined;
	const { floor, done, waiting, pending } = raw;
	if (!isDate(floor) || !isTimes(done) || !isTimes(pending) || !isObject(waiting)) return undefined;
	if (!Object.values(waiting).every(isDate)) return undefined;
	const unpack = (seconds: Record<string, number>) =>
		new Map(Object.entries(seconds).map(([key, second]) => [key, second + secondOf(floor)]));
	return {
		floor,
		done: unpack(done),
		waiting: waiting as Progress['waiting'],
		pending: unpack(pending),
	};
}
