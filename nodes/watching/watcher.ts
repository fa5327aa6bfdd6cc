import { isTemporary } from '../api/apiError';
import { readRecord } from '../api/readRecord';
import type { Api, Request } from '../api/session';
import type { FullRecord } from '../domain/simplify';
import { isObject } from '../json';

/** Times and spans in ms. */
export interface Watching {
	api: Api;
	/** Stands for the base URL and the credential. */
	account: string;
	/** Stands for the API key. Too short to tell anything of it. */
	key: string;
	deadline: number;
	/** How many records one poll may return. */
	limit: number;
	/** How late a record may show up and still count as new. */
	lookBack: number;
}

/** One way to find out what is new. It serves one poll, and knows nothing of where its state is kept. */
export interface Watcher {
	/**
	 * One poll. Without a state, or with one that it cannot use, it begins: everything that exists
	 * counts as known, and nothing is returned.
	 * @throws when it cannot read everything; nothing has changed then
	 */
	poll(state?: unknown): Promise<PollResult>;
	/** What "Fetch Test Event" shows: the newest record, or undefined if there is none. */
	sample(): Promise<FullRecord | undefined>;
}

/** Whether a state may be that of another account. It is of the same one if a record proves it. */
export const mayBeOfOther = (state: unknown, { account, key }: Watching) =>
	isObject(state) && (state.account !== account || state.key !== key);

export interface PollResult {
	/** As plain JSON. */
	state: object;
	/** Oldest first. */
	records: FullRecord[];
	/** What the user has to know, with the next item. */
	notices: string[];
	/** What is wrong with some of several accounts. It fails this poll, which then has no records. */
	failed?: string;
	/** Why some records have to wait for the next poll. */
	error?: unknown;
	/** Whether the watcher began: everything that exists counts as known. */
	isBeginning?: boolean;
}

export const CONCURRENCY = 10;

/** No record has the field that the event needs. Without this error, all would be left out in silence. */
export class LackingError extends Error {
	constructor(what: string, wayOut = "Choose another event under 'Trigger On'.") {
		super(`The records of this account do not show their ${what}. ${wayOut}`);
	}
}

/** A failure that passes by itself, such as a lack of time. */
export class PassingError extends Error {}

/** Whether the next poll may succeed although nobody does anything. */
export const mayPass = (error: unknown) => error instanceof PassingError || isTemporary(error);

/** The account as long as the poll has time. @param wayOut what the user can do if it has none left */
export function whileInTime({ api, deadline }: Watching, wayOut: string): Api {
	const assertTime = () => {
		if (Date.now() < deadline) return;
		throw new PassingError(
			`There was not enough time to read the whole list. Nothing is lost: the next poll tries again. ${wayOut}`,
		);
	};
	const inTime =
		<T>(ask: (request: Request) => Promise<T>) =>
		async (request: Request) => {
			assertTime();
			return await ask(request);
		};
	return { ...api, send: inTime(api.send), find: inTime(api.find) };
}

/** The path of a call or an order, and not of a part of it. */
const RECORD = /^\/(call-history|orders)\/[^/]+$/;

/** The account of a watcher: a listed record that is not found is an error, but its summary may be missing. */
export const failOnMissing = (api: Api): Api => ({
	...api,
	find: async (request) =>
		RECORD.test(request.path) ? await readRecord(api, request) : await api.find(request),
});

/**
 * Does some work for each of a list, ten at once, as long as there is time. The first ones are always done.
 */
export async function doInBatches<T>(
	entries: readonly T[],
	work: (entry: T) => Promise<void>,
	deadline: number,
	isEnough = () => false,
): Promise<void> {
	for (let from = 0; from < entries.length; from += CONCURRENCY) {
		if (isEnough() || (from > 0 && Date.now() >= deadline)) return;
		await Promise.all(entries.slice(from, from + CONCURRENCY).map(work));
	}
}
