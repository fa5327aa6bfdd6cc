import { shortKey } from '../digest';
import type { JsonObject } from '../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The total_items of meta. Undefined if there is none, or if the records came in groups. */
	total?: number;
	/** The limit of meta: what the server used instead of what it was asked for. */
	limit?: number;
}

/** A page, where it was read, and what tells its records apart. */
export interface PlacedPage extends Page {
	offset: number;
	/** The ID of each record, or its text if it has none. That is enough for a list of one page. */
	keys: string[];
	/** Each record has an ID of its own. */
	areIds: boolean;
}

/** What tells the records of a list apart. Undefined if a record does not show it. */
export type KeyOf = (record: JsonObject) => string | undefined;

export function placed(page: Page, offset: number, keyOf: KeyOf): PlacedPage {
	const counts = new Map<string, number>();
	let areIds = true;
	const keys = page.records.map((record) => {
		const id = keyOf(record);
		const key = shortKey(id ?? JSON.stringify(record));
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		areIds &&= id !== undefined && count === 1;
		return count === 1 ? key : `${key} ${count}`;
	});
	return { ...page, offset, keys, areIds };
}

/** No account has so many records. A list that goes on after them has no end. */
const MOST_RECORDS = 500_000;

/** Pages that were joined without a gap. Of their records, only the keys are remembered. */
export class Chain {
	/** Where to read on: the place of the last record, so that the next page shares it. */
	next: number;

	/** The last total that the server named. */
	total = 0;

	/** The lowest total that the server named. A list that only grows has that many at least. */
	#least = Infinity;

	/** The highest total that the server named. An estimate may be another one in each answer. */
	#most = 0;

	/** A page ended behind the total that it named, so the totals prove nothing. */
	#isTotalTooLow = false;

	/** A total was lower than one before. */
	#hasShrunk = false;

	/** How many records the longest page had. */
	size = 0;

	readonly #start: number;

	/** The place after the last record, as far as nothing has moved. */
	#end: number;

	/** Key of each record → its rank in the order of the list, or `UNRANKED`. */
	readonly #known = new Map<string, number>();

	#areIds = true;

	/** A page showed records in another order than before. */
	#isReordered = false;

	constructor(start: number) {
		this.#start = start;
		this.next = start;
		this.#end = start;
	}

	/** @throws Error if there are several pages, and nothing tells their records apart */
	assertIds({ offset, records, areIds }: PlacedPage): void {
		this.#areIds &&= areIds;
		if (!this.#areIds && offset > this.#start && records.length > 1)
			throw new Error(`${NO_IDS} ${this.wayOut}`);
	}

	/** Whether a page leaves no gap: it is the first, or it shares a record with the pages before. */
	joins({ offset, keys }: PlacedPage): boolean {
		return offset === this.#start || keys.some((key) => this.#known.has(key));
	}

	/**
	 * Whether a page repeats more records than its place and its total explain. Then records came before
	 * it, or records with the same date changed places, and some of these may be on neither page.
	 */
	repeatsTooMany({ offset, keys, total = 0 }: PlacedPage): boolean {
		const repeated = keys.filter((key) => this.#known.has(key)).length;
		const shared = Math.min(keys.length, this.#end - offset);
		return repeated > shared + Math.max(0, total - this.#most);
	}

	/**
	 * Adds a page that joins, and returns its new records.
	 * @param isBack the page was read from further back than the place where the chain goes on
	 * @throws Error if the list cannot be read to its end
	 */
	add(page: PlacedPage, isBack: boolean): JsonObject[] {
		const { offset, records, keys, total } = page;
		const ranks = keys.map((key) => this.#known.get(key) ?? UNRANKED).filter((rank) => rank >= 0);
		this.#isReordered ||= ranks.some((rank, at) => rank < (ranks[at - 1] ?? 0));
		this.size = Math.max(this.size, records.length);
		const fresh = this.#remember(page);
		if (this.#known.size > MOST_RECORDS) throw new Error(NO_END);
		const end = offset + records.length;
		this.next = isBack ? end - 1 : Math.max(this.next, end - 1);
		this.#end = Math.max(this.#end, end);
		this.#hasShrunk ||= total !== undefined && total >= end && total < this.total;
		this.total = total ?? this.total;
		this.#isTotalTooLow ||= total !== undefined && total < end;
		this.#least = Math.min(this.#least, total ?? Infinity);
		this.#most = Math.max(this.#most, this.total);
		return fresh;
	}

	/** Whether several pages may lack records: there are fewer than each total said, or some were deleted. */
	get mayBeShort(): boolean {
		const { size } = this.#known;
		const isShort = this.#start + size < this.#least && this.#least < Infinity;
		return size > this.size && (isShort || this.#hasShrunk);
	}

	/** @throws Error if records may be missing, because the order of the list is not firm */
	assertWhole(): void {
		const isCounted = this.#most > 0 && !this.#isTotalTooLow;
		const isAll = isCounted && this.#known.size >= this.#most;
		if (this.#isReordered && !isAll) throw new Error(REORDERED);
	}

	/** What the user can do if the list cannot be read to its end. */
	get wayOut(): string {
		return `Use a filter, or a 'Limit' of up to ${this.size} (in API Request, turn off 'All Pages').`;
	}

	/** Remembers the records of a page, and returns the new ones. */
	#remember({ offset, records, keys }: PlacedPage): JsonObject[] {
		const last = keys.findLastIndex((key) => this.#known.has(key));
		// A list that starts with new records only: the known ones come somewhere after them.
		if (last < 0) for (const key of this.#known.keys()) this.#known.set(key, UNRANKED);
		const isWithin = offset + keys.length < this.#end;
		const fresh = records.filter((_, at) => !this.#known.has(keys[at]!));
		keys.forEach((key, at) => {
			const rank = at > last && !isWithin ? this.#known.size : UNRANKED;
			if (!this.#known.has(key)) this.#known.set(key, rank);
		});
		return fresh;
	}
}

/** The rank of a record that was found late, between others. */
const UNRANKED = -1;

const NO_IDS =
	'The records of this list have no IDs, or several have the same one, so its pages cannot be put together.';

const NO_END = `The list has more than ${MOST_RECORDS.toLocaleString('en')} records, so it may have no end. Use a filter.`;

const REORDERED =
	"The API changed the order of the list while it was read, so records may be missing. Choose another order in 'Sort', use a filter, or run again.";
