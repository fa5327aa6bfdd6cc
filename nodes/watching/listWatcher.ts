import { readPages } from '../api/lists';
import { PAGE_SIZE } from '../api/pages';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import { DAY, SECOND, since } from '../time';
import {
	advance,
	byAge,
	floorBelow,
	isNew,
	listed,
	progressFrom,
	progressIn,
	secondOf,
	type Listed,
	type Progress,
	type Verdict,
} from './progress';
import { CONCURRENCY, doInBatches, isOfOther, LackingError, whileInTime } from './watcher';
import type { PollResult, Watcher, Watching } from './watcher';

// Follows a list by date: which of its records are new since the last poll.

/** A verdict that holds only after some time (ms), because the record may show more until then. */
export interface Later {
	waitFor: number;
	verdict: 'unwanted' | { item: JsonObject };
}

/** The verdict on a record, or the field that the event needs and that the record does not show. */
export type Judged = 'unwanted' | { item: JsonObject } | Later | { lacks: string };

/** A list of the API whose records have a date, and how to judge its new records. */
export interface FollowedList {
	path: string;
	/** The filters and the sort that the API applies. */
	query?: JsonObject;
	/** The fields that may hold the date. Default: created_at. */
	dateFields?: readonly string[];
	/** Whether a record is not over yet, such as a call in progress. It is judged when it is over. */
	isOpen?(record: JsonObject): boolean;
	/** @param waited for how long the record has been pending (ms): 0 if it is judged for the first time */
	judge(record: JsonObject, waited: number): Judged | Promise<Judged>;
	/** How many requests it takes to judge a record. */
	cost?: number;
	/** What the user can do if records do not show a field that the event needs. */
	wayOut?: string;
	/** The item for a record whose parts could not be read within Look Back. */
	incomplete?(record: JsonObject): JsonObject;
}

/** How many records one poll looks through. So many keys are stored at the most. */
const MOST = 50_000;

/** How long a record may stay open (ms). Until then the list is read from its date on. */
const LONGEST_OPEN = DAY;

/** Returns each new record of a list once. An instance serves one poll. */
export class ListWatcher implements Watcher {
	readonly #list: FollowedList;

	readonly #watching: Watching;

	readonly #dateFields: readonly string[];

	/** For reading the list, as long as there is time. */
	readonly #reader: Api;

	readonly #startedAt = Date.now();

	/** Key of each new record → its verdict. */
	readonly #verdicts = new Map<string, Verdict>();

	/** How many of the verdicts are items. */
	#items = 0;

	/** Why the parts of a record could not be read. */
	#error: unknown;

	readonly #notices = new Set<string>();

	/** A field that the event needs and that a record does not show. */
	#lacks: string | undefined;

	/** Whether any record shows what the event needs. */
	#isShown = false;

	constructor(watching: Watching, list: FollowedList) {
		this.#list = list;
		this.#watching = watching;
		this.#dateFields = list.dateFields ?? ['created_at'];
		const wayOut = "Set a shorter 'Look Back', or find out why the API answers slowly.";
		this.#reader = whileInTime(watching, wayOut);
	}

	async poll(state?: unknown): Promise<PollResult> {
		const progress = progressIn(state);
		if (progress === undefined) return await this.#begin();
		const records = await this.#read(progress.floor);
		const fresh = records.filter((one) => isNew(one, progress));
		// With another key, an account that is the same shows what is known, if anything is.
		const knowsAny = Object.keys(progress.done).length > 0;
		const isUnknown = records.length > 0 && fresh.length === records.length;
		if (isOfOther(state, this.#watching, knowsAny) && isUnknown) return await this.#begin();
		await this.#judgeAll(fresh, progress.pending);
		return this.#resultOf(progress, fresh);
	}

	/** The newest record that is wanted and complete, or one that is not, if none is. */
	async sample(): Promise<JsonObject | undefined> {
		const { dated, undated } = await this.#readNewest();
		let incomplete: JsonObject | undefined;
		if (dated.length === 0 && undated.length > 0) {
			throw new LackingError(`id or ${this.#dateNames}`, "Use a schedule with 'Get Many' instead.");
		}
		for (const { record } of dated.reverse()) {
			if (Date.now() >= this.#watching.deadline) break;
			if (this.#list.isOpen?.(record)) continue;
			const judged = await this.#list.judge(record, 0);
			if (isItem(judged)) return judged.item;
			if (isLater(judged) && isItem(judged.verdict)) incomplete ??= judged.verdict.item;
		}
		return incomplete;
	}

	/** Everything that was created within Look Back counts as done, unless it is not over yet. */
	async #begin(): Promise<PollResult> {
		const progress = progressFrom(floorBelow(this.#startedAt, this.#watching.lookBack));
		const records = await this.#read(progress.floor);
		const fresh = records.filter((one) => isNew(one, progress));
		for (const { key, record } of fresh)
			this.#verdicts.set(key, this.#list.isOpen?.(record) ? 'waiting' : 'unwanted');
		return { ...this.#resultOf(progress, fresh), isBeginning: true };
	}

	#resultOf(before: Progress, fresh: Listed[]): PollResult {
		const { account, key, limit, lookBack } = this.#watching;
		const extent = { limit, lookBack, now: this.#startedAt };
		const { progress, items } = advance(before, fresh, this.#verdicts, extent);
		const state = { account, key, ...progress };
		return { state, records: items, notices: [...this.#notices], error: this.#error };
	}

	/** All records from a time (ms) on, oldest first. */
	async #read(from: number): Promise<Listed[]> {
		const { dated, undated } = await this.#readList({ created_after: since(from) });
		const [bad] = undated;
		if (bad === undefined) return dated;
		const [field = ''] = this.#dateFields;
		const example = JSON.stringify({ id: bad.id, [field]: bad[field] });
		this.#notices.add(
			`Records were left out, because they have no id or no ${this.#dateNames} that is a date and time, such as ${example.slice(0, 200)}.`,
		);
		return dated;
	}

	/**
	 * Reads the list. The records with an ID and a date come oldest first, each once.
	 * @throws Error if there are too many to work on at once
	 */
	async #readList(
		query: JsonObject,
		wanted = MOST + 1,
	): Promise<{ dated: Listed[]; undated: JsonObject[] }> {
		const { path, query: always } = this.#list;
		const keyOf = (record: JsonObject) => textIn(record.id) ?? JSON.stringify(record);
		const request = { method: 'GET', path, query: { ...always, ...query } } as const;
		const dated = new Map<string, Listed>();
		const undated: JsonObject[] = [];
		const options = { wanted, keyOf, ahead: CONCURRENCY };
		for await (const { records } of readPages(this.#reader, request, options)) {
			for (const record of records) {
				const one = listed(record, this.#dateFields);
				if (one === undefined) undated.push(record);
				else dated.set(one.key, one);
			}
		}
		if (dated.size + undated.length > MOST) throw new Error(TOO_MANY);
		return { dated: [...dated.values()].sort(byAge), undated };
	}

	/** A page of records, with the newest among them if the list has any order. */
	async #readNewest() {
		const first = await this.#readList({}, PAGE_SIZE);
		const isFull = first.dated.length + first.undated.length === PAGE_SIZE;
		if (this.#list.query?.sort !== undefined || !isFull) return first;
		// A list without a sort may begin with its oldest records.
		const recent = await this.#readList({ created_after: since(Date.now() - DAY) });
		return recent.dated.length > 0 ? recent : first;
	}

	get #dateNames(): string {
		return this.#dateFields.join(' or ');
	}

	/**
	 * Judges the oldest records, until the limit or the time is reached.
	 * @throws LackingError if none of them shows a field that the event needs: all would be left out
	 */
	async #judgeAll(fresh: Listed[], pending: Progress['pending']): Promise<void> {
		const { limit, deadline } = this.#watching;
		// What was pending before comes last, so that it takes no time from the others.
		const isPending = ({ key }: Listed) => Number(Object.hasOwn(pending, key));
		const inOrder = fresh.toSorted((a, b) => isPending(a) - isPending(b));
		await doInBatches(inOrder, async (one) => await this.#judgeOne(one, pending), {
			cost: this.#list.cost ?? 0,
			deadline,
			isEnough: () => this.#items >= limit,
		});
		if (this.#lacks !== undefined && !this.#isShown)
			throw new LackingError(this.#lacks, this.#list.wayOut);
	}

	async #judgeOne(one: Listed, pending: Progress['pending']): Promise<void> {
		const { key, record } = one;
		if (this.#list.isOpen?.(record)) return this.#leaveOpen(one);
		const now = Date.now();
		const pendingSince = pending[key] ?? secondOf(now);
		const waited = key in pending ? Math.max(0, now - pendingSince * SECOND) : 0;
		const judged = await this.#judge(record, waited);
		if (isLater(judged) && waited < judged.waitFor) {
			pending[key] = pendingSince;
			this.#verdicts.set(key, 'waiting');
			return;
		}
		const verdict = isLater(judged) ? judged.verdict : judged;
		if (isItem(verdict)) this.#items += 1;
		this.#verdicts.set(key, verdict);
	}

	/** A record that is open waits, but not for ever: the list would have to be read from its date on. */
	#leaveOpen({ key, created }: Listed): void {
		const isTooLong = this.#startedAt - created > LONGEST_OPEN;
		this.#verdicts.set(key, isTooLong ? 'unwanted' : 'waiting');
		if (isTooLong) this.#notices.add(STILL_OPEN);
	}

	/** Judges a record. If its parts cannot be read, it waits for Look Back, and is then returned as it is. */
	async #judge(record: JsonObject, waited: number): Promise<Verdict | Later> {
		try {
			const judged = await this.#list.judge(record, waited);
			if (typeof judged !== 'object' || !('lacks' in judged)) {
				this.#isShown = true;
				return judged;
			}
			this.#lacks = judged.lacks;
			const wayOut = this.#list.wayOut ?? '';
			this.#notices.add(`Records that do not show their ${judged.lacks} were left out. ${wayOut}`);
			return 'unwanted';
		} catch (error) {
			const waitFor = this.#watching.lookBack;
			if (waited < waitFor) this.#error ??= error;
			return { waitFor, verdict: { item: this.#list.incomplete?.(record) ?? record } };
		}
	}
}

const TOO_MANY = `There are more than ${MOST.toLocaleString('en')} records to look through, which is too much at once. Set a shorter 'Look Back', or start again from now.`;

const STILL_OPEN =
	'A call that was still in progress a day after it began was left out. If it ends, it does not start the workflow.';

const isItem = (judged: unknown): judged is { item: JsonObject } =>
	isObject(judged) && 'item' in judged;

const isLater = (judged: Judged | Verdict): judged is Later =>
	typeof judged === 'object' && 'waitFor' in judged;
