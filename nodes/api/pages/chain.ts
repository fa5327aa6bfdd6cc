import type { JsonObject } from '../../json';
import { isSaidToEnd, type Span } from './page';

/** No account has so many records. A list that goes on after them has no end. */
export const MOST_RECORDS = 500_000;

/** A server that sends one page so many times in a row ignores the offset. */
const MOST_REPEATS = 3;

/**
 * Pages that were joined without a gap, from the start of the list on. Only the keys of their records are
 * remembered.
 */
export class Chain {
	/** Where to read on: the place of the last record, so that the next page shares it. */
	next: number;

	/** The last total that the server named. */
	total: number | undefined;

	/** How many records the first page had. */
	size = 0;

	private readonly start: number;

	private readonly asked: number;

	private readonly known = new Set<string>();

	/** Key of each record → its place among the others. */
	private readonly places = new Map<string, number>();

	/** The next place that is free. */
	private place = 0;

	/** The keys of the last page. */
	private last = '';

	private areUnique = true;

	/** The place after the last record, as far as nothing has moved. */
	private end: number;

	private repeats = 0;

	/** A page showed records in another order than before. */
	private isReordered = false;

	/** @param asked how many records each page is asked for */
	constructor(start: number, asked: number) {
		this.start = start;
		this.asked = asked;
		this.next = start;
		this.end = start;
	}

	/** Whether a page leaves no gap: it is the first, or it shares a record with the pages before. */
	joins({ offset, keys }: Span): boolean {
		return offset === this.start || keys.some((key) => this.known.has(key));
	}

	/**
	 * Whether a page repeats more records than its place explains. Then records came before it, or records
	 * with the same date changed places, and some of these may be on neither page.
	 */
	repeatsTooMany(page: Span): boolean {
		const { offset, keys } = page;
		const repeated = keys.filter((key) => this.known.has(key)).length;
		const shared = Math.min(keys.length, this.end - offset);
		return repeated > shared + this.growthOf(page);
	}

	/**
	 * Adds a page that joins, and returns its new records.
	 * @throws Error if the pages cannot be read to an end: the server ignores the offset, the records have
	 *   no IDs, or there are too many
	 */
	add(page: Span): JsonObject[] {
		const { offset, records, total } = page;
		const isFirst = this.size === 0;
		if (isFirst) this.size = records.length;
		this.compare(page.keys);
		const fresh = this.remember(page);
		this.areUnique &&= page.areUnique;
		if (!isFirst && fresh.length > 0 && !this.areUnique) throw new Error(this.advise(NO_IDS));
		if (this.repeats === MOST_REPEATS) throw new Error(this.advise(SAME_PAGE));
		if (this.known.size > MOST_RECORDS) throw new Error(NO_END);
		this.next = Math.max(this.next, offset + records.length - 1);
		this.end = Math.max(this.end, offset + records.length);
		this.total = total ?? this.total;
		return fresh;
	}

	isSaidToEndWith(page: Span): boolean {
		return isSaidToEnd(page, page.offset, page.offset > this.start ? this.size : this.asked);
	}

	/** @throws Error if records may be missing, because the order of the list is not firm */
	assertWhole(): void {
		const { total = Infinity } = this;
		if (this.isReordered && this.known.size < total) throw new Error(REORDERED);
	}

	/** Compares a page with those before. */
	private compare(keys: string[]): void {
		const places = keys.map((key) => this.places.get(key)).filter((place) => place !== undefined);
		this.isReordered ||= places.some((place, at) => place < (places[at - 1] ?? 0));
		const page = JSON.stringify(keys);
		this.repeats = page === this.last ? this.repeats + 1 : 0;
		this.last = page;
	}

	/** By how much the total has grown since the last page. */
	private growthOf({ total = 0 }: Span): number {
		return Math.max(0, total - (this.total ?? 0));
	}

	/** Gives places to the records of a page, and returns the new ones. */
	private remember({ records, keys }: Span): JsonObject[] {
		// A page without a known record is a new start of the list. The others come after it.
		if (!keys.some((key) => this.known.has(key))) this.places.clear();
		let next: number | undefined;
		for (let at = keys.length - 1; at >= 0; at--) {
			const key = keys[at] as string;
			// A record that is found late has the same place as the one after it.
			const place = this.places.get(key);
			next = place ?? next;
			if (place === undefined) this.places.set(key, next ?? this.place + at);
		}
		this.place += keys.length;
		return records.filter((_, at) => {
			const before = this.known.size;
			return this.known.add(keys[at] as string).size > before;
		});
	}

	private readonly advise = (what: string) =>
		`${what} Use a filter, or a 'Limit' of up to ${this.size}.`;
}

const NO_IDS =
	'The records of this list have no IDs of their own, so its pages cannot be put together.';

const SAME_PAGE =
	'The API sends the same page again in place of the next one, so the list cannot be read to its end.';

const NO_END = `The list has more than ${MOST_RECORDS.toLocaleString('en')} records, so it may have no end. Use a filter.`;

const REORDERED =
	"The API changed the order of the list while it was read, so records may be missing. Choose another order in 'Sort', use a filter, or run again.";
