import type { JsonObject } from '../../json';
import { Chain, sameKeys, type Span } from './chain';
import { defaultKey, type Fetch, type Page, type StreamOptions, type Take } from './page';

/** The most pages that are requested because of a total, which may be far too high. */
const READ_AHEAD = 100;

/** How often a list is read again for records that its total promises. */
const MAX_PASSES = 2;

/** The pages cannot share a record, or their records cannot be told apart. */
class UnjoinableError extends Error {}

/** @returns false if the pages cannot be joined; then what was taken does not count */
export async function readKeyedPages(
	fetch: Fetch,
	firstPage: Page,
	asked: number,
	take: Take,
	options: StreamOptions,
): Promise<boolean> {
	const read = async () => {
		await new KeyedReader(fetch, firstPage, asked, take, options).readToEnd();
		return true;
	};
	return await read().catch(async (error: unknown) =>
		error instanceof UnjoinableError ? false : await Promise.reject(error as Error),
	);
}

/** Reads a list whose records have keys: neighbouring pages share a record, and the chain joins them. */
class KeyedReader {
	private readonly fetch: Fetch;

	private readonly firstPage: Page;

	private readonly asked: number;

	private readonly take: Take;

	private readonly options: Required<StreamOptions>;

	private readonly chain: Chain;

	/** How many times records were handed over. */
	private taken = 0;

	private hasEnough = false;

	/** @throws UnjoinableError if the records of the first page cannot be told apart */
	constructor(fetch: Fetch, firstPage: Page, asked: number, take: Take, options: StreamOptions) {
		this.fetch = fetch;
		this.firstPage = firstPage;
		this.asked = asked;
		this.take = take;
		this.options = {
			wanted: options.wanted ?? Infinity,
			ahead: options.ahead ?? (() => READ_AHEAD),
			keyOf: options.keyOf ?? defaultKey,
			seeks: options.seeks ?? false,
		};
		this.chain = new Chain(this.toSpan(0, firstPage), asked);
	}

	/** @throws UnjoinableError if pages cannot be joined */
	async readToEnd(): Promise<void> {
		await this.handOver();
		const { length } = this.firstPage.records;
		if (!this.isDone() && length === 1) throw new UnjoinableError();
		// The first page is short, so the total may be too high: one more page shows whether there is more.
		if (!this.isDone() && length < this.asked) await this.walk();
		await this.readAhead();
		while (!this.isDone()) await this.walk();
		if (this.options.seeks) await this.seek();
	}

	private readonly isDone = () => this.chain.reachedEnd() || this.hasEnough;

	private readonly read = async (offset: number): Promise<Span> =>
		this.toSpan(offset, await this.fetch(offset));

	private toSpan(offset: number, page: Page): Span {
		const keys = page.records.map(this.options.keyOf);
		if (!canBeToldApart(page.records, keys)) throw new UnjoinableError();
		return { ...page, offset, keys: keys as string[] };
	}

	private async handOver(): Promise<void> {
		this.taken += 1;
		this.hasEnough = await this.take(this.chain.fresh());
	}

	/** Reads one more page where the chain ends. */
	private async walk(): Promise<void> {
		await this.chain.walk(this.read);
		await this.handOver();
	}

	/** Reads the pages that the total promises, several in parallel. */
	private async readAhead(): Promise<void> {
		const { chain, options } = this;
		const { stride } = chain;
		// If the last page would be full, one more has to show that the list ends there.
		const end = Math.min(options.wanted - 1, chain.isGrouped ? 0 : (this.firstPage.total ?? 0));
		const ahead: Array<Promise<Span>> = [];
		let offset = chain.next;
		const requestPages = () => {
			for (; offset < end && ahead.length < options.ahead(this.taken); offset += stride) {
				ahead.push(this.readLater(offset));
			}
		};
		while (!this.isDone()) {
			requestPages();
			const next = ahead.shift();
			if (next === undefined) break;
			await this.join(await next);
		}
		// Requests may still be running.
		await Promise.allSettled(ahead);
	}

	/** Reads a page ahead. If it fails, the error shows when it is this page's turn. */
	private readLater(offset: number): Promise<Span> {
		const page = this.read(offset);
		page.catch(() => {});
		return page;
	}

	/** Adds a page that was read ahead, after the gap before it was closed. */
	private async join(span: Span): Promise<void> {
		while (!this.isDone() && !this.chain.touches(span)) await this.walk();
		if (this.isDone()) return;
		this.chain.add(span);
		await this.handOver();
	}

	/** Reads the list again for records that its total promises, as long as that brings new ones. */
	private async seek(): Promise<void> {
		for (let pass = 0; pass < MAX_PASSES; pass++) {
			if (!(await this.readAgain())) return;
		}
	}

	/** @returns whether a record was new */
	private async readAgain(): Promise<boolean> {
		const { chain } = this;
		let isNew = false;
		let before: Span | undefined;
		for (let offset = 0; !this.hasEnough && chain.lacks();) {
			const span = await this.read(offset);
			if (span.keys.length === 0 || (before && sameKeys(before, span))) break;
			isNew = chain.fill(span) || isNew;
			await this.handOver();
			offset += chain.strideOf(span);
			before = span;
		}
		return isNew;
	}
}

/** Two different records with the same key cannot be told apart. The same record twice is one. */
function canBeToldApart(records: JsonObject[], keys: Array<string | undefined>): boolean {
	if (keys.includes(undefined)) return false;
	if (new Set(keys).size === keys.length) return true;
	const first = new Map<unknown, string>();
	return records.every((record, at) => {
		const text = JSON.stringify(record);
		const other = first.get(keys[at]) ?? text;
		first.set(keys[at], other);
		return other === text;
	});
}
