import type { JsonObject } from '../../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The total_items of meta. Undefined if there is none, or if the records came in groups. */
	total?: number;
	/** The limit of meta: what the server used instead of what it was asked for. */
	limit?: number;
}

/** @param signal ends the request when nobody waits for the page any more */
export type FetchPage = (offset: number, limit: number, signal?: AbortSignal) => Promise<Page>;

/** The largest page that the API serves. It may serve smaller ones. Reference: "Limits". */
export const PAGE_SIZE = 100;

/**
 * Whether the server says that a list ends with this page. The total must name the end of the page, and
 * the page must not be full: a wrong total may count only the page. For the same reason a first page of a
 * round length proves nothing, because the server may serve no more at a time.
 * @param full how many records fill a page
 */
export const isSaidToEnd = (
	{ records: { length }, total, limit = Infinity }: Page,
	offset: number,
	full: number,
): boolean =>
	total === offset + length && length < Math.min(full, limit) && (offset > 0 || !isRound(length));

/** Whether a server may be set to serve so many records at a time. */
const isRound = (count: number) =>
	count >= 10 && (count % 5 === 0 || Number.isInteger(Math.log2(count)));

/** What tells the records of a list apart. Undefined if a record does not show it. */
export type KeyOf = (record: JsonObject) => string | undefined;

/** The `id` of a record, or the `value` of a model. Reference: "Resources and their fields". */
export const idOf: KeyOf = (record) => {
	const id = record.id ?? ('label' in record ? record.value : undefined);
	return typeof id === 'string' || typeof id === 'number' ? String(id) || undefined : undefined;
};

/** A page, where it was read, and what tells its records apart. */
export interface Span extends Page {
	offset: number;
	/** The ID of each record, or its text if it has none. That is enough for a list of one page. */
	keys: string[];
	/** Each record has an ID of its own. */
	areIds: boolean;
}

export function spanOf(page: Page, offset: number, keyOf: KeyOf): Span {
	const counts = new Map<string, number>();
	let areIds = true;
	const keys = page.records.map((record) => {
		const id = keyOf(record);
		const key = id ?? JSON.stringify(record);
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		areIds &&= id !== undefined && count === 1;
		return count === 1 ? key : `${key} ${count}`;
	});
	return { ...page, offset, keys, areIds };
}
