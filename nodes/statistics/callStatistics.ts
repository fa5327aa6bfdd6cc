import type { DateTime } from 'luxon';

import { ASSUMED } from '../domain/assumed';
import { callStatusOf, agentNameOf, agentOf } from '../domain/call';
import { DETAIL_FIELDS, withDetailFields, type DetailField } from '../domain/callParts';
import { plainStatus } from '../domain/status';
import { firstOf, type JsonObject, textIn } from '../json';
import { callFilters, isWanted } from '../table/callFilters';
import { filtersOf, optionsOf } from '../table/common';
import { form } from '../table/form';
import { choice, toggle } from '../table/kinds';
import { operation } from '../table/operation';
import { quoted } from '../words';
import { decimalOf, dividedBy, plus, times, toJson, ZERO, type Decimal } from './decimal';
import { average, percent, type Figure } from './figures';
import { byTime, byValue, isTimeGroup, largestFirst, sortedBy, TIME_GROUPS } from './groupings';
import { assumedField, statisticsForm } from './options';
import { counted, periodsOf } from './reading';
import { type Subject, type Grouping, type Periods, type Report } from './report';

/** The units that the length of a call may have. */
export const DURATION_UNITS = {
	milliseconds: 'Milliseconds',
	minutes: 'Minutes',
	seconds: 'Seconds',
} as const;

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
	fields: () =>
		statisticsForm('calls', GROUPS, {
			provider:
				'The provider that served the call. Costs one more request for each call that does not show it in the list.',
		}).and(
			form({
				filters: filtersOf(callFilters),
				options: optionsOf({
					readDetails: toggle({
						displayName: 'Read Call Details',
						description:
							'Whether to read the details of each call that does not show its transfer, AI provider or fallback in the list. Each costs one more request.',
					}),
					durationField: assumedField('Duration Field', 'the length of a call', DURATION_FIELDS),
					durationUnit: choice(DURATION_UNITS, {
						displayName: 'Duration Unit',
						default: 'seconds',
						description: "Unit of the 'Duration Field'",
					}),
				}),
			}),
		),
	payload: ({ filters: { call_status } }) => (call_status === undefined ? {} : { call_status }),
	run: async ({ groupBy, compare, filters, options, within }, context) => {
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

type DurationUnit = keyof typeof DURATION_UNITS;

/** How many seconds a unit has. */
const SECONDS: Readonly<Record<DurationUnit, Decimal>> = {
	milliseconds: { units: 1n, scale: 3 },
	minutes: { units: 60n, scale: 0 },
	seconds: { units: 1n, scale: 0 },
};

/** The statuses that have a column, by their plain form. Reference: "Call status (filter values)". */
const STATUS_COLUMNS: Readonly<Record<string, string>> = {
	completed: 'completed',
	notanswered: 'not_answered',
	rejected: 'rejected',
	failed: 'failed',
	busy: 'busy',
	voicemail: 'voicemail',
	endedinqueue: 'ended_in_queue',
	inprogress: 'in_progress',
	cancelled: 'cancelled',
};

/** What is known of the calls that were counted so far. */
export interface CallTally {
	calls: number;
	seconds: Decimal;
	/** Calls that show their length. */
	timed: number;
	/** Column → number of calls. `other_status`: a status without a column. `without_status`: none shown. */
	statuses: Record<string, number>;
	transferred: number;
	transferKnown: number;
	fallback: number;
	fallbackKnown: number;
}

/** The field that holds the length of a call, and its unit. Without a name, the assumed fields are tried. */
interface DurationField {
	name?: string;
	unit?: DurationUnit;
}

/**
 * Counts calls. Whether a call was transferred is known only if it has the field transfer_time, even if
 * it is null: the reference shows the field on the detail alone.
 * Reference: "Other records named in the interface", call history record.
 */
export function callSubject(duration: DurationField): Subject<CallTally> {
	return {
		empty: () => ({
			calls: 0,
			seconds: ZERO,
			timed: 0,
			statuses: {},
			transferred: 0,
			transferKnown: 0,
			fallback: 0,
			fallbackKnown: 0,
		}),
		count(tally, call) {
			tally.calls += 1;
			const seconds = secondsOf(call, duration);
			if (seconds !== undefined) {
				tally.seconds = plus(tally.seconds, seconds);
				tally.timed += 1;
			}
			const status = statusColumn(call);
			tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
			const { transfer_time: transfer, ai_provider_fallback_used: fallback } = call;
			if (transfer !== undefined) tally.transferKnown += 1;
			if (transfer) tally.transferred += 1;
			if (typeof fallback === 'boolean') tally.fallbackKnown += 1;
			if (fallback === true) tally.fallback += 1;
		},
		figures: callFigures,
	};
}

function callFigures(tally: CallTally): Record<string, Figure> {
	const { calls, seconds, timed, statuses, transferKnown, fallbackKnown } = tally;
	const { in_progress: underWay = 0, without_status: unclear = 0 } = statuses;
	const { completed = 0 } = statuses;
	const isTimed = calls === 0 || timed > 0;
	return {
		calls,
		minutes: isTimed ? toJson(dividedBy(seconds, SECONDS.minutes, 2)) : null,
		average_seconds: average(seconds, timed, 1),
		completion_rate: percent(completed, calls - underWay - unclear),
		...Object.fromEntries(
			Object.values(STATUS_COLUMNS).map((column) => [column, statuses[column] ?? 0]),
		),
		other_status: statuses.other_status ?? 0,
		without_status: unclear,
		transferred: calls === 0 || transferKnown > 0 ? tally.transferred : null,
		transfer_rate: percent(tally.transferred, transferKnown),
		transfer_unknown: calls - transferKnown,
		fallback_used: calls === 0 || fallbackKnown > 0 ? tally.fallback : null,
		fallback_rate: percent(tally.fallback, fallbackKnown),
		fallback_unknown: calls - fallbackKnown,
		without_duration: calls - timed,
	};
}

function secondsOf(call: JsonObject, { name, unit = 'seconds' }: DurationField) {
	const fields = name === undefined ? ASSUMED.durationFields : { [name]: unit };
	for (const [field, kind] of Object.entries(fields)) {
		const value = decimalOf(firstOf(call, [field]));
		if (value !== undefined && value.units >= 0n) return times(value, SECONDS[kind]);
	}
	return undefined;
}

function statusColumn(call: JsonObject): string {
	const status = callStatusOf(call);
	if (status === undefined || status === null || status === '') return 'without_status';
	const plain = plainStatus(status);
	return Object.hasOwn(STATUS_COLUMNS, plain) ? STATUS_COLUMNS[plain]! : 'other_status';
}
