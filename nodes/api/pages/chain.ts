import type { JsonObject } from '../../json';
import type { Span } from './page';

/** No account has so many records. A list that goes on after them has no end. */
const MOST_RECORDS = 500_000;

/** A server that sends one page so many times in a row ignores the offset. */
const MOST_REPEATS = 3;

/** Pages that were joined without a gap. Of their records, only the keys are remembered. */
export class Chain {
	/** Where to read on: the place of the last record, so that the next page shares it. */
	next: number;

	/** The last total that the server named. */
	total = 0;

	/** How many records the longest page had. */
	size = 0;

	private readonly start: number;

	/** The place after the last record, as far as nothing has moved. */
	private end: number;

	/** Key of each record → its rank in the order of the list, or -1 if that is not known. */
	private readonly known = new Map<string, number>();

	private rank = 0;

	private areIds = true;

	/** A page showed records in another order than before. */
	private isReordered = false;

	private lastKeys = '';

	private repeats = 0;

	constructor(start: number) {
		this.start = start;
		this.next = start;
		this.end = start;
	}

	/** Whether a page leaves no gap: it is the first, or it shares a record with the pages before. */
	joins({ offset, keys }: Span): boolean {
		return offset === this.start || keys.some((key) => this.known.has(key));
	}

	/**
	 * Whether a page repeats more records than its place and its total explain. Then records came before
	 * it, or records with the same date changed places, and some of these may be on neither page.
	 */
	repeatsTooMany({ offset, keys, total = 0 }: Span): boolean {
		const repeated = keys.filter((key) => this.known.has(key)).length;
		const shared = Math.min(keys.length, this.end - offset);
		return repeated > shared + Math.max(0, total - this.total);
	}

	/**
	 * Adds a page that joins, and returns its new records.
	 * @param isBack the page was read from further back than the place where the chain goes on
	 * @throws Error if the list cannot be read to its end
	 */
	add(page: Span, isBack: boolean): JsonObject[] {
		const { offset, records, total } = page;
		const isFirst = this.known.size === 0;
		this.size = Math.max(this.size, records.length);
		this.compare(page.keys);
		const fresh = this.remember(page);
		this.areIds &&= page.areIds;
		const wayOut = `Use a filter, or a 'Limit' of up to ${this.size}.`;
		if (!isFirst && fresh.length > 0 && !this.areIds) throw new Error(`${NO_IDS} ${wayOut}`);
		if (this.repeats === MOST_REPEATS) throw new Error(`${SAME_PAGE} ${wayOut}`);
		if (this.known.size > MOST_RECORDS) throw new Error(NO_END);
		const end = offset + records.length;
		this.next = isBack ? end - 1 : Math.max(this.next, end - 1);
		this.end = Math.max(this.end, end);
		this.total = total ?? this.total;
		return fresh;
	}

	/** @throws Error if records may be missing, because the order of the list is not firm */
	assertWhole(): void {
		const isAll = this.total > 0 && this.known.size >= this.total;
		if (this.isReordered && !isAll) throw new Error(REORDERED);
	}

	/** Compares a page with those before. */
	private compare(keys: string[]): void {
		const ranks = keys.map((key) => this.known.get(key) ?? -1).filter((rank) => rank >= 0);
		this.isReordered ||= ranks.some((rank, at) => rank < (ranks[at - 1] ?? 0));
		const page = JSON.stringify(keys);
		this.repeats = page === this.lastKeys ? this.repeats + 1 : 0;
		this.lastKeys = page;
	}

	/** Remembers the records of a page, and returns the new ones. */
	private remember({ offset, records, keys }: Span): JsonObject[] {
		// A list that starts with new records only: the known ones come somewhere after them.
		if (!keys.some((key) => this.known.has(key))) {
			for (const key of this.known.keys()) this.known.set(key, -1);
		}
		const fresh: JsonObject[] = [];
		/** The rank of the next record that was known. One that is found late gets the same. */
		let next = offset + keys.length < this.end ? -1 : undefined;
		for (let at = keys.length - 1; at >= 0; at--) {
			const key = keys[at] as string;
			const rank = this.known.get(key);
			next = rank ?? next;
			if (rank !== undefined) continue;
			this.known.set(key, next ?? this.rank + at);
			fresh.unshift(records[at] as JsonObject);
		}
		this.rank += keys.length;
		return fresh;
	}
}

const NO_IDS =
	'The records of this list have no IDs of their own, so its pages cannot be put together.';

const SAME_PAGE =
	'The API sends the same page again in place of the next one, so the list cannot be read to its end.';

const NO_END = `The list has more than ${MOST_RECORDS.toLocaleString('en')} records, so it may have no end. Use a filter.`;

const REORDERED =
	"The API changed the order of the list while it was read, so records may be missing. Choose another order in 'Sort', use a filter, or run again.";
