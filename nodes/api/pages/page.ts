import type { JsonObject } from '../../json';

/** One answer of a list endpoint. Reference: "Response envelope" (meta). */
export interface Page {
	records: JsonObject[];
	/** The total_items of meta, if there is one. */
	total?: number;
	/** The limit of meta: what the server used instead of what it was asked for. */
	limit?: number;
	/** The number of groups that hold the records. Limit, offset and total may count these. */
	groups?: number;
}

export type FetchPage = (offset: number, limit: number) => Promise<Page>;

/** The same with the limit already chosen. */
export type Fetch = (offset: number) => Promise<Page>;

/** The largest page that the API serves. It may serve smaller ones. Reference: "Limits". */
export const PAGE_SIZE = 100;

/** After so many equal answers in a row, the server evidently ignores the offset. */
export const MAX_REPEATS = 3;

/**
 * Takes the next records of a list. Returns true if these are enough. It may be slow: only the pages
 * that are read ahead wait for it.
 */
export type Take = (records: JsonObject[]) => boolean | Promise<boolean>;

export interface StreamOptions {
	/** The most records that are needed. */
	wanted?: number;
	/** How many pages to request ahead, after so many were taken. Few, if the reading may soon end. */
	ahead?(taken: number): number;
	keyOf?: (record: JsonObject) => string | undefined;
	/** Whether to look for records that the total promises but no page showed. They come last. */
	seeks?: boolean;
}

/**
 * Whether the server says that a list ends with this page. The total must name the end of the page, and
 * the page must not be full. A page that is only short proves nothing: the server may serve no more at a
 * time. For the same reason a first page of a round length proves nothing, because its total may count
 * only itself.
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

/** Whether a server may be set to serve so many records at a time. */
const isRound = (count: number) =>
	count >= 10 && (count % 5 === 0 || Number.isInteger(Math.log2(count)));

/**
 * What tells records apart: their `id`, or the `value` of a model. Undefined if there is neither.
 * Reference: "Resources and their fields".
 */
export function defaultKey(record: JsonObject): string | undefined {
	const key = record.id ?? ('label' in record ? record.value : undefined);
	if (typeof key !== 'string' && typeof key !== 'number') return undefined;
	return String(key) || undefined;
}
