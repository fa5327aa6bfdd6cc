import { isObject } from '../json';
import type { Failure, ServerWords } from './errors';
import { parseRetryAfter } from './retry';

/** How an answer is read: as the envelope of the API, or without it as JSON, as a text or as a file. */
export type AnswerForm = 'envelope' | 'json' | 'text' | 'file';

export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body?: unknown;
}

/** The envelope of a successful answer. Reference: "Response envelope". */
export interface Envelope {
	data: unknown;
	meta?: { total_items?: unknown; limit?: unknown } | null;
	/** When the server answered by its own clock, in ms since 1970, if it sent a Date header. */
	at?: number;
}

export interface Asked {
	method: string;
	/** An answer without a record is right too, such as the transcript of a silent call. For a change it always is. */
	mayBeEmpty?: boolean;
	answer?: AnswerForm;
}

/**
 * What is wrong with an answer; undefined if it is a success. An HTML page, a truncated body and `ok: false`
 * are failures too. A read needs data. The reference does not show how a change is answered.
 * Reference: "Response envelope" and "Errors".
 */
export function failureOf(
	{ statusCode: status, headers, body }: HttpAnswer,
	{ method, mayBeEmpty = method !== 'GET', answer: form = 'envelope' }: Asked,
): Failure | undefined {
	const malformed = (what: string): Failure => ({ kind: 'malformed', status, what });
	const refusal = (): Failure => ({
		kind: 'answer',
		status,
		retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
		...wordsIn(body),
	});

	if (status >= 300 && status < 400)
		return { kind: 'answer', status, message: nonEmptyText(headers.location) ?? 'it names none' };
	// A page of a gateway says nothing of a record.
	if (status === 404 && typeof body === 'string' && !isEmpty(body))
		return malformed(describeBody(body, headers));
	if (status < 200 || status > 299) return refusal();
	if (form === 'text' || form === 'file') return undefined;
	if (isEmpty(body) && (mayBeEmpty || form === 'json' || status === 204)) return undefined;
	if (form === 'json' && typeof body !== 'string') return undefined;
	if (!isObject(body)) return malformed(describeBody(body, headers));
	if (body.ok === false) return refusal();
	if (body.ok !== true) return malformed('it has no field "ok"');
	if (mayBeEmpty) return undefined;
	if (body.data === undefined) return malformed('it has no field "data"');
	return body.data === null || typeof body.data === 'object'
		? undefined
		: malformed('its data is neither a record nor a list');
}

export interface ReceivedFile {
	content: Buffer;
	name?: string;
	mimeType?: string;
}

/** @param form if it is not the envelope, `data` is the whole answer: JSON, a text or a `ReceivedFile` */
export function envelopeOf({ body, headers }: HttpAnswer, form: AnswerForm = 'envelope'): Envelope {
	if (form === 'file') {
		const name = fileNameIn(String(headers['content-disposition']));
		const mimeType = nonEmptyText(headers['content-type'])?.split(';')[0]!.trim();
		return { data: { content: body, name, mimeType } };
	}
	if (form !== 'envelope') return { data: isEmpty(body) && form === 'json' ? null : body };
	const { data = null, meta } = (isObject(body) ? body : {}) as Partial<Envelope>;
	const at = Date.parse(String(headers.date));
	return { data, meta, ...(!Number.isNaN(at) && { at }) };
}

/** The name of a file; `filename*` has signs of every language, as in `filename*=UTF-8''caf%C3%A9.pdf`. */
function fileNameIn(disposition: string): string | undefined {
	const [, encoded] = /filename\*=utf-8'[^']*'([^;]+)/i.exec(disposition) ?? [];
	const [, plain] = /filename="?([^";]+)/i.exec(disposition) ?? [];
	try {
		return encoded === undefined ? plain : decodeURIComponent(encoded.trim());
	} catch {
		return plain;
	}
}

/**
 * The new address of a redirect that only adds or removes the slash at the end of the path, on the same host.
 * A change after a 302 has none: it leads to the result of one that was carried out (RFC 9110, 15.4.3).
 */
export function slashRedirect(
	{ statusCode: status, headers }: HttpAnswer,
	{ method, url }: { method: string; url: string },
): string | undefined {
	const isRepeatable = method === 'GET' ? [301, 302, 307, 308] : [301, 307, 308];
	if (!isRepeatable.includes(status)) return undefined;
	const location = nonEmptyText(headers.location);
	if (location === undefined || !URL.canParse(location, url)) return undefined;
	const asked = new URL(url);
	const target = new URL(location, url);
	if (target.host !== asked.host || target.pathname === asked.pathname) return undefined;
	if (bare(target) !== bare(asked)) return undefined;
	asked.pathname = target.pathname;
	return asked.href;
}

const bare = ({ pathname }: URL) => pathname.replace(/\/$/, '');

/** What the server says of a failure: in the envelope, or on the page of a proxy. Reference: "Errors". */
function wordsIn(body: unknown): ServerWords {
	if (typeof body === 'string') return { message: pageText(body) };
	const { code, message, details } = isObject(body) && isObject(body.error) ? body.error : {};
	return {
		code: nonEmptyText(code),
		message: nonEmptyText(message),
		details: isEmpty(details) ? undefined : details,
	};
}

const pageText = (page: string) =>
	nonEmptyText(
		page
			.slice(0, 2000)
			.replace(/<[^<>]*>?/g, ' ')
			.replace(/\s+/g, ' ')
			.trim()
			.slice(0, 200),
	);

const isEmpty = (body: unknown) =>
	body === undefined ||
	body === null ||
	body === '' ||
	(typeof body === 'object' && Object.keys(body).length === 0);

function describeBody(body: unknown, headers: Record<string, unknown>): string {
	if (isEmpty(body)) return 'it is empty';
	if (typeof body !== 'string') return 'it is not a JSON object';
	const start = body.slice(0, 60).replace(/\s+/g, ' ');
	const type = nonEmptyText(headers['content-type']) ?? 'no content type';
	return `it is not JSON but "${start}" (${type})`;
}

export const nonEmptyText = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
