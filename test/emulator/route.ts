import type { Need } from './access.ts';
import type { Assumed } from './assumed.ts';
import type { Answer, Outcome } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Store } from './store.ts';
import type { Kind } from './wire.ts';

export interface Behaviour {
	readings: Readings;
	assumed: Assumed;
}

/** What a handler is given: the caller is permitted, ids are well formed and only known query parameters are left. */
export interface Exchange {
	store: Store;
	/** The route's, in the reference's notation. */
	path: string;
	params: Record<string, string>;
	query: Record<string, string>;
	body: unknown;
	now: () => number;
	behaviour: Behaviour;
}

export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** In the reference's notation, below /v1. */
	path: string;
	/** Default: read for GET, change for the rest (section "Authentication", 4). */
	need?: Need;
	/** The OAuth scopes of which one suffices (section "Authentication", 5). */
	scopes?: readonly string[];
	/** The query parameters the reference names. */
	query?: readonly string[];
	/** What it answers, one or a list. */
	kind: Kind;
	/** What it does, where the reference shows neither the status of a success nor its data. */
	outcome?: Outcome;
	/** The reference says that the answer carries data. */
	tells?: true;
	/** Whether a body is expected; otherwise one that is sent must be empty. */
	body?: true;
	handle(exchange: Exchange): Answer;
}

/** Section "Limits": all list endpoints accept these two. */
export const PAGE = ['limit', 'offset'] as const;

export function notation(route: Pick<Route, 'method' | 'path'>): string {
	return `${route.method} ${route.path}`;
}
