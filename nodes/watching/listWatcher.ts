import type { Envelope } from '../api/answer';
import { isNotFound } from '../api/apiError';
import { readPages } from '../api/lists';
import { PAGE_SIZE } from '../api/pages';
import { readRecord } from '../api/readRecord';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import { DAY, SECOND, since } from '../time';
import { digest } from '../digest';
import {
	advance,
	byAge,
	isNew,
	LIMITS,
	listed,
	packProgress,
	progressFrom,
	progressIn,
	type Listed,
	type Progress,
	type Verdict,
} from './progress';
import { CONCURRENCY, doInBatches, isOfOther, LackingError, whileInTime } from './watcher';
import type { PollResult, Watcher, Watching } from './watcher';

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
	/** The query for all records from a time (ms) on. Default: created_after. */
	queryFrom?(from: number): JsonObject;
	/** Path of one record, if records may have to wait. */
	pathOf?(id: string): string;
	/** Whether a record is not over yet, such as a call in progress. It is judged when it is over. */
	isOpen?(record: JsonObject): boolean;
	/** @param waited for how long the record has been pending (ms): 0 if it is judged for the first time */
	judge(record: JsonObject, waited: number): Judged | Promise<Judged>;
	/** How many requests it takes to judge a record. */
	cost?: number;
	/** What the user can do if no record has a field that the event needs. */
	wayOut?: string;
	/** The item for a record whose parts could not be read within Look Back. */
	incomplete?(record: JsonObject): JsonObject;
}

/** Returns each new record of a list once. An instance serves one poll. */
export class ListWatcher implements Watcher {
	readonly #list: FollowedList;

	readonly #watching: Watching;

	readonly #dateFields: readonly string[];

	/** For reading the list, as long as there is time. */
	readonly #reader: Api;

	/**
	 * When the first answer came (ms), on the clock that is behind: the API's or n8n's. One of them may be
	 * wrong. A time that is too early costs reading, and one that is too late loses records.
	 */
	#began: number | undefined;

	/** The same on the clock that is ahead. Nothing can have been done after it. */
	#latest = -Infinity;

	#hasClock = false;

	/** Key of each new record → its verdict. */
	readonly #verdicts = new Map<string, Verdict>();

	/** How many of the verdicts are items. */
	#items = 0;

	/** Why the parts of a record could not be read. */
	#error: unknown;

	/** Key of each record that is left out → the field that it does not show. */
	readonly #lacking = new Map<string, string>();

	constructor(watching: Watching, list: FollowedList) {
		this.#list = list;
		this.#watching = watching;
		this.#dateFields = list.dateFields ?? ['created_at'];
		const wayOut = "Set a shorter 'Look Back', or find out why the API answers slowly.";
		const api = whileInTime(watching, wayOut);
		this.#reader = {
			...api,
			send: async (request) => this.#noteTime(Date.now(), await api.send(request)),
		};
	}

	async poll(state?: unknown): Promise<PollResult> {
		const progress = progressIn(state);
		if (progress === undefined) return await this.#begin();
		const { account, key, limit, lookBack } = this.#watching;
		const { records, notices } = await this.#read(progress.floor);
		// A clock was wrong. Records that were created meanwhile cannot be told from those that came.
		if (progress.floor > this.#latest) return await this.#begin();
		const fresh = records.filter((one) => isNew(one, progress));
		// With another key, an account that is the same shows what is known, if anything is.
		const isOther = isOfOther(state, this.#watching, progress.done.size > 0);
		const isUnknown = fresh.length > 0 && !records.some((one) => progress.done.has(one.key));
		if (isOther && isUnknown) return await this.#begin();

		const below = this.#waitingBelow(progress, records);
		await this.#judgeAll(fresh, progress, 0);
		await this.#judgeAll(below, progress, 1);
		const found = [...fresh, ...below];
		const extent = { limit, lookBack, now: this.#now };
		const next = advance(progress, found, this.#verdicts, extent);
		const isShown = (isObject(state) && state.isShown === true) || this.#isShownIn(found);
		return {
			state: { account, key, ...(isShown && { isShown }), ...packProgress(next.progress) },
			records: next.items,
			notices: [...notices, ...this.#lackingIn(isShown), ...shortened(next)],
			error: this.#error,
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		return (await this.newest(1))[0];
	}

	/** The newest records that are wanted and complete, newest first; or one that is not, if none is. */
	async newest(count: number): Promise<JsonObject[]> {
		const { dated, undated } = await this.#readNewest();
		const complete: JsonObject[] = [];
		let incomplete: JsonObject | undefined;
		if (dated.length === 0 && undated.length > 0) {
			throw new LackingError(`id or ${this.#dateNames}`, "Use a schedule with 'Get Many' instead.");
		}
		for (const { record } of dated.reverse()) {
			if (complete.length >= count) break;
			if (this.#list.isOpen?.(record)) continue;
			if (Date.now() >= this.#watching.deadline) {
				if (complete.length > 0 || incomplete !== undefined) break;
				throw new Error(
					'There was not enough time to find a record that matches. Remove the filters, or try again later.',
				);
			}
			const judged = await this.#list.judge(record, 0);
			if (isItem(judged)) complete.push(judged.item);
			if (isLater(judged) && isItem(judged.verdict)) incomplete ??= judged.verdict.item;
		}
		return complete.length > 0 || incomplete === undefined ? complete : [incomplete];
	}

	/** Everything that was created within Look Back counts as done, unless it is not over yet. */
	async #begin(): Promise<PollResult> {
		const { account, key, lookBack } = this.#watching;
		// The first answer shows the time on the API's clock.
		await this.#readList({}, 1);
		const from = this.#now - lookBack - LIMITS.margin - (this.#hasClock ? 0 : LIMITS.drift);
		const progress = progressFrom(from);
		const fresh = (await this.#read(from)).records.filter((one) => isNew(one, progress));
		const verdicts = new Map(
			fresh.map((one): [string, Verdict] => {
				return [one.key, this.#list.isOpen?.(one.record) ? 'waiting' : 'unwanted'];
			}),
		);
		const extent = { limit: 0, lookBack: Infinity, now: this.#now };
		const next = advance(progress, fresh, verdicts, extent);
		const state = { account, key, ...packProgress(next.progress) };
		return { state, records: [], notices: shortened(next), isBeginning: true };
	}

	/** All records from a time (ms) on, oldest first. */
	async #read(from: number): Promise<{ records: Listed[]; notices: string[] }> {
		const query = this.#list.queryFrom?.(from) ?? { created_after: since(from) };
		const { dated: records, undated } = await this.#readList(query);
		const [bad] = undated;
		if (bad === undefined) return { records, notices: [] };
		const [field = ''] = this.#dateFields;
		const example = JSON.stringify({ id: bad.id, [field]: bad[field] });
		const notice = `${undated.length} left out, because they have no id or no ${this.#dateNames} that is a date and time, such as ${example.slice(0, 200)}.`;
		return { records, notices: [notice] };
	}

	/**
	 * Reads the list. The records with an ID and a date come oldest first, each once.
	 * @throws Error if there are too many to work on at once
	 */
	async #readList(
		query: JsonObject,
		wanted = LIMITS.read + 1,
	): Promise<{ dated: Listed[]; undated: JsonObject[] }> {
		const { path, query: always } = this.#list;
		const keyOf = (record: JsonObject) => textIn(record.id) ?? JSON.stringify(record);
		const request = { method: 'GET', path, query: { ...always, ...query } } as const;
		const dated = new Map<string, Listed>();
		const undated: JsonObject[] = [];
		for await (const { records } of readPages(this.#reader, request, {
			...{ wanted, keyOf, ahead: CONCURRENCY },
		})) {
			for (const record of records) {
				const one = listed(record, this.#dateFields);
				if (one === undefined) undated.push(record);
				else dated.set(one.key, one);
			}
		}
		if (dated.size + undated.length > LIMITS.read) throw new Error(TOO_MANY);
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

	#noteTime(sentAt: number, answer: Envelope): Envelope {
		const { at = sentAt } = answer;
		this.#hasClock ||= answer.at !== undefined;
		this.#began ??= Math.min(at, sentAt);
		this.#latest = Math.max(this.#latest, at, sentAt);
		return answer;
	}

	get #dateNames(): string {
		return this.#dateFields.join(' or ');
	}

	get #now(): number {
		return this.#began ?? Date.now();
	}

	/**
	 * Judges the oldest records, until the limit or the time is reached.
	 * @param extra how many more requests each takes
	 */
	async #judgeAll(found: Listed[], progress: Progress, extra: 0 | 1): Promise<void> {
		const { limit, deadline } = this.#watching;
		const isEnough = () => this.#items >= limit;
		const cost = (this.#list.cost ?? 0) + extra;
		const judge = async (one: Listed) => await this.#judgeOne(one, progress);
		// What was pending before comes last, so that it takes no time from the others.
		const isPending = ({ key }: Listed) => Number(progress.pending.has(key));
		const inOrder = found.toSorted((one, other) => isPending(one) - isPending(other));
		await doInBatches(inOrder, judge, { cost, deadline, isEnough });
	}

	async #judgeOne(one: Listed, progress: Progress): Promise<void> {
		const { key } = one;
		const pendingSince = progress.pending.get(key);
		const waited = pendingSince === undefined ? 0 : Math.max(0, Date.now() - pendingSince * SECOND);
		const judged = await this.#look(one, progress, waited);
		if (isLater(judged)) {
			progress.pending.set(key, pendingSince ?? Math.floor(Date.now() / SECOND));
			this.#decide(key, waited >= judged.waitFor ? judged.verdict : 'waiting');
			return;
		}
		progress.pending.delete(key);
		if (isObject(judged) && 'lacks' in judged) {
			this.#lacking.set(key, judged.lacks);
			this.#decide(key, 'unwanted');
		} else this.#decide(key, judged);
	}

	#decide(key: string, verdict: Verdict): void {
		this.#verdicts.set(key, verdict);
		if (isItem(verdict)) this.#items += 1;
	}

	/** Judges a record. If it cannot be read whole, it waits for Look Back, and is then returned as it is. */
	async #look(
		{ key, id, created, record }: Listed,
		{ floor, pending }: Progress,
		waited: number,
	): Promise<Judged | 'waiting'> {
		let whole: JsonObject | undefined = record;
		try {
			if (created < floor) whole = await this.#readOne(id, record, pending.has(key));
			// The API may show a call by itself only after its end.
			if (whole === undefined) return this.#now - created < DAY ? 'waiting' : 'unwanted';
			return this.#list.isOpen?.(whole) ? 'waiting' : await this.#list.judge(whole, waited);
		} catch (error) {
			const waitFor = this.#watching.lookBack;
			if (waited < waitFor) this.#error ??= error;
			return { waitFor, verdict: { item: this.#list.incomplete?.(whole ?? record) ?? record } };
		}
	}

	/** Records that wait below the floor and are not in the list. Only their id and date are known so far. */
	#waitingBelow({ waiting }: Progress, records: Listed[]): Listed[] {
		const inList = new Set(records.map(({ id }) => id));
		const below = Object.entries(waiting).filter(([id]) => !inList.has(id));
		return below
			.map(([id, created]) => {
				const record = { id, [this.#dateFields[0]!]: new Date(created).toISOString() };
				return { key: digest(id), id, created, record };
			})
			.sort(byAge);
	}

	/** A record by its id. Undefined if it is gone. What lacks only a part was there, so it is not gone. */
	async #readOne(
		id: string,
		record: JsonObject,
		isPending: boolean,
	): Promise<JsonObject | undefined> {
		const path = this.#list.pathOf?.(encodeURIComponent(id));
		if (path === undefined) return undefined;
		const request = { method: 'GET', path } as const;
		const found = await readRecord(this.#watching.api, request).catch((error: unknown) => {
			if (isPending || !isNotFound(error)) throw error;
			return undefined;
		});
		return found && { ...record, ...found };
	}

	/** Whether a record that was judged shows what is asked for. */
	#isShownIn = (found: Listed[]) =>
		found.some(({ key }) => this.#verdicts.has(key) && !this.#lacking.has(key));

	/**
	 * Notices about records that were left out, because they do not show a field.
	 * @param isShown whether another record shows it, or did before
	 * @throws LackingError if none does
	 */
	#lackingIn(isShown: boolean): string[] {
		const fields = [...new Set(this.#lacking.values())];
		if (fields.length > 0 && !isShown) throw new LackingError(fields[0]!, this.#list.wayOut);
		return fields.map((field) => `Records that do not show their ${field} were left out.`);
	}
}

const TOO_MANY = `There are more than ${LIMITS.read.toLocaleString('en')} records to look through, which is too much at once. Set a shorter 'Look Back', or start again from now.`;

const isItem = (judged: unknown): judged is { item: JsonObject } =>
	isObject(judged) && 'item' in judged;

const isLater = (judged: Judged | 'waiting'): judged is Later =>
	typeof judged === 'object' && 'waitFor' in judged;

const shortened = ({ progress, isShortened }: ReturnType<typeof advance>): string[] =>
	!isShortened
		? []
		: [
				`There are more records than can be remembered, so records created before ${new Date(progress.floor).toISOString()} are left out. Set a shorter 'Look Back'.`,
			];
