import type { Need } from './access.ts';
import type { Assumed } from './assumed.ts';
import type { Answer } from './envelope.ts';
import type { Store } from './store.ts';

export interface Behaviour {
	createdAfter: 'inclusive' | 'exclusive';
	ascending: 'served' | 'refused' | 'ignored';
	assumed: Assumed;
}

/** What a handler is given: the caller is permitted, ids are well formed and only known query parameters are left. */
export interface Exchange {
	store: Store;
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
	/** Whether a body is expected; otherwise one that is sent must be empty. */
	body?: true;
	handle(exchange: Exchange): Answer;
}

/** Section "Limits": all list endpoints accept these two. */
export const PAGE = ['limit', 'offset'] as const;

export function notation(route: Pick<Route, 'method' | 'path'>): string {
	return `${route.method} ${route.path}`;
}
