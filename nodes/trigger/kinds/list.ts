import { countIn } from '../../api/lists';
import { momentOf, since } from '../../api/moment';
import { isObject } from '../../json';
import type { JsonObject } from '../../json';
import { joined, oldestFirst, orderOf, OutOfTimeError, topOf } from '../reading/pages';
import type { Ask, Order, Part } from '../reading/pages';
import { byAge, isDated, listed, shorten } from '../reading/record';
import type { Dated, Listed } from '../reading/record';
import { secondOf, stateIn, stateOfLap, type State } from '../reading/state';
import { baseline, horizonOf, isNew, known, LIMITS, settle } from '../reading/window';
import type { Known } from '../reading/window';
import { scopeOf, STARTED_ANEW, type PollResult, type Watcher, type Watching } from '../watcher';
import { Judging, type Judge } from './judging';

/** A list of the API that is followed by created_after, and what becomes of its new records. */
export interface FollowedList extends Judge {
	path: string;
	/** What the API filters and sorts by. */
	query?: JsonObject;
	/** How the list is documented to run. */
	order?: Order;
	/** What of a record fires by itself, where that is not the record: told from what is known. */
	eventsOf?(record: Dated, state: Known): Dated[];
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

	private readonly scope: string;

	/** The API's clock when it first answered (ms). */
	private serverTime: number | undefined;

	constructor(list: FollowedList, watching: Watching) {
		this.list = list;
		this.watching = watching;
		this.scope = scopeOf(watching);
	}

	guard(raw: unknown): State | undefined {
		const state = stateIn(raw);
		if (state?.scope.split(':')[0] === this.watching.what) return state;
		const isFormer = isObject(raw) && raw.scope === this.watching.formerScope;
		const { upgrade = stateOfLap } = this.list;
		return isFormer ? upgrade(raw, this.scope) : undefined;
	}

	async begin(): Promise<PollResult<State>> {
		const { records, isCut, error } = await this.readNewest();
		const wanted = this.beginningOf(records);
		const floor = isCut ? Math.max(wanted, oldestOf(records) + 1) : wanted;
		const events = this.eventsOf(records.filter(isDated), NOTHING);
		const notices = floor > wanted ? [this.shortenedTo(floor)] : [];
		return {
			error,
			commit: (live) => ({
				state: live?.scope === this.scope ? live : baseline(this.scope, floor, events),
				emit: [],
				notices,
			}),
		};
	}

	async poll(saved: State): Promise<PollResult<State>> {
		const state = known(saved);
		const judging = new Judging(this.list, this.watching.limit, this.isOver);
		const unusable: JsonObject[] = [];
		let isSameAccount = saved.scope === this.scope;
		let until: number | undefined;
		let error: unknown;
		try {
			for await (const part of this.parts(state, judging)) {
				({ until } = part);
				const dated = part.records.filter(isDated);
				unusable.push(...part.records.filter((one) => !isDated(one)).map(({ record }) => record));
				const events = this.eventsOf(dated, state);
				isSameAccount ||= events.some(
					({ key, at }) => state.done.get(key) === secondOf(at, state.floor),
				);
				const fresh = events.filter((event) => isNew(event, state)).sort(byAge);
				await judging.add(fresh, this.now());
				if (judging.isEnough) break;
			}
		} catch (caught) {
			error = caught;
			if (until === undefined) throw error;
		}
		// None of its records is known: it is not the one that was watched.
		if (!isSameAccount && judging.fresh.length > 0) return await this.beginAnew();
		const horizon = this.list.horizon?.(this.now()) ?? this.horizonOf(state);
		judging.close(horizon);
		const { fresh, verdicts, lacking } = judging;
		const found = { fresh, verdicts, until: until!, horizon, now: this.now() };
		const hasGap = error === undefined && !judging.isEnough && until !== Infinity;
		const isLate = fresh.length > verdicts.size && this.isOver();
		return {
			error: error ?? judging.error,
			isShort: error instanceof OutOfTimeError || isLate || hasGap,
			commit: (live = saved) => {
				const settled = settle({ ...live, scope: this.scope }, found, this.watching.limit);
				const { state, emit, shortened } = settled;
				const notices = [
					...(unusable.length > 0 ? [leftOut(unusable)] : []),
					...[...lacking].map((what) => `Records that do not carry their ${what} were left out.`),
					...(shortened === undefined ? [] : [this.shortenedTo(shortened)]),
				];
				return { state, emit, notices };
			},
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { records } = await this.asking()(0, 100);
		const oldestFirst = records.filter(isDated).sort(byAge);
		for (const { record } of this.eventsOf(oldestFirst, NOTHING).reverse()) {
			const verdict = await this.list.judge(record, Infinity);
			if (typeof verdict === 'object') return verdict.item;
		}
		return undefined;
	}

	private async beginAnew(): Promise<PollResult<State>> {
		const { commit, ...found } = await this.begin();
		const commitAnew = (live: State | undefined) => {
			const { notices = [], ...settled } = commit(live);
			return { ...settled, notices: [STARTED_ANEW, ...notices] };
		};
		return { ...found, isAnew: true, commit: commitAnew };
	}

	/** What a poll reads: those that wait below the floor, then the list from there on. */
	private async *parts(state: Known, judging: Judging): AsyncGenerator<Part> {
		if (Object.keys(state.open).length > 0) yield await this.readOpen(state, judging);
		const { deadline, limit } = this.watching;
		const halfTime = (Date.now() + deadline) / 2;
		// What is new must not wait behind more of what is known than there is time to read.
		const skip = () =>
			Date.now() > halfTime && judging.fresh.length === 0 ? state.done.size - 1 : undefined;
		const pace = { isOver: this.isOver, wanted: state.done.size + limit, skip };
		yield* oldestFirst(this.asking(state.floor), pace, this.list.order);
	}

	/** One request each: to read the list from the oldest of them on could take hundreds. */
	private async readOpen({ open }: Known, judging: Judging): Promise<Part> {
		const readOne = async ([id, date]: [string, string]): Promise<Dated | undefined> => {
			const found = this.isOver() ? undefined : await this.find(id, judging);
			if (found === undefined) return undefined;
			const record = { id, created_at: date, ...(isObject(found) && found) };
			const one = { key: shorten(id), at: momentOf(date) ?? 0, record };
			if (found !== null) return one;
			judging.drop(one);
			return undefined;
		};
		const found = await Promise.all(Object.entries(open).map(readOne));
		return { records: found.filter((record) => record !== undefined), until: -Infinity };
	}

	private async find(id: string, judging: Judging): Promise<unknown> {
		const path = this.list.pathOf?.(encodeURIComponent(id));
		if (path === undefined) return null;
		return await this.watching.api.find({ method: 'GET', path }).catch((error: unknown) => {
			judging.error ??= error;
			return undefined;
		});
	}

	/** The newest records until the look-back is covered, as far as there is time. */
	private async readNewest(): Promise<{ records: Listed[]; isCut: boolean; error?: unknown }> {
		const ask = this.asking();
		const pace = { isOver: this.isOver, wanted: 0 };
		const top = await topOf(ask);
		if (top.isAll) return { records: top.records, isCut: false };
		const records: Listed[] = [];
		if ((orderOf(top.records) ?? this.list.order) !== 'newestFirst') {
			const after = this.beginningOf([]);
			for await (const part of oldestFirst(this.asking(after), { ...pace, wanted: Infinity }))
				records.push(...part.records);
			return { records, isCut: false };
		}
		try {
			for await (const { fresh } of joined(ask, top, pace)) {
				records.push(...fresh);
				if (oldestOf(records) < this.beginningOf(records)) break;
				if (records.length > LIMITS.done) return { records, isCut: true };
			}
			return { records, isCut: false };
		} catch (caught) {
			const error: unknown = caught;
			// A floor put at a record of the future would shut out the present.
			const isUsable = oldestOf(records) < this.now() - (LIMITS.margin - LIMITS.ahead);
			if (!isUsable) throw error;
			return { records, isCut: true, error };
		}
	}

	private asking =
		(from?: number): Ask =>
		async (offset, limit) => {
			const { path, query } = this.list;
			const created_after = from === undefined ? undefined : since(from);
			const page = { ...query, created_after, limit, offset };
			const { api } = this.watching;
			const { data, meta, at } = await api.send({ method: 'GET', path, query: page });
			this.serverTime ??= at;
			if (!Array.isArray(data) || !data.every(isObject))
				throw api.malformed('its data is no list of records');
			const records = data.map(listed);
			if (from !== undefined && oldestOf(records) < from - LIMITS.drift)
				throw new Error('The list holds records far older than the created_after asked for');
			return { records, total: countIn(meta?.total_items), limit: countIn(meta?.limit) };
		};

	private readonly isOver = () => Date.now() >= this.watching.deadline;

	/** On the API's clock where it shows it (ms). */
	private now = () => this.serverTime ?? Date.now();

	private eventsOf = (records: Dated[], state: Known) =>
		records.flatMap((record) => this.list.eventsOf?.(record, state) ?? [record]);

	private horizonOf = (state: Known) =>
		horizonOf(state, this.watching.lookBack, this.now(), LIMITS);

	/** Where what is watched begins, by the newest record that is not in the future. */
	private beginningOf(records: Listed[]): number {
		const latest = this.now() + LIMITS.ahead;
		const dates = records.filter(isDated).map(({ at }) => at);
		const newest = dates.reduce((most, at) => (at <= latest && at > most ? at : most), -Infinity);
		const from = newest === -Infinity ? this.now() - LIMITS.drift : newest;
		return this.list.horizon?.(this.now()) ?? from - this.watching.lookBack - LIMITS.margin;
	}

	private shortenedTo = (floor: number) =>
		`More records than the trigger can remember or read: those created before ${new Date(floor).toISOString()} no longer fire when they show up late. Set a shorter "${this.list.spanName ?? 'Look Back'}".`;
}

const oldestOf = (records: Listed[]) =>
	records.reduce((least, { at = Infinity }) => Math.min(least, at), Infinity);

const leftOut = (records: JsonObject[]) => {
	const [{ id, created_at } = {}] = records;
	return `${records.length} left out, because they have no id or no created_at that is a date and time, such as ${JSON.stringify({ id, created_at })}.`;
};
