import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { identify, permit, type Caller } from './access.ts';
import { isPhone, isUuid } from './checks.ts';
import { invalid, notFound, Refusal, refused, success, successOf, type Reply } from './envelope.ts';
import {
	answerInstead,
	changeEnvelope,
	halfOf,
	type FaultKind,
	type Faults,
	type SeenRequest,
} from './faults.ts';
import type { Readings } from './readings.ts';
import { notation, type Route } from './route.ts';
import type { Store } from './store.ts';
import { fileOf } from './voices.ts';
import { shown, understood } from './wire.ts';

export interface LoggedRequest extends SeenRequest {
	/** The status that the client saw. 0: the connection ended without an answer. */
	status: number;
	/** The handler succeeded: the change is made. */
	handled: boolean;
	/** By the emulator's clock. */
	at: number;
}

export interface Upcoming extends Pick<SeenRequest, 'method' | 'path' | 'query'> {
	/** The first request is number 1. */
	n: number;
}

export type Listener = (request: Upcoming) => unknown;

export interface Context {
	storeOf: (organization: string) => Store;
	callers: Map<string, Caller>;
	readings: Readings;
	now: () => number;
	/** Whether answers carry the clock in their Date header. */
	dated: boolean;
	faults: Faults;
	listeners: Set<Listener>;
	requests: LoggedRequest[];
	unknown: string[];
}

const BASE = '/v1';

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Sections "What the service does" and "Errors": a body is JSON, and what cannot be read is a 400. */
function readBody(raw: string, { headers }: SeenRequest, isExpected: boolean): unknown {
	if (raw === '' && !isExpected) return undefined;
	if (raw === '') throw invalid('a JSON body is required');
	if (!/^application\/json\b/i.test(String(headers['content-type'])))
		throw invalid('the body must be application/json');
	const body = parsed(raw);
	if (body === undefined) throw invalid('the body is not valid JSON');
	if (!isExpected && JSON.stringify(body) !== '{}') throw invalid('this endpoint takes no body');
	return body;
}

const FORMS: Record<Readings['ids'], (value: string) => boolean> = {
	uuid: isUuid,
	encoded: () => true,
	'whole number': (value) => /^\d+$/.test(value),
};

/** Identifiers have their form and phone numbers are E.164; anything else is invalid data (section "Errors", 400). */
function readParams(written: Record<string, string>, { ids }: Readings): Record<string, string> {
	const params: Record<string, string> = {};
	for (const [name, part] of Object.entries(written)) {
		const value = decoded(part);
		const form = name === 'agent_id' || name === 'contact_id' ? 'uuid' : ids;
		if (name.endsWith('_id') && !FORMS[form](value)) throw invalid(`${name} must be a ${form}`);
		if (name === 'phone_number' && !isPhone(value))
			throw invalid(`${name} must be in E.164 format`);
		params[name] = value;
	}
	return params;
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw invalid('the path cannot be decoded');
	}
}

/** What is read of a request besides its body. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

interface Match {
	route: Route;
	/** The parts of the path as they were sent. */
	params: Record<string, string>;
}

type Router = (method: string, path: string) => Match | { redirect: string } | undefined;

/** Finds the route of a path below /v1, or the address that a server with other slashes redirects to. */
function routerOf(routes: readonly Route[], { slash }: Readings): Router {
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
	return (method, path) => {
		const found = matchOf(method, path);
		if (found || slash === 'as listed') return found;
		return matchOf(method, served(path)) && { redirect: served(path) };
	};
}

/** A path and its query as they were sent: a URL object would change them. */
function addressOf({ url = '' }: Asked): { pathname: string; search: string } {
	const [pathname = ''] = url.split('?');
	return { pathname, search: url.slice(pathname.length) };
}

/** The parameters of a query. One that is given more than once has a list. */
function queryOf(search: string): SeenRequest['query'] {
	const all = new URLSearchParams(search);
	const entries = [...new Set(all.keys())].map((name) => {
		const values = all.getAll(name);
		return [name, values.length > 1 ? values : values[0]];
	});
	return Object.fromEntries(entries);
}

function readQuery({ query }: LoggedRequest, known: readonly string[]): Record<string, string> {
	for (const [name, value] of Object.entries(query)) {
		if (!known.includes(name)) throw invalid(`unknown query parameter ${name}`);
		if (typeof value !== 'string') throw invalid(`${name} is given more than once`);
	}
	return query as Record<string, string>;
}

interface Performed {
	reply: Reply;
	/** The handler succeeded: a change is made. */
	isHandled: boolean;
}

/** Checks the key, then the permission, then the form of the request, then the record (sections "Authentication" and "Errors"). */
function perform(
	{ route, params }: Match,
	entry: LoggedRequest,
	raw: string,
	context: Context,
): Performed {
	const { readings } = context;
	try {
		const caller = identify(entry.headers.authorization, context.callers);
		permit(caller, route.need ?? (route.method === 'GET' ? 'read' : 'change'), route.scopes);
		const { data, meta } = route.handle({
			store: context.storeOf(caller.organization),
			path: route.path,
			params: readParams(params, readings),
			query: readQuery(entry, route.query ?? []),
			body: understood(route.kind, readBody(raw, entry, route.body === true), readings),
			now: context.now,
			readings,
		});
		const { status, body } = successOf(route, readings);
		if (body === 'empty') return { reply: { status }, isHandled: true };
		const record = body === 'null' ? null : shown(route.kind, data, readings);
		const envelope = success({ data: record, meta }, readings);
		return { reply: { status, body: envelope }, isHandled: true };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return { reply: refused(error, readings), isHandled: false };
	}
}

/** Adds a request to the log. */
function log(request: Asked, raw: string, context: Context): LoggedRequest {
	const { method = '', headers } = request;
	const { pathname, search } = addressOf(request);
	const entry: LoggedRequest = {
		method,
		path: pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : pathname,
		query: queryOf(search),
		body: raw === '' ? undefined : (parsed(raw) ?? raw),
		headers,
		status: 0,
		handled: false,
		at: context.now(),
	};
	context.requests.push(entry);
	return entry;
}

function send(response: ServerResponse, { status, headers = {}, type, body }: Reply): void {
	const isText = typeof body === 'string' || Buffer.isBuffer(body);
	const written = isText ? body : JSON.stringify(body);
	const usual = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
	if (body !== undefined) response.setHeader('content-type', type ?? usual);
	response.writeHead(status, headers).end(written);
}

/** Answers a request, unless a fault breaks its connection. */
async function respond(
	find: Router,
	context: Context,
	request: Asked,
	raw: string,
): Promise<{ reply?: Reply; broken?: FaultKind['kind'] }> {
	const entry = log(request, raw, context);
	const { method, path, query } = entry;
	const { pathname, search } = addressOf(request);
	const found = pathname.startsWith(`${BASE}/`) ? find(method, path) : undefined;
	if (found && 'route' in found) entry.route = notation(found.route);
	const answered = (reply: Reply) => {
		entry.status = reply.status;
		return { reply };
	};
	if (found && 'redirect' in found) {
		const { readings } = context;
		const location = `${BASE}${found.redirect}${search}`;
		return answered({ status: parseInt(readings.slash), headers: { location } });
	}

	const n = context.requests.length;
	for (const listener of context.listeners) await listener({ method, path, query, n });
	const { delay: pause, fault } = context.faults.take(entry);
	if (pause > 0) await delay(pause);
	const broken = fault?.kind;
	if (broken === 'hang' || broken === 'reset-before') return { broken };
	const instead = fault && answerInstead(fault, context);
	if (instead) return answered(instead);

	if (!found) {
		context.unknown.push(`${method} ${path}`);
		return answered(refused(notFound(`the path ${method} ${path}`), context.readings));
	}
	const { reply, isHandled } = perform(found, entry, raw, context);
	entry.handled = isHandled;
	if (broken === 'reset-after') return { broken };
	if (broken === 'half-body') return { ...answered(reply), broken };
	return answered(fault ? { ...reply, body: changeEnvelope(fault, reply.body) } : reply);
}

async function serve(
	find: Router,
	context: Context,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const file = fileOf(request.url!, request.headers);
	if (file) return send(response, file);

	const { reply, broken } = await respond(find, context, request, await readText(request));
	if (broken === 'hang') return;
	if (!reply) return void request.socket.resetAndDestroy();
	if (context.dated) response.setHeader('date', new Date(context.now()).toUTCString());
	else response.sendDate = false;
	if (!broken) return send(response, reply);
	const { half, length } = halfOf(reply);
	response.writeHead(reply.status, {
		'content-type': 'application/json',
		'content-length': length,
	});
	response.write(half, () => request.socket.destroy());
}

/** Answers a GET without a server, which takes a fraction of the time. */
export function answererOf(context: Context, routes: readonly Route[]) {
	const find = routerOf(routes, context.readings);
	return async (url: string, headers: IncomingHttpHeaders) => {
		const { pathname, search } = new URL(url);
		const { reply } = await respond(
			find,
			context,
			{ method: 'GET', url: pathname + search, headers },
			'',
		);
		const date = new Date(context.now()).toUTCString();
		return { status: reply!.status, headers: { date }, body: JSON.stringify(reply!.body) };
	};
}

/** Starts the server of one emulator. */
export async function listen(
	context: Context,
	routes: readonly Route[],
	{ port, host }: { port: number; host: string },
): Promise<{ origin: string; close(): Promise<void> }> {
	const find = routerOf(routes, context.readings);
	const server = createServer((request, response) => {
		serve(find, context, request, response).catch((error: Error) => {
			// The client went away while it sent, or this is a bug of the emulator.
			if (!request.complete) return;
			const code = 'EMULATOR_BUG';
			send(response, refused(new Refusal(500, code, String(error.stack)), context.readings));
		});
	});
	server.keepAliveTimeout = 72_000;
	server.requestTimeout = 0;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, host, resolve);
	});
	const { port: chosen } = server.address() as AddressInfo;
	// Ends every connection, also those with a request that has no answer yet.
	const close = async () =>
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { origin: `http://${host}:${chosen}`, close };
}
