import type { OutgoingHttpHeaders } from 'node:http';

import type { Readings } from './readings.ts';

interface PageMeta {
	limit: number;
	offset: number;
	total_items: number;
}

type Details = string | string[] | null;

/** Section "Response envelope". */
export interface Envelope {
	ok: boolean;
	data: unknown;
	meta?: PageMeta | null;
	error: { code: string; message: string; details: Details } | null;
}

/** An HTTP answer. An object is sent as JSON. Without a body, none is sent. */
export interface Reply {
	status: number;
	headers?: OutgoingHttpHeaders;
	body?: unknown;
}

/** What a list answers. */
export class Page {
	readonly data: unknown;
	readonly meta: PageMeta;

	constructor(data: unknown, meta: PageMeta) {
		this.data = data;
		this.meta = meta;
	}
}

const METAS: Record<Readings['meta'], (meta: PageMeta) => PageMeta | undefined> = {
	full: (meta) => meta,
	absent: () => undefined,
	estimate: (meta) => ({ ...meta, total_items: Math.round(meta.total_items / 10) * 10 }),
};

/** Section "Response envelope": all four keys on every success, unless a reading leaves meta out. */
export function success(data: unknown, meta: PageMeta | undefined, readings: Readings): Envelope {
	return { ok: true, data, error: null, meta: meta ? METAS[readings.meta](meta) : null };
}

/** Section "Errors". The codes of other statuses are not shown. */
const CODES: Record<number, string> = {
	400: 'INVALID_REQUEST',
	401: 'AUTHENTICATION_FAILED',
	403: 'INSUFFICIENT_PERMISSIONS',
	404: 'NOT_FOUND',
};

/** Sections "Response envelope" and "Errors". */
export function failure(
	status: number,
	message: string,
	details: Details = null,
	code = CODES[status] ?? `HTTP_${status}`,
): Envelope {
	return { ok: false, data: null, meta: null, error: { code, message, details } };
}

/** A request that the API refuses. */
export class Refusal extends Error {
	readonly status: number;
	readonly details: Details;

	constructor(status: number, message: string, details: Details = null) {
		super(message);
		this.status = status;
		this.details = details;
	}
}

/** Section "Errors", row 400. */
export function invalid(message: string, details: Details = message): Refusal {
	return new Refusal(400, message, details);
}

/** Section "Errors", row 404. The answer is the same for a record of another organization. */
export function notFound(what: string): Refusal {
	return new Refusal(404, `${what} not found`);
}

/** A refusal in the form of the server. */
export function refused({ status, message, details }: Refusal, { refusal }: Readings): Reply {
	// A gateway words refusals as pages, but not that there is no such record.
	if (refusal === 'envelope' || status === 404)
		return { status, body: failure(status, message, details) };
	const page = `<!doctype html><title>${status}: ${message}</title><h1>${message}</h1>`;
	return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page };
}

/** Section "Limits" shows neither the status, the headers nor the body of a rate limit. */
export function limitedFor(seconds: number, now: number, { limited }: Readings): Reply {
	const [status, wait] = limited.split(' ') as [string, 'seconds' | 'date' | 'unsaid'];
	if (wait === 'unsaid') return { status: Number(status), body: '' };
	if (wait === 'seconds') {
		const body = failure(Number(status), 'too many requests', null, 'RATE_LIMITED');
		return { status: Number(status), headers: { 'retry-after': String(seconds) }, body };
	}
	const date = new Date(now + seconds * 1000).toUTCString();
	return { status: Number(status), headers: { 'retry-after': date }, body: 'Slow down.' };
}
