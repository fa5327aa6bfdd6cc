import type { IncomingHttpHeaders } from 'node:http';

import { failure, limitedFor, type Envelope, type Reply } from './envelope.ts';
import type { Readings } from './readings.ts';

/** A request as the log and the faults show it. The path is as sent, below /v1. */
export interface SeenRequest {
	method: string;
	path: string;
	route?: string;
	query: Record<string, string | string[]>;
	body: unknown;
	headers: IncomingHttpHeaders;
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
	| { kind: 'unauthorized' | 'html' | 'not-envelope' | 'ok-false' }
	| { kind: 'no-data' | 'wrong-data' | 'other-shape' }
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

/** The faults that are waiting for requests, in the order in which they were added. */
export class Faults {
	private armed: Array<{ fault: Fault; left: number; skip: number }> = [];

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

const PAGE =
	'<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

/** Answers in the handler's place. Undefined: the handler is to run. */
export function answerInstead(
	fault: FaultKind,
	{ readings, now }: { readings: Readings; now: () => number },
): Reply | undefined {
	switch (fault.kind) {
		case 'status': {
			const { status, retryAfter, code = `HTTP_${status}`, message = 'a fault' } = fault;
			const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
			return { status, headers, body: fault.body ?? error(code, message) };
		}
		case 'limited':
			return limitedFor(fault.seconds, now(), readings);
		case 'html':
			return { status: 200, type: 'text/html; charset=utf-8', body: PAGE };
		case 'unauthorized':
			return { status: 401, body: error('AUTHENTICATION_FAILED', 'the API key was revoked') };
		case 'not-envelope':
			return { status: 200, body: { hello: 'world' } };
		case 'ok-false':
			return { status: 200, body: error('INVALID_REQUEST', 'refused behind a 200', 'a fault') };
		case 'redirect':
			return { status: fault.status ?? 302, headers: { location: fault.location }, body: '' };
		default:
			return undefined;
	}
}

/** The first half of an answer's body, and how long the whole would be. */
export function halfOf({ body }: Reply): { half: Buffer; length: number } {
	const whole = Buffer.from(JSON.stringify(body ?? null));
	return { half: whole.subarray(0, Math.floor(whole.length / 2)), length: whole.length };
}

/** Changes the handler's answer. */
export function changeEnvelope(fault: FaultKind, body: unknown): unknown {
	if (typeof body !== 'object') return body;
	const envelope = body as Envelope;
	const { data, ...rest } = envelope;
	switch (fault.kind) {
		case 'no-data':
			return rest;
		case 'wrong-data':
			return { ...envelope, data: 'not what is due' };
		case 'other-shape':
			return { ...envelope, data: Array.isArray(data) ? { list: data } : [] };
		default:
			return envelope;
	}
}
