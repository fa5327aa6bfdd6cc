import { z } from 'zod';

import { momentOf } from '../../api/moment';
import type { Api } from '../../api/session';
import type { JsonObject } from '../../json';
import { agentOf, callInFront, isSameId, plainCall, statusOf } from '../../domain/call';
import { CALL_INCLUDES, requestsFor, withParts, type CallPart } from '../../domain/callParts';
import { CALL_STATUS, isSameStatus } from '../../domain/status';
import { choices, picker } from '../../table/fields';
import { locatorValue } from '../../table/locator';
import { id, list, oneOf } from '../../table/schema';
import type { FollowedList } from '../kinds/list';
import { lookBack, pollLimit } from './fields';

/** The filters of the events about calls. */
export const callFilters = [
	picker({
		displayName: 'Agent',
		name: 'agent_id',
		search: 'searchAgents',
		description: 'Only calls of this agent; needs calls that carry their agent',
		required: 'whenAdded',
	}),
	{
		displayName: 'Call Status',
		name: 'call_status',
		type: 'multiOptions' as const,
		options: choices(CALL_STATUS),
		default: [],
		description: 'Only calls that ended in one of these ways',
	},
];

export const callOptions = [
	lookBack,
	pollLimit,
	{
		displayName: 'Include',
		name: 'include',
		type: 'multiOptions' as const,
		options: choices(CALL_INCLUDES, {
			detail: 'Everything the API knows of the call, such as its transfer time',
			summary: 'The summary, or null where there is none yet',
			transcript: 'The transcript as structured data, or null where there is none yet',
			transcriptText: 'Who said what, as one text in transcript_text',
		}),
		default: [],
		description:
			'What to add to each call. Each part costs one more request per call; both forms of a transcript are one.',
	},
];

export const callFilterSchema = z
	.object({
		agent_id: z.preprocess(locatorValue, id).optional(),
		call_status: list(oneOf(CALL_STATUS)).default([]),
	})
	.default({});

export const callOptionSchema = z
	.object({ include: list(oneOf(CALL_INCLUDES)).default([]) })
	.default({});

type CallFilters = z.infer<typeof callFilterSchema>;

type Decision = JsonObject | 'unwanted' | 'waiting';

/** Which calls fire, and what of them is emitted. */
interface FollowedCalls {
	filters: CallFilters;
	parts: readonly CallPart[];
	simplify: boolean;
	/** How long after its beginning a call may wait (ms). */
	patience: number;
	/** Whether only a call that has ended is looked at, and so only calls that show their status. */
	mustEnd?: boolean;
	/** Whether a call fires at all, before its parts are read; and what more was read of it for that. */
	decide?(call: JsonObject, isLate: boolean): Decision | Promise<Decision>;
	/** A field that calls have to show, be it null. */
	needs?: string;
	/** What a call is emitted as; undefined where it has to wait for more. */
	emit(call: JsonObject, isLate: boolean): JsonObject | undefined;
	/** What marks a call whose parts cannot be read. */
	marks?: JsonObject;
	api: Api;
}

/** The call history as a list that is followed. Reference: GET /call-history and the paths below it. */
export function callList(calls: FollowedCalls): FollowedList {
	const { filters, parts, simplify, patience, emit, marks, api } = calls;
	const shape = (call: JsonObject) => (simplify ? plainCall(call) : call);
	return {
		path: '/call-history',
		query: { sort: '-created_at' },
		isNewestFirst: true,
		cost: requestsFor(parts),
		pathOf: (callId) => `/call-history/${callId}`,
		lacks(call) {
			if (calls.needs !== undefined && call[calls.needs] === undefined) return calls.needs;
			const needsStatus = calls.mustEnd === true || filters.call_status.length > 0;
			if (needsStatus && (statusOf(call) ?? undefined) === undefined) return 'status';
			return filters.agent_id !== undefined && agentOf(call) === undefined ? 'agent' : undefined;
		},
		async judge(call, now) {
			const { agent_id: agent, call_status: statuses } = filters;
			if (agent !== undefined && !isSameId(agent, agentOf(call) ?? null)) return 'unwanted';
			const isLate = now >= (momentOf(call.created_at) ?? now) + patience;
			// How it ends decides whether it is wanted; a test event is not to show one that has not.
			const mustEnd = calls.mustEnd || statuses.length > 0 || !isLate || now === Infinity;
			if (isUnderWay(call) && mustEnd) return 'waiting';
			if (statuses.length > 0 && !statuses.some((one) => isSameStatus(one, statusOf(call))))
				return 'unwanted';
			const decided = (await calls.decide?.(call, isLate)) ?? call;
			if (typeof decided === 'string') return decided;
			const whole = await withParts(decided, parts, api);
			const item = emit(shape(whole), isLate);
			return item ? { item: callInFront(item) } : 'waiting';
		},
		incomplete: (call) => callInFront({ ...shape(call), ...marks, incomplete: true }),
	};
}

/** In Progress is the one status besides Cancelled that the filter does not know, and not an end. */
const isUnderWay = (call: JsonObject) => isSameStatus('In Progress', statusOf(call));
