import { invalid, type Answer, type PageMeta } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Exchange } from './route.ts';
import type { PageQuery, Row, Table } from './table.ts';
import { instant } from './time.ts';

type Query = Record<string, string>;

function integer(query: Query, name: string, fallback: number, min: number, max: number): number {
	const written = query[name];
	if (written === undefined) return fallback;
	const value = /^-?\d+$/.test(written) ? Number(written) : NaN;
	if (!(value >= min && value <= max))
		throw invalid(`${name} must be an integer from ${min} to ${max}`);
	return value;
}

/** The most records of a list in one answer. */
const CAPS: Record<Readings['pageCap'], (path: string) => number> = {
	none: () => Infinity,
	'some lists': (path) =>
		/^\/(call-history|orders|contacts|catalogues\/items|events)$/.test(path) ? 5 : Infinity,
	'every list': () => 3,
};

/**
 * Sections "Endpoints" and "Limits": limit 1 to 100, default 50; offset at least 0, default 0.
 * @returns how many records are served, and the meta of a list with so many in all
 */
export function windowOf({ query, path, readings }: Exchange) {
	const asked = integer(query, 'limit', 50, 1, 100);
	const offset = integer(query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
	const limit = Math.min(asked, CAPS[readings.pageCap](path));
	const metaOf = (total_items: number): PageMeta => ({ limit: asked, offset, total_items });
	return { limit, offset, metaOf };
}

/** A filter with a closed set of values: any other value is a 400. */
export function choice(query: Query, name: string, allowed: readonly string[]): string | undefined {
	const value = query[name];
	if (value !== undefined && !allowed.includes(value))
		throw invalid(`${name} must be one of ${allowed.join(', ')}`);
	return value;
}

export const NEWEST_FIRST = { sort: 'created_at', descending: true };

/** A filter for rows whose field has this value. Without a value, all rows pass. */
export const onlyWith =
	<T>(field: keyof T, value: string | undefined) =>
	(row: T) =>
		value === undefined || row[field] === value;

/** A sort is a field, with a minus sign in front for the descending order. */
export function sortOf(query: Query, fields: readonly string[]) {
	const { sort: written } = query;
	if (written === undefined) return NEWEST_FIRST;
	const sort = written.replace(/^-/, '');
	if (!fields.includes(sort)) throw invalid(`sort must be one of ${fields.join(', ')}`);
	return { sort, descending: sort !== written };
}

/** In microseconds. */
const GRAINS: Record<Readings['grain'], number> = { finest: 1, second: 1_000_000 };

/** The created_after cursor: ISO 8601 (row /wallet/transactions). Gives the first moment that counts. */
export function cursorOf({ query, readings }: Exchange): number | undefined {
	const { created_after: written } = query;
	if (written === undefined) return undefined;
	const moment = instant(written);
	if (moment === undefined) throw invalid('created_after must be an ISO 8601 date-time');
	const size = GRAINS[readings.grain];
	const start = Math.floor(moment / size) * size;
	return readings.bound === 'inclusive' ? start : start + size;
}

/** A search in the given fields that ignores upper and lower case. */
export function searchIn<T>(query: Query, ...fields: Array<keyof T>): (row: T) => boolean {
	const wanted = (query['search'] ?? '').trim().toLowerCase();
	return (row) =>
		wanted === '' ||
		fields.some((field) =>
			String(row[field] ?? '')
				.toLowerCase()
				.includes(wanted),
		);
}

/** The lists whose order the reference shows. */
const ORDERED = ['/agents/', '/call-history'];

const ORDERS: Record<Readings['order'], { sort?: string; descending?: boolean }> = {
	'newest first': {},
	'oldest first': { sort: 'created_at', descending: false },
	'by id': { sort: 'id', descending: false },
};

/** One page of a table: section "Response envelope", a list carries meta. */
export function pageOf<T extends Row>(
	exchange: Exchange,
	table: Table<T>,
	selection: Omit<PageQuery<T>, 'limit' | 'offset'>,
	show: (row: T) => unknown = (row) => row,
): Answer {
	const { query, path, readings } = exchange;
	const isSilent = query['sort'] === undefined && !ORDERED.includes(path);
	const order = isSilent ? ORDERS[readings.order] : {};
	const { limit, offset, metaOf } = windowOf(exchange);
	const { rows, total } = table.page({ ...selection, ...order, limit, offset });
	return { data: rows.map(show), meta: metaOf(total) };
}

/** One page of a short list, which is an array. */
export function slice(exchange: Exchange, rows: readonly unknown[]): Answer {
	const { limit, offset, metaOf } = windowOf(exchange);
	return { data: rows.slice(offset, offset + limit), meta: metaOf(rows.length) };
}
