import { textIn, type JsonObject } from '../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The total_items of meta. Undefined if there is none, or if the records came in groups. */
	total?: number;
	/** The limit of meta: what the server used instead of what it was asked for. */
	limit?: number;
}

/** A page, and where it was read. */
type PlacedPage = Page & { offset: number };

/** @param signal ends the request when nobody waits for the page any more */
export type FetchPage = (offset: number, limit: number, signal?: AbortSignal) => Promise<Page>;

export interface JoinOptions {
	/** Where to begin. Default: 0. */
	from?: number;
	/** The most records that are needed. */
	wanted?: number;
	/** How many pages are requested ahead at most. Few, if the reader may soon have enough. */
	ahead?: number;
	/** What tells the records of a list apart. Undefined if a record does not show it. */
	keyOf?(record: JsonObject): string | undefined;
}

/** The new records of a page. */
export interface NewRecords {
	records: JsonObject[];
	/** The server says that the list ends here. */
	isLast: boolean;
}

/** The largest page that the API serves. It may serve smaller ones. Reference: "Limits". */
export const PAGE_SIZE = 100;

/** Twice as many as a session sends at once, so that one slow page does not hold up the others. */
const READ_AHEAD = 100;

/** After so many pages in a row that bring nothing new, the list is given up. */
const MOST_TRIES = 25;

/** No account has so many records. A list that goes on after them has no end. */
const MOST_RECORDS = 500_000;

/**
 * The records of a list in its order, each once, until the reader has enough. They come page by page.
 *
 * The first page tells the total. The other pages are requested in parallel, and neighbours share one
 * record. So nothing is missing between them, even if records come or go in the meantime. If two pages
 * share no record, the list has moved, and it is read again from further back. So every record is found
 * that exists all the time and keeps its place in the order.
 *
 * The list ends where its total says so and the page is not full, otherwise where nothing new comes.
 * Reference: "Endpoints" (limit, offset, meta) and "Limits".
 *
 * @throws Error if the list cannot be read to its end. A part is never returned as the whole
 */
export async function* joinPages(
	fetch: FetchPage,
	options: JoinOptions = {},
): AsyncGenerator<NewRecords, void, void> {
	const { from: start = 0, wanted = Infinity, ahead = READ_AHEAD, keyOf = idOf } = options;
	const asked = Math.min(PAGE_SIZE, wanted);
	const stopping = new AbortController();
	const read = async (offset: number) => ({
		...(await fetch(offset, asked, stopping.signal)),
		offset,
	});
	const queue = new ReadAhead(read, ahead);
	const chain = new Chain(start, keyOf);
	let missing = wanted;
	/** How far before the end of the chain to read, because the page there did not fit. */
	let back = 0;
	try {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const offset = Math.max(start, chain.next - back);
			const page = await (queue.take(offset) ?? read(offset));
			const isFirst = chain.size === 0;
			if (!isFirst && !chain.joins(page)) {
				back = 2 * back || Math.ceil(chain.size / 2);
				continue;
			}
			const isOnly = isFirst && isSaidToEnd(page, asked);
			const records = isOnly ? page.records : chain.add(page, back > 0);
			const isLast = isOnly || (!isFirst && isSaidToEnd(page, chain.size));
			back = 0;
			if (records.length > 0) {
				yield { records: records.slice(0, missing), isLast };
				// A list that changes as a whole brings new records at its start again and again.
				if (page.offset > start) tries = 0;
			}
			missing -= records.length;
			if (missing <= 0) return;
			if (isLast || isEnd(page, isFirst, start)) {
				for await (const moved of movedToFront(read, chain, start)) {
					yield { records: moved.slice(0, missing), isLast };
					missing -= moved.length;
					if (missing <= 0) return;
				}
				return;
			}
			// A first page that is short may be the whole list, whatever the total says.
			const isFull = chain.size === asked || !isFirst;
			if (isFull) queue.fill(chain, Math.min(chain.total, start + wanted - 1));
		}
	} finally {
		stopping.abort();
		await queue.settle();
	}
	throw new Error(`${NOTHING_NEW} ${chain.wayOut} Or run again at a quieter time.`);
}

const NOTHING_NEW =
	'The list changes faster than it can be read, or the API sends the same records again in place of the next ones. So records would be missing.';

/** The `id` of a record, or the `value` of a model. Reference: "Resources and their fields". */
export function idOf(record: JsonObject): string | undefined {
	const id = record.id ?? ('label' in record ? record.value : undefined);
	if (typeof id === 'number') return textIn(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Whether the total says that a list ends with this page. A full page proves nothing, because a wrong total
 * may count only the page.
 * @param full how many records fill a page
 */
export function isSaidToEnd({ records, offset, total, limit }: PlacedPage, full: number): boolean {
	const { length } = records;
	return total === offset + length && length < Math.min(full, limit ?? Infinity);
}

/** Whether nothing is behind a page that joins: it is the first and empty, or has no more than the last record. */
const isEnd = ({ records: { length }, offset }: PlacedPage, isFirst: boolean, start: number) =>
	length === 0 ? isFirst || offset > start : length === 1 && offset > start;

/**
 * The records that moved to the front of a list while it was read, as in a list that shows first what was
 * changed last. Its totals tell that they are missing. A total may be too high for ever, so the look ends
 * with a page that brings nothing new.
 */
async function* movedToFront(
	read: (offset: number) => Promise<PlacedPage>,
	chain: Chain,
	start: number,
): AsyncGenerator<JsonObject[], void, void> {
	for (let offset = start; chain.mayBeShort; offset += chain.size) {
		const records = chain.add(await read(offset), true);
		if (records.length === 0) return;
		yield records;
	}
}

/** Pages that were joined without a gap. Of their records, only the keys are remembered. */
class Chain {
	/** Where to read on: the place of the last record, so that the next page shares it. */
	next: number;

	/** The last total that the server named. */
	total = 0;

	/** How many records the longest page had. */
	size = 0;

	readonly #start: number;

	readonly #keyOf: NonNullable<JoinOptions['keyOf']>;

	readonly #known = new Set<string>();

	/** All totals that the server named. */
	readonly #totals = new Set<number>();

	/** Each record has an ID of its own. */
	#hasIds = true;

	constructor(start: number, keyOf: NonNullable<JoinOptions['keyOf']>) {
		this.#start = start;
		this.next = start;
		this.#keyOf = keyOf;
	}

	/** Whether a page leaves no gap: it shares a record with the pages before, or is the first again. */
	joins({ offset, records }: PlacedPage): boolean {
		// Pages of one record share none.
		if (records.length === 0 && this.size === 1) return true;
		return offset === this.#start || this.#keysOf(records).some((key) => this.#known.has(key));
	}

	/**
	 * Adds a page that joins, and returns its new records.
	 * @param isBack the page was read from further back than the place where the chain goes on
	 * @throws Error if the list cannot be read to its end
	 */
	add({ offset, records, total }: PlacedPage, isBack: boolean): JsonObject[] {
		const keys = this.#keysOf(records);
		this.#hasIds &&= records.every((record) => this.#keyOf(record) !== undefined);
		this.#hasIds &&= new Set(keys).size === keys.length;
		if (!this.#hasIds && offset > this.#start && records.length > 1)
			throw new Error(`${NO_IDS} ${this.wayOut}`);
		const fresh = records.filter((_, at) => !this.#known.has(keys[at]!));
		for (const key of keys) this.#known.add(key);
		if (this.#known.size > MOST_RECORDS) throw new Error(NO_END);
		this.size = Math.max(this.size, records.length);
		const next = offset + records.length - Number(this.size > 1);
		this.next = isBack ? next : Math.max(this.next, next);
		this.total = total ?? this.total;
		if (total !== undefined) this.#totals.add(total);
		return fresh;
	}

	/** Whether several pages may lack records: there are fewer than the total says, or it has changed. */
	get mayBeShort(): boolean {
		const { size } = this.#known;
		return size > this.size && (this.#start + size < this.total || this.#totals.size > 1);
	}

	/** What the user can do if the list cannot be read to its end. */
	get wayOut(): string {
		return `Use a filter, or a 'Limit' of up to ${this.size} (in API Request, turn off 'All Pages').`;
	}

	/** The ID of each record, or its text if it has none. That is enough for a list of one page. */
	#keysOf(records: JsonObject[]): string[] {
		return records.map((record) => this.#keyOf(record) ?? JSON.stringify(record));
	}
}

const NO_IDS =
	'The records of this list have no IDs, or several have the same one, so its pages cannot be put together.';

const NO_END = `The list has more than ${MOST_RECORDS.toLocaleString('en')} records, so it may have no end. Use a filter.`;

/** The pages that are requested before it is their turn. */
class ReadAhead {
	readonly #read: (offset: number) => Promise<PlacedPage>;

	readonly #most: number;

	readonly #queue: Array<{ offset: number; page: Promise<PlacedPage> }> = [];

	/** Where to request next. */
	#offset = 0;

	/** @param most how many pages may wait for their turn */
	constructor(read: (offset: number) => Promise<PlacedPage>, most: number) {
		this.#read = read;
		this.#most = most;
	}

	/** The next page, if it begins at this place or before. */
	take(offset: number): Promise<PlacedPage> | undefined {
		const [next] = this.#queue;
		return next && next.offset <= offset ? this.#queue.shift()?.page : undefined;
	}

	/** Requests the pages up to an end that the total promises. It may be far too high. */
	fill({ next, size }: Chain, end: number): void {
		this.#offset = Math.max(this.#offset, next);
		const most = size > 1 ? this.#most : 0;
		for (; this.#offset < end && this.#queue.length < most; this.#offset += size - 1) {
			const page = this.#read(this.#offset);
			// If it fails, the error shows when it is this page's turn.
			page.catch(() => {});
			this.#queue.push({ offset: this.#offset, page });
		}
	}

	/** Waits until no request is under way. */
	async settle(): Promise<void> {
		await Promise.allSettled(this.#queue.map(async ({ page }) => await page));
	}
}
