import { isTemporary } from '../api/apiError';
import { withAccount } from '../domain/freeName';
import { groupedBy, isObject, type JsonObject } from '../json';
import { DAY, MINUTE, toMillis } from '../time';
import { CONCURRENCY, doInBatches, gistOf, OutOfTimeError } from '../watching/watcher';
import type { PollResult, Watcher } from '../watching/watcher';
import { sentences } from '../words';

// Polls many accounts, each with a watcher of its own. The watchers know nothing of one another.

/** How many accounts one trigger reads. */
const MOST_ACCOUNTS = 200;

/** How much is stored of all accounts (characters). n8n may hold it twice, in one column that it rewrites whole. */
const MOST_STORED = 1_000_000;

/** For how long what is known of an account is kept when the account is gone (ms). */
const KEPT_FOR = 30 * DAY;

/** How long a failure that may pass by itself is not told (ms). */
const PATIENCE = 15 * MINUTE;

/** What is stored of one account, as plain JSON. */
interface Entry {
	/** What its watcher has to know. Undefined until the first poll that could read the account. */
	state?: object;
	/** Its place in the next poll, if it was not read, or if the limit held back some of its records. */
	turn?: 'first' | 'last';
	/** Why it could not be read or stored, since when (ms), and whether the user has been told. */
	failing?: { kind: string; since: number; isTold: boolean };
	/** Since when it is not read any more (ms). */
	goneSince?: number;
}

/** What a poll found in one account. Undefined if there was no time, or nothing left of the limit. */
type Outcome = { found: PollResult; isFull: boolean } | { error: unknown } | undefined;

export interface Accounts {
	/** The names of the accounts that the user chose, also of those that the credential does not have. */
	chosen: readonly string[];
	/** The names of all accounts in the credential. */
	known: ReadonlySet<string>;
	/** How many records one poll may return. */
	limit: number;
	/** When to stop reading (ms). */
	deadline: number;
	/** Whether this poll is part of starting the workflow. Then the next poll tells what could not be read. */
	isStarting: boolean;
	/** The watcher of one account, for one poll. It returns at most so many records. */
	watch(name: string, limit: number): Watcher;
}

/** Watches several accounts as if they were one. Its records have the name of their account. */
export class AccountsWatcher implements Watcher {
	readonly #accounts: Accounts;

	/** The names of the accounts to read. */
	readonly #names: string[];

	readonly #now = Date.now();

	/** What to tell the user, a sentence about an account each. */
	readonly #told: Array<{ name: string; text: string }> = [];

	/** Whether any of it was not told before. */
	#isNews = false;

	constructor(accounts: Accounts) {
		this.#accounts = accounts;
		const chosen = [...new Set(accounts.chosen)];
		this.#names = chosen.filter((name) => accounts.known.has(name));
	}

	/** @throws the first failure if no account could be read */
	async poll(stored?: unknown): Promise<PollResult> {
		const before = entriesIn(stored);
		const entries = new Map(before);
		const outcomes = await this.#readAll(entries);
		const failures = [...outcomes.values()].flatMap((one) => (one && 'error' in one ? [one] : []));
		const isNoneRead = failures.length > 0 && failures.length === outcomes.size;
		// Otherwise those for which there was no time come first in the next poll.
		const isOver = before === undefined || failures.length === this.#names.length;
		if (isNoneRead && isOver) throw failures[0]!.error;
		const records = this.#merge(entries, outcomes);
		this.#noteGone(entries);
		return {
			state: { accounts: Object.fromEntries(entries) },
			records,
			notices: this.#notices,
			isNews: this.#isNews,
			isBeginning: before === undefined,
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { deadline, watch } = this.#accounts;
		const found: JsonObject[] = [];
		const failures: unknown[] = [];
		const read = async (name: string) => {
			try {
				const record = await watch(name, 1).sample();
				if (record !== undefined) found.push(withAccount(name, record));
			} catch (error) {
				failures.push(error);
			}
		};
		await doInBatches(this.#names, read, { cost: 1, deadline, isEnough: () => false });
		if (failures.length > 0 && found.length === 0) throw failures[0];
		const age = ({ created_at }: JsonObject) => toMillis(created_at) ?? 0;
		return found.toSorted((a, b) => age(b) - age(a))[0];
	}

	/**
	 * Polls the accounts, ten at a time. Each may use an equal part of what is left of the limit. Those that had
	 * more than that wait for the others, and get what these do not need.
	 */
	async #readAll(entries: ReadonlyMap<string, Entry>): Promise<Map<string, Outcome>> {
		const { limit, deadline, watch } = this.#accounts;
		const turnOf = (name: string) => TURNS[entries.get(name)?.turn ?? 'between'];
		const inTurn = this.#names.slice(0, MOST_ACCOUNTS).toSorted((a, b) => turnOf(a) - turnOf(b));
		const outcomes = new Map<string, Outcome>();
		const running = new Set<Promise<void>>();
		const firstBusy = inTurn.findIndex((name) => entries.get(name)?.turn === 'last');
		let left = limit;
		for (const [at, name] of inTurn.entries()) {
			if (at === firstBusy) await Promise.all(running);
			while (running.size >= CONCURRENCY || (left < 1 && running.size > 0))
				await Promise.race(running);
			if (left < 1 || (at > 0 && Date.now() >= deadline)) continue;
			const share = Math.max(1, Math.floor(left / (inTurn.length - at)));
			left -= share;
			const read = async () => {
				const outcome = await pollOne(watch(name, share), entries.get(name)?.state, share);
				outcomes.set(name, outcome);
				left += share - ('found' in outcome ? outcome.found.records.length : 0);
			};
			const reading: Promise<void> = read().finally(() => running.delete(reading));
			running.add(reading);
		}
		await Promise.all(running);
		for (const name of this.#names.slice(MOST_ACCOUNTS)) outcomes.set(name, { error: TOO_MANY });
		return outcomes;
	}

	/** Changes what is stored by what was found. @returns the records to hand over */
	#merge(entries: Map<string, Entry>, outcomes: ReadonlyMap<string, Outcome>): JsonObject[] {
		const records: JsonObject[] = [];
		let stored = [...entries].reduce((sum, [name, entry]) => sum + sizeOf(name, entry), 0);
		for (const name of this.#names) {
			const { goneSince: _, ...before } = entries.get(name) ?? {};
			const after = this.#entryAfter(name, before, outcomes.get(name));
			const growth = sizeOf(name, after.entry) - sizeOf(name, before);
			if (growth > 0 && stored + growth > MOST_STORED) {
				entries.set(name, this.#failed(name, before, TOO_LARGE));
				continue;
			}
			stored += growth;
			entries.set(name, after.entry);
			records.push(...after.records.map((record) => withAccount(name, record)));
		}
		return records;
	}

	#entryAfter(
		name: string,
		before: Entry,
		outcome: Outcome,
	): { entry: Entry; records: JsonObject[] } {
		if (outcome === undefined) return { entry: { ...before, turn: 'first' }, records: [] };
		if ('error' in outcome) {
			const entry = this.#failed(name, before, outcome.error);
			if (!(outcome.error instanceof OutOfTimeError)) return { entry, records: [] };
			// One that was first had all the time.
			const turn = before.turn === 'first' ? 'last' : 'first';
			return { entry: { ...entry, turn }, records: [] };
		}
		const { found, isFull } = outcome;
		for (const text of found.notices) this.#told.push({ name, text });
		if (found.isBeginning && before.state !== undefined) this.#tell(name, STARTED_AGAIN);
		const entry: Entry = { state: found.state, ...(isFull && { turn: 'last' }) };
		if (found.error === undefined) return { entry, records: found.records };
		const { failing } = this.#failed(name, { ...entry, failing: before.failing }, found.error);
		return { entry: { ...entry, failing }, records: found.records };
	}

	/** Notes a failure. It is told when its kind changes, and after some time if it may pass by itself. */
	#failed(name: string, before: Entry, error: unknown): Entry {
		if (this.#accounts.isStarting) return before;
		const mayPass = isTemporary(error) || error instanceof OutOfTimeError;
		const kind = mayPass ? 'temporary' : kindOf(error);
		const known = before.failing?.kind === kind ? before.failing : undefined;
		const { since, isTold } = known ?? { since: this.#now, isTold: false };
		// Until an account has begun, what happens in it does not start the workflow.
		const isDue = !mayPass || before.state === undefined || this.#now - since >= PATIENCE;
		if (isDue && !isTold) this.#tell(name, textOf(error));
		return { ...before, failing: { kind, since, isTold: isTold || isDue } };
	}

	/** Notes which accounts are not read any more. What is known of them goes after some time. */
	#noteGone(entries: Map<string, Entry>): void {
		const { chosen, known, isStarting } = this.#accounts;
		if (isStarting) return;
		const current = new Set(this.#names);
		for (const name of chosen) if (!entries.has(name)) entries.set(name, {});
		for (const [name, entry] of entries) {
			if (current.has(name)) continue;
			if (entry.goneSince === undefined && !known.has(name)) this.#tell(name, GONE);
			const goneSince = entry.goneSince ?? this.#now;
			if (this.#now - goneSince > KEPT_FOR) entries.delete(name);
			else entries.set(name, { ...entry, goneSince });
		}
	}

	#tell(name: string, text: string): void {
		this.#isNews = true;
		this.#told.push({ name, text });
	}

	/** A notice for each thing to tell, with the names of its accounts. */
	get #notices(): string[] {
		return [...groupedBy(this.#told, ({ text }) => gistOf(text)).values()].map(
			(all) => `${all.map(({ name }) => name).join(', ')}: ${all.at(-1)!.text}`,
		);
	}
}

const TURNS = { first: 0, between: 1, last: 2 };

async function pollOne(
	watcher: Watcher,
	state: unknown,
	limit: number,
): Promise<NonNullable<Outcome>> {
	try {
		const found = await watcher.poll(state);
		return { found, isFull: found.records.length >= limit };
	} catch (error) {
		return { error };
	}
}

const sizeOf = (name: string, entry: Entry) => name.length + JSON.stringify(entry).length;

/** What tells one failure from another: the status of the answer, if there is one. */
const kindOf = (error: unknown) =>
	isObject(error) && typeof error.httpCode === 'string' ? error.httpCode : 'other';

/** An error as a sentence, with its advice. */
function textOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { description } = error as { description?: unknown };
	return sentences(error.message, typeof description === 'string' ? description : '');
}

/** The stored entries, by name. Undefined if something else is stored. */
function entriesIn(stored: unknown): Map<string, Entry> | undefined {
	if (!isObject(stored) || !isObject(stored.accounts)) return undefined;
	return new Map(Object.entries(stored.accounts as Record<string, Entry>));
}

const STARTED_AGAIN =
	'The trigger started again from now for this account, because another account has this name. Earlier records did not start the workflow.';

const GONE =
	'The credential has no account of this name, so the trigger does not read it. If the account has a new name, the trigger started from now under that name.';

const TOO_MANY = new Error(
	`One trigger reads up to ${MOST_ACCOUNTS} accounts. Use another trigger for the others, with the option 'Account Names or IDs'.`,
);

const TOO_LARGE = new Error(
	"What the trigger has to remember of this account does not fit any more, so its records wait. Choose a shorter 'Look Back', or use another trigger for some of the accounts, with the option 'Account Names or IDs'.",
);
