import { failure, limitedFor, type Envelope, type Reply } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { LoggedRequest } from './server.ts';

/** Faults that answer in the API's place, so that nothing is done. */
const INSTEAD = {
	html: {
		status: 200,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
	},
	'ok-false': { status: 200, body: failure(400, 'refused behind a 200', 'a fault') },
} satisfies Record<string, Reply>;

/** Faults that change what the API answers, after it has done what was asked. */
const CHANGES = {
	'no-data': ({ data: _, ...rest }: Envelope) => rest,
	'wrong-data': (envelope: Envelope) => ({ ...envelope, data: 'not what is due' }),
};

export type FaultKind =
	/** An answer with this status, and an error in an envelope or this body. */
	| {
			kind: 'status';
			status: number;
			code?: string;
			message?: string;
			body?: unknown;
			retryAfter?: string;
			/** Where it redirects to. */
			location?: string;
	  }
	/** A rate limit in the words of the server. */
	| { kind: 'limited'; seconds: number }
	/** The connection breaks before the API has done anything, after that, or within the answer. */
	| { kind: 'reset-before' | 'reset-after' | 'half-body' }
	| { kind: keyof typeof INSTEAD | keyof typeof CHANGES };

export type Fault = FaultKind & {
	match?: (request: LoggedRequest) => boolean;
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

	/** The first fault that this request meets. */
	take(request: LoggedRequest): FaultKind | undefined {
		for (const armed of this.armed) {
			if (armed.left <= 0 || armed.fault.match?.(request) === false) continue;
			if (armed.skip === 0) {
				armed.left -= 1;
				return armed.fault;
			}
			armed.skip -= 1;
		}
		return undefined;
	}
}

/** The answer in the API's place. Undefined: the API answers. */
export function answerInstead(
	fault: FaultKind | undefined,
	now: number,
	readings: Readings,
): Reply | undefined {
	if (fault?.kind === 'status') {
		const { status, retryAfter, location, code, message = 'a fault' } = fault;
		const headers = {
			...(retryAfter && { 'retry-after': retryAfter }),
			...(location && { location }),
		};
		return { status, headers, body: fault.body ?? failure(status, message, null, code) };
	}
	if (fault?.kind === 'limited') return limitedFor(fault.seconds, now, readings);
	return fault && fault.kind in INSTEAD ? INSTEAD[fault.kind as keyof typeof INSTEAD] : undefined;
}

/** The API's answer, as the fault changes it. */
export function changedBy(fault: FaultKind | undefined, reply: Reply): Reply {
	const change = fault && CHANGES[fault.kind as keyof typeof CHANGES];
	const isEnvelope = typeof reply.body === 'object';
	return change && isEnvelope ? { ...reply, body: change(reply.body as Envelope) } : reply;
}
