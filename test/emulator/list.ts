import { invalid, Page } from './envelope.ts';
import type { Readings } from './readings.ts';
import { get, type Exchange, type Route } from './route.ts';
import type { Row, Table } from './table.ts';
import { instant } from './time.ts';
import type { Kind } from './wire.ts';

/** What a value of a query parameter lets through. */
export type Filter<T> = (value: string, exchange: Exchange) => (row: T) => boolean;

/** Rows whose field has this value. */
export const equals =
	<T>(field: keyof T): Filter<T> =>
	(value) =>
	(row) =>
		row[field] === value;

/** The created_after cursor: ISO 8601 (row /wallet/transactions). */
export const createdAfter: Filter<{ created_at: string }> = (written, { readings }) => {
	const moment = instant(written);
	if (moment === undefined) throw invalid('created_after must be an ISO 8601 date-time');
	// In microseconds.
	const grain = readings.grain === 'second' ? 1_000_000 : 1;
	const start = Math.floor(moment / grain) * grain;
	const from = readings.bound === 'inclusive' ? start : start + grain;
	return ({ created_at }) => (instant(String(created_at)) ?? 0) >= from;
};

const lower = (value: unknown) => String(value ?? '').toLowerCase();

/** Rows with a field that contains the value, in upper or lower case. */
const searchIn =
	<T>(fields: ReadonlyArray<keyof T>): Filter<T> =>
	(value) => {
		const wanted = lower(value.trim());
		return (row) => fields.some((field) => lower(row[field]).includes(wanted));
	};

type Order = [field: string, isDescending: boolean];

export const NEWEST_FIRST: Order = ['created_at', true];

const ORDERS: Record<Readings['order'], Order> = {
	'newest first': NEWEST_FIRST,
	'oldest first': ['created_at', false],
	'by id': ['id', false],
};

interface ListOptions<T> {
	/** The records; or a short list, which is always in the same order and in pages of full size. */
	rows: (exchange: Exchange) => Pick<Table<T & Row>, 'inOrder'> | readonly T[];
	/** The query parameters that narrow the list: their values, or what a value lets through. */
	filters?: Record<string, readonly string[] | Filter<T>>;
	/** The fields that `search` looks into. A `filter` takes precedence over it. */
	searched?: ReadonlyArray<keyof T>;
	/** The fields that `sort` takes, with a minus sign in front for the descending order. */
	sorts?: readonly string[];
	/** The order that the reference shows. */
	order?: Order;
	/** Which rows the list shows at all. Undefined: all. */
	where?: (exchange: Exchange) => ((row: T) => boolean) | undefined;
	show?: (row: T, exchange: Exchange) => unknown;
	/** The data of a page that is no list of records. */
	group?: (rows: T[]) => unknown;
}

function integer(
	query: Exchange['query'],
	name: string,
	fallback: number,
	min: number,
	max: number,
) {
	const written = query[name];
	if (written === undefined) return fallback;
	const value = /^-?\d+$/.test(written) ? Number(written) : NaN;
	if (!(value >= min && value <= max))
		throw invalid(`${name} must be an integer from ${min} to ${max}`);
	return value;
}

/** A list. Sections "Endpoints" and "Limits": all take limit (1 to 100, default 50) and offset (default 0). */
export function list<T>(
	path: string,
	kind: Kind,
	options: ListOptions<T>,
	scopes?: Pick<Route, 'scopes'>,
): Route {
	const { rows, sorts, order: shownOrder, where, show = (row) => row, group } = options;
	const filters: typeof options.filters = {
		...options.filters,
		...(options.searched && { search: searchIn(options.searched) }),
	};

	const matchesOf = (exchange: Exchange) =>
		Object.entries(filters).flatMap(([name, allowed]) => {
			const value = exchange.query[name];
			if (value === undefined || (name === 'search' && exchange.query['filter'])) return [];
			if (typeof allowed === 'function') return allowed(value, exchange);
			if (!allowed.includes(value)) throw invalid(`${name} must be one of ${allowed.join(', ')}`);
			return equals<T>(name as keyof T)(value, exchange);
		});

	const orderOf = ({ query, readings }: Exchange): Order => {
		const { sort } = query;
		if (sort === undefined) return shownOrder ?? ORDERS[readings.order];
		const field = sort.replace(/^-/, '');
		if (!sorts?.includes(field)) throw invalid(`sort must be one of ${sorts?.join(', ')}`);
		return [field, field !== sort];
	};

	const handle = (exchange: Exchange): Page => {
		const limit = integer(exchange.query, 'limit', 50, 1, 100);
		const offset = integer(exchange.query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
		const matches = [where?.(exchange) ?? [], matchesOf(exchange)].flat();
		const given = rows(exchange);
		const isShort = !('inOrder' in given);
		const all: readonly T[] = isShort ? given : given.inOrder(...orderOf(exchange));
		const wanted = matches.reduce((left, isRight) => left.filter(isRight), all);
		const cap = isShort || exchange.readings.pageCap === 'none' ? limit : 5;
		const page = wanted.slice(offset, offset + Math.min(limit, cap));
		const data = group ? group(page) : page.map((row) => show(row, exchange));
		return new Page(data, { limit, offset, total_items: wanted.length });
	};
	const query = [...Object.keys(filters), ...(sorts ? ['sort'] : []), 'limit', 'offset'];
	return get(path, kind, handle, { query, ...scopes });
}
