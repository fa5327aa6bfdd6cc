import type { Readings } from './readings.ts';

export interface PageMeta {
	limit: number;
	offset: number;
	total_items: number;
}

export interface ErrorBody {
	code: string;
	message: string;
	details: string | string[] | Record<string, unknown> | null;
}

/** What a handler answers. The server puts it into the envelope. */
export interface Answer {
	data: unknown;
	meta?: PageMeta;
}

export interface Envelope {
	ok: boolean;
	data: unknown;
	meta?: Partial<Record<keyof PageMeta, unknown>> | null;
	error: ErrorBody | null;
}

/** An answer's body and its media type. */
export interface Written {
	type: string;
	body: unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** What a route does, if the reference shows no status for it. */
export type Outcome = 'created' | 'changed' | 'deleted';

const METAS: Record<Readings['meta'], (meta: PageMeta) => Envelope['meta']> = {
	full: (meta) => meta,
	absent: () => undefined,
	estimate: (meta) => ({ ...meta, total_items: Math.round(meta.total_items / 10) * 10 }),
};

/** Section "Response envelope": all four keys on every success, unless a reading leaves meta out. */
export function success(answer: Answer, readings: Readings): Written {
	const meta = answer.meta ? METAS[readings.meta](answer.meta) : null;
	const envelope = { ok: true, data: answer.data, error: null };
	return { type: JSON_TYPE, body: meta === undefined ? envelope : { ...envelope, meta } };
}

/** The status of a success, and its body: an envelope with the record, with null, or no body. */
export function successOf(
	{ outcome, hasData = false }: { outcome?: Outcome; hasData?: boolean },
	readings: Readings,
): { status: number; body: 'record' | 'null' | 'empty' } {
	if (outcome === undefined) return { status: 200, body: 'record' };
	const [status, body] = readings[outcome].split(' ') as [string, 'record' | 'null' | 'empty'];
	const mustTell = hasData && body !== 'record';
	return mustTell ? { status: 200, body: 'record' } : { status: Number(status), body };
}

type WriteRefusal = (status: number, error: ErrorBody) => Written;

const REFUSALS: Record<Readings['refusal'], WriteRefusal> = {
	envelope: (_status, error) => ({ type: JSON_TYPE, body: failure(error) }),
	// A gateway words refusals as pages, but not that there is no such record.
	html: (status, error) =>
		status === 404
			? { type: JSON_TYPE, body: failure(error) }
			: {
					type: 'text/html; charset=utf-8',
					body: `<!doctype html><html><head><title>${status}: ${error.message}</title></head><body><h1>${error.message}</h1></body></html>`,
				},
};

/** A refusal in the form of the server. */
export function refused(status: number, error: ErrorBody, { refusal }: Readings): Written {
	return REFUSALS[refusal](status, error);
}

const WAITS: Record<string, (seconds: number, now: number) => Record<string, string>> = {
	seconds: (seconds) => ({ 'retry-after': String(seconds) }),
	date: (seconds, now) => ({ 'retry-after': new Date(now + seconds * 1000).toUTCString() }),
	unsaid: () => ({}),
};

const LIMITED: ErrorBody = { code: 'RATE_LIMITED', message: 'too many requests', details: null };

/** Section "Limits" shows neither the status nor the headers of a rate limit. */
export function limitedFor(
	seconds: number,
	now: number,
	readings: Readings,
): { status: number; headers: Record<string, string>; body: unknown } {
	const [status = '', wait = ''] = readings.limited.split(' ');
	const bodies = { envelope: failure(LIMITED), text: 'Slow down.', none: '' };
	return {
		status: Number(status),
		headers: WAITS[wait]!(seconds, now),
		body: bodies[readings.limitedBody],
	};
}

/** Sections "Response envelope" and "Errors". */
export function failure(error: ErrorBody): Envelope {
	return { ok: false, data: null, meta: null, error };
}

/** A request that the API refuses, with the status and code of section "Errors". */
export class Refusal extends Error {
	readonly status: number;
	readonly body: ErrorBody;

	constructor(status: number, code: string, message: string, details: ErrorBody['details'] = null) {
		super(message);
		this.status = status;
		this.body = { code, message, details };
	}
}

/** Section "Errors", row 400. */
export function invalid(message: string, details: ErrorBody['details'] = message): Refusal {
	return new Refusal(400, 'INVALID_REQUEST', message, details);
}

/** Section "Errors", row 404. The answer is the same for a record of another organization. */
export function notFound(what: string): Refusal {
	return new Refusal(404, 'NOT_FOUND', `${what} not found`);
}
