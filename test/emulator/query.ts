import { invalid } from './envelope.ts';
import type { Answer } from './envelope.ts';
import type { Exchange } from './route.ts';
import type { PageQuery, Row, Table } from './table.ts';
import { instant } from './time.ts';

type Query = Record<string, string>;

export interface Window {
	limit: number;
	offset: number;
}

function integer(query: Query, name: string, fallback: number, min: number, max: number): number {
	const written = query[name];
	if (written === undefined) return fallback;
	const value = /^-?\d+$/.test(written) ? Number(written) : NaN;
	if (!(value >= min && value <= max))
		throw invalid(`${name} must be an integer from ${min} to ${max}`);
	return value;
}

/** Sections "Endpoints" and "Limits": limit 1 to 100, default 50; offset at least 0, default 0. */
export function windowOf(query: Query): Window {
	return {
		limit: integer(query, 'limit', 50, 1, 100),
		offset: integer(query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER),
	};
}

/** A filter with a closed set of values: any other value is a 400. */
export function choice(query: Query, name: string, allowed: readonly string[]): string | undefined {
	const value = query[name];
	if (value !== undefined && !allowed.includes(value))
		throw invalid(`${name} must be one of ${allowed.join(', ')}`);
	return value;
}

/** A sort is a field, or a field behind a minus sign for the descending order. */
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

/** The created_after cursor: ISO 8601 (row /wallet/transactions). */
export function cursorOf({ query, behaviour }: Exchange): PageQuery<Row>['after'] {
	const written = query['created_after'];
	if (written === undefined) return undefined;
	const moment = instant(written);
	if (moment === undefined) throw invalid('created_after must be an ISO 8601 date-time');
	return { instant: moment, inclusive: behaviour.createdAfter === 'inclusive' };
}

/** The sort of a list with a cursor, where the ascending order can be made to be refused or ignored. */
export function polledSort(
	{ query, behaviour }: Exchange,
	fields: readonly string[],
): { sort: string; descending: boolean } {
	const order = sortOf(query, fields);
	if (query['sort'] !== 'created_at' || behaviour.ascending === 'served') return order;
	if (behaviour.ascending === 'refused') throw invalid('sort=created_at is not supported');
	return { sort: 'created_at', descending: true };
}

/** A case-blind search in the given texts. */
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

/** One page of a table: section "Response envelope", a list carries meta. */
export function pageOf<T extends Row>(
	{ query }: Exchange,
	table: Table<T>,
	selection: Omit<PageQuery<T>, 'limit' | 'offset'>,
	show: (row: T) => unknown = (row) => row,
): Answer {
	const { limit, offset } = windowOf(query);
	const { rows, total } = table.page({ ...selection, limit, offset });
	return { data: rows.map(show), meta: { limit, offset, total_items: total } };
}

/** One page of a list that is short enough to be cut from an array. */
export function slice(query: Query, rows: readonly unknown[]): Answer {
	const { limit, offset } = windowOf(query);
	return {
		data: rows.slice(offset, offset + limit),
		meta: { limit, offset, total_items: rows.length },
	};
}
