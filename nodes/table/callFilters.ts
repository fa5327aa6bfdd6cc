import { isOfAgent, isWithNumber } from '../domain/call';
import { CALL_STATUS } from '../domain/status';
import type { JsonObject } from '../json';
import { agentFilter } from './common';
import { choice, text } from './kinds';
import { phone } from './schema';

/** The filters for calls, except the period. The API itself can only filter by the status. */
export const callFilters = {
	agent_id: agentFilter,
	call_status: choice(CALL_STATUS, {
		displayName: 'Call Status',
		default: 'Completed',
		description: 'Only calls that ended this way',
	}),
	phone_number: text(
		{
			displayName: 'Phone Number',
			placeholder: 'e.g. +14155550123',
			description: 'Only calls from or to this number',
		},
		phone,
	),
};

/** The filters that the node applies itself. */
interface NodeFilters {
	agent_id?: string;
	phone_number?: string;
}

export const hasNodeFilter = ({ agent_id, phone_number }: NodeFilters): boolean =>
	(agent_id ?? phone_number) !== undefined;

/** @throws Error if a call does not show what it is filtered by */
export const isWanted = (call: JsonObject, { agent_id, phone_number }: NodeFilters): boolean =>
	(agent_id === undefined || isOfAgent(call, agent_id)) &&
	(phone_number === undefined || isWithNumber(call, phone_number));
