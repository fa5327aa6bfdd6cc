import { answerBehind } from '../api/apiError';
import { pathTo } from '../api/path';
import type { Api } from '../api/session';
import { isObject, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { FullRecord } from './simplify';
import { transcriptText } from './transcript';

export const CALL_HISTORY = '/call-history';

export const callPath = (call: JsonObject) => pathTo('/call-history/{id}', call);

/** Parts of a call that the API has at paths of their own. */
export const CALL_PARTS = {
	detail: 'Detail',
	summary: 'Summary',
	transcript: 'Transcript',
} as const;

/** The parts that the user can include, with the text that this package makes of the transcript. */
export const CALL_INCLUDES = { ...CALL_PARTS, transcriptText: 'Transcript as Text' } as const;

export type CallPart = keyof typeof CALL_INCLUDES;

/**
 * A call with the wanted parts, which are read in parallel. A part that does not exist is null: a
 * summary may not exist yet, and one call without it must not stop an export of thousands.
 * Reference: GET /call-history/{call_id}, /summary and /transcript.
 */
export async function withParts(
	call: JsonObject,
	parts: readonly CallPart[],
	api: Api,
): Promise<FullRecord> {
	const path = callPath(call);
	const wants = (...some: CallPart[]) => some.some((part) => parts.includes(part));
	const [detail, summary, transcript] = await Promise.all([
		wants('detail') ? api.find({ method: 'GET', path }) : null,
		wants('summary') ? partAt(`${path}/summary`, api) : null,
		wants('transcript', 'transcriptText') ? partAt(`${path}/transcript`, api) : null,
	]);
	const fields = fieldsOfParts(parts, summary, transcript);
	return new FullRecord(call, fields, (detail ?? {}) as JsonObject);
}

/** The fields that these parts become. Without their contents, they are null. */
export const fieldsOfParts = (
	parts: readonly CallPart[],
	summary: unknown = null,
	transcript: unknown = null,
): JsonObject => ({
	...(parts.includes('summary') && { summary: summaryText(summary) }),
	...(parts.includes('transcript') && { transcript }),
	...(parts.includes('transcriptText') && {
		transcript_text: transcript === null ? null : transcriptText(transcript),
	}),
});

/** The list may not have these fields. Reference: GET /call-history/{call_id}. */
export const DETAIL_FIELDS = ['transfer_time', 'ai_provider', 'ai_provider_fallback_used'];

/**
 * A call with these fields, as the list shows them. If one is missing there, the detail is read. A
 * call whose detail has no transfer_time was not transferred: the reference calls that field optional.
 * A field that is missing on both, and any field of a call without a detail, stays undefined.
 */
export async function withDetailFields(
	call: JsonObject,
	fields: readonly string[],
	api: Api,
): Promise<JsonObject> {
	const missing = fields.filter((name) => call[name] === undefined);
	if (missing.length === 0) return call;
	const detail = await api.find({ method: 'GET', path: callPath(call) });
	if (!isObject(detail)) return call;
	const known: JsonObject = { transfer_time: null, ...detail };
	return { ...call, ...Object.fromEntries(missing.map((name) => [name, known[name]])) };
}

/** A part of a call. Null if there is none yet: the API may answer 404, 409, or nothing. */
const partAt = async (path: string, api: Api): Promise<unknown> =>
	await api.find({ method: 'GET', path, mayBeEmpty: true }).catch((error: Error) => {
		if (answerBehind(error)?.status === 409) return null;
		throw error;
	});

/** Only the summary, without the ID of the call. Reference: "Call summary response". */
function summaryText(data: unknown): unknown {
	if (!isObject(data)) return data;
	if ('summary' in data) return data.summary;
	const others = Object.keys(data).filter((name) => !/(^|_)id$/.test(name));
	return others.length === 1 ? data[others[0]!] : data;
}

/** The names under which a part may hold its content. Without one of them, all its fields may be it. */
const CONTENT: readonly string[] = ['summary', ...ASSUMED.transcriptFields];

/** Whether a part of a call has any content. An id or an empty list is no content. */
export function saysSomething(part: unknown): boolean {
	if (typeof part === 'string') return part.trim() !== '';
	if (Array.isArray(part)) return part.length > 0;
	if (!isObject(part)) return part !== null && part !== undefined;
	const names = Object.keys(part).filter((name) => !/id$/i.test(name));
	const [named, others] = [true, false].map((isNamed) =>
		names.filter((name) => CONTENT.includes(name) === isNamed).map((name) => part[name]),
	) as [unknown[], unknown[]];
	// Each value is looked at once: twice would double the work with each level.
	if (named.some(saysSomething)) return true;
	const lists = others.filter(Array.isArray);
	if (lists.length > 0 || named.some(Array.isArray)) return lists.some(saysSomething);
	return (named.length > 0 ? others.filter(isObject) : others).some(saysSomething);
}
