import { callStatusOf, isOfAgent, isWithNumber, mayGoOn } from '../domain/call';
import { CALL_STATUS, isSameStatus } from '../domain/status';
import type { JsonObject } from '../json';
import { agentFilter } from './common';
import { several, text } from './kinds';
import { phone } from './schema';

/** The filters for calls, except the period. The API itself can only filter by the status. */
export const callFilters = {
	agent_id: agentFilter,
	call_status: several(
		CALL_STATUS,
		{
			displayName: 'Call Status',
			default: ['Completed'],
			description: 'Only calls that ended in one of these ways',
		},
		'must name at least one status',
	),
	phone_number: text(
		{
			displayName: 'Phone Number',
			placeholder: 'e.g. +14155550123',
			description: 'Only calls from or to this number',
		},
		phone,
	),
};

interface CallFilters {
	agent_id?: string;
	call_status?: string[];
	phone_number?: string;
}

/** The filters that the node applies itself. */
interface NodeFilters {
	agent_id?: string;
	/** More than one. */
	statuses?: string[];
	phone_number?: string;
}

/** Splits the filters: `query` is for the API, which can filter by one status, and `byNode` for the node. */
export function splitCallFilters<T extends CallFilters>(filters: T) {
	const { agent_id, phone_number, call_status: statuses = [], ...rest } = filters;
	const isOne = statuses.length === 1;
	const byNode: NodeFilters = {
		agent_id,
		statuses: statuses.length > 1 ? statuses : undefined,
		phone_number,
	};
	return { rest, status: isOne ? { call_status: statuses[0] } : {}, byNode };
}

export const hasNodeFilter = (filters: NodeFilters): boolean =>
	Object.values(filters).some((filter) => filter !== undefined);

/** @throws Error if a call does not show what it is filtered by */
export const isWanted = (
	call: JsonObject,
	{ agent_id, statuses, phone_number }: NodeFilters,
): boolean =>
	(agent_id === undefined || isOfAgent(call, agent_id)) &&
	(statuses === undefined || hasEndedAs(call, statuses)) &&
	(phone_number === undefined || isWithNumber(call, phone_number));

function hasEndedAs(call: JsonObject, statuses: string[]): boolean {
	const status = callStatusOf(call);
	if (status !== undefined) return statuses.some((one) => isSameStatus(one, status));
	// A call under way may have no status yet.
	if (mayGoOn(call, Date.now())) return false;
	throw new Error(
		"Some or all calls of this account do not show their status, so they cannot be filtered by several. Choose one 'Call Status', which the API applies.",
	);
}
