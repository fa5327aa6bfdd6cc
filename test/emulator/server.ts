import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identify, permit } from './access.ts';
import type { Caller, Organization } from './access.ts';
import { isPhone, isUuid } from './checks.ts';
import { invalid, Refusal, refused, success, successOf } from './envelope.ts';
import type { Envelope, Written } from './envelope.ts';
import { answerInstead, Faults, cutAnswer, changeEnvelope } from './faults.ts';
import type { SeenRequest } from './faults.ts';
import type { Readings } from './readings.ts';
import { addressOf, redirectOf } from './redirects.ts';
import { notation } from './route.ts';
import type { Route } from './route.ts';
import type { Store } from './store.ts';
import { shown, understood } from './wire.ts';

export interface LoggedRequest extends SeenRequest {
	/** The status that the client saw. 0: the connection ended without an answer. */
	status: number;
	/** The handler succeeded: the change is made. */
	handled: boolean;
	/** By the emulator's clock. */
	at: number;
}

export interface Upcoming {
	method: string;
	path: string;
	query: SeenRequest['query'];
	/** The first request is number 1. */
	n: number;
}

export type Listener = (request: Upcoming) => unknown;

export interface Context {
	/** Functions, because few tests need the second organization, and making its records takes time. */
	stores: Map<Organization, () => Store>;
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
const BODY_LIMIT = 10_000_000;

function pathOf(url: string): string {
	const [path = ''] = url.split('?');
	return path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}

/** Sections "What the service does" and "Errors": a body is JSON, and what cannot be read is a 400. */
function readBody(request: FastifyRequest, expected: boolean): unknown {
	const raw = typeof request.body === 'string' ? request.body : '';
	// Fastify reads no body of a GET.
	const isEmpty = raw === '' && Number(request.headers['content-length'] ?? 0) === 0;
	if (isEmpty && !expected) return undefined;
	if (isEmpty) throw invalid('a JSON body is required');
	if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
		throw invalid('the body must be application/json');
	const body = parsed(raw);
	if (body === undefined) throw invalid('the body is not valid JSON');
	if (!expected && JSON.stringify(body) !== '{}') throw invalid('this endpoint takes no body');
	return body;
}

function parsed(raw: string): unknown {
	try {
		return JSON.parse(raw) as unknown;
	} catch {
		return undefined;
	}
}

const FORMS: Record<Readings['ids'], (value: string) => boolean> = {
	uuid: isUuid,
	encoded: () => true,
	'whole number': (value) => /^\d+$/.test(value),
};

/** Identifiers have their form and phone numbers are E.164; anything else is invalid data (section "Errors", 400). */
function readParams(request: FastifyRequest, { ids }: Readings): Record<string, string> {
	const params = request.params as Record<string, string>;
	for (const [name, value] of Object.entries(params)) {
		const form = name === 'agent_id' || name === 'contact_id' ? 'uuid' : ids;
		if (name.endsWith('_id') && !FORMS[form](value)) throw invalid(`${name} must be a ${form}`);
		if (name === 'phone_number' && !isPhone(value))
			throw invalid(`${name} must be in E.164 format`);
	}
	return params;
}

function readQuery(request: FastifyRequest, known: readonly string[]): Record<string, string> {
	const query: Record<string, string> = {};
	for (const [name, value] of Object.entries(request.query as SeenRequest['query'])) {
		if (!known.includes(name)) throw invalid(`unknown query parameter ${name}`);
		if (typeof value !== 'string') throw invalid(`${name} is given more than once`);
		query[name] = value;
	}
	return query;
}

interface Result {
	status: number;
	/** Undefined: the answer has no body. */
	written: Written | undefined;
	/** The handler succeeded: a change is made. */
	isHandled: boolean;
}

/** Checks the key, then the permission, then the form of the request, then the record (sections "Authentication" and "Errors"). */
function perform(route: Route, request: FastifyRequest, context: Context): Result {
	const { readings } = context;
	try {
		const caller = identify(request.headers.authorization, context.callers);
		permit(caller, route.need ?? (route.method === 'GET' ? 'read' : 'change'), route.scopes);
		const exchange = {
			store: context.stores.get(caller.organization)!(),
			path: route.path,
			params: readParams(request, readings),
			query: readQuery(request, route.query ?? []),
			body: understood(route.kind, readBody(request, route.body === true), readings),
			now: context.now,
			readings,
		};
		const { data, meta } = route.handle(exchange);
		const { status, body } = successOf(route, readings);
		if (body === 'empty') return { status, written: undefined, isHandled: true };
		const record = body === 'null' ? null : shown(route.kind, data, readings);
		return { status, written: success({ data: record, meta }, readings), isHandled: true };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return {
			status: error.status,
			written: refused(error.status, error.body, readings),
			isHandled: false,
		};
	}
}

function log(request: FastifyRequest, context: Context, route: Route | undefined): LoggedRequest {
	const raw = typeof request.body === 'string' && request.body !== '' ? request.body : undefined;
	const body = raw && parsed(raw);
	const entry: LoggedRequest = {
		method: request.method,
		path: pathOf(request.url),
		route: route && notation(route),
		query: request.query as SeenRequest['query'],
		body: body === undefined ? raw : body,
		headers: request.headers,
		status: 0,
		handled: false,
		at: context.now(),
	};
	context.requests.push(entry);
	return entry;
}

async function serve(
	route: Route | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
	context: Context,
): Promise<FastifyReply> {
	const entry = log(request, context, route);
	const { method, path, query } = entry;
	const n = context.requests.length;
	for (const listener of context.listeners) await listener({ method, path, query, n });

	if (context.dated) void reply.header('date', new Date(context.now()).toUTCString());
	else reply.raw.sendDate = false;
	const { delay: pause, fault } = context.faults.take(entry);
	if (pause > 0) await delay(pause);
	const { readings } = context;
	const instead = fault && answerInstead(fault, request, reply, { readings, now: context.now() });
	if (instead !== undefined) {
		entry.status = instead;
		return reply;
	}

	if (!route) {
		context.unknown.push(`${method} ${path}`);
		entry.status = Number(readings.noRoute);
		const code = entry.status === 404 ? 'NOT_FOUND' : 'UNKNOWN_ROUTE';
		const message = `the reference has no ${method} ${path}`;
		return send(
			reply,
			entry.status,
			refused(entry.status, { code, message, details: null }, readings),
		);
	}

	const { status, written, isHandled } = perform(route, request, context);
	entry.handled = isHandled;
	entry.status = (fault && cutAnswer(fault, written?.body, request, reply)) ?? status;
	if (reply.sent) return reply;
	if (!written || !fault) return send(reply, status, written);
	return send(reply, status, { ...written, body: changeEnvelope(fault, written.body as Envelope) });
}

function send(reply: FastifyReply, status: number, written: Written | undefined): FastifyReply {
	if (!written) return reply.code(status).send();
	return reply.code(status).type(written.type).send(written.body);
}

/** The router reads "/contacts/" as "/contacts/{contact_id}" without an id. The reference has no such path. */
function isComplete(request: FastifyRequest): boolean {
	return !Object.values(request.params as Record<string, string>).includes('');
}

/** Answers a request that reached no handler: its path cannot be decoded, or its body is too large. A 500 is a bug of the emulator. */
function refuse(error: FastifyError, reply: FastifyReply, readings: Readings): void {
	const isClients = (error.statusCode ?? 500) < 500;
	const code = isClients ? 'INVALID_REQUEST' : 'EMULATOR_BUG';
	const status = isClients ? 400 : 500;
	const body = { code, message: error.message, details: null };
	void send(reply, status, refused(status, body, readings));
}

const contexts = new WeakMap<IncomingMessage, Context>();

/** Remembers which emulator a request was sent to, because emulators share an app. */
export const setContext = (request: IncomingMessage, context: Context) =>
	void contexts.set(request, context);

/** The emulator that a request without a server is for. */
export const asked = new AsyncLocalStorage<Context>();

export const contextOf = ({ raw }: { raw: IncomingMessage }): Context =>
	contexts.get(raw) ?? asked.getStore()!;

/** An app with the routes below /v1. It answers 501 for all other paths. */
export function createApp(routes: readonly Route[], readings: Readings): FastifyInstance {
	const server = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 1_000 },
		frameworkErrors: (error, _request, reply) =>
			refuse(error, reply as unknown as FastifyReply, readings),
	});
	// The body is parsed later, because a missing key is reported before a malformed body.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	for (const route of routes) {
		const at = (path: string) => BASE + path.replaceAll(/\{(\w+)\}/g, ':$1');
		server.route({
			method: route.method,
			url: at(addressOf(route.path, readings)),
			handler: (request, reply) =>
				serve(isComplete(request) ? route : undefined, request, reply, contextOf(request)),
		});
		const elsewhere = redirectOf(route.path, readings);
		if (elsewhere)
			server.route({
				method: route.method,
				url: at(elsewhere.path),
				handler(request, reply) {
					log(request, contextOf(request), route).status = elsewhere.status;
					const target = addressOf(request.url, readings);
					return reply.code(elsewhere.status).header('location', target).send();
				},
			});
	}
	server.setNotFoundHandler((request, reply) =>
		serve(undefined, request, reply, contextOf(request)),
	);
	server.setErrorHandler<FastifyError>((error, _request, reply) => refuse(error, reply, readings));
	return server;
}
