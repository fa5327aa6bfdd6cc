import { z } from 'zod';

import { isObject, type JsonObject } from '../../json';
import { ASSUMED } from '../../domain/assumed';
import { agentFilter, choices, optionalFields } from '../../table/fields';
import { operation } from '../../table/operation';
import { collection, flag, id, oneOf, recordField } from '../../table/schema';
import { checkPeriod, periodParametersShape } from '../../table/within';
import type { Api } from '../../api/session';
import { agentNameOf, agentOf, isOfAgent, statusOf } from '../../domain/call';
import { CALL_STATUS } from '../../domain/status';
import { callSubject, DURATION_UNITS, type CallTally } from '../../statistics/calls';
import {
	byTime,
	byValue,
	isTimeGroup,
	largestFirst,
	sortedBy,
	TIME_GROUPS,
} from '../../statistics/groupings';
import { fieldOption, statisticsParameters } from '../../statistics/options';
import { counted, named, periodsOf } from '../../statistics/reading';
import type { Grouping, Periods, Report } from '../../statistics/report';

const GROUPS = { ...TIME_GROUPS, agent: 'Agent', status: 'Status' } as const;

const DURATION_FIELDS = Object.keys(ASSUMED.durationFields);

/** Reference: GET /call-history, whose records are counted here; GET /call-history/{call_id} for transfer_time. */
export const callStatistics = operation({
	name: 'Get Statistics',
	action: 'Get call statistics',
	description:
		'Count the calls of a period: minutes, average length, completion rate, statuses, transfers, share of fallback providers',
	hint: 'One item with totals, or one per group; set groupBy for charts. In place of Get Many followed by a Summarize node.',
	request: 'GET /call-history',
	isAny: true,
	fields: [
		...statisticsParameters('calls', GROUPS),
		optionalFields('Filters', 'filters', 'Add filter', [
			agentFilter,
			{
				displayName: 'Call Status',
				name: 'call_status',
				type: 'options',
				options: choices(CALL_STATUS),
				default: 'Completed',
				description: 'Only calls that ended this way',
			},
		]),
		optionalFields('Options', 'options', 'Add option', [
			{
				displayName: 'Count Transfers',
				name: 'countTransfers',
				type: 'boolean',
				default: false,
				description:
					'Whether to read the detail of each call, which alone shows a transfer to a person. It costs one more request per call.',
			},
			fieldOption('Duration Field', 'durationField', 'the length of a call', DURATION_FIELDS),
			{
				displayName: 'Duration Unit',
				name: 'durationUnit',
				type: 'options',
				options: choices(DURATION_UNITS),
				default: 'seconds',
				description: "What the field named under 'Duration Field' counts",
			},
		]),
	],
	input: () =>
		z
			.object({
				...periodParametersShape,
				groupBy: oneOf(GROUPS).default('none'),
				compare: flag.default(true),
				filters: collection({ agent_id: id, call_status: oneOf(CALL_STATUS) }),
				options: collection({
					countTransfers: flag,
					durationField: recordField,
					durationUnit: oneOf(DURATION_UNITS),
				}),
			})
			.superRefine(checkPeriod),
	payload: ({ filters: { call_status } }) => (call_status === undefined ? {} : { call_status }),
	run: async ({ groupBy, compare, filters: { agent_id }, options, ...within }, call) => {
		const periods = periodsOf(within, compare, call.now);
		const { durationField: name, durationUnit: unit, countTransfers = false } = options;
		const report = await counted(
			call,
			{
				subject: callSubject({ name, unit }),
				grouping: isTimeGroup(groupBy)
					? byTime(groupBy, periods, call.now)
					: groupBy === 'agent'
						? byAgent()
						: byStatus,
				periods,
				dateFields: ['created_at'],
			},
			async (record) => {
				if (agent_id !== undefined && !isOfAgent(record, agent_id)) return [];
				return [countTransfers ? await withTransfer(record, call.api) : record];
			},
		);
		tellLacks(report, periods, name, call.tell);
		const rows = report.rows();
		if (groupBy === 'status') return sortedBy(rows, 'status');
		return groupBy === 'agent' ? largestFirst(rows, 'calls') : rows;
	},
});

/** By the status as calls carry it. */
const byStatus = byValue(
	'status',
	(call) => {
		const status = statusOf(call);
		return typeof status === 'string' && status !== '' ? status : null;
	},
	"The calls of this account do not carry their status, so they cannot be grouped by it. Choose another 'Group By'.",
);

function byAgent(): Grouping {
	const names = new Map<string | null, string>();
	return byValue(
		'agent_id',
		(call) => {
			const agent = agentOf(call) ?? null;
			const name = agentNameOf(call);
			if (name !== undefined) names.set(agent, name);
			return agent;
		},
		"The calls of this account do not carry their agent, so they cannot be grouped by it. Choose another 'Group By'.",
		(agent) => ({ agent_name: names.get(agent) ?? null }),
	);
}

/** A call with its transfer_time, null where its detail shows none; as it is where there is no detail. */
async function withTransfer(call: JsonObject, api: Api): Promise<JsonObject> {
	if (call.transfer_time !== undefined) return call;
	const path = `/call-history/${encodeURIComponent(String(call.id))}`;
	const detail = await api.find({ method: 'GET', path });
	return isObject(detail) ? { ...call, transfer_time: detail.transfer_time ?? null } : call;
}

function tellLacks(
	{ figures }: Report<CallTally>,
	{ before }: Periods,
	name: string | undefined,
	tell: (message: string) => void,
): void {
	const { calls, without_duration: untimed } = figures;
	if (Number(untimed) === 0) return;
	tell(
		`${untimed} of the ${calls} calls ${before ? 'of both periods ' : ''}carry no length under ${named(name === undefined ? DURATION_FIELDS : [name])}. Minutes and averages leave them out. Where calls show it under another name, add the option 'Duration Field'.`,
	);
}
