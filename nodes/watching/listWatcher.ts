import { allOf, pageIn } from '../api/lists';
import { since } from '../time';
import { PAGE_SIZE, readPages, type FetchPage, type Page } from '../api/pages';
import { isObject, textIn, type JsonObject } from '../json';
import { CONCURRENCY, LackingError, type PollResult, type Watcher, type Watching } from './watcher';
import {
	byAge,
	isNew,
	LIMITS,
	listed,
	packProgress,
	progressFrom,
	progressIn,
	settle,
	type Listed,
	type Progress,
	type Verdict,
} from './progress';

/** The verdict on a record, or the field that the event needs and that not even its detail shows. */
type Judged = Verdict | { lacks: string };

/** A list of the API whose records have a date, and how to judge its new records. */
export interface FollowedList {
	path: string;
	/** The filters and the sort that the API applies. */
	query?: JsonObject;
	/** The field that holds the date. Default: created_at. */
	dateField?: string;
	/** The query for all records from a time (ms) on. Default: created_after. */
	queryFrom?(from: number): JsonObject;
	/** Path of one record, if records may have to wait. */
	pathOf?(id: string): string;
	/** Judges a record. `now` is on the API's clock (ms), or Infinity if the record must not wait. */
	judge(record: JsonObject, now: number): Judged | Promise<Judged>;
	/** How many requests it takes to judge a record. */
	cost?: number;
	/** The field that the event needs and this record does not have. The record is left out. */
	lacks?(record: JsonObject): string | undefined;
	/** What the user can do if no record has that field. */
	wayOut?: string;
	/** The item for a record whose parts could not be read within Look Back. */
	incomplete?(record: JsonObject): JsonObject;
}

/** Emits each new record of a list once. An instance serves one poll. */
export class ListWatcher implements Watcher {
	private readonly list: FollowedList;

	private readonly watching: Watching;

	private readonly dateField: string;

	/** When the first answer came, on the API's clock, or on n8n's if answers have no date (ms). */
	private began: number | undefined;

	/** Key of each new record → its verdict. */
	private readonly verdicts = new Map<string, Verdict>();

	/** Why the parts of a record could not be read. */
	private error: unknown;

	/** Key of each record that is left out → the field that it does not show. */
	private readonly lacking = new Map<string, string>();

	constructor(watching: Watching, list: FollowedList) {
		this.list = list;
		this.watching = watching;
		this.dateField = list.dateField ?? 'created_at';
	}

	async poll(state?: unknown): Promise<PollResult> {
		const progress = progressIn(state);
		if (progress === undefined) return await this.begin();
		const { account, limit, lookBack } = this.watching;
		const { records, notices } = await this.read(progress.floor);
		const fresh = records.filter((one) => isNew(one, progress));
		const isOther = isObject(state) && state.account !== account;
		const isUnknown = fresh.length > 0 && !records.some(({ key }) => progress.done.has(key));
		if (isOther && isUnknown) return await this.begin();

		const below = this.waitingBelow(progress, records);
		await this.judge(fresh, progress, 0);
		await this.judge(below, progress, 1);
		const found = [...fresh, ...below];
		const settled = settle(progress, found, this.verdicts, { limit, lookBack, now: this.now });
		return {
			state: { account, ...packProgress(settled.progress) },
			emit: settled.emit,
			notices: [...notices, ...this.lackingIn(found), ...shortened(settled)],
			error: this.error,
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { records } = await this.page({ limit: PAGE_SIZE, offset: 0 });
		for (const { record } of this.dated(records).reverse()) {
			if (Date.now() >= this.watching.deadline) {
				throw new Error(
					'There was not enough time to find a record that matches. Remove the filters, or try again later.',
				);
			}
			const verdict = await this.list.judge(record, Infinity);
			if (typeof verdict === 'object' && 'item' in verdict) return verdict.item;
		}
		return undefined;
	}

	/** Everything that was created within Look Back counts as done. */
	private async begin(): Promise<PollResult> {
		const { account, lookBack } = this.watching;
		// The first answer shows the time on the API's clock.
		const { hasClock } = await this.page({ limit: 1, offset: 0 });
		const from = this.now - lookBack - LIMITS.margin - (hasClock ? 0 : LIMITS.drift);
		const progress = progressFrom(from);
		const fresh = (await this.read(from)).records.filter((one) => isNew(one, progress));
		const verdicts = new Map(fresh.map(({ key }) => [key, 'unwanted'] as const));
		const extent = { limit: 0, lookBack: Infinity, now: this.now };
		const settled = settle(progress, fresh, verdicts, extent);
		const state = { account, ...packProgress(settled.progress) };
		return { state, emit: [], notices: [], quietNotices: shortened(settled), isBeginning: true };
	}

	/** All records from a time (ms) on, oldest first. */
	private async read(from: number): Promise<{ records: Listed[]; notices: string[] }> {
		const all = await this.readAll(from);
		const records = this.dated(all);
		const bad = all.find((record) => listed(record, this.dateField) === undefined);
		if (bad === undefined) return { records, notices: [] };
		const example = JSON.stringify({ id: bad.id, [this.dateField]: bad[this.dateField] });
		const notice = `${all.length - records.length} left out, because they have no id or no ${this.dateField} that is a date and time, such as ${example}.`;
		return { records, notices: [notice] };
	}

	private async readAll(from: number): Promise<JsonObject[]> {
		const query = this.list.queryFrom?.(from) ?? { created_after: since(from) };
		const fetch: FetchPage = async (offset, limit, signal) => {
			const page = await this.page({ ...query, limit, offset }, signal);
			if (this.dated(page.records).some(({ at }) => at < from - LIMITS.drift)) {
				throw new Error(
					`The API sent records that are much older than it was asked for, so the trigger cannot follow this list by its ${this.dateField}. Use a schedule with Get Many instead.`,
				);
			}
			return page;
		};
		const keyOf = (record: JsonObject) => textIn(record.id) ?? JSON.stringify(record);
		return await allOf(readPages(fetch, { keyOf, ahead: CONCURRENCY }));
	}

	private readonly dated = (records: JsonObject[]): Listed[] =>
		records
			.map((record) => listed(record, this.dateField))
			.filter((one) => one !== undefined)
			.sort(byAge);

	/** Reads one page. @throws Error if the time of this poll is over */
	private async page(
		asked: JsonObject,
		signal?: AbortSignal,
	): Promise<Page & { hasClock: boolean }> {
		const { api, deadline } = this.watching;
		if (Date.now() >= deadline) {
			throw new Error(
				"There was not enough time to read the whole list. Set a shorter 'Look Back', or find out why the API answers slowly. Nothing is lost: the next poll tries again.",
			);
		}
		const sentAt = Date.now();
		const query = { ...this.list.query, ...asked };
		const answer = await api.send({ method: 'GET', path: this.list.path, query, signal });
		this.began ??= answer.at ?? sentAt;
		return { ...pageIn(answer, api), hasClock: answer.at !== undefined };
	}

	private get now(): number {
		return this.began ?? Date.now();
	}

	/**
	 * Judges records in turn, as many at once as requests may run, until the limit or the time is reached.
	 * @param extra how many more requests each takes
	 */
	private async judge(found: Listed[], progress: Progress, extra: 0 | 1): Promise<void> {
		const { limit, deadline } = this.watching;
		const cost = (this.list.cost ?? 0) + extra;
		const size = cost > 0 ? Math.max(1, Math.floor(CONCURRENCY / cost)) : found.length;
		const isEnough = () =>
			[...this.verdicts.values()].filter((one) => typeof one === 'object').length >= limit;
		for (let from = 0; from < found.length && !isEnough(); from += size) {
			if (cost > 0 && this.verdicts.size > 0 && Date.now() >= deadline) return;
			const some = found.slice(from, from + size);
			await Promise.all(some.map(async (one) => await this.judgeOne(one, progress)));
		}
	}

	/** A record whose parts cannot be read waits. After Look Back it is emitted without them. */
	private async judgeOne({ key, id, at, record }: Listed, progress: Progress): Promise<void> {
		const { list } = this;
		let whole: JsonObject | undefined = record;
		try {
			if (at < progress.floor) whole = await this.readOne(id, record);
			const verdict = whole === undefined ? 'unwanted' : await this.verdictOn(whole);
			const isLacking = typeof verdict === 'object' && 'lacks' in verdict;
			if (isLacking) this.lacking.set(key, verdict.lacks);
			this.verdicts.set(key, isLacking ? 'unwanted' : verdict);
			delete progress.failing[key];
		} catch (error) {
			progress.failing[key] ??= Date.now();
			const isGivenUp = Date.now() - progress.failing[key] >= this.watching.lookBack;
			const item = list.incomplete?.(whole ?? record) ?? record;
			this.verdicts.set(key, isGivenUp ? { item } : 'waiting');
			if (!isGivenUp) this.error ??= error;
		}
	}

	private async verdictOn(record: JsonObject): Promise<Judged> {
		const lacks = this.list.lacks?.(record);
		return lacks === undefined ? await this.list.judge(record, this.now) : { lacks };
	}

	/** Records that wait below the floor and are not in the list. Only their id and date are known so far. */
	private waitingBelow({ waiting }: Progress, records: Listed[]): Listed[] {
		const inList = new Set(records.map(({ id }) => id));
		const below = Object.entries(waiting).filter(([id]) => !inList.has(id));
		return this.dated(below.map(([id, date]) => ({ id, [this.dateField]: date })));
	}

	/** A record by its id. Undefined if it is gone. */
	private async readOne(id: string, record: JsonObject): Promise<JsonObject | undefined> {
		const path = this.list.pathOf?.(encodeURIComponent(id));
		const found = path && (await this.watching.api.find({ method: 'GET', path }));
		return isObject(found) ? { ...record, ...found } : undefined;
	}

	/**
	 * Notices about records that were left out, because they do not show a field.
	 * @throws LackingError if all new records were left out
	 */
	private lackingIn(found: Listed[]): string[] {
		const fields = [...new Set(this.lacking.values())];
		if (fields.length > 0 && found.every(({ key }) => this.lacking.has(key)))
			throw new LackingError(fields[0]!, this.list.wayOut);
		return fields.map((field) => `Records that do not show their ${field} were left out.`);
	}
}

const shortened = ({ progress, isShortened }: ReturnType<typeof settle>): string[] =>
	!isShortened
		? []
		: [
				`There are more records than the trigger can remember. Records created before ${new Date(progress.floor).toISOString()} no longer start the workflow if they show up late. Set a shorter 'Look Back'.`,
			];
