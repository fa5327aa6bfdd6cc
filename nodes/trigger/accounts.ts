import { isTemporary } from '../api/apiError';
import type { FullRecord } from '../domain/simplify';
import { groupedBy, isObject } from '../json';
import { DAY, MINUTE, toMillis } from '../time';
import { CONCURRENCY, doInBatches, OutOfTimeError } from '../watching/watcher';
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
	/** Its place in the next poll: first if it was not read, last if it had more records than it could return. */
	turn?: 'first' | 'last';
	/** Why it could not be read or stored, since when (ms), and whether the user has been told. */
	failing?: { kind: string; since: number; isTold: boolean };
	/** Since when it is not read any more (ms). */
	goneSince?: number;
}

/** What a poll found in one account. Without a result, it could not be read. */
interface Outcome {
	found?: PollResult;
	error?: unknown;
	turn?: Entry['turn'];
}

/** The accounts of a trigger. */
interface Accounts {
	/** The names that the user chose, also those that the credential does not have. */
	chosen: readonly string[];
	/** All accounts in the credential, by name. */
	known: ReadonlyMap<string, unknown>;
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
export function accountsWatcher(accounts: Accounts): Watcher {
	const { chosen, known, deadline, watch } = accounts;
	const names = [...new Set(chosen)].filter((name) => known.has(name));
	return {
		/** @throws the first failure if no account could be read */
		async poll(stored) {
			const before = entriesIn(stored);
			const outcomes = await readAll(names, before ?? new Map(), accounts);
			const failures = [...outcomes.values()].filter(({ found }) => found === undefined);
			if (failures.length > 0 && failures.length === names.length) throw failures[0]!.error;
			const { entries, records, told } = merge(names, before ?? new Map(), outcomes, accounts);
			return {
				state: { accounts: Object.fromEntries(entries) },
				records,
				// One notice for each thing to tell, with the names of its accounts.
				notices: [...groupedBy(told, ({ text }) => text)].map(
					([, all]) => `${all.map(({ name }) => name).join(', ')}: ${all[0]!.text}`,
				),
				isNews: told.some(({ isNews }) => isNews),
				isBeginning: before === undefined,
			};
		},

		async sample() {
			const found: FullRecord[] = [];
			const failures: unknown[] = [];
			const read = async (name: string) => {
				try {
					const record = await watch(name, 1).sample();
					if (record !== undefined) found.push(ofAccount(name, record));
				} catch (error) {
					failures.push(error);
				}
			};
			await doInBatches(names, read, deadline);
			if (failures.length > 0 && found.length === 0) throw failures[0];
			const age = ({ record }: FullRecord) => toMillis(record.created_at) ?? 0;
			return found.toSorted((a, b) => age(b) - age(a))[0];
		},
	};
}

/**
 * Polls the accounts, ten at a time. Each may use an equal part of what is left of the limit. Those that had
 * more than that wait for the others, and get what these do not need.
 *
 * @returns what each account gave that had a turn
 */
async function readAll(
	names: string[],
	entries: ReadonlyMap<string, Entry>,
	{ limit, deadline, watch }: Accounts,
): Promise<Map<string, Outcome>> {
	const outcomes = new Map<string, Outcome>();
	const [inTurn, tooMany] = [names.slice(0, MOST_ACCOUNTS), names.slice(MOST_ACCOUNTS)];
	let [left, waiting] = [limit, inTurn.length];
	const read = async (name: string) => {
		const { state, turn } = entries.get(name) ?? {};
		const share = Math.max(1, Math.floor(left / waiting));
		left -= share;
		waiting -= 1;
		try {
			const found = await watch(name, share).poll(state);
			const isFull = found.records.length >= share;
			left += share - found.records.length;
			outcomes.set(name, { found, error: found.error, ...(isFull && { turn: 'last' }) });
		} catch (error) {
			left += share;
			// One that was first had all the time.
			const next = turn === 'first' ? 'last' : 'first';
			outcomes.set(name, { error, ...(error instanceof OutOfTimeError && { turn: next }) });
		}
	};
	const having = (...turns: Array<Entry['turn']>) =>
		inTurn.filter((name) => turns.includes(entries.get(name)?.turn));
	for (const queue of [[...having('first'), ...having(undefined)], having('last')]) {
		while (queue.length > 0 && left > 0 && (outcomes.size === 0 || Date.now() < deadline))
			await Promise.all(queue.splice(0, Math.min(CONCURRENCY, left)).map(read));
	}
	for (const name of tooMany) outcomes.set(name, { error: TOO_MANY });
	return outcomes;
}

/** A sentence for the user about an account. */
interface Told {
	name: string;
	text: string;
	/** Whether it has to be shown although it was shown before. */
	isNews: boolean;
}

/** What to store after a poll, which records to return, and what to tell the user. */
function merge(
	names: string[],
	before: ReadonlyMap<string, Entry>,
	outcomes: ReadonlyMap<string, Outcome>,
	{ chosen, known, isStarting }: Accounts,
) {
	const now = Date.now();
	const entries = new Map(before);
	const records: FullRecord[] = [];
	const told: Told[] = [];
	const tell = (name: string, text: string) => told.push({ name, text, isNews: true });
	/** Notes a failure. It is told when its kind changes, and after some time if it may pass by itself. */
	const failingAfter = (name: string, { state, failing: last }: Entry, error: unknown) => {
		if (isStarting) return last;
		const mayPass = isTemporary(error) || error instanceof OutOfTimeError;
		const kind = mayPass ? 'temporary' : kindOf(error);
		const { since, isTold } = last?.kind === kind ? last : { since: now, isTold: false };
		// Until an account has begun, what happens in it does not start the workflow.
		const isDue = !mayPass || state === undefined || now - since >= PATIENCE;
		if (isDue && !isTold) tell(name, textOf(error));
		return { kind, since, isTold: isTold || isDue };
	};
	let size = [...before].reduce((sum, [name, entry]) => sum + sizeOf(name, entry), 0);
	for (const name of names) {
		const { goneSince: _, ...last } = before.get(name) ?? {};
		const { found, error, turn }: Outcome = outcomes.get(name) ?? { turn: 'first' };
		for (const text of found?.notices ?? []) told.push({ name, text, isNews: false });
		if (found?.isBeginning && last.state !== undefined) tell(name, STARTED_AGAIN);
		const entry: Entry = {
			...last,
			...(found && { state: found.state, failing: undefined }),
			turn,
		};
		if (error !== undefined)
			entry.failing = failingAfter(name, { ...entry, failing: last.failing }, error);
		const growth = sizeOf(name, entry) - sizeOf(name, last);
		if (growth > 0 && size + growth > MOST_STORED) {
			entries.set(name, { ...last, failing: failingAfter(name, last, TOO_LARGE) });
			continue;
		}
		size += growth;
		entries.set(name, entry);
		records.push(...(found?.records ?? []).map((record) => ofAccount(name, record)));
	}
	if (isStarting) return { entries, records, told };
	// What is known of accounts that are not read any more goes after some time.
	for (const name of chosen) if (!entries.has(name)) entries.set(name, {});
	for (const [name, entry] of entries) {
		if (names.includes(name)) continue;
		if (entry.goneSince === undefined && !known.has(name)) tell(name, GONE);
		const goneSince = entry.goneSince ?? now;
		if (now - goneSince > KEPT_FOR) entries.delete(name);
		else entries.set(name, { ...entry, goneSince });
	}
	return { entries, records, told };
}

const ofAccount = (account: string, found: FullRecord) => Object.assign(found, { account });

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
