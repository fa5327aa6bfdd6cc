import type { JsonObject } from '../json';

/** What one poll found, to be settled against the state as it is by then: polls overlap. */
export interface Found<S> {
	/** What ended the reading early; what was found until then counts. */
	error?: unknown;
	/**
	 * Synchronous, so that nothing comes between reading the stored state and writing the new one.
	 * Without a new state the stored one stays.
	 */
	commit(live: S | undefined): { state?: S; emit: JsonObject[]; warning?: string };
}

/** One event that the trigger watches for; `S` is what it stores between polls, as plain JSON. */
export interface Watcher<S> {
	/** A stored value as a state of this watcher; undefined where it is missing, damaged or of another. */
	guard(raw: unknown): S | undefined;
	/** The first activation: takes what exists as seen, and emits nothing. */
	begin(): Promise<Found<S>>;
	poll(state: S): Promise<Found<S>>;
	/** What "Fetch Test Event" shows: the newest there is, or undefined. */
	sample(): Promise<JsonObject | undefined>;
}
