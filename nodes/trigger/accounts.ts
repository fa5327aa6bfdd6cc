import { digest } from '../digest';
import type { FullRecord } from '../domain/simplify';
import { groupedBy, isObject } from '../json';
import { DAY, MINUTE, toMillis } from '../time';
import { CONCURRENCY, mayPass, PassingError } from '../watching/watcher';
import type { PollResult, Watcher } from '../watching/watcher';
import { sentences } from '../words';

// Polls many accounts, each with a watcher of its own. The watchers know nothing of one another.

const MOST_ACCOUNTS = 200;

/** How much is stored of all accounts (characters). n8n may hold it twice, in one column that it rewrites whole. */
const MOST_STORED = 1_000_000;

/** For how long what is known of an account is kept when the account is gone (ms). */
const KEPT_FOR = 30 * DAY;

/** How long a failure that may pass by itself is not told (ms). */
const PATIENCE = 15 * MINUTE;

/** What is wrong with an account, by kind: since when (ms), and whether the user has been told. */
type Problems = Record<string, { since: number; isTold: boolean }>;

/** What is stored of one account, as plain JSON. */
interface Entry {
	/** What its watcher has to know. Undefined until the first poll that could read the account. */
	state?: { key?: unknown };
	/** Since when it waits for its turn (ms), or 'last' if it had more records than it could return, or no time. */
	turn?: number | 'last';
	problems?: Problems;
	/** Since when it is not read any more (ms). */
	goneSince?: number;
}

type Entries = ReadonlyMap<string, Entry>;

/** What a poll found in one account. Without a result, it could not be read. */
interface Outcome {
	found?: PollResult;
	error?: unknown;
	turn?: Entry['turn'];
}

interface Accounts {
	/** The names that the user chose, also those that the credential does not have. */
	chosen: readonly string[];
	known: ReadonlyMap<string, unknown>;
	limit: number;
	/** When to stop reading (ms). */
	deadline: number;
	/** Whether this poll is part of starting the workflow. Then the next poll tells what could not be read. */
	isStarting: boolean;
	/** What the state of an account has as `key`. */
	keyOf(name: string): string;
	/** The watcher of one account, for one poll. It returns at most so many records. */
	watch(name: string, limit: number): Watcher;
}

/** Watches several accounts as if they were one. Its records have the name of their account. */
export function accountsWatcher(accounts: Accounts): Watcher {
	const { chosen, known, deadline, watch } = accounts;
	const names = [...new Set(chosen)].filter((name) => known.has(name));
	return {
		/** @throws Error that names all accounts if none could be read */
		async poll(stored) {
			const before = entriesIn(stored);
			const last = withNewNames(names, before ?? new Map<string, Entry>(), accounts);
			const outcomes = await readAll(names, last, accounts);
			const failures = [...outcomes].filter(([, { found }]) => found === undefined);
			if (failures.length > 0 && failures.length === names.length) throw unreadable(failures);
			const isStarting = accounts.isStarting || before === undefined;
			const { entries, records, told } = merge(names, last, outcomes, { ...accounts, isStarting });
			return {
				state: { accounts: Object.fromEntries(entries) },
				records,
				notices: [],
				...(told.length > 0 && { failed: textOf(told) }),
				isBeginning: before === undefined,
			};
		},

		async sample() {
			const found: FullRecord[] = [];
			const failures: Array<[string, Outcome]> = [];
			const read = async (name: string) => {
				try {
					const record = await watch(name, 1).sample();
					if (record !== undefined) found.push(ofAccount(name, record));
				} catch (error) {
					failures.push([name, { error }]);
				}
			};
			await readEach(names, read, () => Date.now() >= deadline);
			if (failures.length > 0 && found.length === 0) throw unreadable(failures);
			const age = ({ record }: FullRecord) => toMillis(record.created_at) ?? 0;
			return found.toSorted((a, b) => age(b) - age(a))[0];
		},
	};
}

/** An account that the credential has under a new name goes on with what is stored under the old one. */
function withNewNames(names: string[], before: Entries, { known, keyOf }: Accounts): Entries {
	const entries = new Map(before);
	for (const name of names.filter((one) => entries.get(one)?.state === undefined)) {
		const isOld = ([old, { state }]: [string, Entry]) =>
			!known.has(old) && state?.key === keyOf(name);
		const [old, entry] = [...entries].find(isOld) ?? [];
		if (old === undefined || entry === undefined) continue;
		entries.delete(old);
		entries.set(name, entry);
	}
	return entries;
}

/**
 * Polls the accounts, ten at a time. Those that did not have their turn in the last poll come first. Each may use
 * an equal part of what is left of the limit. Those that had more than that, or took too long, come last, and get
 * what the others do not need.
 */
async function readAll(
	names: string[],
	entries: Entries,
	{ limit, deadline, watch }: Accounts,
): Promise<Map<string, Outcome>> {
	const outcomes = new Map<string, Outcome>();
	const [inTurn, tooMany] = [names.slice(0, MOST_ACCOUNTS), names.slice(MOST_ACCOUNTS)];
	// Events without a limit have Infinity, of which nothing can be taken away.
	let [left, waiting] = [Math.min(limit, Number.MAX_SAFE_INTEGER), inTurn.length];
	const read = async (name: string) => {
		const share = Math.max(1, Math.floor(left / waiting));
		left -= share;
		waiting -= 1;
		try {
			const found = await watch(name, share).poll(entries.get(name)?.state);
			const isFull = found.records.length >= share;
			left += share - found.records.length;
			outcomes.set(name, { found, error: found.error, ...(isFull && { turn: 'last' }) });
		} catch (error) {
			left += share;
			outcomes.set(name, { error, ...(mayPass(error) && { turn: 'last' }) });
		}
	};
	const turnOf = (name: string) => entries.get(name)?.turn ?? Number.MAX_SAFE_INTEGER;
	const last = inTurn.filter((name) => turnOf(name) === 'last');
	const first = inTurn.filter((name) => !last.includes(name));
	first.sort((one, other) => Number(turnOf(one)) - Number(turnOf(other)));
	const isOver = () => left <= 0 || (outcomes.size > 0 && Date.now() >= deadline);
	for (const queue of [first, last]) await readEach(queue, read, isOver);
	for (const name of tooMany) outcomes.set(name, { error: TOO_MANY });
	return outcomes;
}

type Read = (name: string) => Promise<void>;

/** Reads accounts, ten at a time. One that waits for a part of the limit gets what the one before it left. */
async function readEach(names: string[], read: Read, isOver: () => boolean): Promise<void> {
	const waiting = [...names];
	const readNext = async (): Promise<void> => {
		while (waiting.length > 0 && !isOver()) await read(waiting.shift()!);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, readNext));
}

type Told = [name: string, text: string];

/** What to store after a poll, which records to return, and what to tell the user instead. */
function merge(
	names: string[],
	before: Entries,
	outcomes: ReadonlyMap<string, Outcome>,
	{ chosen, known, isStarting }: Accounts,
) {
	const now = Date.now();
	const entries = new Map(before);
	const records: FullRecord[] = [];
	const told: Told[] = [];
	/** Each problem is told once, after some time if it may pass. Those of before stay until a poll can read it. */
	const problemsAfter = (name: string, { found, error }: Outcome, last: Problems = {}) => {
		const problems = found && !isStarting ? {} : { ...last };
		for (const problem of isStarting ? [] : [...(found?.notices ?? []), error ?? []].flat()) {
			const text = sentenceOf(problem);
			const { httpCode = digest(text) } = Object(problem) as { httpCode?: string };
			const kind = mayPass(problem) ? 'temporary' : httpCode;
			const { since, isTold } = last[kind] ?? { since: now, isTold: false };
			const isDue = kind !== 'temporary' || now - since >= PATIENCE;
			if (isDue && !isTold) told.push([name, text]);
			problems[kind] = { since, isTold: isTold || isDue };
		}
		return Object.keys(problems).length > 0 ? problems : undefined;
	};
	let size = [...before].reduce((sum, [name, entry]) => sum + sizeOf(name, entry), 0);
	for (const name of names) {
		const { goneSince: _, ...last } = before.get(name) ?? {};
		const outcome = outcomes.get(name);
		// At a start nothing can be told, so an account that has to begin again does so with the next poll.
		const isLater = isStarting && outcome?.found?.isBeginning && last.state !== undefined;
		if (outcome === undefined || isLater) {
			const turn = typeof last.turn === 'number' ? last.turn : now;
			entries.set(name, { ...last, turn });
			continue;
		}
		const read = { ...last, state: outcome.found?.state ?? last.state, turn: outcome.turn };
		const growth = sizeOf(name, read) - sizeOf(name, last);
		const fits = growth <= 0 || size + growth <= MOST_STORED;
		const { found, error } = fits ? outcome : { error: TOO_LARGE };
		if (fits) size += growth;
		if (found?.isBeginning && last.state !== undefined) told.push([name, STARTED_AGAIN]);
		const problems = problemsAfter(name, { found, error }, last.problems);
		entries.set(name, { ...(fits ? read : last), problems });
		records.push(...(found?.records ?? []).map((record) => ofAccount(name, record)));
	}
	if (isStarting) return { entries, records, told };
	// What is known of accounts that are not read any more goes after some time.
	for (const name of chosen) if (!entries.has(name)) entries.set(name, {});
	for (const [name, { problems: _, ...entry }] of entries) {
		if (names.includes(name)) continue;
		if (entry.goneSince === undefined && !known.has(name)) told.push([name, GONE]);
		const goneSince = entry.goneSince ?? now;
		if (now - goneSince > KEPT_FOR) entries.delete(name);
		else entries.set(name, { ...entry, goneSince });
	}
	if (told.length === 0) return { entries, records, told };
	// The poll fails, so what it found comes with the next one.
	for (const [name, { found }] of outcomes) {
		const { state, turn } = before.get(name) ?? {};
		if (found?.records.length) entries.set(name, { ...entries.get(name), state, turn });
	}
	return { entries, records: [], told };
}

/** One sentence for each thing to tell, with the names of its accounts. */
const textOf = (told: Told[]): string =>
	[...groupedBy(told, ([, text]) => text)]
		.map(([, all]) => `${all.map(([name]) => name).join(', ')}: ${all[0]![1]}`)
		.join(' ');

/**
 * The error if no account can be read. It has no status, because n8n would pause the whole trigger for that of one
 * account (seen in n8n 2.41 with durable cursors).
 */
function unreadable(failures: ReadonlyArray<[string, Outcome]>): Error {
	const text = textOf(failures.map(([name, { error }]) => [name, sentenceOf(error)]));
	return failures.some(([, { error }]) => mayPass(error))
		? new PassingError(text)
		: new Error(text);
}

const ofAccount = (account: string, found: FullRecord) => Object.assign(found, { account });

const sizeOf = (name: string, entry: Entry) => name.length + JSON.stringify(entry).length;

/** An error as a sentence, with its advice. */
function sentenceOf(error: unknown): string {
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
	'The trigger started again from now for this account, because it has another key and shows no record that the trigger knows. Earlier records did not start the workflow.';

const GONE = 'The credential has no account of this name, so the trigger does not read it.';

const TOO_MANY = new Error(
	`One trigger reads up to ${MOST_ACCOUNTS} accounts. Use another trigger for the others, with the option 'Account Names or IDs'.`,
);

const TOO_LARGE = new Error(
	"What the trigger has to remember of this account does not fit any more, so its records wait. Choose a shorter 'Look Back', or use another trigger for some of the accounts, with the option 'Account Names or IDs'.",
);
