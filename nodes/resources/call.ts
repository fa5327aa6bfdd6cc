import { z } from 'zod';

import { choices, createdAfter, optionalFields, picker } from '../table/fields';
import { isObject, type JsonObject } from '../json';
import { operation, type Operation, type Resource } from '../table/operation';
import { collection, id, isoDate, list, oneOf, optional } from '../table/schema';
import { plainFields } from '../table/simplify';
import type { Api } from '../api/session';

/** The seven values of the call_status filter. Reference: "Call status (filter values)". */
export const CALL_STATUS = {
	Busy: 'Busy',
	Completed: 'Completed',
	'Ended In Queue': 'Ended In Queue',
	Failed: 'Failed',
	'Not Answered': 'Not Answered',
	Rejected: 'Rejected',
	Voicemail: 'Voicemail',
} as const;

/** What else the API knows of a call, at paths of their own. */
export const CALL_PARTS = {
	detail: 'Detail',
	summary: 'Summary',
	transcript: 'Transcript',
} as const;

export type CallPart = keyof typeof CALL_PARTS;

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
	const readers: Record<CallPart, () => Promise<JsonObject>> = {
		detail: async () => (await api.find({ method: 'GET', path })) as JsonObject,
		summary: async () => ({
			summary: summaryText(await api.find({ method: 'GET', path: `${path}/summary` })),
		}),
		transcript: async () => ({
			transcript: await api.find({ method: 'GET', path: `${path}/transcript` }),
		}),
	};
	// The detail first: what was asked for by itself counts.
	const inTurn = (Object.keys(readers) as CallPart[]).filter((part) => parts.includes(part));
	const found = await Promise.all(inTurn.map(async (part) => await readers[part]()));
	return Object.assign({}, call, ...found);
}

const summaryText = (data: unknown) => (isObject(data) && 'summary' in data ? data.summary : data);

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
					createdAfter('calls'),
				]),
				optionalFields('Options', 'options', 'Add option', [
					{
						displayName: 'Include',
						name: 'include',
						type: 'multiOptions',
						options: choices(CALL_PARTS, {
							detail: 'Everything the API knows of the call, such as its transfer time',
							summary: 'The summary, or null where there is none',
							transcript: 'The transcript, or null where there is none',
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
							call_status: oneOf(CALL_STATUS),
							created_after: optional(isoDate),
						}),
						options: collection({ include: list(oneOf(CALL_PARTS)), sort: oneOf(SORT) }),
					})
					.transform(({ filters, options: { include = [], ...options } }) => ({
						...filters,
						...options,
						include,
					})),
			payload: ({ include: _include, ...query }) => query,
			enrich: ({ include }, api) =>
				include.length > 0 ? async (call) => await withParts(call, include, api) : undefined,
		}),
		getSummary: byId({
			name: 'Get Summary',
			action: 'Get the summary of a call',
			description: 'Retrieve the summary of one call',
			request: 'GET /call-history/{call_id}/summary',
			hints: {
				404: 'There is no such call, it belongs to another organization, or it has no summary yet.',
			},
		}),
		getTranscript: byId({
			name: 'Get Transcript',
			action: 'Get the transcript of a call',
			description: 'Retrieve the transcript of one call',
			request: 'GET /call-history/{call_id}/transcript',
			hints: {
				404: 'There is no such call, it belongs to another organization, or it has no transcript yet.',
			},
		}),
	},
};
