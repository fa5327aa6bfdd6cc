<<<<<<< HEAD:nodes/table/callFilters.ts
import type { INodeProperties } from 'n8n-workflow';

import { isOfAgent, isWithNumber } from '../domain/call';
import { CALL_STATUS } from '../domain/status';
import type { JsonObject } from '../json';
import { agentFilter, choices } from './fields';
import { id, oneOf, phone } from './schema';
=======
import { isOfAgent, isWithNumber } from '../../domain/call';
import { CALL_STATUS } from '../../domain/status';
import type { JsonObject } from '../../json';
import { agentFilter } from '../../table/common';
import { choice, text } from '../../table/kinds';
import { phone } from '../../table/schema';
>>>>>>> 8610d97 (Calls, campaigns, test calls, statistics, usage and wallet: each parameter is defined once):nodes/resources/call/filters.ts

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
