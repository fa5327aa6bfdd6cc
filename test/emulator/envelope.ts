import type { OutgoingHttpHeaders } from 'node:http';

import type { Readings } from './readings.ts';

export interface PageMeta {
	limit: number;
	offset: number;
	total_items: number;
}

export interface ErrorBody {
	code: string;
	message: string;
	details: string | string[] | null;
}

/** What a handler answers. The server puts it into the envelope. */
export interface Answer {
	data: unknown;
	meta?: PageMeta;
}

/** Section "Response envelope". */
export interface Envelope {
	ok: boolean;
	data: unknown;
	meta?: PageMeta | null;
	error: ErrorBody | null;
}

/** An HTTP answer. An object is sent as JSON. Without a body, none is sent. */
export interface Reply {
	status: number;
	headers?: OutgoingHttpHeaders;
	/** Default: that of JSON or plain text. */
	type?: string;
	body?: unknown;
}

/** What a route does, if the reference shows no status for it. */
export type Outcome = 'created' | 'changed' | 'deleted';

const METAS: Record<Readings['meta'], (meta: PageMeta) => PageMeta | undefined> = {
	full: (meta) => meta,
	absent: () => undefined,
	estimate: (meta) => ({ ...meta, total_items: Math.round(meta.total_items / 10) * 10 }),
};

/** Section "Response envelope": all four keys on every success, unless a reading leaves meta out. */
export function success({ data, meta }: Answer, readings: Readings): Envelope {
	return { ok: true, data, error: null, meta: meta ? METAS[readings.meta](meta) : null };
}

/** The status of a success, and its body: an envelope with the record, with null, or no body. */
export function successOf(
	{ outcome, hasData = false }: { outcome?: Outcome; hasData?: boolean },
	readings: Readings,
): { status: number; body: 'record' | 'null' | 'empty' } {
	const [status, body] = (outcome ? readings[outcome] : '200 record').split(' ') as [
		string,
		'record' | 'null' | 'empty',
	];
	if (hasData && body !== 'record') return { status: 200, body: 'record' };
	return { status: Number(status), body };
}

/** Sections "Response envelope" and "Errors". */
export function failure(error: ErrorBody): Envelope {
	return { ok: false, data: null, meta: null, error };
}

/** A refusal in the form of the server. */
export function refused({ status, body }: Refusal, { refusal }: Readings): Reply {
	// A gateway words refusals as pages, but not that there is no such record.
	if (refusal === 'envelope' || status === 404) return { status, body: failure(body) };
	const { message } = body;
	const page = `<!doctype html><html><head><title>${status}: ${message}</title></head><body><h1>${message}</h1></body></html>`;
	return { status, type: 'text/html; charset=utf-8', body: page };
}

/** Section "Limits" shows neither the status, the headers nor the body of a rate limit. */
export function limitedFor(seconds: number, now: number, { limited }: Readings): Reply {
	const [status, wait] = limited.split(' ');
	const waits = { seconds: String(seconds), date: new Date(now + seconds * 1000).toUTCString() };
	const headers = wait === 'unsaid' ? {} : { 'retry-after': waits[wait as 'seconds' | 'date'] };
	const error = { code: 'RATE_LIMITED', message: 'too many requests', details: null };
	const bodies: Record<string, unknown> = { unsaid: '', date: 'Slow down.' };
	return { status: Number(status), headers, body: bodies[wait!] ?? failure(error) };
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
