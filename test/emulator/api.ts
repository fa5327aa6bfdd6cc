import { identify } from './access.ts';
import { isObject, phone, readFields, uuid, type Fields } from './checks.ts';
import { invalid, Page, Refusal, refused, success, type Reply } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Route } from './route.ts';
import type { Context, LoggedRequest } from './server.ts';
import type { Store } from './store.ts';
import { shown, understood } from './wire.ts';

// Finds the route of a request, checks what was sent, and forms the answer.

interface Match {
	route: Route;
	/** The parts of the path as they were sent. */
	params: Record<string, string>;
}

export type Router = (method: string, path: string) => Match | { redirect: string } | undefined;

/** Finds the route of a path, or the path that a server with other slashes redirects to. */
export function routerOf(routes: readonly Route[], { slash }: Readings): Router {
	const served = (path: string) => {
		const bare = path.replace(/\/$/, '');
		return { 'as listed': path, '301 adds': `${bare}/`, '308 takes': bare }[slash];
	};
	const patterns = routes
		.map((route) => {
			const pattern = served(route.path).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
			return { route, pattern: new RegExp(`^${pattern}$`) };
		})
		// A path with fewer parameters comes first: /agents/models is no agent.
		.sort((one, other) => one.route.path.split('{').length - other.route.path.split('{').length);
	const matchOf = (method: string, path: string): Match | undefined => {
		for (const { route, pattern } of patterns) {
			const found = route.method === method ? pattern.exec(path) : null;
			if (found) return { route, params: { ...found.groups } };
		}
		return undefined;
	};
	return (method, path) =>
		matchOf(method, path) ?? (matchOf(method, served(path)) && { redirect: served(path) });
}

/** Checks the key and its permission, then the form of the request, then the record (sections "Authentication" and "Errors"). */
export function perform({ route, params }: Match, asked: LoggedRequest, context: Context) {
	const { callers, readings, storeOf } = context;
	try {
		const need = route.need ?? (route.method === 'GET' ? 'read' : 'change');
		const caller = identify(callers, asked.headers.authorization, need, route.scopes);
		const store = storeOf(caller.organization);
		const answer = route.handle({
			store,
			readings,
			params: readParams(params, readings),
			query: readQuery(asked.query, route.query),
			body: readBody(route, asked, store, readings),
		});
		return { reply: replyOf(route, answer, readings), isHandled: true };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return { reply: refused(error, readings), isHandled: false };
	}
}

/** Identifiers have their form and phone numbers are E.164; anything else is invalid data (section "Errors", 400). */
function readParams(written: Record<string, string>, { ids }: Readings): Record<string, string> {
	const entries = Object.entries(written).map(([name, part]) => {
		const value = decodeURIComponent(part);
		const form = name === 'agent_id' || name === 'contact_id' ? 'uuid' : ids;
		if (name === 'phone_number') phone(value, name);
		else if (name.endsWith('_id') && form === 'uuid') uuid(value, name);
		else if (name.endsWith('_id') && form === 'whole number' && !/^\d+$/.test(value))
			throw invalid(`${name} must be a whole number`);
		return [name, value];
	});
	return Object.fromEntries(entries);
}

function readQuery(query: LoggedRequest['query'], known: readonly string[] = []) {
	for (const [name, value] of Object.entries(query)) {
		if (!known.includes(name)) throw invalid(`unknown query parameter ${name}`);
		if (typeof value !== 'string') throw invalid(`${name} is given more than once`);
	}
	return query as Record<string, string>;
}

/** Sections "What the service does" and "Errors": a body is JSON, and what cannot be read is a 400. */
function readBody(route: Route, asked: LoggedRequest, store: Store, readings: Readings): Fields {
	if (!route.body && asked.body === undefined) return {};
	if (!/^application\/json\b/i.test(String(asked.headers['content-type'])))
		throw invalid('a JSON body is required, as application/json');
	const { method, required = [] } = route;
	const rules = typeof route.body === 'function' ? route.body(store) : (route.body ?? {});
	let sent = understood(route.kind, asked.body, readings);
	if (readings.readOnly === 'ignored' && !route.isShown && isObject(sent)) {
		const known = Object.entries(sent).filter(([name]) => Object.hasOwn(rules, name));
		sent = Object.fromEntries(known);
	}
	const isMerging = method === 'PUT' && readings.put === 'merges';
	const read = readFields(sent, rules, isMerging ? [] : required);
	// Section "Agent update", rule 5.
	if (method === 'PATCH' && route.body && Object.keys(read).length === 0)
		throw invalid('the body must contain at least one property');
	return read;
}

/** Whether a server shows the record that a change made. */
export const showsRecord = ({ changes }: Readings) => /as usual|record/.test(changes);

function replyOf({ method, kind, isShown }: Route, answer: unknown, readings: Readings): Reply {
	const isPage = answer instanceof Page;
	const record = () => shown(kind, isPage ? answer.data : answer, readings);
	const reply = (status: number, data: unknown): Reply => ({
		status,
		body: success(data, isPage ? answer.meta : undefined, readings),
	});
	if (method === 'GET' || isShown) return reply(200, record());
	if (readings.changes === '204 empty') return { status: 204 };
	if (readings.changes === '200 null') return reply(200, null);
	if (readings.changes === '202 record') return reply(202, record());
	return reply(method === 'POST' ? 201 : 200, method === 'DELETE' ? null : record());
}
