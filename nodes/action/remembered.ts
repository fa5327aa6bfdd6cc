import type { IExecuteFunctions } from 'n8n-workflow';

import type { Account } from '../api/account';
import { Semaphore } from '../semaphore';
import { fitting, isObject } from '../json';
import type { Remember } from '../table/operation';
import { DAY } from '../time';
import { digest } from '../digest';

/** The state of one account. */
interface Entry {
	/** How often it was stored. The entry with more is the newer one. */
	batch: number;
	/** When it was stored (ms). */
	at: number;
	state: unknown;
}

type Entries = Record<string, Entry>;

/** The longest state of a node (characters). n8n keeps it in one column and rewrites it whole. */
const LONGEST_STATE = 2_000_000;

/** Accounts that were not asked for so long are forgotten (ms). */
const FORGOTTEN_AFTER = 90 * DAY;

/** What this process last stored for each node. n8n may not have saved it yet. */
const known = new Map<string, Entries>();

/** Lets one execution of each node in at a time. */
const gates = new Map<string, Semaphore>();

const KEY = 'ykVoiceGetNew:';

/**
 * What one execution of a node remembers of its accounts. It is kept in n8n's data of the workflow, under
 * the node's id, so that renaming the node does not lose it. n8n saves it when an execution ends that a
 * trigger started. Nothing is stored of an item that fails, and nothing at all if the node fails, so no
 * record is lost that was not returned.
 */
export class Remembered {
	readonly #context: IExecuteFunctions;

	readonly #node: string;

	#opening?: Promise<Entries>;

	#leave?: () => void;

	readonly #found = new Map<string, Entry>();

	/** The accounts that this execution asks for the first time. */
	readonly #begun = new Set<string>();

	#isClosed = false;

	/** Lets one account be noted at a time. */
	readonly #notes = new Semaphore(1);

	/** What the items of this execution that share a state must have in common. */
	readonly #claims = new Map<string, string>();

	/** Items of the same account come one after another. */
	readonly #turns = new Map<string, Semaphore>();

	constructor(context: IExecuteFunctions) {
		this.#context = context;
		this.#node = `${context.getWorkflow().id}:${context.getNode().id}`;
	}

	/** The memory as one item sees it. If the item fails, `forget` takes back what it has stored. */
	of(account: Account): Remember & { forget(): void } {
		/** What this item stored, and what was stored before it in this execution. */
		const own = new Map<string, { entry: Entry; before?: Entry }>();
		return {
			forget: () => own.forEach((stored, key) => this.#takeBack(key, stored)),
			isKept: !['manual', 'evaluation'].includes(this.#context.getMode()),
			update: async ({ what, account: name, filters }, work) => {
				// A test of the workflow that started this one would take records away from production.
				if (this.#context.getMode() === 'integrated') throw new Error(FROM_ANOTHER);
				// Accounts that share a memory would take each other's records for known ones.
				if (name !== undefined) this.#claim(`name ${name}`, this.#nameOf(account), SHARED_NAME);
				const entries = await (this.#opening ??= this.#open());
				const key = digest(JSON.stringify([what, name ?? this.#nameOf(account)]));
				// What the filters of one item leave out counts as known, so another would never get it.
				this.#claim(`filters ${key}`, JSON.stringify(filters), OTHER_FILTERS);
				const turn = this.#turns.get(key) ?? new Semaphore(1);
				this.#turns.set(key, turn);
				const endTurn = await turn.take();
				try {
					const found = this.#found.get(key);
					const before = found ?? entries[key];
					if (before === undefined) await this.#begin(key);
					const { state, result } = await work(before?.state);
					const entry = { batch: (before?.batch ?? 0) + 1, at: Date.now(), state };
					this.#found.set(key, entry);
					own.set(key, { entry, before: found });
					return result;
				} finally {
					endTurn();
				}
			},
		};
	}

	/**
	 * If a later item of the account has built on what is taken back, nothing of it is stored: records then
	 * come again, but none is lost.
	 */
	#takeBack(key: string, { entry, before }: { entry: Entry; before?: Entry }): void {
		if (before !== undefined && this.#found.get(key) === entry) this.#found.set(key, before);
		else this.#found.delete(key);
	}

	/**
	 * Stores what was found. Synchronous, and called once everything has succeeded.
	 * @throws Error if there is too much to remember
	 */
	commit(): void {
		if (this.#found.size === 0) return;
		const data = this.#context.getWorkflowStaticData('global');
		const oldest = Date.now() - FORGOTTEN_AFTER;
		const all = { ...newest(entriesIn(data[this.#key]), known.get(this.#node)) };
		for (const [key, entry] of this.#found) all[key] = entry;
		const kept = fitting(all, (_key, { at }) => at >= oldest);
		if (JSON.stringify(kept).length > LONGEST_STATE) throw new Error(TOO_LONG);
		known.set(this.#node, kept);
		data[this.#key] = kept as never;
		for (const key of this.#found.keys()) this.#begun.delete(key);
		for (const key of Object.keys(all)) if (!Object.hasOwn(kept, key)) this.#begun.add(key);
		for (const key of Object.keys(data)) {
			if (!key.startsWith(KEY) || key === this.#key) continue;
			// Another node, which may have been deleted.
			if (Object.values(entriesIn(data[key])).every(({ at }) => at < oldest)) delete data[key];
		}
	}

	/** Takes back the notes of accounts for which nothing is stored, and lets the next execution in. */
	close(): void {
		this.#isClosed = true;
		const open = this.#opening?.then(async () => {
			const { removeProcessed } = this.#context.helpers;
			// An item may be making its note.
			await this.#notes.take();
			const notes = [...this.#begun].map((key) => this.#noteOf(key));
			if (notes.length > 0) await removeProcessed(notes, 'node', NOTES);
		});
		void open?.catch(() => {}).finally(() => this.#leave?.());
	}

	get #key(): string {
		return `${KEY}${this.#context.getNode().id}`;
	}

	async #open(): Promise<Entries> {
		const gate = gates.get(this.#node) ?? new Semaphore(1);
		gates.set(this.#node, gate);
		this.#leave = await gate.take();
		const stored = entriesIn(this.#context.getWorkflowStaticData('global')[this.#key]);
		return newest(stored, known.get(this.#node));
	}

	/**
	 * Notes in n8n's database that the account has begun. n8n does not hand to its workers in queue mode
	 * what it has saved of a workflow, and each would begin again without a word.
	 *
	 * @throws Error if the account has begun before
	 */
	async #begin(key: string): Promise<void> {
		const { checkProcessedAndRecord } = this.#context.helpers;
		// n8n keeps all notes of a node in one row, which only one request may change at a time.
		const endNote = await this.#notes.take();
		try {
			// The node has failed at another item, and nobody would take back this note.
			if (this.#isClosed) throw new Error('The node has ended');
			const { processed } = await checkProcessedAndRecord([this.#noteOf(key)], 'node', NOTES);
			if (processed.length > 0) throw new Error(NOT_HANDED_OVER);
			this.#begun.add(key);
		} finally {
			endNote();
		}
	}

	/** @throws Error with these words if another item has claimed something else */
	#claim(name: string, value: string, words: string): void {
		if ((this.#claims.get(name) ?? value) !== value) throw new Error(words);
		this.#claims.set(name, value);
	}

	/** n8n keeps notes under the node's name, which another node may get later. */
	readonly #noteOf = (key: string) => `${this.#context.getNode().id} ${key}`;

	/** Stands for the account. A token changes, so that with OAuth2 the credential stands for it. */
	#nameOf({ identity, credentialType }: Account): string {
		const id = this.#context.getNode().credentials?.[credentialType]?.id ?? '';
		return credentialType === 'ykVoiceApi' ? identity : `${id} ${identity}`;
	}
}

/** Of each account the entry that was stored last. */
function newest(one: Entries, other: Entries = {}): Entries {
	const all: Entries = { ...one };
	for (const [key, entry] of Object.entries(other)) {
		if (!((all[key]?.batch ?? -1) > entry.batch)) all[key] = entry;
	}
	return all;
}

/** The entries in a stored value, without damaged ones. */
function entriesIn(raw: unknown): Entries {
	if (!isObject(raw)) return {};
	const isEntry = (entry: unknown) =>
		isObject(entry) && Number.isSafeInteger(entry.batch) && typeof entry.at === 'number';
	return fitting(raw, (_key, entry) => isEntry(entry)) as Entries;
}

const SHARED_NAME =
	"'Options → Account' is the same for several accounts. Give each account a text of its own.";

/** n8n keeps these notes for the node, at most so many. */
const NOTES = { mode: 'entries', maxEntries: 10_000 } as const;

const NOT_HANDED_OVER =
	"n8n did not hand over what this node remembers of the account. If n8n was stopped during the first execution for the account, enter another text in 'Options → Account' to begin again. In queue mode n8n never hands it over: use the YK Voice Trigger there, or 'Get Many' with a Remove Duplicates node.";

const FROM_ANOTHER =
	'Get New does not work in a workflow that another workflow starts: n8n does not say whether it is a test by hand, which would take records away. Start this workflow with a Schedule Trigger.';

const OTHER_FILTERS =
	"Items of the same account have different 'Filters', so records would be lost. Give each item a text of its own in 'Options → Account'.";

const TOO_LONG =
	"The records of these accounts are too large to store. Set a shorter 'Look Back', or use a node for some of the accounts.";
