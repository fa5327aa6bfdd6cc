import { z } from 'zod';

import { choices, optionalFields, outputField, picker } from '../table/fields';
import { isObject, type JsonObject } from '../json';
import { nothing, operation, type Operation, type Resource } from '../table/operation';
import { collection, fieldName, id, list, oneOf } from '../table/schema';
import { plainFields } from '../table/simplify';
import { boundsOf, periodFilters, periodShape, splitPeriod } from '../table/within';
import { answerBehind } from '../api/apiError';
import type { Api } from '../api/session';
import { agentFilter, isOfAgent } from './callFields';
import { callStatistics } from './statistics/callStatistics';
import { CALL_STATUS } from './statuses';
import { transcriptMarkdown, transcriptText } from './transcript';

/** What else the API knows of a call, at paths of their own. */
export const CALL_PARTS = {
	detail: 'Detail',
	summary: 'Summary',
	transcript: 'Transcript',
} as const;

/** The same, with what this package makes of them. */
export const CALL_INCLUDES = { ...CALL_PARTS, transcriptText: 'Transcript as Text' } as const;

export type CallPart = keyof typeof CALL_INCLUDES;

/** What a transcript is handed on as. */
const TRANSCRIPT_FORMATS = {
	data: 'Structured Data',
	text: 'Text',
	textFile: 'Text File',
	markdown: 'Markdown File',
} as const;

/** How a transcript becomes a file, the file's type, and its ending. */
const FILES = {
	textFile: [transcriptText, 'text/plain', 'txt'],
	markdown: [transcriptMarkdown, 'text/markdown', 'md'],
} as const;

const SORT = { '-created_at': 'Newest First', created_at: 'Oldest First' } as const;

const simplify = plainFields('summary', 'transcript');

const callPicker = picker({
	displayName: 'Call',
	name: 'call_id',
	search: 'searchCalls',
	description: 'The call, chosen from the list or named by its ID',
});

const byId = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'request' | 'simplify' | 'hints'>,
): Operation => ({
	...row,
	fields: [callPicker],
	input: () => z.object({ call_id: id }),
});

/**
 * A call with the parts asked for, read in parallel. What does not exist is null: a summary may
 * not exist yet, and one such call must not end an export of thousands.
 * Reference: GET /call-history/{call_id}, /summary and /transcript.
 */
export async function withParts(
	call: JsonObject,
	parts: readonly CallPart[],
	api: Api,
): Promise<JsonObject> {
	if (parts.length === 0) return call;
	const path = `/call-history/${encodeURIComponent(String(call.id))}`;
	const readers: Record<keyof typeof CALL_PARTS, () => Promise<JsonObject>> = {
		detail: async () => (await api.find({ method: 'GET', path })) as JsonObject,
		summary: async () => ({
			summary: summaryText(await partAt(`${path}/summary`, api)),
		}),
		transcript: async () => {
			const transcript = await partAt(`${path}/transcript`, api);
			const text = transcript === null ? null : transcriptText(transcript);
			return {
				...(parts.includes('transcript') && { transcript }),
				...(parts.includes('transcriptText') && { transcript_text: text }),
			};
		},
	};
	const read = new Set(parts.map((part) => (part === 'transcriptText' ? 'transcript' : part)));
	// The detail first: what was asked for by itself counts.
	const inTurn = (Object.keys(readers) as Array<keyof typeof readers>).filter((part) =>
		read.has(part),
	);
	const found = await Promise.all(inTurn.map(async (part) => await readers[part]()));
	return Object.assign({}, call, ...found);
}

/** What there is of a part of a call: null where there is none yet, however the API says so. */
async function partAt(path: string, api: Api): Promise<unknown> {
	try {
		return await api.find({ method: 'GET', path, mayBeEmpty: true });
	} catch (error) {
		if (answerBehind(error as Error)?.status === 409) return null;
		throw error;
	}
}

/** The summary alone, which is all that comes beside the call's ID. Reference: "Call summary response". */
function summaryText(data: unknown): unknown {
	if (!isObject(data)) return data;
	if ('summary' in data) return data.summary;
	const others = Object.keys(data).filter((name) => !/(^|_)id$/.test(name));
	return others.length === 1 ? data[others[0]!] : data;
}

/** Reference: GET /call-history and the paths below it. */
export const call: Resource = {
	name: 'Call',
	description: 'The history of calls, with their summaries and transcripts',
	operations: {
		get: byId({
			name: 'Get',
			action: 'Get a call',
			description: 'Retrieve one call with its details',
			request: 'GET /call-history/{call_id}',
			simplify,
		}),
		getAll: operation({
			name: 'Get Many',
			action: 'Get many calls',
			description: 'Retrieve a list of calls, newest first unless sorted otherwise',
			hint: 'For summaries or transcripts of many calls set options.include here, in place of one more node for each call. To react to new calls use the YK Voice Trigger.',
			request: 'GET /call-history',
			many: true,
			simplify,
			fields: [
				optionalFields('Filters', 'filters', 'Add filter', [
					{
						displayName: 'Call Status',
						name: 'call_status',
						type: 'options',
						options: choices(CALL_STATUS),
						default: 'Completed',
						description: 'Only calls that ended this way',
					},
					agentFilter,
					...periodFilters('calls'),
				]),
				optionalFields('Options', 'options', 'Add option', [
					{
						displayName: 'Include',
						name: 'include',
						type: 'multiOptions',
						options: choices(CALL_INCLUDES, {
							detail: 'Everything the API knows of the call, such as its transfer time',
							summary: 'The summary, or null where there is none',
							transcript: 'The transcript as structured data, or null where there is none',
							transcriptText: 'Who said what, as one text in transcript_text',
						}),
						default: [],
						description: 'What to add to each call. Each part costs one more request per call.',
					},
					{
						displayName: 'Sort',
						name: 'sort',
						type: 'options',
						options: choices(SORT),
						default: '-created_at',
						description: 'The order of the calls',
					},
				]),
			],
			input: () =>
				z
					.object({
						filters: collection({
							agent_id: id,
							call_status: oneOf(CALL_STATUS),
							...periodShape,
						}),
						options: collection({ include: list(oneOf(CALL_INCLUDES)), sort: oneOf(SORT) }),
					})
					.transform(({ filters: { agent_id, ...filters }, options }, ctx) => {
						const { include = [], ...sort } = options;
						const { query, within } = splitPeriod(filters, ctx);
						return { query: { ...query, ...sort }, within, agent_id, include };
					}),
			payload: ({ query }) => query,
			search: ({ query, within, agent_id }, now) =>
				within || agent_id
					? {
							period: within && boundsOf(within, now),
							isWanted: (call) => agent_id === undefined || isOfAgent(call, agent_id),
							isOldestFirst: query.sort === 'created_at',
						}
					: undefined,
			enrich: ({ include }, api) =>
				include.length > 0 ? async (call) => await withParts(call, include, api) : undefined,
		}),
		getStatistics: callStatistics,
		getSummary: operation({
			name: 'Get Summary',
			action: 'Get the summary of a call',
			description: 'Retrieve the summary of one call',
			request: 'GET /call-history/{call_id}/summary',
			fields: [callPicker],
			input: () => z.object({ call_id: id }),
			run: async ({ call_id }, { api, request }) => {
				const { data } = await api.send({ ...request(), mayBeEmpty: true });
				return isObject(data) ? data : { call_id, summary: data };
			},
			hints: {
				409: 'The call has no summary yet.',
				404: 'There is no such call, it belongs to another organization, or it has no summary yet.',
			},
		}),
		getTranscript: operation({
			name: 'Get Transcript',
			action: 'Get the transcript of a call',
			description: 'Retrieve the transcript of one call as data, as text or as a file',
			hint: 'Set format to text to hand a transcript to a model, a message or a document; data is what the API answers.',
			request: 'GET /call-history/{call_id}/transcript',
			fields: [
				callPicker,
				{
					displayName: 'Format',
					name: 'format',
					type: 'options',
					options: choices(TRANSCRIPT_FORMATS, {
						data: 'As the API answers it',
						markdown: 'A Markdown file of who said what',
						text: 'Who said what in one text, with times where there are some',
						textFile: 'A text file of who said what, with times where there are some',
					}),
					default: 'data',
					description: 'What to make of the transcript',
				},
				outputField({ show: { format: ['markdown', 'textFile'] } }),
			],
			input: () =>
				z.object({
					call_id: id,
					format: oneOf(TRANSCRIPT_FORMATS).default('data'),
					binaryPropertyName: fieldName,
				}),
			payload: nothing,
			run: async ({ call_id, format }, { api, request }) => {
				const { data: transcript } = await api.send({ ...request(), mayBeEmpty: true });
				const isThere =
					isObject(transcript) || (Array.isArray(transcript) && transcript.length > 0);
				if (format === 'data' && isThere) return transcript;
				return { call_id, transcript: format === 'text' ? transcriptText(transcript) : transcript };
			},
			deliver: async ({ call_id, format, binaryPropertyName: field }, record) => {
				if (format === 'data' || format === 'text') return { record };
				const { transcript } = record;
				const [write, type, ending] = FILES[format];
				const name = `transcript-${call_id}.${ending}`;
				return {
					record: { call_id, file_name: name },
					file: { field, name, mimeType: type, content: Buffer.from(write(transcript)) },
				};
			},
			hints: {
				404: 'There is no such call, it belongs to another organization, or it has no transcript yet.',
			},
		}),
	},
};
