import { KEY, shorten } from './fingerprint';
import { isObject, textIn, type JsonObject } from '../json';
import { DAY, MINUTE, SECOND, toMillis } from '../time';

/**
 * Bounds of what is stored, in records and ms.
 *
 * `done`: how many records are remembered, at 14 bytes each. `waiting`: how many may wait although
 * they are older than the floor. `ahead`: how far in the future a date is still believed. `margin`:
 * how far the floor stays below Look Back. It is more than `ahead`, so that a record dated in the
 * future cannot push the floor past a late one. `drift`: how wrong n8n's clock may be at a beginning
 * if the API's answers have no date.
 */
export const LIMITS = {
	done: 10_000,
	waiting: 500,
	ahead: 10 * MINUTE,
	margin: 15 * MINUTE,
	drift: DAY,
};

/** How far a list is done. A record is new if it is not done and not older than the floor. */
export interface Progress {
	/** Nothing older is read (ms, a whole second). */
	floor: number;
	/** Key of each record that was emitted or not wanted → the second in which it was created. */
	done: Map<string, number>;
	/** Records older than the floor that still wait: id → date, as the API wrote it. */
	waiting: Record<string, string>;
	/** Since when a record's parts cannot be read: key → ms, on n8n's clock. */
	failing: Record<string, number>;
}

/** A record of a list. */
export interface Listed {
	/** Short text that stands for the id. */
	key: string;
	id: string;
	/** When it was created (ms). */
	at: number;
	/** The same, as the API wrote it. */
	date: string;
	record: JsonObject;
}

/** What to do with a new record. A record without a verdict comes again with the next poll. */
export type Verdict = 'unwanted' | 'waiting' | { item: JsonObject };

/** Undefined if the record has no id, or no date under that name. */
export function listed(record: JsonObject, dateField: string): Listed | undefined {
	const [id, at] = [textIn(record.id), toMillis(record[dateField])];
	if (id === undefined || at === undefined) return undefined;
	return { key: shorten(id), id, at, date: String(record[dateField]), record };
}

/** Oldest first. */
export const byAge = (a: Listed, b: Listed): number => a.at - b.at || (a.id < b.id ? -1 : 1);

export const isNew = ({ key, id, at }: Listed, { floor, done, waiting }: Progress): boolean =>
	!done.has(key) && (at >= floor || Object.hasOwn(waiting, id));

export const progressFrom = (from: number): Progress => ({
	floor: secondOf(from) * SECOND,
	done: new Map(),
	waiting: {},
	failing: {},
});

const secondOf = (at: number) => Math.floor(at / SECOND);

/**
 * How far the list is done after a poll. Emitted and unwanted records are done. The floor follows the
 * newest of them at the distance of `lookBack` and the margin. It never passes a record that was not
 * judged; a record that waits is remembered by its id when the floor passes it.
 *
 * @param fresh all new records
 * @param verdicts by key
 * @param limit how many items to emit at most
 * @param now the time at which the poll began, on the API's clock (ms)
 * @returns `isShortened` if the floor had to rise further, because there is too much to remember
 */
export function settle(
	before: Progress,
	fresh: Listed[],
	verdicts: ReadonlyMap<string, Verdict>,
	{ limit, lookBack, now }: { limit: number; lookBack: number; now: number },
): { progress: Progress; emit: JsonObject[]; isShortened: boolean } {
	const { done, waiting, held, emit, unjudged } = sortOut(before, fresh, verdicts, limit);
	const places = Math.max(0, LIMITS.waiting - Object.keys(waiting).length);
	const ceiling = Math.min(unjudged, held[places]?.at ?? Infinity);
	const floorAt = (at: number) => Math.max(before.floor, secondOf(Math.min(at, ceiling)) * SECOND);
	const newest = newestOf(done, now);
	const wanted = newest - lookBack - LIMITS.margin;
	// The floor stays below the beginning of the poll, so that it cannot pass records created meanwhile.
	const full = Math.min(floorOfNewest(done), newest, now);
	const floor = floorAt(Math.max(wanted, full));

	for (const { id, at, date } of held) if (at < floor) waiting[id] = date;
	for (const [key, second] of done) if (second * SECOND < floor) done.delete(key);
	const keys = new Set(fresh.map(({ key }) => key));
	const failing = Object.fromEntries(
		Object.entries(before.failing).filter(([key]) => !done.has(key) && keys.has(key)),
	);
	const progress = { floor, done, waiting, failing };
	return { progress, emit, isShortened: floor > floorAt(wanted) };
}

/** What becomes of the new records, before the floor follows. */
interface Sorted extends Pick<Progress, 'done' | 'waiting'> {
	/** The items to emit, oldest first. */
	emit: JsonObject[];
	/** Records that wait, oldest first, but for those that waited below the floor already. */
	held: Listed[];
	/** Date of the oldest record that was not judged, or that the limit holds back (ms). */
	unjudged: number;
}

function sortOut(
	before: Progress,
	fresh: Listed[],
	verdicts: ReadonlyMap<string, Verdict>,
	limit: number,
): Sorted {
	const done = new Map(before.done);
	const waiting = { ...before.waiting };
	const emit: JsonObject[] = [];
	const held: Listed[] = [];
	let unjudged = Infinity;
	for (const one of fresh.toSorted(byAge)) {
		const verdict = verdicts.get(one.key);
		if (verdict === 'unwanted' || (typeof verdict === 'object' && emit.length < limit)) {
			done.set(one.key, secondOf(one.at));
			delete waiting[one.id];
			if (typeof verdict === 'object') emit.push(verdict.item);
		} else if (Object.hasOwn(waiting, one.id)) continue;
		else if (verdict === 'waiting') held.push(one);
		else unjudged = Math.min(unjudged, one.at);
	}
	return { done, waiting, emit, held, unjudged };
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

/** As JSON. `done` becomes one text: `second:keys` for each second since the floor, in base 36. */
export function packProgress({ floor, done, waiting, failing }: Progress): object {
	const seconds = new Map<number, string>();
	for (const [key, second] of done) seconds.set(second, (seconds.get(second) ?? '') + key);
	const packed = [...seconds]
		.sort(([one], [other]) => one - other)
		.map(([second, keys]) => `${(second - secondOf(floor)).toString(36)}:${keys}`)
		.join(',');
	return { floor, done: packed, waiting, failing };
}

/** Each key has `KEY` characters. */
const PACKED = /^(?:[0-9a-z]+:(?:[\w-]{10})+(?:,|$))*$/;

/** The progress in a stored value. Undefined if it is missing or damaged. */
export function progressIn(raw: unknown): Progress | undefined {
	if (!isObject(raw)) return undefined;
	const { floor, done: packed, waiting, failing } = raw;
	if (typeof floor !== 'number' || !(Math.abs(floor) <= 8.64e15)) return undefined;
	if (typeof packed !== 'string' || !PACKED.test(packed)) return undefined;
	if (!isObject(waiting) || !Object.values(waiting).every((date) => typeof date === 'string'))
		return undefined;
	if (!isObject(failing) || !Object.values(failing).every(Number.isSafeInteger)) return undefined;
	const done = new Map<string, number>();
	for (const entry of packed.split(',')) {
		const [second = '', keys = ''] = entry.split(':');
		for (let at = 0; at < keys.length; at += KEY)
			done.set(keys.slice(at, at + KEY), secondOf(floor) + parseInt(second, 36));
	}
	return { floor, done, waiting, failing: { ...failing } } as Progress;
}
