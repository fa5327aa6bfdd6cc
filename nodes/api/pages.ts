import { textIn, type JsonObject } from '../json';
import { Chain, placed, type KeyOf, type Page, type PlacedPage } from './chain';

/** @param signal ends the request when nobody waits for the page any more */
export type FetchPage = (offset: number, limit: number, signal?: AbortSignal) => Promise<Page>;

export interface JoinOptions {
	/** Where to begin. Default: 0. */
	from?: number;
	/** The most records that are needed. */
	wanted?: number;
	/** How many pages are requested ahead at most. Few, if the reader may soon have enough. */
	ahead?: number;
	keyOf?: KeyOf;
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

/**
 * The records of a list in its order, each once, until the reader has enough. They come page by page.
 *
 * The first page tells the total. The other pages are requested in parallel, and neighbours share one
 * record. So nothing is missing between them, even if records come or go in the meantime. If two pages
 * share no record, the list has moved, and it is read again from further back. So every record is found
 * that exists all the time and keeps its place in the order.
 *
 * The list ends if the server says so (`isSaidToEnd`), or with a page that holds only its last record. A
 * wrong total cuts nothing, and neither does a server with small pages.
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
	const read = async (offset: number) =>
		placed(await fetch(offset, asked, stopping.signal), offset, keyOf);
	const queue = new ReadAhead(read, ahead);
	const chain = new Chain(start);
	let missing = wanted;
	/** How far before the end of the chain to read, because the page there did not fit. */
	let back = 0;
	/** Once is enough for a page that repeats too many records: then they really came before it. */
	let hasLookedBack = false;
	try {
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const offset = Math.max(start, chain.next - back);
			const page = await (queue.take(offset) ?? read(offset));
			chain.assertIds(page);
			const fits = chain.joins(page) && (hasLookedBack || !chain.repeatsTooMany(page));
			if (!fits) {
				hasLookedBack = true;
				back = 2 * back || Math.ceil(chain.size / 2);
				continue;
			}
			const records = chain.add(page, back > 0);
			const isLast = isSaidToEnd(page, page.offset > start ? chain.size : asked);
			back = 0;
			if (records.length > 0) {
				yield { records: records.slice(0, missing), isLast };
				hasLookedBack = false;
				// A list that changes as a whole brings new records at its start again and again.
				if (page.offset > start) tries = 0;
			}
			missing -= records.length;
			if (missing <= 0) return;
			if (isLast || (await isEnd(page, read))) {
				for await (const records of moved(read, chain, start)) {
					yield { records: records.slice(0, missing), isLast };
					missing -= records.length;
					if (missing <= 0) return;
				}
				return chain.assertWhole();
			}
			// A first page that is short may be the whole list, whatever the total says.
			const isFull = chain.size === asked || chain.next >= start + chain.size;
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
export const idOf: KeyOf = (record) => {
	const id = record.id ?? ('label' in record ? record.value : undefined);
	if (typeof id === 'number') return textIn(id);
	return typeof id === 'string' ? id || undefined : undefined;
};

/**
 * Whether the server says that a list ends with this page. The total must name the end of the page, and
 * the page must not be full: a wrong total may count only the page. For the same reason a first page proves
 * nothing if it does not say how many records fill a page, or if it has a round length, because the server
 * may serve no more at a time.
 * @param full how many records fill a page
 */
export function isSaidToEnd(page: Page & { offset: number }, full: number): boolean {
	const { records, offset, total, limit } = page;
	const { length } = records;
	if (total !== offset + length || length >= Math.min(full, limit ?? Infinity)) return false;
	return offset > 0 || (limit !== undefined && !isRound(length));
}

/** Whether a server may be set to serve so many records at a time. */
const isRound = (count: number) =>
	count >= 10 && (count % 5 === 0 || count % 12 === 0 || Number.isInteger(Math.log2(count)));

/** Whether a page ends the list, because it holds only the last record and nothing is behind. */
async function isEnd(
	{ offset, records: { length } }: PlacedPage,
	read: (offset: number) => Promise<PlacedPage>,
): Promise<boolean> {
	return length === 0 || (length === 1 && (await read(offset + 1)).records.length === 0);
}

/**
 * The records that moved to the front of a list while it was read, as in a list that shows first what was
 * changed last. Its totals tell that they are missing. A total may be too high for ever, so the look ends
 * with a page that brings nothing new.
 */
async function* moved(
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
