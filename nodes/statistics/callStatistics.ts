import type { DateTime } from 'luxon';

import { enterAs, type Names } from '../api/names';
import { agentNameOf, agentOf, callStatusOf } from '../domain/call';
import { DETAIL_FIELDS, withDetailFields, type DetailField } from '../domain/callParts';
import { CALL_STATUS, isSameStatus, nameOfStatus } from '../domain/status';
import { firstOf, type JsonObject, textIn, without } from '../json';
import { CallFilter, callFilters, splitCallFilters } from '../filters/callFilters';
import { filtersOf, optionsOf } from '../table/common';
import { form } from '../table/form';
import { choice, toggle } from '../table/kinds';
import { operation } from '../table/operation';
import { firstDayOption } from '../filters/within';
import { quoted } from '../words';
import { decimalOf, dividedBy, times, type Decimal } from './decimal';
import { billedAmount, billedFigures, billingOption, type Billing } from './billing';
import {
	byBoth,
	byTime,
	byValue,
	isTimeGroup,
	largestFirst,
	Newest,
	sortedBy,
	TIME_GROUPS,
} from './groupings';
import { statisticsForm } from './options';
import { periodsOf, tabulate } from './tabulate';
import type { Grouping, Periods, Subject } from './tabulation';
import { figure, oneIf, percent } from './tally';

const GROUPS = {
	...TIME_GROUPS,
	agent: 'Agent',
	provider: 'AI Provider',
	status: 'Status',
} as const;

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
	isLong: true,
	fields: () =>
		statisticsForm('calls', GROUPS, {
			provider:
				'The provider that served the call. Costs one more request for each call that does not show it in the list.',
		})
			.and(
				form({
					filters: filtersOf(callFilters),
					options: optionsOf({
						billing: billingOption,
						readDetails: toggle({
							displayName: 'Read Call Details',
							default: true,
							description:
								'Whether to read what the list does not show of a call, at one more request per call',
						}),
						firstDay: firstDayOption,
						thenBy: choice(without(GROUPS, 'none'), {
							displayName: 'Then By',
							default: 'agent',
							description: "Divides each group of 'Group By' again",
						}),
					}),
				}).check(({ filters, options }) => {
					const { status, byNode } = splitCallFilters(filters);
					return { status, byNode, options };
				}),
			)
			.check((input, refuse) => {
				const { groupBy, options } = input;
				if (options.thenBy !== undefined && (groupBy === 'none' || groupBy === options.thenBy)) {
					refuse("divides the groups of another 'Group By': choose one", 'options', 'thenBy');
				}
				return input;
			}),
	payload: ({ status }) => status,
	run: async ({ groupBy, compare, byNode, options, within }, context) => {
		const periods = periodsOf({ ...within, firstDay: options.firstDay }, compare, context.now);
		const { billing, thenBy } = options;
		const { names } = context.api;
		const groups = thenBy === undefined ? [groupBy] : [groupBy, thenBy];
		const fields = detailFieldsFor(groups, options.readDetails ?? false);
		const [first, second] = groups.map((group) => groupCalls(group, periods, context.now, names));
		const groupings = second === undefined ? [first!] : [byBoth(first!, second), first!, second];
		const filter = new CallFilter(byNode, names);
		const tabulation = await tabulate(
			{
				...context,
				request: context.request(),
				partsOf: async (call) =>
					filter.isWanted(call) ? [await withDetailFields(call, fields, context.api)] : [],
			},
			{
				subject: callSubject(names, billing),
				groupings,
				periods,
				dateFields: ['created_at'],
			},
		);
		filter.finish(context.tell);
		const untimed = tabulation.sumOf((total) => total.unknown('seconds'));
		if (untimed > 0) {
			context.tell(
				`${untimed} of the ${tabulation.sumOf((total) => total.countOf('calls'))} calls ${compare ? 'of both periods ' : ''}have no length in ${quoted(names.callLength)}. Minutes and averages leave them out. If the length has another name, ${enterAs('callLength')}.`,
			);
		}
		// Those that are divided are made too, because each must be shown by a call.
		const [rows = []] = groupings.map((grouping) => tabulation.rows(grouping));
		if (thenBy !== undefined) {
			const within = isTimeGroup(thenBy)
				? sortedBy(rows, COLUMNS[thenBy] ?? thenBy)
				: largestFirst(rows, 'calls');
			// Agents may have one name, or show none.
			const apart = groupBy === 'agent' ? sortedBy(within, 'agent_id') : within;
			return sortedBy(apart, COLUMNS[groupBy] ?? groupBy);
		}
		if (groupBy === 'status') return sortedBy(rows, 'status');
		return isTimeGroup(groupBy) ? rows : largestFirst(rows, 'calls');
	},
});

type Group = keyof typeof GROUPS;

/** The columns by which items are sorted, if they are divided again, and that do not have the name of their group. */
const COLUMNS: Readonly<Partial<Record<Group, string>>> = {
	weekday: 'weekday_number',
	agent: 'agent_name',
	provider: 'ai_provider',
};

/** The fields to read from a call's detail if the list does not show them. */
function detailFieldsFor(groups: Group[], readDetails: boolean): readonly DetailField[] {
	if (readDetails) return DETAIL_FIELDS;
	return groups.includes('provider') ? ['ai_provider', 'ai_provider_fallback_used'] : [];
}

const notShown = (value: string) =>
	`The calls of this account do not show their ${value}, so they cannot be grouped by it. Choose another 'Group By'.`;

/** How calls are divided into rows. */
export function groupCalls(
	groupBy: Group,
	periods: Periods,
	now: DateTime,
	names: Names,
): Grouping {
	if (isTimeGroup(groupBy)) return byTime(groupBy, periods, now);
	if (groupBy === 'agent') return byAgent(names);
	// Calls that were not measured have null as provider.
	return groupBy === 'status'
		? byValue('status', (call) => plainStatusOf(call, names), notShown('status'))
		: byValue(
				'ai_provider',
				({ ai_provider: provider }) =>
					provider === undefined ? undefined : (textIn(provider) ?? null),
				notShown('AI provider'),
			);
}

/** The status of a call. One of the seven is one group, in whichever spelling it comes. */
function plainStatusOf(call: JsonObject, names: Names): string | undefined {
	const status = callStatusOf(call, names);
	return status && nameOfStatus(Object.values(CALL_STATUS), status);
}

function byAgent(names: Names): Grouping {
	const labels = new Newest<string>();
	return byValue(
		'agent_id',
		(call, at) => {
			const [agent, name] = [agentOf(call, names), agentNameOf(call)];
			// Calls without an agent's ID may be of several agents.
			if (agent && name !== undefined) labels.note(agent, at, name);
			return agent;
		},
		notShown('agent'),
		(agent) => ({ agent_name: labels.get(agent) ?? null }),
	);
}

const ONE: Decimal = { units: 1n, scale: 0 };

/** How many seconds a unit has. */
const SECONDS = {
	milliseconds: { units: 1n, scale: 3 },
	minutes: { units: 60n, scale: 0 },
	seconds: ONE,
} satisfies Record<string, Decimal>;

/** The statuses that have a column. Reference: "Call status (filter values)". */
const STATUS_COLUMNS =
	'completed not_answered rejected failed busy voicemail ended_in_queue in_progress cancelled'.split(
		' ',
	);

/**
 * Counts calls. Whether a call was transferred is known only if it has the field transfer_time, even if
 * it is null: the reference shows the field on the detail alone. The share of a status is of all calls that
 * show a status.
 * Reference: "Other records named in the interface", call history record.
 */
export const callSubject = (names: Names, billing?: Billing): Subject => ({
	read(call) {
		const status = callStatusOf(call, names);
		const seconds = secondsOf(call, names);
		const { transfer_time: transfer, ai_provider_fallback_used: fallback } = call;
		return {
			as: ['calls', columnOf(status)],
			amounts: {
				seconds,
				transferred: oneIf(transfer === undefined ? undefined : Boolean(transfer)),
				fallback: oneIf(typeof fallback === 'boolean' ? fallback : undefined),
				...(billing && billedAmount(billing, status, seconds)),
			},
		};
	},
	figures(tally) {
		const [calls, unclear] = [tally.countOf('calls'), tally.countOf('without_status')];
		const columns = [...STATUS_COLUMNS, 'other_status'];
		const isStatusKnown = unclear === 0 || unclear < calls;
		const seconds = tally.sum('seconds');
		const transferred = figure(tally.sum('transferred'));
		const unknown = tally.unknown('transferred');
		// A list may show only the calls that were transferred.
		const isOneSided = unknown > 0 && transferred === tally.known('transferred');
		return {
			calls,
			minutes: figure(seconds && dividedBy(seconds, SECONDS.minutes, 2)),
			average_seconds: tally.average('seconds', 1),
			completion_rate: percent(
				tally.countOf('completed'),
				calls - unclear - tally.countOf('in_progress'),
			),
			...Object.fromEntries(
				columns.map((column) => [column, isStatusKnown ? tally.countOf(column) : null]),
			),
			...Object.fromEntries(
				columns.map((column) => [
					`${column}_share`,
					percent(tally.countOf(column), calls - unclear),
				]),
			),
			without_status: unclear,
			...(billing && billedFigures(tally, billing)),
			transferred,
			transfer_rate: isOneSided ? null : tally.share('transferred'),
			transfer_unknown: unknown,
			fallback_used: figure(tally.sum('fallback')),
			fallback_rate: tally.share('fallback'),
			fallback_unknown: tally.unknown('fallback'),
			without_duration: tally.unknown('seconds'),
		};
	},
});

/** The unit that the name of a field says. */
const unitIn = (name: string) =>
	name.endsWith('_ms') ? 'milliseconds' : name.endsWith('_minutes') ? 'minutes' : 'seconds';

/** How long a call took; undefined if it does not show it. */
export function secondsOf(call: JsonObject, { callLength, callUnit }: Names) {
	for (const name of callLength) {
		const value = decimalOf(firstOf(call, [name]));
		const unit = SECONDS[(callUnit || unitIn(name)) as keyof typeof SECONDS];
		// A fraction of a minute such as 0.8333333333333334 is 50 seconds.
		if (value !== undefined && value.units >= 0n) return dividedBy(times(value, unit), ONE, 3);
	}
	return undefined;
}

function columnOf(status: string | undefined): string {
	if (status === undefined) return 'without_status';
	return STATUS_COLUMNS.find((column) => isSameStatus(column, status)) ?? 'other_status';
}
