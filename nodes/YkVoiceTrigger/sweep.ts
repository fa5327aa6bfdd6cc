import { LIMITS, absorb, baseline, begin, commit, fresh, instant, newest, since } from './cursor';
import type { Committed, Entry, Lap, Limits, Rules, State } from './cursor';

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

/** `scope` names what is watched: credential, base URL and whatever the API filters by. */
export type Options<R extends Entry> = Pick<Rules<R>, 'lookBack'> & Partial<Rules<R>> & { scope: string };

export interface Swept<R extends Entry> {
	/** What ended the reading before its end; `Spent` where the poll's time or requests were used up. */
	error?: unknown;
	/**
	 * To be called with what is stored at this moment (`choose`), and its answer stored in the same
	 * synchronous step, because polls overlap.
	 */
	commit(live: State | undefined): Committed<R>;
}

/** The time or the requests of one poll are used up: what was read counts, and the next poll goes on from there. */
export class Spent extends Error {
	override message = 'The poll ran out of time before it could read anything new';
}

type Age = 'older' | 'newer';
type Ask<R extends Entry> = (offset: number) => Promise<Page<R>>;

/**
 * One poll: reads what is new since `state`, and what became visible late.
 *
 * @throws what `ports.page` threw, or `Spent`, where nothing could be read: no state changes then
 */
export async function sweep<R extends Entry>(state: State, ports: Ports<R>, options: Options<R>): Promise<Swept<R>> {
	const rules = complete(options);
	const session = open(ports, rules.limits);
	const news = (lap: Lap<R>) => fresh(lap, state).filter(({ record }) => rules.keep(record)).length;

	const read = async (resume: boolean) => {
		const { from, lap } = begin<R>(state, resume);
		try {
			for await (const records of walk(session.ask(from), 'newer')) {
				absorb(lap, records);
				if (news(lap) > rules.limit) return { lap };
			}
			lap.finished = true;
			return { lap };
		} catch (error) {
			if (lap.reached === undefined) throw error;
			return { lap, error };
		}
	};

	let reading: { lap: Lap<R>; error?: unknown } = await read(true);
	const { lap } = reading;
	if (state.r !== undefined && lap.finished && !news(lap)) {
		// n8n may drop what an idle poll stores, and with it the end of this lap: late records would wait for ever.
		reading = await read(false).catch((error: unknown) => ({ lap, error }));
	}
	return {
		error: reading.error,
		commit: (live) => (live ? commit(live, reading.lap, session.now(), rules) : { emit: [] }),
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
export async function activate<R extends Entry>(ports: Ports<R>, options: Options<R>): Promise<Swept<R>> {
	const { lookBack, limits } = complete(options);
	const session = open(ports, limits);
	const records: R[] = [];
	const dates: number[] = [];
	let oldest = Infinity;
	let unread = false;
	let error: unknown;
	try {
		for await (const page of walk(session.ask(), 'older')) {
			records.push(...page);
			dates.push(...page.map(({ created_at }) => instant(created_at)));
			oldest = dates.reduce((a, b) => Math.min(a, b), oldest);
			const h = newest(dates, session.now(), limits);
			if (h === undefined || oldest > session.now()) continue;
			if (oldest < h - lookBack - limits.margin) break;
			unread = records.length > limits.ids;
			if (unread) break;
		}
	} catch (caught) {
		if (oldest > session.now()) throw caught;
		error = caught;
		unread = true;
	}
	const first = baseline(options.scope, records, unread, session.now(), { lookBack, limits });
	return { error, commit: (live) => (live ? { state: live, emit: [] } : { ...first, emit: [] }) };
}

/**
 * The list after `ask`'s cursor, page by page towards newer or older records, from its very end and
 * without gaps, while records are added and deleted.
 *
 * Only the documented order is asked for (reference: "Other endpoints", polling pattern
 * sort=-created_at), and which way an answer runs is read off its dates: towards newer records a
 * newest-first list is read from its end, which its total tells. Neighbouring pages share a record;
 * where they do not, the list has shifted, and the next request reaches further back.
 */
async function* walk<R extends Entry>(ask: Ask<R>, toward: Age): AsyncGenerator<R[], void> {
	const top = await ask(0);
	if (isWhole(top)) {
		yield sort(top.records, toward);
		return;
	}

	const runs = direction(top.records);
	const along = runs === toward;
	const oriented = ({ records }: Page<R>) => orient(records, runs, toward);
	if (!along && top.total === undefined) {
		const all: R[] = [];
		for await (const records of walk(ask, runs)) all.push(...records);
		yield sort(all, toward);
		return;
	}

	const size = top.records.length;
	let at = along ? 0 : top.total!;
	let overlap = 1;
	let anchor: R | undefined;
	for (;;) {
		if (!along && anchor && joins(oriented(top), anchor, toward)) {
			yield oriented(top);
			return;
		}

		const offset = Math.max(0, along ? at + 1 - overlap : at - size + overlap);
		const page = along && !anchor ? top : await ask(offset);
		const records = oriented(page);
		const begins = along ? offset === 0 : records.length < size;
		if (!begins && !(anchor && joins(records, anchor, toward))) {
			overlap *= 4;
			continue;
		}

		yield records;
		const last = records.at(-1);
		if (along ? !last || last.id === anchor?.id || offset + records.length >= (page.total ?? Infinity) : offset === 0) return;
		anchor = last ?? anchor;
		at = along ? offset + records.length - 1 : offset;
		overlap = Math.min(overlap, Math.ceil(size / 2));
	}
}

/** Whether a page, in walking order, begins at or before the record where the walk stands. */
function joins<R extends Entry>(records: R[], anchor: R, toward: Age): boolean {
	const first = records[0];
	if (!first) return false;
	return older(first, anchor, toward) || records.some(({ id }) => id === anchor.id);
}

/** Whether a walk meets `a` strictly before `b`. */
function older(a: Entry, b: Entry, toward: Age): boolean {
	const [x, y] = [instant(a.created_at), instant(b.created_at)];
	return toward === 'newer' ? x < y : x > y;
}

function direction(records: Entry[]): Age {
	return older(records[0]!, records.at(-1)!, 'newer') ? 'newer' : 'older';
}

/** @throws Error where the page does not run the way the list does */
function orient<R extends Entry>(records: R[], runs: Age, toward: Age): R[] {
	if (records.some((record, i) => i > 0 && older(record, records[i - 1]!, runs))) {
		throw new Error('The list is not ordered by created_at');
	}
	return runs === toward ? records : records.toReversed();
}

function sort<R extends Entry>(records: R[], toward: Age): R[] {
	const sign = toward === 'newer' ? 1 : -1;
	return records.toSorted((a, b) => sign * (instant(a.created_at) - instant(b.created_at)));
}

/** Whether the page at offset 0 is the whole list. */
function isWhole({ records, total = Infinity }: Page<Entry>): boolean {
	return records.length === 0 || records.length >= total;
}

/** The requests of one poll: counted, timed, and with the clock that its decisions rest on. */
function open<R extends Entry>(ports: Ports<R>, { requests, page: limit, drift }: Limits) {
	let sent = 0;
	let now = ports.now();

	const ask = (from?: number): Ask<R> => async (offset) => {
		if (sent >= requests || (sent > 0 && ports.now() >= ports.deadline)) throw new Spent();
		sent += 1;
		const page = await ports.page({ ...(from !== undefined && { after: since(from) }), offset, limit });
		if (sent === 1 && page.now !== undefined) now = page.now;

		const { records, total = records.length < limit ? offset + records.length : undefined } = page;
		const part = offset > 0 || !isWhole({ records, total });
		if (from !== undefined && part && records.some(({ created_at }) => instant(created_at) < from - drift)) {
			throw new Error('The list holds records far older than the created_after asked for');
		}
		return { records, total };
	};
	return { ask, now: () => now };
}

function complete<R extends Entry>({ limit = Infinity, keep = () => true, limits = LIMITS, lookBack }: Options<R>): Rules<R> {
	return { lookBack, limit, keep, limits };
}
