import {
	LIMITS,
	absorb,
	baseline,
	begin,
	byAge,
	commit,
	fresh,
	isFresh,
	lastChance,
	newest,
	sight,
	since,
} from './cursor';
import type { Committed, Entry, Lap, Limits, Readiness, Rules, Sighting, State } from './cursor';

/** One request for the watched list; `after` is its created_after (reference: "Other endpoints", "Limits"). */
export interface Query {
	after?: string;
	offset: number;
	limit: number;
}

export interface Page<R extends Entry> {
	records: R[];
	/** meta.total_items, where the answer has it (reference: "Response envelope"). */
	total?: number;
	/** The API's own clock in ms, where the answer shows it (the Date header). */
	now?: number;
}

export interface Ports<R extends Entry> {
	/** Sends one request. What it throws ends the reading. */
	page(query: Query): Promise<Page<R>>;
	/** n8n's clock in ms. */
	now(): number;
	/** When to stop asking for more, on n8n's clock. */
	deadline: number;
}

export type Age = 'older' | 'newer';

export interface Options<R extends Entry> extends Partial<Rules<R>> {
	/** What is watched: credential, base URL and whatever the API filters by. */
	scope: string;
	lookBack: number;
	/** Which way the list runs, where a page of one date does not show it; 'older' as documented. */
	order?: Age;
	/** Records may wait to be ready, so the limit says nothing of how far to read. */
	patient?: boolean;
}

export interface Swept<R extends Entry> {
	/** What ended the reading before its end; `Spent` where the poll's time or requests were used up. */
	error?: unknown;
	/** What may fire: new to the state that the reading began with, oldest first. */
	fresh: R[];
	/** Before this date (ms), what waits may not be read again. */
	lastChance: number;
	/**
	 * To be called with what is stored at this moment, and its answer stored in the same
	 * synchronous step, because polls overlap.
	 */
	commit(live: State | undefined, readiness?: (record: R) => Readiness): Committed<R>;
}

/** The time or the requests of one poll are used up: what was read counts, and the next poll goes on from there. */
export class Spent extends Error {
	override message = 'The poll ran out of time';
}

/**
 * One poll: reads what is new since `state`, and what became visible late.
 *
 * @throws what `ports.page` threw, or `Spent`, where nothing could be read: no state changes then
 */
export async function sweep<R extends Entry>(
	state: State,
	ports: Ports<R>,
	options: Options<R>,
): Promise<Swept<R>> {
	const rules = complete(options);
	const session = open(ports, rules.limits, rules.order);
	const news = (lap: Lap<R>) => fresh(lap, state).filter(({ record }) => rules.keep(record));

	const read = async (resume: boolean): Promise<{ lap: Lap<R>; error?: unknown }> => {
		const { from, lap } = begin<R>(state, resume);
		try {
			const ask = session.ask(from);
			const top = await ask(0);
			// A total of one full page may be that of the page. Where all of it is known, it is left at
			// that, and the floor stays; where something is new, the rest is asked for.
			const isIdle = !top.records.some((seen) => isFresh(seen, state));
			const isSaidToEnd = !top.whole && top.total === top.records.length;
			if (isIdle && isSaidToEnd && state.r === undefined) return { lap };
			for await (const records of walk(ask, 'newer', top)) {
				absorb(lap, records);
				if (!options.patient && news(lap).length > rules.limit) return { lap };
			}
			lap.finished = true;
			return { lap };
		} catch (caught) {
			const error: unknown = caught;
			if (lap.reached === undefined) throw error;
			return { lap, error };
		}
	};

	let reading = await read(true);
	const { lap } = reading;
	if (state.r !== undefined && lap.finished && news(lap).length === 0) {
		// n8n may drop what an idle poll stores, and with it the end of this lap: late records would wait for ever.
		reading = await read(false).catch((error: unknown) => ({ lap, error }));
	}
	return {
		error: reading.error,
		fresh: news(reading.lap)
			.sort(byAge)
			.map(({ record }) => record),
		lastChance: lastChance(reading.lap, rules),
		commit: (live, readiness) =>
			live ? commit(live, reading.lap, session.now(), rules, readiness) : { emit: [] },
	};
}

/**
 * The first activation: takes everything that is visible as seen and emits nothing.
 *
 * The newest records are read first, so that wherever the reading ends, what it could not read is
 * older than all it knows, and can be excluded by its date.
 *
 * @throws what `ports.page` threw, or `Spent`, where no usable beginning was read
 */
export async function activate<R extends Entry>(
	ports: Ports<R>,
	options: Options<R>,
): Promise<Swept<R>> {
	const { scope, lookBack, limits, order } = complete(options);
	const session = open(ports, limits, order);
	const seen: Array<Sighting<R>> = [];
	// A floor put at a record of the future would shut out the present; clocks differ by this much.
	const isRecent = () => oldest > session.now() - (limits.margin - limits.ahead);
	let oldest = Infinity;
	let unread = false;
	let error: unknown;
	try {
		for await (const records of walk(session.ask(), 'older')) {
			seen.push(...records);
			oldest = records.reduce((least, { at }) => Math.min(least, at), oldest);
			const h = newest(
				seen.map(({ at }) => at),
				session.now(),
				limits,
			);
			if (h === undefined || isRecent()) continue;
			if (oldest < h - lookBack - limits.margin) break;
			unread = seen.length > limits.ids;
			if (unread) break;
		}
	} catch (caught) {
		error = caught;
		unread = true;
	}
	if (error !== undefined && isRecent()) throw error;
	const first = baseline(scope, seen, unread, session.now(), { lookBack, limits });
	return {
		error,
		fresh: [],
		lastChance: -Infinity,
		commit: (live) => ({ ...(live ? { state: live } : first), emit: [] }),
	};
}

/** Part of the list as answered; `whole` if it is all of it. */
interface Part<R extends Entry> {
	records: Array<Sighting<R>>;
	runs: Age;
	total: number | undefined;
	whole: boolean;
}

type Ask<R extends Entry> = (offset: number) => Promise<Part<R>>;

/**
 * The list behind `ask`, page by page towards newer or older records, from its very end and without
 * gaps, while records are added and deleted.
 *
 * Only the documented order is asked for (reference: "Other endpoints", polling pattern
 * sort=-created_at), and which way an answer runs is read off its dates: towards newer records a
 * newest-first list is read from its end, which its total tells. Neighbouring pages share a record;
 * where they do not, the list has shifted, and the next request reaches further back. The total only
 * says where to look: what ends the list is a page that is not full, and where there is no page at
 * the end that the total names, the list is read from the other side.
 *
 * @param first the list's beginning, where it has been asked for
 * @throws Error where the list is not ordered by created_at
 */
async function* walk<R extends Entry>(
	ask: Ask<R>,
	toward: Age,
	first?: Part<R>,
): AsyncGenerator<Array<Sighting<R>>, void> {
	const top = first ?? (await ask(0));
	if (top.whole) {
		yield sort(top.records, toward);
		return;
	}

	const size = top.records.length;
	const { runs } = top;
	const along = runs === toward;
	const fromTheOtherSide = async () => {
		const all: Array<Sighting<R>> = [];
		for await (const records of walk(ask, runs)) all.push(...records);
		return sort(all, toward);
	};
	if (!along && top.total === undefined) {
		yield await fromTheOtherSide();
		return;
	}

	let ready = along ? top : undefined;
	let at = along ? 0 : top.total!;
	let overlap = 1;
	let anchor: Sighting<R> | undefined;
	for (;;) {
		const offset = Math.max(0, along ? at + 1 - overlap : at - size + overlap);
		const page = ready ?? (await ask(offset));
		ready = undefined;
		if (!along && anchor === undefined && page.records.length === 0) {
			yield await fromTheOtherSide();
			return;
		}
		const records = orient(page.records, runs, toward);
		const begins = along ? offset === 0 : records.length < size;
		if (!begins && !(anchor && joins(records, anchor, toward))) {
			overlap *= 4;
			continue;
		}

		yield records;
		if (along ? records.length < size : offset === 0) return;
		anchor = records.at(-1) ?? anchor;
		at = along ? offset + records.length - 1 : offset;
		overlap = Math.min(overlap, Math.ceil(size / 2));

		const rest = along ? [] : orient(top.records, runs, toward);
		if (anchor && joins(rest, anchor, toward)) {
			yield rest;
			return;
		}
	}
}

/** Whether records in walking order begin at or before the one where the walk stands. */
function joins(records: Array<Sighting<Entry>>, anchor: Sighting<Entry>, toward: Age): boolean {
	const [first] = records;
	return (
		first !== undefined &&
		(precedes(first, anchor, toward) || records.some(({ key }) => key === anchor.key))
	);
}

/** Whether a walk meets `a` strictly before `b`. */
function precedes(a: Sighting<Entry>, b: Sighting<Entry>, toward: Age): boolean {
	return toward === 'newer' ? a.at < b.at : a.at > b.at;
}

/** Which way records run; undefined where they are all of one date. */
function direction(records: Array<Sighting<Entry>>): Age | undefined {
	const [first, last] = [records[0], records.at(-1)];
	if (!first || !last || first.at === last.at) return undefined;
	return first.at < last.at ? 'newer' : 'older';
}

/** Records in walking order. */
function orient<R extends Entry>(
	records: Array<Sighting<R>>,
	runs: Age,
	toward: Age,
): Array<Sighting<R>> {
	if (records.some((record, i) => i > 0 && precedes(record, records[i - 1]!, runs))) {
		throw new Error('The list is not ordered by created_at');
	}
	return runs === toward ? records : records.toReversed();
}

function sort<R extends Entry>(records: Array<Sighting<R>>, toward: Age): Array<Sighting<R>> {
	return records.toSorted((a, b) => (toward === 'newer' ? a.at - b.at : b.at - a.at));
}

/** The requests of one poll: counted, timed, and with the clock that its decisions rest on. */
function open<R extends Entry>(
	ports: Ports<R>,
	{ requests, page: limit, drift }: Limits,
	order: Age,
) {
	let sent = 0;
	let now = ports.now();

	async function get(offset: number, from?: number): Promise<Page<R>> {
		if (sent >= requests || (sent > 0 && ports.now() >= ports.deadline)) throw new Spent();
		sent += 1;
		const after = from === undefined ? {} : { after: since(from) };
		const page = await ports.page({ ...after, offset, limit });
		if (sent === 1) now = page.now ?? now;
		return page;
	}

	async function part(offset: number, from?: number): Promise<Part<R>> {
		const page = await get(offset, from);
		const records = page.records.map(sight);
		const count = records.length;
		const claimed = page.total !== undefined && page.total >= count ? page.total : undefined;
		const total = claimed ?? (count < limit ? offset + count : undefined);
		let whole = offset === 0 && count < limit;
		// The server's pages may be smaller than what was asked for, or its total may be wrong.
		if (whole && count > 0 && (total ?? 0) > count) {
			whole = (await get(count, from)).records.length === 0;
		}
		if (from !== undefined && !whole && records.some(({ at }) => at < from - drift)) {
			throw new Error('The list holds records far older than the created_after asked for');
		}
		return { records, runs: direction(records) ?? order, total, whole };
	}

	return {
		ask:
			(from?: number): Ask<R> =>
			(offset) =>
				part(offset, from),
		now: () => now,
	};
}

function complete<R extends Entry>(options: Options<R>) {
	const { limit = Infinity, keep = () => true, limits = LIMITS, order = 'older' } = options;
	return { ...options, limit, keep, limits, order };
}
