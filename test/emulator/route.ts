import type { Need } from './access.ts';
import { notFound } from './envelope.ts';
import type { Answer, Outcome } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Store } from './store.ts';
import type { Kind } from './wire.ts';

/** What a handler gets: the caller may do this, ids are well formed, and all query parameters are known. */
export interface Exchange {
	store: Store;
	/** The route's path, in the reference's notation. */
	path: string;
	params: Record<string, string>;
	query: Record<string, string>;
	body: unknown;
	now: () => number;
	readings: Readings;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
	method: Method;
	/** In the reference's notation, below /v1. */
	path: string;
	/** What it answers, one or a list. */
	kind: Kind;
	handle(exchange: Exchange): Answer;
	/** Default: read for GET, change for the rest (section "Authentication", 4). */
	need?: Need;
	/** One of these OAuth scopes is enough (section "Authentication", 5). */
	scopes?: readonly string[];
	/** The query parameters the reference names. */
	query?: readonly string[];
	/** What it does. Absent: the reference shows the status and the data of the answer. */
	outcome?: Outcome;
	/** The reference says that the answer has data. */
	hasData?: true;
	/** Whether it needs a body. Otherwise a body that is sent must be empty. */
	body?: boolean;
}

type Options = Partial<Pick<Route, 'need' | 'scopes' | 'outcome' | 'hasData' | 'body'>>;

const routeOf =
	(method: Method, usual: Options = {}) =>
	(
		path: string,
		kind: Kind,
		data: (exchange: Exchange) => unknown,
		options: Options = {},
	): Route => ({
		method,
		path,
		kind,
		handle: (exchange) => ({ data: data(exchange) }),
		...usual,
		...options,
	});

export const get = routeOf('GET');
export const post = routeOf('POST', { outcome: 'created', body: true });
export const put = routeOf('PUT', { outcome: 'changed', body: true });
export const patch = routeOf('PATCH', { outcome: 'changed', body: true });
export const remove = routeOf('DELETE', { outcome: 'deleted' });

/** A change of a record's status, without a body. */
export const move = (method: Method, ...given: Parameters<typeof get>) =>
	routeOf(method, { outcome: 'changed' })(...given);

/** A list. Section "Limits": all of them take limit and offset. */
export const list = (
	path: string,
	kind: Kind,
	query: readonly string[],
	handle: (exchange: Exchange) => Answer,
	options: Options = {},
): Route => ({
	method: 'GET',
	path,
	kind,
	query: [...query, 'limit', 'offset'],
	handle,
	...options,
});

export function notation(route: Pick<Route, 'method' | 'path'>): string {
	return `${route.method} ${route.path}`;
}

/** @throws a 404 if there is no such record */
export function found<T>(record: T | undefined, what: string): T {
	if (record === undefined) throw notFound(what);
	return record;
}
