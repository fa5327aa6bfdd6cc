import { createHash } from 'crypto';

import { momentOf } from '../../api/moment';
import { isObject } from '../../json';

export { since } from '../../api/moment';

const MINUTE = 60_000;

/**
 * Sizes (records, requests) and spans (ms) that bound a poll and what it stores.
 *
 * `page` and `requests`: records per request (reference: "Limits", page size) and requests per poll.
 * `ids`: how many seen records the state remembers. `ahead`: how far beyond the clock a date is still
 * believed. `margin`: kept below the look-back; its surplus over `ahead` is the clock error that may
 * meet a record dated in the future without harm. `drift`: the clock error that an account without
 * any usable date bears.
 */
export const LIMITS = {
	page: 100,
	requests: 100,
	ids: 3000,
	ahead: 10 * MINUTE,
	margin: 15 * MINUTE,
	drift: 24 * 60 * MINUTE,
};

export type Limits = typeof LIMITS;

/** What a record needs to be followed (reference: "Other records named in the interface", id and created_at). */
export interface Entry {
	id: string;
	created_at: string;
}

/**
 * What is saved between polls: plain JSON, all times in ms since 1970 on the API's clock.
 *
 * Every record created before `f` is done with, and never fires. `h` is the newest date seen. While
 * a lap over the list is unfinished, everything created before `r` that was visible when the lap
 * began has been read, and `l` is the `h` of that beginning. `ids` maps the key of each seen
 * record that is not yet before `f` to its date.
 */
export interface State {
	v: 1;
	scope: string;
	f: number;
	h: number;
	r?: number;
	l?: number;
	ids: Record<string, number>;
}

/** A record of the list; `key` stands for its id, `at` is its created_at in ms. */
export interface Sighting<R extends Entry> {
	key: string;
	at: number;
	record: R;
}

/** One reading of the list, oldest first, without gaps from where it began to `reached`. */
export interface Lap<R extends Entry> {
	/** `h` when the lap's first poll began. */
	readonly l: number;
	/** By key. */
	readonly read: Map<string, Sighting<R>>;
	reached?: number;
	/** Whether the end of the list was seen. */
	finished: boolean;
}

export interface Rules<R extends Entry> {
	/** How long after its date a record may become visible and still fire, in ms. */
	lookBack: number;
	/** The most records a poll may emit, at least 1; the others wait for the next poll. */
	limit: number;
	/** Which new records fire; the others count as seen. */
	keep: (record: R) => boolean;
	limits: Limits;
}

export interface Committed<R extends Entry> {
	/** To be stored; absent where the stored state is of another scope and must stay. */
	state?: State;
	/** Oldest first. */
	emit: R[];
	/** Set when the state was full: later arrivals dated before this no longer fire (ms). */
	shortened?: number;
}

/**
 * A created_at as ms since 1970.
 *
 * @throws Error naming the text where it is no date
 */
export function instant(text: string): number {
	const at = momentOf(text);
	if (at === undefined) throw new Error(`created_at is no date: ${JSON.stringify(text)}`);
	return at;
}

/**
 * 72 bits that stand for a text of any length: with 3,000 held, one in 10^18 would be taken for
 * another.
 */
export function shorten(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/**
 * A record with its date read and its id shortened.
 *
 * @throws Error where created_at is no date
 */
export function sight<R extends Entry>(record: R): Sighting<R> {
	return { key: shorten(String(record.id)), at: instant(record.created_at), record };
}

/** Oldest first: by created_at, then id. */
export function byAge<R extends Entry>(a: Sighting<R>, b: Sighting<R>): number {
	return (
		a.at - b.at ||
		compare(a.record.created_at, b.record.created_at) ||
		compare(a.record.id, b.record.id)
	);
}

/**
 * A stored value as a state of this scope, copied, or undefined where it is missing, damaged, of
 * another version or of another scope: the trigger then starts anew.
 */
export function guard(raw: unknown, scope: string): State | undefined {
	if (!isObject(raw) || raw.v !== 1 || raw.scope !== scope || !isObject(raw.ids)) return undefined;
	const { f, h, r, l, ids } = raw;
	if (!isTime(f) || !isTime(h) || !Object.values(ids).every(isTime)) return undefined;
	const state: State = { v: 1, scope, f, h, ids: { ...(ids as Record<string, number>) } };
	return isTime(r) && isTime(l) ? { ...state, r, l } : state;
}

/** The lap that a poll works on, and where it asks from (ms): the unfinished one, or one over the whole look-back. */
export function begin<R extends Entry>(state: State, resume = true): { from: number; lap: Lap<R> } {
	const open = resume && state.r !== undefined && state.l !== undefined;
	const [from, l] = open ? [state.r!, state.l!] : [state.f, state.h];
	return { from, lap: { l, read: new Map(), finished: false } };
}

/** Adds the next records of the list, oldest first, to a lap. */
export function absorb<R extends Entry>(lap: Lap<R>, records: ReadonlyArray<Sighting<R>>): void {
	for (const seen of records) {
		lap.read.set(seen.key, seen);
		lap.reached = Math.max(lap.reached ?? seen.at, seen.at);
	}
}

/** Whether the state does not know a record yet. */
export function isFresh({ key, at }: Sighting<Entry>, state: State): boolean {
	return at >= state.f && !(key in state.ids);
}

/** What a lap has read that the state does not know. */
export function fresh<R extends Entry>(lap: Lap<R>, state: State): Array<Sighting<R>> {
	return [...lap.read.values()].filter((seen) => isFresh(seen, state));
}

/**
 * The state of a first activation: everything given counts as seen, and whatever becomes visible
 * later fires if it is not older than the look-back before the newest record.
 *
 * @param records the newest records, without gaps
 * @param unread whether there are older ones within the look-back that were not read: those never fire
 */
export function baseline(
	scope: string,
	records: ReadonlyArray<Sighting<Entry>>,
	unread: boolean,
	now: number,
	{ lookBack, limits }: Pick<Rules<Entry>, 'lookBack' | 'limits'>,
): { state: State; shortened?: number } {
	const dates = records.map(({ at }) => at);
	const ids = Object.fromEntries(records.map(({ key, at }) => [key, at]));
	const h = newest(dates, now, limits) ?? now - limits.drift;
	const oldest = dates.reduce((a, b) => Math.min(a, b), Infinity);
	const full = h - lookBack - limits.margin;
	const f = unread ? Math.max(full, oldest + 1) : full;
	const state = prune({ v: 1, scope, f, h, ids }, now, limits);
	return state.f > full ? { state, shortened: state.f } : { state };
}

/** The newest date that is not in the future; undefined where there is none. */
export function newest(dates: Iterable<number>, now: number, limits: Limits): number | undefined {
	let found: number | undefined;
	for (const at of dates) if (at <= now + limits.ahead && at > (found ?? -Infinity)) found = at;
	return found;
}

/**
 * What has become of a record that fires: it can go; it waits to be complete, and is found again as
 * long as it is not before `lastChance`; nobody has looked yet; or it could not be looked at.
 */
export type Readiness = 'ready' | 'waiting' | 'unseen' | 'stuck';

/** The date (ms) before which a record is read for the last time, if the lap reads to its end. */
export function lastChance<R extends Entry>(
	{ l }: Lap<R>,
	{ lookBack, limits }: Pick<Rules<Entry>, 'lookBack' | 'limits'>,
): number {
	return l - lookBack - limits.margin;
}

/**
 * What a lap adds to the state as it is now, which other polls may have moved since the lap began.
 *
 * A lap that saw the end of the list lifts the floor to the look-back before the lap's beginning:
 * whatever is older was visible by then, so it has been read.
 *
 * @param now a time no later than the lap's first answer, best on the API's clock (ms)
 * @param readiness of the records that fire; from the first one on that is unseen or stuck, all comes
 * with the next poll
 */
export function commit<R extends Entry>(
	live: State,
	lap: Lap<R>,
	now: number,
	rules: Rules<R>,
	readiness: (record: R) => Readiness = () => 'ready',
): Committed<R> {
	const { limit, keep, limits } = rules;
	const ids = { ...live.ids };
	const emit: R[] = [];
	let { finished, reached } = lap;
	let passed: number | undefined;
	let waiting = Infinity;
	for (const { key, at, record } of fresh(lap, live).sort(byAge)) {
		const fires = keep(record);
		const is = fires ? readiness(record) : 'ready';
		if (is !== 'ready') waiting = Math.min(waiting, at);
		if (is === 'unseen' || is === 'stuck' || (fires && is === 'ready' && emit.length === limit)) {
			finished = false;
			// Nobody knows how long it will be stuck: those that wait must be found before that.
			reached = is === 'stuck' ? undefined : passed;
			break;
		}
		passed = at;
		if (is === 'waiting') continue;
		if (fires) emit.push(record);
		ids[key] = at;
	}

	const dates = [...lap.read.values()].map(({ at }) => at);
	const h = Math.max(live.h, newest(dates, now, limits) ?? live.h);
	const f = finished ? Math.max(live.f, lastChance(lap, rules)) : live.f;
	const position = finished ? {} : place(live, now, lap.l, reached);
	const moved: State = { v: 1, scope: live.scope, f, h, ...position, ids };
	const state = prune(moved, Math.min(now, waiting), limits);
	return state.f > f ? { state, emit, shortened: state.f } : { state, emit };
}

/**
 * Where the next poll resumes: never ahead of the clock, as records dated before one of the future
 * may yet be created. Forgetting an unfinished lap is always safe: it costs only reading again.
 */
function place(held: State, now: number, l: number, reached?: number): Pick<State, 'r' | 'l'> {
	if (reached !== undefined) return { r: Math.min(reached, now), l };
	return held.r === undefined ? {} : { r: held.r, l: held.l };
}

/**
 * Forgets what lies before the floor, and lifts the floor where too much is left: that shortens the
 * look-back and doubles nothing. The floor stays at or below whatever may still hold unread records
 * that are not late: the lap's position, the newest date, and the clock (records dated in the future
 * say nothing about the present). Only records beyond those may exceed the bound.
 *
 * @param now the clock, or the date of the oldest record that waits, if that is earlier (ms)
 */
function prune(state: State, now: number, limits: Limits): State {
	const held = Object.entries(state.ids).filter(([, at]) => at >= state.f);
	const excess = held.length - limits.ids;
	if (excess <= 0) return { ...state, ids: Object.fromEntries(held) };
	const dates = held.map(([, at]) => at).sort((a, b) => a - b);
	const ceiling = Math.min(state.r ?? Infinity, state.h, now);
	const f = Math.max(state.f, Math.min(dates[excess - 1]! + 1, ceiling));
	return { ...state, f, ids: Object.fromEntries(held.filter(([, at]) => at >= f)) };
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

function isTime(raw: unknown): raw is number {
	return typeof raw === 'number' && Number.isFinite(raw);
}
