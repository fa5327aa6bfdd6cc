import type { Api } from '../api/session';
import type { JsonObject } from '../json';

/** What every watcher gets. Times and spans in ms. */
export interface Watching {
	api: Api;
	/** Stands for the account: its base URL and credential. */
	account: string;
	/** When to stop, on n8n's clock. */
	deadline: number;
	/** How many items one poll may emit. */
	limit: number;
	/** How late a record may show up and still start the workflow. */
	lookBack: number;
}

/** One way to find out what is new. */
export interface Watcher {
	/**
	 * One poll. Without a state, or with one that it cannot use, it begins: everything that exists
	 * counts as known, and nothing is emitted.
	 *
	 * @param state what the last poll returned, as it came back from n8n
	 * @throws when it cannot read everything; nothing has changed then
	 */
	poll(state?: unknown): Promise<PollResult>;
	/** What "Fetch Test Event" shows: the newest record, or undefined if there is none. */
	sample(): Promise<JsonObject | undefined>;
}

export interface PollResult {
	/** What the next poll has to know, as plain JSON. */
	state: object;
	/** Oldest first. */
	emit: JsonObject[];
	/** What the user has to know. Shown with the items, or once by a failed poll. */
	notices: string[];
	/** Less urgent notices: they never fail a poll, and wait for the next item. */
	quietNotices?: string[];
	/** Why some records have to wait. Fails the poll if there are no items. */
	error?: unknown;
	isBeginning?: boolean;
}

/** How many requests run in parallel. */
export const CONCURRENCY = 10;

/** No record has the field that the event needs. Without this error, all would be left out in silence. */
export class LackingError extends Error {
	constructor(what: string, wayOut = "Choose another event under 'Trigger On'.") {
		super(`The records of this account do not show their ${what}. ${wayOut}`);
	}
}
