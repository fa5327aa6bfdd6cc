import { Stop } from '../semaphore';
import { textIn, type JsonObject } from '../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The total_items of meta. Undefined if there is none, or if the records came in groups. */
	total?: number;
	/** The limit of meta: what the server used instead of what it was asked for. */
	limit?: number;
}

type PlacedPage = Page & { offset: number; keys: string[] };

/** @param stop ends the request when nobody waits for the page any more */
export type FetchPage = (offset: number, limit: number, stop?: Stop) => Promise<Page>;

export interface JoinOptions {
	from?: number;
	wanted?: number;
	/** How many pages are requested ahead at most. Few, if the reader may soon have enough. */
	ahead?: number;
	/** What tells the records of a list apart. Undefined if a record does not show it. */
	keyOf?(record: JsonObject): string | undefined;
}

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
 * The first page tells the total. The other pages are requested in parallel, and neighbours share one record,
 * so nothing is missing between them. If they share none, the list has moved, and is read again from further
 * back. It ends where its total says so and the page is not full, otherwise where nothing new comes.
 * Reference: "Endpoints" (limit, offset, meta) and "Limits".
 *
 * @throws Error if the list cannot be read to its end. A part is never returned as the whole
 */
export async function* joinPages(
	fetch: FetchPage,
	options: JoinOptions = {},
): AsyncGenerator<NewRecords, void, void> {
	const reader = new ListReader(fetch, options);
	let missing = options.wanted ?? Infinity;
	try {
		for await (const { records, isLast } of reader.read()) {
			yield { records: records.slice(0, missing), isLast };
			missing -= records.length;
			if (missing <= 0) return;
		}
	} finally {
		await reader.stop();
	}
}

/** The `id` of a record, or the `value` of a model. Reference: "Resources and their fields". */
export function idOf(record: JsonObject): string | undefined {
	const id = record.id ?? ('label' in record ? record.value : undefined);
	if (typeof id === 'number') return textIn(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Whether the total says that a list ends with this page. A full page proves nothing, because a wrong total
 * may count only the page.
 */
export function isSaidToEnd(
	{ records, offset, total, limit }: Page & { offset: number },
	full: number,
): boolean {
	const { length } = records;
	return total === offset + length && length < Math.min(full, limit ?? Infinity);
}

/** Joins the pages of a list without a gap. Of the records, only the keys are remembered. */
class ListReader {
	readonly #options: Required<JoinOptions>;

	readonly #fetch: FetchPage;

	readonly #stop = new Stop();

	/** Pages that were requested ahead. */
	readonly #queue: Array<{ offset: number; page: Promise<PlacedPage> }> = [];

	#nextAhead = 0;

	/** Where to read on: the place of the last record, so that the next page shares it. */
	#next: number;

	/** How many records the longest page had. */
	#size = 0;

	readonly #known = new Set<string>();

	#totals: number[] = [];

	#hasIds = true;

	constructor(fetch: FetchPage, options: JoinOptions) {
		this.#fetch = fetch;
		this.#options = { from: 0, wanted: Infinity, ahead: READ_AHEAD, keyOf: idOf, ...options };
		this.#next = this.#options.from;
	}

	async *read(): AsyncGenerator<NewRecords, void, void> {
		const { from, wanted } = this.#options;
		const asked = Math.min(PAGE_SIZE, wanted);
		/** How far before the last record to read, because the page there did not join. */
		let back = 0;
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const page = await this.#take(Math.max(from, this.#next - back));
			if (!this.#joins(page)) {
				back = 2 * back || Math.ceil(this.#size / 2);
				continue;
			}
			const isFirst = this.#size === 0;
			const isLast = isSaidToEnd(page, this.#size || asked);
			const records = this.#add(page, back > 0);
			back = 0;
			yield { records, isLast };
			const { length } = page.records;
			const isBehindStart = page.offset > from;
			if (isLast || length === 0 || (length === 1 && isBehindStart)) {
				yield* this.#movedToFront();
				return;
			}
			// A list that changes as a whole brings new records at its start again and again.
			if (records.length > 0 && isBehindStart) tries = 0;
			// A first page that is short may be the whole list, whatever the total says.
			if (!isFirst || length === asked) this.#requestAhead();
		}
		throw this.#unreadable();
	}

	async stop(): Promise<void> {
		this.#stop.stop();
		await Promise.allSettled(this.#queue.map(async ({ page }) => await page));
	}

	/** The page that was requested ahead, if it begins at this place or before, or a new one. */
	async #take(offset: number): Promise<PlacedPage> {
		const isRequested = this.#queue.length > 0 && this.#queue[0]!.offset <= offset;
		return await (isRequested ? this.#queue.shift()!.page : this.#request(offset));
	}

	/** Requests the pages up to an end that the total promises. It may be far too high. */
	#requestAhead(): void {
		const { from, wanted, ahead } = this.#options;
		const step = this.#size - 1;
		const end = Math.min(this.#totals.at(-1) ?? 0, from + wanted - 1);
		this.#nextAhead = Math.max(this.#nextAhead, this.#next);
		while (step > 0 && this.#nextAhead < end && this.#queue.length < ahead) {
			const page = this.#request(this.#nextAhead);
			// If it fails, the error shows when it is this page's turn.
			page.catch(() => {});
			this.#queue.push({ offset: this.#nextAhead, page });
			this.#nextAhead += step;
		}
	}

	async #request(offset: number): Promise<PlacedPage> {
		const { wanted, keyOf } = this.#options;
		const page = await this.#fetch(offset, Math.min(PAGE_SIZE, wanted), this.#stop);
		// A list of one page may have no IDs. Then its records are told apart by their texts.
		const keys = page.records.map((record) => keyOf(record) ?? JSON.stringify(record));
		this.#hasIds &&= new Set(keys).size === keys.length && page.records.every(keyOf);
		return { ...page, offset, keys };
	}

	/** Whether a page leaves no gap: it shares a record with the pages before, or is the first again. */
	#joins({ offset, keys }: PlacedPage): boolean {
		// Pages of one record share none.
		const isAfterOne = keys.length === 0 && this.#size === 1;
		return isAfterOne || offset === this.#options.from || keys.some((key) => this.#known.has(key));
	}

	/**
	 * @param isBack the page was read from further back than the place where the list goes on
	 */
	#add({ offset, records, keys, total }: PlacedPage, isBack: boolean): JsonObject[] {
		const isPart = offset > this.#options.from && records.length > 1;
		const fresh = records.filter((_, at) => !this.#known.has(keys[at]!));
		for (const key of keys) this.#known.add(key);
		if (isPart && !this.#hasIds) throw this.#unreadable();
		this.#size = Math.max(this.#size, records.length);
		const next = offset + records.length - Number(this.#size > 1);
		this.#next = isBack ? next : Math.max(this.#next, next);
		if (total !== undefined && total !== this.#totals.at(-1)) this.#totals.push(total);
		return fresh;
	}

	/**
	 * The records that moved to the front of a list of several pages while it was read, as in a list that shows
	 * first what was changed last. A total may be too high, so it ends with a page that brings nothing new.
	 */
	async *#movedToFront(): AsyncGenerator<NewRecords, void, void> {
		for (let offset = this.#options.from; this.#known.size > this.#size; offset += this.#size) {
			const isShort = this.#options.from + this.#known.size < (this.#totals.at(-1) ?? 0);
			if (!isShort && this.#totals.length < 2) return;
			const records = this.#add(await this.#request(offset), true);
			if (records.length === 0) return;
			yield { records, isLast: true };
		}
	}

	#unreadable(): Error {
		const way = `Use a filter, or a 'Limit' of up to ${this.#size} (in API Request, turn off 'All Pages').`;
		return new Error(`${UNREADABLE} ${way} Or run again at a quieter time.`);
	}
}

const UNREADABLE =
	'The list cannot be read to its end: it changes faster than it can be read, its records have no IDs of their own, or the API sends the same records again.';
