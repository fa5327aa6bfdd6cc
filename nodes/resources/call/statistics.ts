import type { DateTime } from 'luxon';
import { z } from 'zod';

import { textIn, type JsonObject } from '../../json';
import { ASSUMED } from '../../domain/assumed';
import { choices, optionalFields } from '../../table/fields';
import { operation } from '../../table/operation';
import { collection, flag, oneOf, recordField, refusing } from '../../table/schema';
import { checkPeriod, periodParametersShape } from '../../table/within';
import { agentNameOf, agentOf, callStatusOf } from '../../domain/call';
import { DETAIL_FIELDS, withDetailFields, type DetailField } from '../../domain/callParts';
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
import { counted, periodsOf } from '../../statistics/reading';
import type { Grouping, Periods, Report } from '../../statistics/report';
import { callFilters, callFilterShape, isWanted } from './filters';
import { quoted } from '../../words';

const GROUPS = {
	...TIME_GROUPS,
	agent: 'Agent',
	provider: 'AI Provider',
	status: 'Status',
} as const;

const DURATION_FIELDS = Object.keys(ASSUMED.durationFields);

/**
 * Counts the records of GET /call-history. Reads GET /call-history/{call_id} for fields that the list does
 * not show.
 */
export const callStatistics = operation({
	name: 'Get Statistics',
	action: 'Get call statistics',
	description:
		'Count the calls of a period: minutes, average length, completion rate, statuses, transfers, share of fallback providers',
	hint: 'One item with totals, or one per group; set groupBy for charts. Use this instead of Get Many and a Summarize node.',
	request: 'GET /call-history',
	isAny: true,
	fields: [
		...statisticsParameters('calls', GROUPS, {
			provider:
				'The provider that served the call. Costs one more request for each call that does not show it in the list.',
		}),
		optionalFields('Filters', 'filters', 'Add filter', callFilters),
		optionalFields('Options', 'options', 'Add option', [
			{
				displayName: 'Read Call Details',
				name: 'readDetails',
				type: 'boolean',
				default: false,
				description:
					'Whether to read the details of each call that does not show its transfer, AI provider or fallback in the list. Each costs one more request.',
			},
			fieldOption('Duration Field', 'durationField', 'the length of a call', DURATION_FIELDS),
			{
				displayName: 'Duration Unit',
				name: 'durationUnit',
				type: 'options',
				options: choices(DURATION_UNITS),
				default: 'seconds',
				description: "Unit of the 'Duration Field'",
			},
		]),
	],
	input: () =>
		z
			.object({
				...periodParametersShape,
				groupBy: oneOf(GROUPS).default('none'),
				compare: flag.default(true),
				filters: collection(callFilterShape),
				options: collection({
					readDetails: flag,
					durationField: recordField,
					durationUnit: oneOf(DURATION_UNITS),
				}),
			})
			.superRefine((given, ctx) => checkPeriod(given, refusing(ctx))),
	payload: ({ filters: { call_status } }) => (call_status === undefined ? {} : { call_status }),
	run: async ({ groupBy, compare, filters, options, ...within }, context) => {
		const periods = periodsOf(within, compare, context.now);
		const { durationField: name, durationUnit: unit } = options;
		const fields = detailFieldsFor(groupBy, options.readDetails ?? false);
		const report = await counted(
			context,
			{
				subject: callSubject({ name, unit }),
				grouping: groupingOf(groupBy, periods, context.now),
				periods,
				dateFields: ['created_at'],
			},
			async (call) =>
				isWanted(call, filters) ? [await withDetailFields(call, fields, context.api)] : [],
		);
		tellLacks(report, periods, name, context.tell);
		return inOrder(report.rows(), groupBy);
	},
});

type Group = keyof typeof GROUPS;

/** The fields to read from a call's detail if the list does not show them. */
function detailFieldsFor(groupBy: Group, readDetails: boolean): readonly DetailField[] {
	if (readDetails) return DETAIL_FIELDS;
	return groupBy === 'provider' ? ['ai_provider', 'ai_provider_fallback_used'] : [];
}

function groupingOf(groupBy: Group, periods: Periods, now: DateTime): Grouping {
	if (isTimeGroup(groupBy)) return byTime(groupBy, periods, now);
	return { agent: byAgent, provider: byProvider, status: () => byStatus }[groupBy]();
}

function inOrder(rows: JsonObject[], groupBy: Group): JsonObject[] {
	if (groupBy === 'status') return sortedBy(rows, 'status');
	return isTimeGroup(groupBy) ? rows : largestFirst(rows, 'calls');
}

/** Groups by the status, in the spelling of the API. */
const byStatus = byValue(
	'status',
	(call) => {
		const status = callStatusOf(call);
		return typeof status === 'string' && status !== '' ? status : null;
	},
	"The calls of this account do not show their status, so they cannot be grouped by it. Choose another 'Group By'.",
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
		"The calls of this account do not show their agent, so they cannot be grouped by it. Choose another 'Group By'.",
		(agent) => ({ agent_name: names.get(agent) ?? null }),
	);
}

/** Groups by the provider that served the call. Null is for calls that were not measured. */
function byProvider(): Grouping {
	let isShown = false;
	const grouping = byValue('ai_provider', ({ ai_provider: provider }) => {
		isShown ||= provider !== undefined;
		return textIn(provider) ?? null;
	});
	return {
		...grouping,
		get noneKnown() {
			return isShown
				? undefined
				: "The calls of this account do not show their AI provider, so they cannot be grouped by it. Choose another 'Group By'.";
		},
	};
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
		`${untimed} of the ${calls} calls ${before ? 'of both periods ' : ''}have no length in ${quoted(name === undefined ? DURATION_FIELDS : [name])}. Minutes and averages leave them out. If the length has another name, add the option 'Duration Field'.`,
	);
}
