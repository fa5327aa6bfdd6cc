import type { JsonObject } from '../json';

/** One answer of a list endpoint; `total` is the meta object's total_items where there is one. */
export interface Page {
	records: JsonObject[];
	total?: number;
}

export type FetchPage = (offset: number, limit: number) => Promise<Page>;

/** The largest page the API serves. Reference: "Limits". */
export const PAGE_SIZE = 100;

/** Neighbouring pages share one record at their border. */
const STRIDE = PAGE_SIZE - 1;

/** Pages asked for on the word of a total, which may promise far more than there is. */
const READ_AHEAD = 100;

/** Answers alike, one after another, by which a server shows that it ignores the offset. */
const MAX_REPEATS = 3;

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
	/** How many pages are asked for ahead: few where what is taken may soon be enough. */
	ahead?: number;
	keyOf?: (record: JsonObject) => string | undefined;
}

interface Span {
	offset: number;
	records: JsonObject[];
	keys: string[];
}

/** The first `wanted` records of a list in its order, as `streamPages` reads them. */
export async function readPages(
	fetch: FetchPage,
	wanted = Infinity,
	keyOf: (record: JsonObject) => string | undefined = defaultKey,
): Promise<JsonObject[]> {
	if (wanted <= PAGE_SIZE) return (await fetch(0, wanted)).records.slice(0, wanted);
	let found: JsonObject[] = [];
	const begin = (): Take => {
		found = [];
		return (records) => {
			for (const record of records) found.push(record);
			return found.length >= wanted;
		};
	};
	await streamPages(fetch, begin, { wanted, keyOf });
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
 * is always found. Only a page that is not full ends the list: a wrong total cannot cut it.
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
	const firstPage = await fetch(0, PAGE_SIZE);
	await readKeyedPages(fetch, firstPage, begin(), options).catch(async (error: unknown) =>
		error instanceof IndistinguishableError
			? await readPlainPages(fetch, firstPage, begin)
			: await Promise.reject(error),
	);
}

/** Records that cannot be told apart. */
class IndistinguishableError extends Error {}

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
	fetch: FetchPage,
	firstPage: Page,
	take: Take,
	{ wanted = Infinity, ahead: mostAhead = READ_AHEAD, keyOf = defaultKey }: StreamOptions,
): Promise<void> {
	const toSpan = (offset: number, { records }: Page): Span => {
		const keys = records.map(keyOf);
		if (cannotBeToldApart(records, keys)) throw new IndistinguishableError();
		return { offset, records, keys: keys as string[] };
	};
	const read = async (offset: number) => toSpan(offset, await fetch(offset, PAGE_SIZE));

	const chain = new Chain(toSpan(0, firstPage));
	let hasEnough = await take(chain.fresh());
	const isDone = () => chain.reachedEnd() || hasEnough;
	const walk = async () => {
		await chain.walk(read);
		hasEnough = await take(chain.fresh());
	};
	// Where the last page would be full, one more has to show that the list ends there.
	const end = Math.min(wanted - 1, firstPage.total ?? 0);
	const ahead: Array<Promise<Span>> = [];
	for (let offset = STRIDE; !isDone() && (offset < end || ahead.length > 0);) {
		for (; offset < end && ahead.length < mostAhead; offset += STRIDE) {
			const page = read(offset);
			// One that fails is heard of when its turn comes, or not at all where another failed first.
			page.catch(() => {});
			ahead.push(page);
		}
		const span = (await ahead.shift()) as Span;
		while (!isDone() && !chain.touches(span)) await walk();
		if (isDone()) continue;
		chain.add(span);
		hasEnough = await take(chain.fresh());
	}
	// Nothing is left under way.
	await Promise.allSettled(ahead);
	while (!isDone()) await walk();
}

/** Pages joined without a gap, from the start of the list to the end of the page added last. */
class Chain {
	private readonly found = new Set<string>();

	private waiting: JsonObject[] = [];

	private last!: Span;

	private next = 0;

	private missed = 0;

	private back = 1;

	private repeats = 0;

	constructor(first: Span) {
		this.take(first);
	}

	/** The records that came since this was last asked. */
	fresh(): JsonObject[] {
		const records = this.waiting;
		this.waiting = [];
		return records;
	}

	/** A page that is not full ends the list; so does a server that answers every offset alike. */
	reachedEnd = () => this.last.records.length < PAGE_SIZE || this.repeats === MAX_REPEATS;

	/** Whether the span leaves no gap: it shares a record with the chain's end, or lies within. */
	touches(span: Span): boolean {
		const final = span.keys.at(-1);
		return final === undefined || this.found.has(final) || overlap(this.last, span);
	}

	/** Adds a span that touches the chain; one that lies within can only show that the list ends there. */
	add(span: Span): void {
		const final = span.keys.at(-1);
		if (final === undefined) return;
		if (!this.found.has(final)) this.take(span);
		else if (span.records.length < PAGE_SIZE && final === this.last.keys.at(-1)) this.last = span;
	}

	/** Reads the page where the chain should go on, or a nearer one where the last try missed. */
	async walk(read: (offset: number) => Promise<Span>): Promise<void> {
		const span = await read(this.next);
		const before = this.found.size;
		if (span.offset === 0 || overlap(this.last, span)) {
			this.repeats = sameKeys(span, this.last) ? this.repeats + 1 : 0;
			this.take(span);
		} else if (span.keys.some((key) => this.found.has(key))) {
			this.next = span.offset + STRIDE;
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

	private take(span: Span): void {
		span.records.forEach((record, at) => {
			const key = span.keys[at] as string;
			if (!this.found.has(key)) this.waiting.push(record);
			this.found.add(key);
		});
		const endsWithin =
			this.last !== undefined &&
			span.records.length >= PAGE_SIZE &&
			this.last.keys.slice(0, -1).includes(span.keys.at(-1) as string);
		if (!endsWithin) this.last = span;
		this.next = span.offset + STRIDE;
		this.back = 1;
	}
}

function overlap(one: Span, other: Span): boolean {
	const keys = new Set(one.keys);
	return other.keys.some((key) => keys.has(key));
}

const sameKeys = (one: Span, other: Span) =>
	one.keys.length === other.keys.length && one.keys.every((key, at) => key === other.keys[at]);

async function readPlainPages(fetch: FetchPage, first: Page, begin: () => Take): Promise<void> {
	for (let attempt = 1; attempt <= 3; attempt++) {
		const take = begin();
		let page = attempt === 1 ? first : await fetch(0, PAGE_SIZE);
		const { total } = page;
		let offset = page.records.length;
		let hasEnough = await take(page.records);
		// Pages like the one before: records alike, or a server that ignores the offset.
		let repeats: JsonObject[][] = [];
		while (page.records.length === PAGE_SIZE && !hasEnough && page.total === total) {
			const before = JSON.stringify(page.records);
			page = await fetch(offset, PAGE_SIZE);
			offset += page.records.length;
			if (JSON.stringify(page.records) === before) {
				repeats.push(page.records);
				if (repeats.length === MAX_REPEATS) return;
				continue;
			}
			hasEnough = await take([...repeats.flat(), ...page.records]);
			repeats = [];
		}
		if (page.total !== total) continue;
		if (!hasEnough && repeats.length > 0) await take(repeats.flat());
		return;
	}
	throw new Error(
		'The list changed while it was read, three times over, so it would be incomplete. Run again at a quieter time.',
	);
}

/** Records carry `id`; models are named by `value`. Reference: "Resources and their fields". */
export function defaultKey(record: JsonObject): string | undefined {
	const key = record.id ?? ('label' in record ? record.value : undefined);
	return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
