import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

import { perform, routerOf } from './api.ts';
import type { Caller } from './access.ts';
import { notFound, refused, type Reply } from './envelope.ts';
import { answerInstead, changedBy, type Faults } from './faults.ts';
import type { Readings } from './readings.ts';
import { notation, type Route } from './route.ts';
import type { Store } from './store.ts';
import { fileOf } from './voices.ts';

// HTTP: reads and logs requests, lets faults happen, and sends what api.ts answers.

/** A request in the log. */
export interface LoggedRequest {
	/** The first request is number 1. */
	n: number;
	method: string;
	/** As sent, below /v1. */
	path: string;
	/** In the reference's notation. */
	route?: string;
	/** A parameter that is given more than once has a list. */
	query: Record<string, string | string[]>;
	/** Parsed, if it is JSON. */
	body: unknown;
	headers: IncomingHttpHeaders;
	/** The status that the client saw. 0: the connection ended without an answer. */
	status: number;
	/** The handler succeeded: the change is made. */
	handled: boolean;
	/** By the emulator's clock. */
	at: number;
}

export type Listener = (request: LoggedRequest) => unknown;

export interface Context {
	storeOf: (organization: string) => Store;
	callers: Map<string, Caller>;
	readings: Readings;
	routes: readonly Route[];
	now: () => number;
	faults: Faults;
	listeners: Set<Listener>;
	requests: LoggedRequest[];
	unknown: string[];
}

/** A request as it arrives, and what becomes of it: an answer, half of one, or none because the connection breaks. */
type Arrived = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type Outcome = { reply?: Reply; isHalf?: boolean };

const BASE = '/v1';

function queryOf(search: string): LoggedRequest['query'] {
	const query: LoggedRequest['query'] = {};
	for (const [name, value] of new URLSearchParams(search))
		query[name] = name in query ? [query[name]!, value].flat() : value;
	return query;
}

/** The JSON in a body, else its text. */
function parsed(raw: string): unknown {
	try {
		return raw === '' ? undefined : (JSON.parse(raw) as unknown);
	} catch {
		return raw;
	}
}

/** Answers requests: logs each, lets the listeners know, and does what a fault or the API does. */
export function answererOf(context: Context) {
	const { faults, listeners, now, readings, requests, routes, unknown } = context;
	const find = routerOf(routes, readings);

	return async ({ method = '', url = '', headers }: Arrived, raw: string): Promise<Outcome> => {
		// A URL object would change the path and the query.
		const [pathname = ''] = url.split('?');
		const search = url.slice(pathname.length);
		const path = pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : pathname;
		const found = path === pathname ? undefined : find(method, path);
		const entry: LoggedRequest = {
			n: requests.length + 1,
			method,
			path,
			query: queryOf(search),
			headers,
			...(found && 'route' in found && { route: notation(found.route) }),
			body: parsed(raw),
			status: 0,
			handled: false,
			at: now(),
		};
		requests.push(entry);
		const answered = (reply: Reply) => {
			entry.status = reply.status;
			return { reply };
		};
		if (found && 'redirect' in found) {
			const location = `${BASE}${found.redirect}${search}`;
			return answered({ status: parseInt(readings.slash), headers: { location } });
		}

		for (const listener of listeners) await listener(entry);
		const fault = faults.take(entry);
		if (fault?.kind === 'reset-before') return {};
		const instead = answerInstead(fault, now(), readings);
		if (instead) return answered(instead);

		if (!found) {
			unknown.push(`${method} ${path}`);
			return answered(refused(notFound(`the path ${method} ${path}`), readings));
		}
		const { reply, isHandled } = perform(found, entry, context);
		entry.handled = isHandled;
		if (fault?.kind === 'reset-after') return {};
		return { ...answered(changedBy(fault, reply)), isHalf: fault?.kind === 'half-body' };
	};
}

/** Answers a GET without a server, which takes a fraction of the time. */
export function directlyOf(context: Context) {
	const answer = answererOf(context);
	return async (url: string, headers: IncomingHttpHeaders) => {
		const { pathname, search } = new URL(url);
		const { reply } = await answer({ method: 'GET', url: pathname + search, headers }, '');
		return { status: reply!.status, headers: {}, body: JSON.stringify(reply!.body) };
	};
}

function send(
	response: ServerResponse,
	{ status, headers = {}, body }: Reply,
	isHalf = false,
): void {
	const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
	const written = Buffer.from(isRaw ? body : body === undefined ? '' : JSON.stringify(body));
	const type = isRaw ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
	if (body !== undefined) response.setHeader('content-type', type);
	if (!isHalf) return void response.writeHead(status, headers).end(written);
	response.writeHead(status, { ...headers, 'content-length': written.length });
	response.write(written.subarray(0, written.length / 2), () => response.destroy());
}

/** The nodes remember how fast the server at an address is, so each emulator has an address of its own. */
const usedPorts = new Set<number>();

/** Starts the server of one emulator. */
export async function listen(
	context: Context,
	port: number,
): Promise<{ origin: string; close(): Promise<void> }> {
	const answer = answererOf(context);
	const server = createServer(async (request, response) => {
		try {
			const file = fileOf(request);
			if (file) return send(response, file);
			const { reply, isHalf } = await answer(request, await readText(request));
			if (!reply) return request.socket.resetAndDestroy();
			response.setHeader('date', new Date(context.now()).toUTCString());
			return send(response, reply, isHalf);
		} catch (error) {
			// The client went away while it sent, or this is a bug of the emulator.
			if (request.complete) send(response, { status: 500, body: String((error as Error).stack) });
		}
	});
	server.keepAliveTimeout = 72_000;
	server.requestTimeout = 0;
	const host = '127.0.0.1';
	const begin = async () =>
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject).listen(port, host, resolve);
		});
	await begin();
	const portOf = () => (server.address() as AddressInfo).port;
	while (port === 0 && usedPorts.has(portOf())) {
		await new Promise((resolve) => server.close(resolve));
		await begin();
	}
	const chosen = portOf();
	usedPorts.add(chosen);
	// Ends every connection, also those with a request that has no answer yet.
	const close = async () =>
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { origin: `http://${host}:${chosen}`, close };
}
