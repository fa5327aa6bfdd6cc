import type { JsonObject } from '../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The meta object's total_items, where there is one. */
	total?: number;
	/** The meta object's limit: what the server used in place of what it was asked for. */
	limit?: number;
	/** How many groups the records lie in, where limit, offset and total may count these. */
	groups?: number;
}

export type FetchPage = (offset: number, limit: number) => Promise<Page>;

/** The largest page the API serves; it may serve smaller ones. Reference: "Limits". */
export const PAGE_SIZE = 100;

/** Pages asked for on the word of a total, which may promise far more than there is. */
const READ_AHEAD = 100;

/** Answers alike, one after another, by which a server shows that it ignores the offset. */
const MAX_REPEATS = 3;

/** How often a list in no firm order is read again for records that its total promises. */
const MAX_PASSES = 2;

/** Requests that bring nothing new, spent on a shifting list before it is given up. */
const MAX_MISSES = 100;

/**
 * Takes the next records of a list; true where it has enough. It may take its time: no more than the
 * pages that are read ahead wait for it.
 */
export type Take = (records: JsonObject[]) => boolean | Promise<boolean>;

export interface StreamOptions {
	/** How many records are taken at the most, so that no page is asked for in vain. */
	wanted?: number;
	/** How many pages are asked for ahead, where so many were taken: few where that may soon be enough. */
	ahead?(taken: number): number;
	keyOf?: (record: JsonObject) => string | undefined;
	/** Whether records are sought that the total promises and no page had: they come last. */
	seeks?: boolean;
}

interface Span extends Page {
	offset: number;
	keys: string[];
}

/**
 * Whether the server says that a list ends with this page: its total names the page's end, and the
 * page is not full, neither by what was asked for nor by the limit that the server used. Then only is
 * nothing more asked for. A page that is merely short may be all that the server serves at a time, and
 * a first one whose length could be such a cap proves nothing by a total that may count itself.
 */
export const isSaidToEnd = (
	{ records: { length }, total, limit = Infinity, groups }: Page,
	offset: number,
	asked: number,
): boolean =>
	length === 0 ||
	(length < Math.min(asked, limit) &&
		total === offset + length &&
		(offset > 0 || !isRound(length)) &&
		(groups ?? length) === length);

/** Whether a server may have been set to serve so many records at a time. */
const isRound = (count: number) =>
	count >= 10 && (count % 5 === 0 || Number.isInteger(Math.log2(count)));

/** The first `wanted` records of a list in its order, as `streamPages` reads them. */
export async function readPages(
	fetch: FetchPage,
	wanted = Infinity,
	keyOf: (record: JsonObject) => string | undefined = defaultKey,
): Promise<JsonObject[]> {
	let found: JsonObject[] = [];
	const begin = (): Take => {
		found = [];
		return (records) => {
			for (const record of records) found.push(record);
			return found.length >= wanted;
		};
	};
	await streamPages(fetch, begin, { wanted, keyOf, seeks: true });
	return found.slice(0, wanted);
}

/**
 * Hands over a list in its order, each record exactly once, over as many pages as it takes. Of what
 * was handed over only the keys are remembered.
 *
 * The first page tells the total; the others are asked for at once (the caller bounds how many
 * run together). Two pages that share a record leave no gap between them, whatever was inserted
 * or deleted meanwhile: what comes before the shared record was in the first, what comes after
 * it in the second. Where neighbours share none the list has moved, and the gap is read again
 * until they do. So a record that exists during the whole reading and keeps its place in the order
 * is always found.
 *
 * The list ends where the server says so (`isSaidToEnd`), or else where it has nothing more to give:
 * where the page that begins with the last record has no other. So neither a wrong total nor a server
 * that serves fewer records than it is asked for cuts it. A list in no firm order may show a record in no
 * page: where `seeks` is set, the list is read again as long as its total promises more than was found,
 * and something new is.
 *
 * Reference: "Endpoints" (limit, offset, meta) and "Limits". Records without a key, or with the
 * same one, cannot be told apart; their list is read by plain offsets, anew if its total changed
 * meanwhile.
 *
 * @param begin makes what takes the records; called again where the list has to be read anew, and
 *   what was taken before then counts for nothing
 * @throws Error when the list changes faster than it can be read
 */
export async function streamPages(
	fetch: FetchPage,
	begin: () => Take,
	options: StreamOptions = {},
): Promise<void> {
	const asked = Math.min(PAGE_SIZE, options.wanted ?? Infinity);
	const fetchPage = async (offset: number) => await fetch(offset, asked);
	const firstPage = await fetchPage(0);
	await readKeyedPages(fetchPage, firstPage, asked, begin(), options).catch(
		async (error: unknown) =>
			error instanceof UnjoinableError
				? await readPlainPages(fetchPage, firstPage, asked, begin, options)
				: await Promise.reject(error),
	);
}

/** Pages that cannot share a record, or whose records cannot be told apart. */
class UnjoinableError extends Error {}

type Fetch = (offset: number) => Promise<Page>;

/** Whether two records of one key differ; the same record twice is one. */
function cannotBeToldApart(records: JsonObject[], keys: Array<string | undefined>): boolean {
	if (keys.includes(undefined)) return true;
	if (new Set(keys).size === keys.length) return false;
	const first = new Map<unknown, string>();
	return records.some((record, at) => {
		const text = JSON.stringify(record);
		const other = first.get(keys[at]) ?? text;
		first.set(keys[at], other);
		return other !== text;
	});
}

async function readKeyedPages(
	fetch: Fetch,
	firstPage: Page,
	asked: number,
	take: Take,
	{
		wanted = Infinity,
		ahead: mostAhead = () => READ_AHEAD,
		keyOf = defaultKey,
		seeks = false,
	}: StreamOptions,
): Promise<void> {
	const toSpan = (offset: number, page: Page): Span => {
		const keys = page.records.map(keyOf);
		if (cannotBeToldApart(page.records, keys)) throw new UnjoinableError();
		return { ...page, offset, keys: keys as string[] };
	};
	const read = async (offset: number) => toSpan(offset, await fetch(offset));

	const chain = new Chain(toSpan(0, firstPage), asked);
	let taken = 0;
	let hasEnough = false;
	const takeFresh = async () => {
		taken += 1;
		hasEnough = await take(chain.fresh());
	};
	await takeFresh();
	const isDone = () => chain.reachedEnd() || hasEnough;
	const walk = async () => {
		await chain.walk(read);
		await takeFresh();
	};
	if (!isDone() && firstPage.records.length === 1) throw new UnjoinableError();
	// After a page that is short, one more has to show that there is more: the total may be too high.
	if (!isDone() && firstPage.records.length < asked) await walk();
	// Where the last page would be full, one more has to show that the list ends there.
	const end = Math.min(wanted - 1, chain.isGrouped ? 0 : (firstPage.total ?? 0));
	const ahead: Array<Promise<Span>> = [];
	const { stride } = chain;
	for (let offset = chain.next; !isDone() && (offset < end || ahead.length > 0);) {
		for (; offset < end && ahead.length < mostAhead(taken); offset += stride) {
			const page = read(offset);
			// One that fails is heard of when its turn comes, or not at all where another failed first.
			page.catch(() => {});
			ahead.push(page);
		}
		const span = (await ahead.shift()) as Span;
		while (!isDone() && !chain.touches(span)) await walk();
		if (isDone()) continue;
		chain.add(span);
		await takeFresh();
	}
	// Nothing is left under way.
	await Promise.allSettled(ahead);
	while (!isDone()) await walk();
	for (let pass = 0, isNew = seeks; isNew && pass < MAX_PASSES; pass++) {
		isNew = false;
		let span: Span | undefined;
		for (let offset = 0; !hasEnough && chain.lacks(); offset += chain.strideOf(span)) {
			const before = span;
			span = await read(offset);
			if (span.keys.length === 0 || (before && sameKeys(before, span))) break;
			isNew = chain.fill(span) || isNew;
			await takeFresh();
		}
	}
}

/** Pages joined without a gap, from the start of the list to the end of the page added last. */
class Chain {
	/** The offset at which it goes on. */
	next = 0;

	readonly isGrouped: boolean;

	private readonly found = new Set<string>();

	private waiting: JsonObject[] = [];

	private last!: Span;

	private hasEnded = false;

	/** Offsets count groups, as far as is known. */
	private countsGroups: boolean;

	/** Where a page was last empty: one group cannot show by another page that it is the last. */
	private emptyAt?: number;

	private missed = 0;

	private back = 1;

	private repeats = 0;

	private readonly first: Span;

	private readonly asked: number;

	constructor(first: Span, asked: number) {
		this.first = first;
		this.asked = asked;
		this.isGrouped = first.groups !== undefined;
		this.countsGroups = this.isGrouped && first.records.length > asked;
		this.take(first);
	}

	/** From one page to the next that shares a record with it. */
	get stride(): number {
		return this.strideOf(this.first);
	}

	/** The records that came since this was last asked. */
	fresh(): JsonObject[] {
		const records = this.waiting;
		this.waiting = [];
		return records;
	}

	/** A server that answers every offset alike has no more to give either. */
	reachedEnd = () => this.hasEnded || this.repeats === MAX_REPEATS;

	/** Whether the span leaves no gap: it shares a record with the chain's end, or lies within. */
	touches(span: Span): boolean {
		const final = span.keys.at(-1);
		return final !== undefined && (this.found.has(final) || overlap(this.last, span));
	}

	/** Adds a span that touches the chain; one that lies within can only show that the list ends there. */
	add(span: Span): void {
		const final = span.keys.at(-1) as string;
		if (!this.found.has(final)) this.take(span);
		else if (final === this.last.keys.at(-1)) this.hasEnded ||= this.isPart(span);
	}

	/** Whether the server counts more records than were found. */
	lacks(): boolean {
		return !this.isGrouped && (this.last.total ?? 0) > this.found.size;
	}

	/** Adds what a span holds, wherever it lies; whether any of it is new. */
	fill(span: Span): boolean {
		const before = this.found.size;
		this.find(span);
		this.last = { ...this.last, total: span.total };
		return this.found.size > before;
	}

	/** Reads the page where the chain should go on, or a nearer one where the last try missed. */
	async walk(read: (offset: number) => Promise<Span>): Promise<void> {
		const span = await read(this.next);
		const before = this.found.size;
		if (span.keys.length === 0) this.emptyAt = span.offset;
		if (span.offset === 0 || overlap(this.last, span)) {
			const isRepeated = span.offset !== this.last.offset && sameKeys(span, this.last);
			this.repeats = isRepeated ? this.repeats + 1 : 0;
			this.take(span);
			const isAlone = this.countsGroups && span.groups === 1 && this.emptyAt === span.offset + 1;
			this.hasEnded ||= this.found.size === before && (this.isPart(span) || isAlone);
		} else if (span.keys.some((key) => this.found.has(key))) {
			this.next = span.offset + this.strideOf(span);
		} else if (this.isGrouped && !this.countsGroups) {
			this.countsGroups = true;
			this.next = this.last.offset + this.strideOf(this.last);
		} else {
			this.back *= 2;
			this.next = Math.max(0, span.offset - this.back);
		}
		if (this.found.size === before && ++this.missed > MAX_MISSES) {
			throw new Error(
				'The list changes faster than it can be read, so it would be incomplete. Narrow it with a filter, or run again at a quieter time.',
			);
		}
	}

	private find(span: Span): void {
		span.records.forEach((record, at) => {
			const key = span.keys[at] as string;
			if (!this.found.has(key)) this.waiting.push(record);
			this.found.add(key);
		});
	}

	private take(span: Span): void {
		this.find(span);
		const endsWithin =
			this.last !== undefined &&
			!this.isPart(span) &&
			this.last.keys.slice(0, -1).includes(span.keys.at(-1) as string);
		if (!endsWithin) this.last = span;
		const full = span === this.first ? this.asked : this.first.records.length;
		this.hasEnded ||= isSaidToEnd(span, span.offset, Math.min(full, this.asked));
		this.next = span.offset + this.strideOf(span);
		this.back = 1;
	}

	/** Whether the span is less than what the server serves at a time. */
	private isPart({ records, groups = 0 }: Span): boolean {
		const { first } = this;
		return records.length < first.records.length || groups < (first.groups ?? 0);
	}

	/** From a page to the next that shares a record with it. */
	strideOf({ records, groups = 0 }: Span): number {
		const count = this.countsGroups ? groups : records.length;
		return Math.max(1, Math.min(count, this.asked) - 1);
	}
}

function overlap(one: Span, other: Span): boolean {
	const keys = new Set(one.keys);
	return other.keys.some((key) => keys.has(key));
}

const sameKeys = (one: Span, other: Span) =>
	one.keys.length === other.keys.length && one.keys.every((key, at) => key === other.keys[at]);

async function readPlainPages(
	fetch: Fetch,
	first: Page,
	asked: number,
	begin: () => Take,
	{ keyOf = defaultKey }: StreamOptions,
): Promise<void> {
	for (let attempt = 1; attempt <= 3; attempt++) {
		const take = begin();
		let page = attempt === 1 ? first : await fetch(0);
		const { total } = page;
		// A total that counts the page's own records says nothing of the list.
		const hasChanged = () => page.total !== total && page.total !== page.records.length;
		const full = Math.min(asked, page.records.length);
		let isLast = isSaidToEnd(page, 0, asked);
		let offset = page.records.length;
		const fresh = notSeen(keyOf);
		let hasEnough = await take(fresh(page.records));
		// Pages like the one before: records alike, or a server that ignores the offset.
		let repeats: JsonObject[][] = [];
		while (!isLast && !hasEnough && !hasChanged()) {
			const before = JSON.stringify(page.records);
			page = await fetch(offset);
			if (page.groups !== undefined && page.records.length > 0) {
				throw new Error(
					'The records are in groups and have no ID, so pages of them cannot be joined.',
				);
			}
			isLast = isSaidToEnd(page, offset, full);
			offset += page.records.length;
			if (JSON.stringify(page.records) === before) {
				repeats.push(page.records);
				if (repeats.length === MAX_REPEATS) return;
				continue;
			}
			hasEnough = await take(fresh([...repeats.flat(), ...page.records]));
			repeats = [];
		}
		if (hasChanged()) continue;
		if (!hasEnough && repeats.length > 0) await take(fresh(repeats.flat()));
		return;
	}
	throw new Error(
		'The list changed while it was read, three times over, so it would be incomplete. Run again at a quieter time.',
	);
}

/** What leaves out the records that came before: where they have a key, the same twice is one. */
function notSeen(keyOf: (record: JsonObject) => string | undefined) {
	const seen = new Set<string>();
	return (records: JsonObject[]) =>
		records.filter((record) => {
			if (keyOf(record) === undefined) return true;
			const text = JSON.stringify(record);
			return !seen.has(text) && seen.add(text);
		});
}

/** Records carry `id`; models are named by `value`; an empty one names nothing. Reference: "Resources and their fields". */
export function defaultKey(record: JsonObject): string | undefined {
	const key = record.id ?? ('label' in record ? record.value : undefined);
	if (typeof key !== 'string' && typeof key !== 'number') return undefined;
	return String(key) || undefined;
}
