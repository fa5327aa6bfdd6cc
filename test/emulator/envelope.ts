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

/** What a handler answers; the server puts it into the envelope. */
export interface Answer {
	status?: number;
	data: unknown;
	meta?: PageMeta;
}

export interface Envelope {
	ok: boolean;
	data: unknown;
	meta: PageMeta | null;
	error: ErrorBody | null;
}

/** Section "Response envelope": all four keys on every success. */
export function success(answer: Answer): Envelope {
	return { ok: true, data: answer.data, meta: answer.meta ?? null, error: null };
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

/** Section "Errors", row 404: a missing record and another organization's one read the same. */
export function notFound(what: string): Refusal {
	return new Refusal(404, 'NOT_FOUND', `${what} not found`);
}
