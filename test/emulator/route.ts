import type { Need } from './access.ts';
import { isObject, type Fields, type Rules } from './checks.ts';
import { notFound } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Store } from './store.ts';
import type { Row, Table } from './table.ts';
import { iso } from './time.ts';
import type { Kind } from './wire.ts';

/** What a handler gets: the caller may do this, ids are well formed, and the query and the body have only known fields. */
export interface Exchange {
	store: Store;
	params: Record<string, string>;
	query: Record<string, string>;
	body: Fields;
	readings: Readings;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A line of the tables in section "Endpoints". */
export interface Route {
	method: Method;
	/** In the reference's notation, below /v1. */
	path: string;
	/** What it answers, one or a list. */
	kind: Kind;
	/** Gives the data of the answer: a record, or a Page. */
	handle(exchange: Exchange): unknown;
	/** Default: read for GET, change for the rest (section "Authentication", 4). */
	need?: Need;
	/** One of these OAuth scopes is enough (section "Authentication", 5). */
	scopes?: readonly string[];
	/** The query parameters the reference names. */
	query?: readonly string[];
	/** The fields of the body. Absent: it takes none. */
	body?: Rules | ((store: Store) => Rules);
	required?: readonly string[];
	/** The reference shows what the body and the answer are, so all servers do the same. */
	isShown?: true;
}

const routeOf =
	(method: Method) =>
	(
		path: string,
		kind: Kind,
		handle: Route['handle'],
		rest: Omit<Route, 'method' | 'path' | 'kind' | 'handle'> = {},
	): Route => ({ method, path, kind, handle, ...rest });

export const get = routeOf('GET');
export const post = routeOf('POST');
export const put = routeOf('PUT');
export const patch = routeOf('PATCH');
export const remove = routeOf('DELETE');

export const notation = ({ method, path }: Route) => `${method} ${path}`;

/** @throws a 404 if there is no such record */
export function found<T>(record: T | undefined, what: string): T {
	if (record === undefined) throw notFound(what);
	return record;
}

/** The record after a PATCH. A sent object replaces the present one, or is merged into it. */
export function patched<T extends object>(current: T, { body, readings }: Exchange): T {
	const entries = Object.entries(body).map(([name, value]) => {
		const before = (current as Fields)[name];
		const isMerged = readings.patchObjects === 'merges' && isObject(before) && isObject(value);
		return [name, isMerged ? { ...before, ...value } : value];
	});
	return { ...current, ...Object.fromEntries(entries) };
}

/** Records that are created, replaced by a PUT, and deleted. */
interface Collection<T extends Row> {
	kind: Kind;
	/** Where a POST creates one. */
	path: string;
	/** Where one is. A PUT need not name a field that stands in the path. */
	paths: readonly string[];
	tableOf: (store: Store) => Table<T>;
	/** @throws a 404 if there is no such record */
	find: (exchange: Exchange) => T;
	body: Route['body'];
	required: readonly string[];
	/** What a new record holds in the fields that the body does not name. */
	blank: Partial<T>;
	/** Checks a record before it is stored, and gives it what only the server sets. */
	check?: (record: Partial<T>, store: Store, current?: T) => Partial<T>;
	add: (store: Store, record: Partial<T>) => T;
	/** Tells the other records that this one goes. */
	release?: (record: T, store: Store) => void;
	show?: (record: T, store: Store) => unknown;
}

/** POST, GET, PUT and DELETE of a collection. */
export function crud<T extends Row>(collection: Collection<T>): Route[] {
	const { kind, blank, body, required, find, tableOf, check, release } = collection;
	const show = collection.show ?? ((record: T) => record);
	const create = (exchange: Exchange) => {
		const record = { ...blank, ...exchange.body } as Partial<T>;
		const { store } = exchange;
		return show(collection.add(store, { ...record, ...check?.(record, store) }), store);
	};
	const replace = (exchange: Exchange) => {
		const { store, readings, params } = exchange;
		const current = find(exchange);
		const kept = Object.entries(current).filter(([name]) => name in params);
		const rest = readings.put === 'merges' ? current : { ...blank, ...Object.fromEntries(kept) };
		const record = { ...rest, ...exchange.body } as Partial<T>;
		const own = {
			...check?.(record, store, current),
			...('updated_at' in current && { updated_at: iso(store.now()) }),
		};
		return show(tableOf(store).change(current.id, { ...record, ...own }), store);
	};
	const discard = (exchange: Exchange) => {
		const { store } = exchange;
		const record = find(exchange);
		tableOf(store).remove(record.id);
		release?.(record, store);
		return show(record, store);
	};
	return [
		post(collection.path, kind, create, { body, required }),
		...collection.paths.flatMap((path) => [
			get(path, kind, (exchange) => show(find(exchange), exchange.store)),
			put(path, kind, replace, {
				body,
				required: required.filter((name) => !path.includes(`{${name}}`)),
			}),
			remove(path, kind, discard),
		]),
	];
}
