import { pageIn } from '../../api/lists';
import { isSaidToEnd, PAGE_SIZE, streamPages, type FetchPage, type Take } from '../../api/pages';
import { momentOf, since } from '../../api/moment';
import { isObject, type JsonObject } from '../../json';
import { ahead, following, inTime, OutOfTimeError } from '../reading/pages';
import { readOldestFirst, runNewestFirst } from '../reading/pages';
import { byAge, dateOf, isDated, keyOf, listed, shorten, type Listed } from '../reading/record';
import { stateIn, stateOfLap, type State } from '../reading/state';
import { baseline, horizonOf, known, LIMITS, settle, type Known } from '../reading/window';
import { whatIn, type PollResult, type Watcher, type Watching } from '../watcher';
import { CONCURRENCY, Judging, type Judge } from './judging';

/** A list of the API that is followed by created_after, and what becomes of its new records. */
export interface FollowedList extends Judge {
	path: string;
	/** What the API filters and sorts by. */
	query?: JsonObject;
	/** Whether the list is documented to run newest first. */
	isNewestFirst?: boolean;
	/** Where one record is read, if it may have to wait for long. */
	pathOf?(id: string): string;
	/** Where what is watched begins (ms), if that is not the look-back before the newest record. */
	horizon?(now: number): number;
	/** The option that says how far back is looked. */
	spanName?: string;
	/** A stored value of version 0.1 as a state of this list. */
	upgrade?(raw: unknown, scope: string): State | undefined;
}

/** What is known of a record that nothing is known of. */
const NOTHING: Known = { floor: -Infinity, done: new Map(), open: {} };

/** Follows a list: each record that is new, once. */
export class ListWatcher implements Watcher<State> {
	private readonly list: FollowedList;

	private readonly watching: Watching;

	/** When it was first asked, on the API's clock where that shows it (ms). */
	private began: number | undefined;

	constructor(list: FollowedList, watching: Watching) {
		this.list = list;
		this.watching = watching;
	}

	guard(raw: unknown): State | undefined {
		const { scope, formerScope } = this.watching;
		const state = stateIn(raw);
		if (whatIn(state) === whatIn(this.watching)) return state;
		const { upgrade = stateOfLap } = this.list;
		return isObject(raw) && raw.scope === formerScope ? upgrade(raw, scope) : undefined;
	}

	async begin(): Promise<PollResult<State>> {
		const { scope } = this.watching;
		const { records, isCut, error } = await this.readNewest();
		const wanted = this.beginningOf(records);
		const floor = isCut ? Math.max(wanted, oldestOf(records) + 1) : wanted;
		const events = this.eventsOf(records);
		const notices = floor > wanted ? [this.shortenedTo(floor)] : [];
		return {
			error,
			commit: (live) => ({
				state: live?.scope === scope ? live : baseline(scope, floor, events),
				emit: [],
				notices,
			}),
		};
	}

	async poll(saved: State): Promise<PollResult<State> | undefined> {
		const { scope, limit, lookBack } = this.watching;
		const state = known(saved);
		const { isOver, now } = this;
		const judging = new Judging(this.list, state, { limit, lookBack, isOver, now });
		const failure = await this.readList(state, judging);
		const { until, fresh, verdicts } = judging;
		if (until === undefined) throw failure;
		const isSameAccount = saved.scope === scope || judging.hasKnown;
		if (!isSameAccount && fresh.length > 0) return undefined;
		if (failure === undefined) await this.readOpen(state, judging);

		const horizon = this.list.horizon?.(now()) ?? horizonOf(state, lookBack, now(), LIMITS);
		judging.close(horizon);
		const found = { fresh, verdicts, until, horizon, now: now() };
		const hasGap = failure === undefined && !judging.isEnough && until !== Infinity;
		return {
			error: failure ?? judging.error,
			isShort: failure instanceof OutOfTimeError || judging.isLate || hasGap,
			commit: (live = saved) => {
				const { state, emit, shortened } = settle({ ...live, scope }, found, limit);
				const notices = [
					...judging.notices(),
					...(shortened === undefined ? [] : [this.shortenedTo(shortened)]),
				];
				return { state, emit, notices };
			},
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { records } = await this.asking()(0, PAGE_SIZE);
		for (const { record } of this.eventsOf(records.map(listed)).reverse()) {
			const verdict = await this.list.judge(record, Infinity);
			if (typeof verdict === 'object') return verdict.item;
		}
		return undefined;
	}

	/** Reads the list from the floor on; gives back what ended it early. */
	private async readList(state: Known, judging: Judging): Promise<unknown> {
		const { limit, isAfterShort } = this.watching;
		// What is new must not wait for ever behind more of what is known than there is time to read.
		const start = isAfterShort && this.list.eventsOf === undefined ? state.done.size : 0;
		const reach = { isOver: this.isOver, wanted: state.done.size + limit, start };
		const isNewestFirst = this.list.isNewestFirst === true;
		return await readOldestFirst(
			this.asking(state.floor),
			reach,
			judging.take,
			isNewestFirst,
		).catch((error: unknown) => error);
	}

	/** Those that wait below the floor: to read the list from the oldest of them on could take hundreds of requests. */
	private async readOpen({ open }: Known, judging: Judging): Promise<void> {
		const waiting = Object.entries(open).filter(([id]) => !judging.verdicts.has(shorten(id)));
		const isEnd = () => judging.isEnough || this.isOver();
		for (let from = 0; from < waiting.length && !isEnd(); from += CONCURRENCY) {
			const some = waiting.slice(from, from + CONCURRENCY);
			await Promise.all(some.map(async ([id, date]) => await this.readOne(id, date, judging)));
		}
	}

	private async readOne(id: string, created_at: string, judging: Judging): Promise<void> {
		const { api } = this.watching;
		const path = this.list.pathOf?.(encodeURIComponent(id));
		try {
			const found = path === undefined ? null : await api.find({ method: 'GET', path });
			const record = found === null ? null : { id, created_at, ...(isObject(found) && found) };
			await judging.takeOpen(id, momentOf(created_at) ?? 0, record);
		} catch (error) {
			judging.failOpen(id, error);
		}
	}

	/** What exists within the look-back, or the newest of it: as far as can be remembered and read in time. */
	private async readNewest(): Promise<{ records: Listed[]; isCut: boolean; error?: unknown }> {
		const ask = this.asking();
		const top = await ask(0, PAGE_SIZE);
		let records = top.records.map(listed);
		if (isSaidToEnd(top, 0, PAGE_SIZE)) return { records, isCut: false };
		const isNewestFirst = runNewestFirst(records);
		if (this.list.isNewestFirst !== true || !isNewestFirst) {
			const from = Math.min(...[[], isNewestFirst ? records : []].map(this.beginningOf));
			return { records: await this.readAll(from), isCut: false };
		}
		records = [];
		let isCut = false;
		const take: Take = (page) => {
			records.push(...page.map(listed));
			const isCovered = oldestOf(records) < this.beginningOf(records);
			isCut = !isCovered && records.length > LIMITS.done;
			return isCovered || isCut;
		};
		try {
			const rest = following(top, inTime(ask, this.isOver));
			await streamPages(rest, () => take, { ahead, keyOf });
			return { records, isCut };
		} catch (caught) {
			const error: unknown = caught;
			// A floor put at a record of the future would shut out the present.
			const isUsable = oldestOf(records) < this.now() - (LIMITS.margin - LIMITS.ahead);
			if (!isUsable) throw error;
			return { records, isCut: true, error };
		}
	}

	private async readAll(from: number): Promise<Listed[]> {
		const records: Listed[] = [];
		const reach = { isOver: this.isOver, wanted: Infinity };
		await readOldestFirst(
			this.asking(from),
			reach,
			(part) => records.push(...part.records) < 0,
			false,
		);
		return records;
	}

	private asking =
		(from?: number): FetchPage =>
		async (offset, limit) => {
			const { path, query } = this.list;
			const { api } = this.watching;
			const created_after = from === undefined ? undefined : since(from);
			const page = { ...query, created_after, limit, offset };
			const sentAt = Date.now();
			const answer = await api.send({ method: 'GET', path, query: page });
			this.began ??= answer.at ?? sentAt;
			const found = pageIn(answer, api);
			const earliest = (from ?? -Infinity) - LIMITS.drift;
			if (found.records.some((record) => (dateOf(record) ?? Infinity) < earliest))
				throw new Error('The list holds records far older than the created_after asked for');
			return found;
		};

	private readonly isOver = () => Date.now() >= this.watching.deadline;

	private readonly now = () => this.began ?? Date.now();

	/** What of records that nothing is known of fires, oldest first. */
	private eventsOf = (records: Listed[]) =>
		records
			.filter(isDated)
			.sort(byAge)
			.flatMap((record) => this.list.eventsOf?.(record, NOTHING) ?? [record]);

	/** Where what is watched begins, by the newest record that is not in the future. */
	private readonly beginningOf = (records: Listed[]): number => {
		const latest = this.now() + LIMITS.ahead;
		const dates = records.filter(isDated).map(({ at }) => at);
		const newest = dates.reduce((most, at) => (at <= latest && at > most ? at : most), -Infinity);
		const from = newest === -Infinity ? this.now() - LIMITS.drift : newest;
		return this.list.horizon?.(this.now()) ?? from - this.watching.lookBack - LIMITS.margin;
	};

	private shortenedTo = (floor: number) =>
		`More records than the trigger can remember or read: those created before ${new Date(floor).toISOString()} no longer fire when they show up late. Set a shorter "${this.list.spanName ?? 'Look Back'}".`;
}

const oldestOf = (records: Listed[]) =>
	records.reduce((least, { at = Infinity }) => Math.min(least, at), Infinity);
