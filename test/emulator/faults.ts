import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure, limitedFor } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import type { Readings } from './readings.ts';

/** A request as the log and the faults show it. The path is as sent, below /v1. */
export interface SeenRequest {
	method: string;
	path: string;
	route?: string;
	query: Record<string, string | string[]>;
	body: unknown;
	headers: Record<string, string | string[] | undefined>;
}

export type FaultKind =
	| {
			kind: 'status';
			status: number;
			retryAfter?: string;
			code?: string;
			message?: string;
			body?: unknown;
	  }
	/** A rate limit in the words of the dialect. */
	| { kind: 'limited'; seconds: number }
	| { kind: 'reset-before' | 'reset-after' | 'half-body' }
	| { kind: keyof typeof ANSWERS }
	| { kind: 'no-data' | 'wrong-data' | 'other-shape' | 'no-meta' }
	| { kind: 'lying-meta'; total: number }
	| { kind: 'redirect'; location: string; status?: number }
	| { kind: 'latency'; ms: number }
	| { kind: 'hang' };

export type Fault = FaultKind & {
	match?: (request: SeenRequest) => boolean;
	/** How many matching requests fail. Default: 1. */
	times?: number;
	/** How many matching requests succeed first. */
	skip?: number;
};

interface Armed {
	fault: Fault;
	left: number;
	skip: number;
}

/** The faults that are waiting for requests, in the order in which they were added. */
export class Faults {
	private armed: Armed[] = [];

	add(fault: Fault): void {
		this.armed.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
	}

	clear(): void {
		this.armed = [];
	}

	/** What this request meets: all latencies, and the first other fault. */
	take(request: SeenRequest): { delay: number; fault: FaultKind | undefined } {
		let delay = 0;
		for (const armed of this.armed) {
			const { fault } = armed;
			if (armed.left <= 0 || fault.match?.(request) === false) continue;
			if (armed.skip > 0) {
				armed.skip -= 1;
				continue;
			}
			armed.left -= 1;
			if (fault.kind !== 'latency') return { delay, fault };
			delay += fault.ms;
		}
		return { delay, fault: undefined };
	}
}

const error = (code: string, message: string, details: string | null = null) =>
	failure({ code, message, details });

/** Answers in the handler's place. */
const ANSWERS = {
	unauthorized: { status: 401, body: error('AUTHENTICATION_FAILED', 'the API key was revoked') },
	html: {
		status: 200,
		body: '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
	},
	'not-envelope': { status: 200, body: { hello: 'world' } },
	'ok-false': {
		status: 200,
		body: error('INVALID_REQUEST', 'refused behind a 200', 'a fault'),
	},
};

function drop(request: FastifyRequest, reply: FastifyReply): number {
	reply.hijack();
	request.raw.socket.resetAndDestroy();
	return 0;
}

/**
 * Answers in the handler's place.
 * @returns the status that the client sees (0: none); undefined if the handler is to run
 */
export function answerInstead(
	fault: FaultKind,
	request: FastifyRequest,
	reply: FastifyReply,
	{ readings, now }: { readings: Readings; now: number },
): number | undefined {
	const send = (status: number, body: unknown) => {
		void reply.code(status).send(body);
		return status;
	};
	switch (fault.kind) {
		case 'status': {
			const { status, retryAfter, code = `HTTP_${status}`, message = 'a fault', body } = fault;
			if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
			return send(status, body ?? error(code, message));
		}
		case 'limited': {
			const { status, headers, body } = limitedFor(fault.seconds, now, readings);
			void reply.headers(headers);
			return send(status, body);
		}
		case 'html':
			void reply.type('text/html; charset=utf-8');
			return send(ANSWERS.html.status, ANSWERS.html.body);
		case 'unauthorized':
		case 'not-envelope':
		case 'ok-false':
			return send(ANSWERS[fault.kind].status, ANSWERS[fault.kind].body);
		case 'redirect':
			void reply.header('location', fault.location);
			return send(fault.status ?? 302, '');
		case 'reset-before':
			return drop(request, reply);
		case 'hang':
			reply.hijack();
			return 0;
		default:
			return undefined;
	}
}

/** Cuts the answer off after the handler ran. Undefined: the fault does not do so. */
export function cutAnswer(
	fault: FaultKind,
	written: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
): number | undefined {
	if (fault.kind === 'reset-after') return drop(request, reply);
	if (fault.kind !== 'half-body') return undefined;
	const body = Buffer.from(JSON.stringify(written ?? null));
	reply.hijack();
	reply.raw.writeHead(200, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': body.length,
	});
	reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () =>
		request.raw.socket.destroy(),
	);
	return 200;
}

/** Changes the handler's answer. */
export function changeEnvelope(fault: FaultKind, envelope: Envelope): unknown {
	const { data, ...rest } = envelope;
	switch (fault.kind) {
		case 'no-data':
			return rest;
		case 'wrong-data':
			return { ...envelope, data: 'not what is due' };
		case 'other-shape':
			return { ...envelope, data: Array.isArray(data) ? { list: data } : [] };
		case 'no-meta':
			return { ...rest, data, meta: null };
		case 'lying-meta':
			return { ...envelope, meta: envelope.meta && { ...envelope.meta, total_items: fault.total } };
		default:
			return envelope;
	}
}
