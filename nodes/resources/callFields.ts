import { isObject, type JsonObject } from '../json';
import { ASSUMED } from '../table/assumed';
import { picker } from '../table/fields';
import { inFront, plainFields } from '../table/simplify';

/** A call as a list shows it: when it was, how it ended, what came of it, with whom. */
export const callInFront = inFront(
	'id',
	'created_at',
	...ASSUMED.callStatus,
	'ready',
	'incomplete',
	'summary',
	'transfer_time',
	...ASSUMED.callNumber,
);

export const plainCall = plainFields('summary', 'transcript');

/** Which field of a call holds its status is not shown; the filter is named call_status. */
export const statusOf = (call: JsonObject): unknown => call.call_status ?? call.status;

/** The id of a call's agent: null where the call has none, undefined where calls do not carry it. */
export function agentOf({ agent_id, agent }: JsonObject): string | null | undefined {
	const held = agent_id ?? (isObject(agent) ? agent.id : agent);
	if (typeof held === 'string' || typeof held === 'number') return String(held);
	return agent_id === null || agent === null ? null : undefined;
}

/** The name of a call's agent, where calls carry it. */
export function agentNameOf(call: JsonObject): string | undefined {
	const { agent_name: name = isObject(call.agent) ? call.agent.name : undefined } = call;
	return typeof name === 'string' ? name : undefined;
}

/** A filter by agent, which the API does not have. */
export const agentFilter = picker({
	displayName: 'Agent',
	name: 'agent_id',
	search: 'searchAgents',
	description: 'Only calls of this agent; needs calls that carry their agent',
	required: 'whenAdded',
});

/**
 * Whether a call is one of this agent.
 * @throws Error where calls do not carry their agent: leaving all of them out would say nothing
 */
export function isOfAgent(call: JsonObject, agent: string): boolean {
	const held = agentOf(call);
	if (held === undefined) {
		throw new Error(
			"Some or all calls of this account do not carry their agent, so they cannot be filtered by it. Remove the filter 'Agent'.",
		);
	}
	return isSameId(agent, held);
}

/** Whether two ids are of one record; null is of none. */
export const isSameId = (one: string, other: string | null) =>
	one.toLowerCase() === other?.toLowerCase();
