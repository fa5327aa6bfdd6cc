import type { JsonObject } from '../../json';
import { isSaidToEnd, MAX_REPEATS, type Fetch, type Page, type Take } from './page';

const MAX_ATTEMPTS = 3;

/**
 * Reads a list by offsets alone, because its records cannot be told apart. If its total changes
 * meanwhile, it is read again from the start.
 *
 * @throws Error if it changes with each attempt, or if its records are in groups and fill several pages
 */
export async function readPlainPages(
	fetch: Fetch,
	first: Page,
	asked: number,
	startTaking: () => Take,
	keyOf: (record: JsonObject) => string | undefined,
): Promise<void> {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		const take = startTaking();
		const page = attempt === 1 ? first : await fetch(0);
		const reading = new PlainReading(fetch, page, asked, withoutRepeated(take, keyOf));
		if (await reading.toEnd()) return;
	}
	throw new Error(
		'The list changed while it was read, three times in a row, so records would be missing. Run again at a quieter time.',
	);
}

/** One attempt to read a list from its start. */
class PlainReading {
	private readonly fetch: Fetch;

	private readonly take: Take;

	/** How many records fill a page. */
	private readonly full: number;

	/** The total of the first page. */
	private readonly total: number | undefined;

	private page: Page;

	private offset: number;

	private isLast: boolean;

	private hasEnough = false;

	/** Pages equal to the one before: their records are alike, or the server ignores the offset. */
	private repeats: JsonObject[][] = [];

	constructor(fetch: Fetch, first: Page, asked: number, take: Take) {
		this.fetch = fetch;
		this.take = take;
		this.page = first;
		this.total = first.total;
		this.offset = first.records.length;
		this.full = Math.min(asked, first.records.length);
		this.isLast = isSaidToEnd(first, 0, asked);
	}

	/** @returns false if the list changed meanwhile */
	async toEnd(): Promise<boolean> {
		this.hasEnough = await this.take(this.page.records);
		while (!this.isLast && !this.hasEnough && !this.hasChanged() && !this.ignoresOffset()) {
			await this.readNext();
		}
		if (this.ignoresOffset()) return true;
		if (this.hasChanged()) return false;
		if (!this.hasEnough && this.repeats.length > 0) await this.take(this.repeats.flat());
		return true;
	}

	private async readNext(): Promise<void> {
		const before = JSON.stringify(this.page.records);
		const page = await this.fetch(this.offset);
		if (page.groups !== undefined && page.records.length > 0) {
			throw new Error(
				"The records are in groups and have no ID, so their pages cannot be joined. Lower 'Limit', or use a filter.",
			);
		}
		this.page = page;
		this.isLast = isSaidToEnd(page, this.offset, this.full);
		this.offset += page.records.length;
		if (JSON.stringify(page.records) === before) {
			this.repeats.push(page.records);
		} else {
			this.hasEnough = await this.take([...this.repeats.flat(), ...page.records]);
			this.repeats = [];
		}
	}

	/** A total that counts only the records of the page says nothing about the list. */
	private hasChanged(): boolean {
		const { total, records } = this.page;
		return total !== this.total && total !== records.length;
	}

	private ignoresOffset(): boolean {
		return this.repeats.length === MAX_REPEATS;
	}
}

/** Leaves out what was taken before. If a record with a key comes again unchanged, it is the same one. */
function withoutRepeated(take: Take, keyOf: (record: JsonObject) => string | undefined): Take {
	const seen = new Set<string>();
	const isFresh = (record: JsonObject) => {
		if (keyOf(record) === undefined) return true;
		const text = JSON.stringify(record);
		return !seen.has(text) && seen.add(text);
	};
	return (records) => take(records.filter(isFresh));
}
