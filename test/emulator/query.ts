import { invalid } from './envelope.ts';
import type { Answer, PageMeta } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Exchange } from './route.ts';
import type { PageQuery, Row, Table } from './table.ts';
import { instant } from './time.ts';

type Query = Record<string, string>;

export interface Window {
	/** How many records are served. */
	limit: number;
	offset: number;
	/** How many the client asked for. */
	asked: number;
}

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
		['/call-history', '/orders', '/contacts', '/catalogues/items', '/events'].includes(path)
			? 5
			: Infinity,
	'every list': () => 3,
};

/** Sections "Endpoints" and "Limits": limit 1 to 100, default 50; offset at least 0, default 0. */
export function windowOf({ query, path, readings }: Exchange): Window {
	const asked = integer(query, 'limit', 50, 1, 100);
	return {
		asked,
		limit: Math.min(asked, CAPS[readings.pageCap](path)),
		offset: integer(query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER),
	};
}

/** Section "Response envelope", meta. */
export function metaOf(window: Window, total_items: number): PageMeta {
	return { limit: window.asked, offset: window.offset, total_items };
}

/** A filter with a closed set of values: any other value is a 400. */
export function choice(query: Query, name: string, allowed: readonly string[]): string | undefined {
	const value = query[name];
	if (value !== undefined && !allowed.includes(value))
		throw invalid(`${name} must be one of ${allowed.join(', ')}`);
	return value;
}

export const NEWEST_FIRST = { sort: 'created_at', descending: true };

/** The filter of a table for an exact value, if there is one. */
export const onlyWith = (field: string, value: string | undefined) =>
	value === undefined ? undefined : { field, value };

/** A sort is a field, with a minus sign in front for the descending order. */
export function sortOf(
	query: Query,
	fields: readonly string[],
): { sort: string; descending: boolean } {
	const written = query['sort'] ?? '-created_at';
	const descending = written.startsWith('-');
	const sort = descending ? written.slice(1) : written;
	if (query['sort'] !== undefined && !fields.includes(sort))
		throw invalid(`sort must be one of ${fields.join(', ')}`);
	return { sort, descending };
}

/** In microseconds. */
const GRAINS: Record<Readings['grain'], number> = {
	finest: 1,
	second: 1_000_000,
};

/** The created_after cursor: ISO 8601 (row /wallet/transactions). */
export function cursorOf({ query, readings }: Exchange): PageQuery<Row>['after'] {
	const written = query['created_after'];
	if (written === undefined) return undefined;
	const moment = instant(written);
	if (moment === undefined) throw invalid('created_after must be an ISO 8601 date-time');
	const { bound, grain } = readings;
	const size = GRAINS[grain];
	const start = Math.floor(moment / size) * size;
	if (bound === 'inclusive') return { instant: start, inclusive: true };
	return { instant: start + size - 1, inclusive: false };
}

/** A search in the given fields that ignores upper and lower case. */
export function searchIn<T>(
	query: Query,
	...fields: Array<keyof T>
): ((row: T) => boolean) | undefined {
	const wanted = (query['search'] ?? '').trim().toLowerCase();
	if (wanted === '') return undefined;
	return (row) =>
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
	const window = windowOf(exchange);
	const { rows, total } = table.page({ ...selection, ...order, ...window });
	return { data: rows.map(show), meta: metaOf(window, total) };
}

/** One page of a short list, which is an array. */
export function slice(exchange: Exchange, rows: readonly unknown[]): Answer {
	const window = windowOf(exchange);
	return {
		data: rows.slice(window.offset, window.offset + window.limit),
		meta: metaOf(window, rows.length),
	};
}
