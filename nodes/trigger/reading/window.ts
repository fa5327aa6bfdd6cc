import type { JsonObject } from '../../json';
import { byAge, idOf, type Dated } from './record';
import { packed, raised, secondOf, unpacked, type Done, type State } from './state';

const MINUTE = 60_000;

/**
 * Sizes (records) and spans (ms) that bound what is stored.
 *
 * `done`: how many records are remembered, 14 bytes each. `open`: how many may wait below the floor.
 * `ahead`: how far beyond the clock a date is still believed. `margin`: kept below the look-back; its
 * surplus over `ahead` is the clock error that a record dated in the future may meet without harm.
 * `drift`: the clock error that an account without any usable date bears.
 */
export const LIMITS = {
	done: 10_000,
	open: 500,
	ahead: 10 * MINUTE,
	margin: 15 * MINUTE,
	drift: 24 * 60 * MINUTE,
};

export type Limits = typeof LIMITS;

/** What becomes of a new record: it never fires, it waits, or it is emitted as this item. */
export type Verdict = 'unwanted' | 'waiting' | { item: JsonObject };

/** What one poll found out. */
export interface Findings {
	/** What is new to the state that the poll began with. */
	fresh: Dated[];
	/** By key; what has none was not judged, and comes again. */
	verdicts: ReadonlyMap<string, Verdict>;
	/** All that is older has been read (ms). */
	until: number;
	/** The floor need not stay below this (ms): see `horizonOf`. */
	horizon: number;
	/** No later than the poll's first answer (ms). */
	now: number;
}

export interface Settled {
	state: State;
	/** Oldest first. */
	emit: JsonObject[];
	/** Set where the state was full: what shows up late, dated before this, no longer fires (ms). */
	shortened?: number;
}

/** A state that is taken apart, to look records up in it. */
export interface Known {
	floor: number;
	done: Done;
	open: Readonly<Record<string, string>>;
}

export const known = ({ floor, done, open }: State): Known => ({
	floor,
	done: unpacked(done),
	open,
});

/** Whether a state does not know a record yet, or knows that it waits. */
export function isNew({ key, at, record }: Dated, { floor, done, open }: Known): boolean {
	return !done.has(key) && (at >= floor || Object.hasOwn(open, idOf(record) ?? ''));
}

/** The newest date of what is done with, unless it is in the future; undefined where there is none. */
export function newestDone({ floor, done }: Known, now: number, limits: Limits) {
	const present = secondOf(now + limits.ahead, floor);
	let newest = -1;
	for (const second of done.values()) if (second <= present) newest = Math.max(newest, second);
	return newest < 0 ? undefined : floor + newest * 1000;
}

/**
 * How far the floor may rise. What was done with before this poll was visible then, so all that is
 * older by more than the look-back was visible when this poll began, and has been read by it.
 */
export function horizonOf(state: Known, lookBack: number, now: number, limits: Limits): number {
	return (newestDone(state, now, limits) ?? -Infinity) - lookBack - limits.margin;
}

/**
 * The state of a first activation: everything given counts as done, and whatever becomes visible
 * later fires if it is not older than the floor.
 */
export function baseline(scope: string, floor: number, records: Dated[]): State {
	const done = records
		.filter(({ at }) => at >= floor)
		.map(({ key, at }) => [key, secondOf(at, floor)] as const);
	return { v: 2, scope, floor, done: packed(new Map(done)), open: {} };
}

/**
 * What a poll's findings make of the state as it is by now, which other polls may have moved. Any
 * part of what is new may be emitted: the rest comes again. The floor passes nothing that was not
 * read or not judged; what waits below it moves to `open`.
 *
 * @param limit the most that is emitted
 */
export function settle(live: State, found: Findings, limit: number, limits = LIMITS): Settled {
	const before = known(live);
	const { done } = before;
	const open = { ...live.open };
	const emit: JsonObject[] = [];
	const waiting: Dated[] = [];
	/** What the floor must not pass. */
	let ceiling = found.until;
	for (const one of found.fresh.toSorted(byAge)) {
		// One that waits below the floor may be found twice: by itself, and at the edge of the list.
		if (!isNew(one, before)) continue;
		const verdict = found.verdicts.get(one.key);
		const isDone = verdict === 'unwanted' || (typeof verdict === 'object' && emit.length < limit);
		if (isDone) {
			done.set(one.key, secondOf(one.at, live.floor));
			delete open[idOf(one.record) ?? ''];
			if (typeof verdict === 'object') emit.push(verdict.item);
		} else if (verdict === 'waiting') waiting.push(one);
		else if (one.at >= live.floor) ceiling = Math.min(ceiling, one.at);
	}

	// So many may wait below the floor, and no more.
	const places = limits.open - Object.keys(open).length;
	const above = waiting.filter(({ record }) => !Object.hasOwn(open, idOf(record) ?? ''));
	ceiling = Math.min(ceiling, above[Math.max(0, places)]?.at ?? Infinity);
	const wanted = raised(live.floor, Math.min(found.horizon, ceiling));
	const full = floorOfNewest(before, limits.done, found.now, limits);
	// What is created while the poll reads is no older than its beginning.
	const floor = raised(wanted, Math.min(full, ceiling, found.now));
	for (const { at, record } of above)
		if (at < floor) open[idOf(record)!] = String(record.created_at);

	const state = { ...live, floor, done: packed(moved(done, live.floor, floor)), open };
	return { state, emit, ...(floor > wanted && { shortened: floor }) };
}

/** What is done with, from another floor on: what lies before it is forgotten. */
function moved(done: Done, from: number, to: number): Done {
	const by = secondOf(to, from);
	return new Map([...done].map(([key, at]) => [key, at - by] as const).filter(([, at]) => at >= 0));
}

/** The floor above which the newest `count` records that are not in the future lie (ms). */
function floorOfNewest(state: Known, count: number, now: number, limits: Limits): number {
	const { done, floor } = state;
	if (done.size <= count) return -Infinity;
	const seconds = [...done.values()].sort((one, other) => one - other);
	const at = floor + (seconds[done.size - count - 1]! + 1) * 1000;
	return Math.min(at, newestDone(state, now, limits) ?? -Infinity);
}
