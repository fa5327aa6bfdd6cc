import { isObject, type JsonObject } from '../json';
import type { Api } from '../api/session';

/** What one poll found, to be settled against the state as it is by then: polls overlap. */
export interface PollResult<S> {
	/** What ended the reading early; what was found until then counts. */
	error?: unknown;
	/** Whether there was no time to read all that may hold something new. */
	isShort?: boolean;
	/**
	 * Synchronous, so that nothing comes between reading the stored state and writing the new one.
	 * Without a new state the stored one stays. `notices`: what the user has to know.
	 */
	commit(live: S | undefined): { state?: S; emit: JsonObject[]; notices?: string[] };
}

/** One event that the trigger watches for; `S` is what it stores between polls, as plain JSON. */
export interface Watcher<S> {
	/** A stored value as a state of this watcher; undefined where it is missing, damaged or of another. */
	guard(raw: unknown): S | undefined;
	/** The first activation: takes what exists as seen, and emits nothing. */
	begin(): Promise<PollResult<S>>;
	/** Undefined where nothing that is there is known: it is not the account that was watched. */
	poll(state: S): Promise<PollResult<S> | undefined>;
	/** What "Fetch Test Event" shows: the newest there is, or undefined. */
	sample(): Promise<JsonObject | undefined>;
}

/** What each kind of watching works with. */
export interface Watching {
	api: Api;
	/** What is watched, then in which account: a short key each, with a colon between them. */
	scope: string;
	/** How version 0.1 called both together. */
	formerScope: string;
	/** When to stop reading, in ms on n8n's clock. */
	deadline: number;
	/** The most that one poll emits. */
	limit: number;
	/** How long after its date a record may show up and still fire, in ms. */
	lookBack: number;
	/** Whether the poll before ran out of time while it read. */
	isAfterShort: boolean;
	/** Whether this process has not polled before: what idle polls of an earlier one saw may be lost. */
	isAfterGap: boolean;
}

/** What is watched by something that has a scope, whatever the account. */
export const whatIn = (scoped: unknown) =>
	isObject(scoped) ? String(scoped.scope).split(':')[0] : undefined;
