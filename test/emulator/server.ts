import { setTimeout as delay } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identify, permit } from './access.ts';
import type { Caller, Organization } from './access.ts';
import { isPhone, isUuid } from './checks.ts';
import { failure, invalid, Refusal, success } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { answerInstead, Faults, spoilDelivery, spoilEnvelope } from './faults.ts';
import type { SeenRequest } from './faults.ts';
import { notation } from './route.ts';
import type { Behaviour, Route } from './route.ts';
import type { Store } from './store.ts';

export interface LoggedRequest extends SeenRequest {
	/** What the client saw; 0 when the connection ended without an answer. */
	status: number;
	/** The handler ran to its end: what the request was to change is changed. */
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
	stores: Record<Organization, Store>;
	callers: Map<string, Caller>;
	behaviour: Behaviour;
	strict: boolean;
	now: () => number;
	/** Whether answers carry the clock in their Date header. */
	dated: boolean;
	faults: Faults;
	listeners: Set<Listener>;
	requests: LoggedRequest[];
	reached: Set<string>;
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

/** Identifiers are UUIDs and phone numbers E.164; anything else is invalid data (section "Errors", 400). */
function readParams(request: FastifyRequest): Record<string, string> {
	const params = request.params as Record<string, string>;
	for (const [name, value] of Object.entries(params)) {
		if (name.endsWith('_id') && !isUuid(value)) throw invalid(`${name} must be a UUID`);
		if (name === 'phone_number' && !isPhone(value))
			throw invalid(`${name} must be in E.164 format`);
	}
	return params;
}

function readQuery(
	request: FastifyRequest,
	known: readonly string[],
	strict: boolean,
): Record<string, string> {
	const query: Record<string, string> = {};
	for (const [name, value] of Object.entries(request.query as SeenRequest['query'])) {
		if (!known.includes(name)) {
			if (strict) throw invalid(`unknown query parameter ${name}`);
			continue;
		}
		if (typeof value !== 'string') throw invalid(`${name} is given more than once`);
		query[name] = value;
	}
	return query;
}

interface Outcome {
	status: number;
	envelope: Envelope;
	/** How far the request came: refused before the handler, refused by it, or done. */
	stage: 'before' | 'handler' | 'done';
}

/** Key before permission before the request's form before the record (sections "Authentication" and "Errors"). */
function perform(route: Route, request: FastifyRequest, context: Context): Outcome {
	let stage: Outcome['stage'] = 'before';
	try {
		const caller = identify(request.headers.authorization, context.callers);
		permit(caller, route.need ?? (route.method === 'GET' ? 'read' : 'change'), route.scopes);
		stage = 'handler';
		const exchange = {
			store: context.stores[caller.organization],
			params: readParams(request),
			query: readQuery(request, route.query ?? [], context.strict),
			body: readBody(request, route.body === true),
			now: context.now,
			behaviour: context.behaviour,
		};
		const answer = route.handle(exchange);
		return { status: answer.status ?? 200, envelope: success(answer), stage: 'done' };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return { status: error.status, envelope: failure(error.body), stage };
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
	const instead = fault && answerInstead(fault, request, reply);
	if (instead !== undefined) {
		entry.status = instead;
		return reply;
	}

	if (!route) {
		context.unknown.push(`${method} ${path}`);
		entry.status = 501;
		const error = {
			code: 'UNKNOWN_ROUTE',
			message: `the reference has no ${method} ${path}`,
			details: null,
		};
		return reply.code(501).send(failure(error));
	}

	const { status, envelope, stage } = perform(route, request, context);
	entry.handled = stage === 'done';
	if (stage !== 'before') context.reached.add(notation(route));
	entry.status = (fault && spoilDelivery(fault, envelope, request, reply)) ?? status;
	if (reply.sent) return reply;
	return reply.code(status).send(fault ? spoilEnvelope(fault, envelope) : envelope);
}

/** The router takes "/contacts/" for "/contacts/{contact_id}" without an id, which is a path the reference does not have. */
function isComplete(request: FastifyRequest): boolean {
	return !Object.values(request.params as Record<string, string>).includes('');
}

/** Of requests that reach no handler: a path that cannot be decoded, a body that is too large; else a fault of the emulator's own. */
function refuse(error: FastifyError, _request: unknown, reply: Pick<FastifyReply, 'code'>): void {
	const isClients = (error.statusCode ?? 500) < 500;
	const code = isClients ? 'INVALID_REQUEST' : 'EMULATOR_BUG';
	void reply
		.code(isClients ? 400 : 500)
		.send(failure({ code, message: error.message, details: null }));
}

/** Puts the routes below /v1 and answers 501 for everything else. */
export function createServer(routes: readonly Route[], context: Context): FastifyInstance {
	const server = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1_000 },
		frameworkErrors: (error, request, reply) =>
			refuse(error, request, reply as unknown as FastifyReply),
	});
	// The body is read in the handler's turn, since a missing key is reported before a malformed body.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	for (const route of routes) {
		const url = BASE + route.path.replaceAll(/\{(\w+)\}/g, ':$1');
		server.route({
			method: route.method,
			url,
			handler: (request, reply) =>
				serve(isComplete(request) ? route : undefined, request, reply, context),
		});
	}
	server.setNotFoundHandler((request, reply) => serve(undefined, request, reply, context));
	server.setErrorHandler(refuse);
	return server;
}
