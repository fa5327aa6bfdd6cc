import { toMillis } from '../../time';
import type { Api } from '../../api/session';
import { agentOf, callInFront, isSameId, plainCall, callStatusOf } from '../../domain/call';
import {
	CALL_INCLUDES,
	requestsFor,
	saysSomething,
	withParts,
	type CallPart,
	type DetailField,
} from '../../domain/callParts';
import { CALL_STATUS, isSameStatus } from '../../domain/status';
import type { JsonObject } from '../../json';
import { agentFilter, filtersOf } from '../../table/common';
import { always, form, type InputOf, type Parameters } from '../../table/form';
import { simplify } from '../../table/handling';
import { several } from '../../table/kinds';
import type { FollowedList } from '../../watching/listWatcher';
import { eventOptions, lookBack, pollLimit } from './eventFields';

/** The parameters of the events about calls. @param more further options */
export const callForm = <P extends Parameters>(more: P) =>
	form({
		simplify,
		filters: filtersOf({
			agent_id: agentFilter,
			call_status: always(
				several(CALL_STATUS, {
					displayName: 'Call Status',
					description: 'Only calls that ended in one of these ways',
				}),
			),
		}),
		options: eventOptions({
			lookBack,
			pollLimit,
			include: always(
				several(CALL_INCLUDES, {
					displayName: 'Include',
					meanings: {
						detail: 'Everything the API knows of the call, such as its transfer time',
						summary: 'The summary, or null if there is none yet',
						transcript: 'The transcript as structured data, or null if there is none yet',
						transcriptText: 'Who said what, as one text in transcript_text',
					},
					description:
						'What to add to each call. Each part costs one more request per call. Both forms of the transcript count as one part.',
				}),
			),
			...more,
		}),
	});

/** What the events about calls have in common. Reference: GET /call-history and the paths below it. */
export const callEvent = {
	request: 'GET /call-history',
	fields: () => callForm({}),
};

/** `lacking`: the call does not show what `needs` names. */
type Decision = JsonObject | 'unwanted' | 'waiting' | 'lacking';

/** Which calls start the workflow, and what their items have. */
interface FollowedCalls {
	input: InputOf<ReturnType<typeof callEvent.fields>>;
	/** How long a call may wait, counted from its start (ms). */
	patience: number;
	/** Whether the event is about calls that have ended, so that calls must show their status. */
	mustEnd?: boolean;
	/** What `decide` needs. */
	needs?: DetailField;
	/** Whether the call starts the workflow at all. Asked before its parts are read. */
	decide?(call: JsonObject, isLate: boolean, now: number): Decision | Promise<Decision>;
	/** The parts that must exist. An item then says in `ready` whether they do. */
	waitFor?: readonly CallPart[];
	api: Api;
}

/** The call history as a list to follow. */
export function callList(calls: FollowedCalls): FollowedList {
	const { input, patience, needs = '', decide, waitFor, api } = calls;
	const { agent_id: agent } = input.filters;
	const parts = [...new Set<CallPart>([...input.options.include, ...(waitFor ?? [])])];
	const shape = (call: JsonObject) => (input.simplify ? plainCall(call) : call);
	return {
		path: '/call-history',
		query: { sort: '-created_at' },
		pathOf: (callId) => `/call-history/${callId}`,
		cost: requestsFor(parts),
		lacks(call) {
			if (needsStatus(calls) && callStatusOf(call) === undefined) return 'status';
			return agent !== undefined && agentOf(call) === undefined ? 'agent' : undefined;
		},
		wayOut: "Remove the filter by it, or choose another event under 'Trigger On'.",
		async judge(call, now) {
			const isLate = now >= (toMillis(call.created_at) ?? now) + patience;
			const sifted = sift(call, calls, isLate, now);
			if (sifted !== 'wanted') return sifted;
			const decided = (await decide?.(call, isLate, now)) ?? call;
			if (decided === 'lacking') return { lacks: needs };
			if (typeof decided === 'string') return decided;
			const whole = shape(await withParts(decided, parts, api));
			if (waitFor === undefined) return { item: callInFront(whole) };
			const ready = waitFor.every((part) => saysSomething(whole[part]));
			return ready || isLate ? { item: callInFront({ ...whole, ready }) } : 'waiting';
		},
		incomplete: (call) =>
			callInFront({ ...shape(call), ...(waitFor && { ready: false }), incomplete: true }),
	};
}

const needsStatus = ({ input, mustEnd = false }: FollowedCalls) =>
	mustEnd || input.filters.call_status.length > 0;

/** Applies the filters to a call. A call in progress may have to wait for its end first. */
function sift(
	call: JsonObject,
	calls: FollowedCalls,
	isLate: boolean,
	now: number,
): 'wanted' | 'unwanted' | 'waiting' {
	const { agent_id: agent, call_status: statuses } = calls.input.filters;
	if (agent !== undefined && !isSameId(agent, agentOf(call))) return 'unwanted';
	const status = callStatusOf(call);
	// A test event shows a call that has ended.
	const mustEnd = needsStatus(calls) || !isLate || now === Infinity;
	if (mustEnd && isSameStatus('In Progress', status)) return 'waiting';
	const isWanted = statuses.length === 0 || statuses.some((one) => isSameStatus(one, status));
	return isWanted ? 'wanted' : 'unwanted';
}
