import type { JsonObject } from '../../json';
import { Chain } from './chain';
import { idOf, PAGE_SIZE, spanOf, type FetchPage, type KeyOf, type Span } from './page';

export { isSaidToEnd, PAGE_SIZE } from './page';
export type { FetchPage, Page } from './page';

export interface ReadOptions {
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

/** A session does not send more requests at once. */
const READ_AHEAD = 50;

/** After so many pages in a row that bring nothing new, the list is given up. */
const MOST_TRIES = 100;

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
export async function* readPages(
	fetch: FetchPage,
	options: ReadOptions = {},
): AsyncGenerator<NewRecords, void, void> {
	const pages = new Pages(fetch, options);
	let missing = options.wanted ?? Infinity;
	try {
		for await (const { records, isLast } of joined(pages)) {
			yield { records: records.slice(0, missing), isLast };
			missing -= records.length;
			if (missing <= 0) return;
		}
	} finally {
		await pages.stop();
	}
}

/** The pages in their order, each after the gap before it was closed. */
async function* joined(pages: Pages): AsyncGenerator<NewRecords, void, void> {
	const chain = new Chain(pages.start, pages.asked);
	/** How far before the end of the chain to read, because the page there did not join. */
	let back = 0;
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		const page = await pages.at(Math.max(pages.start, chain.next - back));
		if (!chain.joins(page) || (back === 0 && chain.repeatsTooMany(page))) {
			back = 2 * back || Math.ceil(chain.size / 2);
			continue;
		}
		if (back > 0) chain.next = page.offset;
		back = 0;
		const records = chain.add(page);
		const isLast = chain.isSaidToEndWith(page);
		if (records.length > 0) {
			yield { records, isLast };
			// A list that changes as a whole would bring new records at its start again and again.
			if (page.offset > pages.start) tries = 0;
		}
		if (isLast || (await pages.endWith(page))) return chain.assertWhole();
		pages.readAhead(chain);
	}
	throw new Error(
		'The list changes faster than it can be read, so records would be missing. Use a filter, or run again at a quieter time.',
	);
}

/** The pages of one list. Some are requested before it is their turn. */
class Pages {
	readonly start: number;

	/** How many records each page is asked for. */
	readonly asked: number;

	private readonly fetch: FetchPage;

	private readonly wanted: number;

	private readonly most: number;

	private readonly keyOf: KeyOf;

	/** The pages that were requested ahead, in their order. */
	private readonly queue: Array<{ offset: number; page: Promise<Span> }> = [];

	/** Where to request ahead next. */
	private from = 0;

	private readonly stopping = new AbortController();

	private hasFailed = false;

	constructor(fetch: FetchPage, options: ReadOptions) {
		const { from = 0, wanted = Infinity, ahead = READ_AHEAD, keyOf = idOf } = options;
		this.fetch = fetch;
		this.start = from;
		this.wanted = wanted;
		this.asked = Math.min(PAGE_SIZE, wanted);
		this.most = ahead;
		this.keyOf = keyOf;
	}

	/** The page at a place, or the next one that was read ahead if it begins there or before. */
	async at(offset: number): Promise<Span> {
		const [ahead] = this.queue;
		if (ahead === undefined || ahead.offset > offset) return await this.read(offset);
		this.queue.shift();
		return await ahead.page;
	}

	/** Requests the pages up to the end that the total promises. It may be far too high. */
	readAhead({ next, size, total = 0 }: Chain): void {
		// A first page that is short may be the whole list.
		const isFirst = next < this.start + size;
		if (this.hasFailed || size < 2 || (isFirst && size < this.asked)) return;
		const end = Math.min(total, this.start + this.wanted - 1);
		this.from = Math.max(this.from, next);
		for (; this.from < end && this.queue.length < this.most; this.from += size - 1) {
			const page = this.read(this.from);
			// If it fails, the error shows when it is this page's turn.
			page.catch(() => (this.hasFailed = true));
			this.queue.push({ offset: this.from, page });
		}
	}

	/** Whether the list ends with this page, because it holds only the last record and nothing is behind. */
	async endWith({ offset, records }: Span): Promise<boolean> {
		if (records.length > 1) return false;
		return records.length === 0 || (await this.read(offset + 1)).records.length === 0;
	}

	/** Nothing more is sent, and what is under way ends. */
	async stop(): Promise<void> {
		this.stopping.abort();
		await Promise.allSettled(this.queue.map(async ({ page }) => await page));
	}

	private async read(offset: number): Promise<Span> {
		const page = await this.fetch(offset, this.asked, this.stopping.signal);
		return spanOf(page, offset, this.keyOf);
	}
}
