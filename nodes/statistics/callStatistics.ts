import type { DateTime } from 'luxon';

import { enterAs, type Names } from '../api/names';
import { decimalOf, dividedBy, ONE, times, ZERO, type Decimal } from '../domain/decimal';
import { agentNameOf, agentOf, callStatusOf, wasUnspoken } from '../domain/call';
import { CALL_HISTORY, DETAIL_FIELDS, withDetailFields } from '../domain/callParts';
import { directionReader } from '../domain/direction';
import { CALL_STATUS, isSameStatus, isState, nameOfStatus } from '../domain/status';
import { firstOf, type JsonObject, textIn } from '../json';
import { callFilter, callFilters, splitCallFilters } from '../filters/callFilters';
import { filtersOf, optionsOf } from '../table/common';
import { form } from '../table/form';
import { toggle } from '../table/kinds';
import { timeout } from '../table/handling';
import { operation } from '../table/operation';
import { firstDayOption } from '../filters/within';
import { quoted } from '../words';
import {
	billedAmount,
	billedConstants,
	billedFigures,
	billingOption,
	type Billing,
} from './billing';
import { byTime, byValue, isTimeGroup, largestFirst, sortedBy, TIME_GROUPS } from './groupings';
import { differencesOption, statisticsForm } from './options';
import { periodsOf, tabulate, type Grouping, type Periods, type Subject } from './tabulate';
import { figure, oneIf, percent } from './tally';

const GROUPS = {
	...TIME_GROUPS,
	agent: 'Agent',
	direction: 'Direction',
	provider: 'AI Provider',
	status: 'Status',
} as const;

export const callStatistics = operation({
	name: 'Get Statistics',
	action: 'Get call statistics',
	description:
		'Count the calls of a period: minutes, completion rate, average length of completed calls, statuses, transfers',
	hint: 'One item with totals, or one per group; set groupBy for charts. Use this instead of Get Many and a Summarize node.',
	request: 'GET /call-history',
	fields: () =>
		statisticsForm('calls', GROUPS, {
			direction: 'Inbound or outbound',
			provider:
				'The provider that served the call. Costs one more request for each call that does not show it in the list.',
		}).and(
			form({
				filters: filtersOf(callFilters),
				options: optionsOf({
					billing: billingOption,
					differences: differencesOption,
					firstDay: firstDayOption,
					shares: toggle({
						displayName: 'Shares',
						default: true,
						description: 'Whether to add the share of each status in percent, such as busy_share',
					}),
					timeout,
					transfers: toggle({
						displayName: 'Transfers and Fallbacks',
						default: true,
						description:
							'Whether to count transfers and calls of a fallback provider. May cost one more request per call.',
					}),
				}),
			}).check(({ filters, options }) => {
				const { status, byNode } = splitCallFilters(filters);
				return { status, byNode, options };
			}),
		),
	run: async ({ groupBy, compare, status, byNode, options, within }, api) => {
		const { differences = false, firstDay, transfers = false } = options;
		const { billing, shares } = options;
		const { names } = api;
		const isCompared = compare || differences;
		const periods = periodsOf({ ...within, firstDay }, isCompared, api.now);
		const fields = transfers ? DETAIL_FIELDS : groupBy === 'provider' ? ['ai_provider'] : [];
		const directionOf = directionReader();
		const filter = callFilter(byNode, names, directionOf);
		const tabulation = await tabulate(
			{
				api,
				request: { method: 'GET', path: CALL_HISTORY, query: status },
				partsOf: async (call) => {
					if (!(await filter.isWanted(call, api))) return [];
					const whole = await withDetailFields(call, fields, api);
					return [
						groupBy === 'direction' ? { ...whole, direction: await directionOf(call, api) } : whole,
					];
				},
			},
			{
				subject: callSubject(names, { billing, shares, transfers }),
				groupings: [groupCalls(groupBy, periods, api.now, names)],
				periods,
				compare,
				differences,
				dateFields: ['created_at'],
			},
		);
		filter.finish(api.tell);
		const untimed = tabulation.sumOf((total) => total.unknown('seconds'));
		if (untimed > 0) {
			api.tell(
				`${untimed} of the ${tabulation.sumOf((total) => total.countOf('calls'))} calls ${isCompared ? 'of both periods ' : ''}have no length in ${quoted(names.callLength)}. Minutes and averages leave them out. If the length has another name, ${enterAs('callLength')}.`,
			);
		}
		const rows = tabulation.rows();
		if (groupBy === 'status') return sortedBy(rows, 'status');
		return isTimeGroup(groupBy) ? rows : largestFirst(rows, 'calls');
	},
});

export type Group = keyof typeof GROUPS;

const notShown = (value: string) =>
	`The calls of this account do not show their ${value}, so they cannot be grouped by it. Choose another 'Group By'.`;

export function groupCalls(groupBy: Group, periods: Periods, now: DateTime, names: Names) {
	if (isTimeGroup(groupBy)) return byTime(groupBy, periods, now);
	if (groupBy === 'agent') return byAgent(names);
	if (groupBy === 'direction')
		return byValue(groupBy, ({ direction }) => textIn(direction), notShown('direction'));
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

/** One of the seven statuses is one group, in whichever spelling it comes. */
function plainStatusOf(call: JsonObject, names: Names): string | undefined {
	const status = callStatusOf(call, names);
	return status && nameOfStatus(Object.values(CALL_STATUS), status);
}

function byAgent(names: Names): Grouping {
	// The list begins with the newest calls, so the name that an agent has now comes first.
	const labels = new Map<string | null, string>();
	return byValue(
		'agent_id',
		(call) => {
			const [agent, name] = [agentOf(call, names), agentNameOf(call)];
			// Calls without an agent's ID may be of several agents.
			if (agent && name !== undefined && !labels.has(agent)) labels.set(agent, name);
			return agent;
		},
		notShown('agent'),
		(agent) => ({ agent_name: labels.get(agent) ?? null }),
	);
}

const SECONDS = {
	milliseconds: { units: 1n, scale: 3 },
	minutes: { units: 60n, scale: 0 },
	seconds: ONE,
} satisfies Record<string, Decimal>;

const STATUS_COLUMNS =
	'completed not_answered rejected failed busy voicemail ended_in_queue in_progress cancelled'.split(
		' ',
	);

/**
 * Counts calls. A call in which nobody spoke may show no length: it is 0 in the minutes. Whether a call was
 * transferred is known only if it has the field transfer_time, even if it is null: the reference shows the
 * field on the detail alone. The share of a status is of all calls that show a status.
 */
export const callSubject = (
	names: Names,
	{
		billing,
		shares,
		transfers,
	}: { billing?: Billing | undefined; shares?: boolean | undefined; transfers?: boolean } = {},
): Subject => ({
	constants: billing && billedConstants(billing),
	read(call) {
		const status = callStatusOf(call, names);
		const shown = secondsOf(call, names);
		const isCompleted = isState([CALL_STATUS.Completed], status);
		const { transfer_time: transfer, ai_provider_fallback_used: fallback } = call;
		return {
			as: ['calls', columnOf(status)],
			amounts: {
				seconds: shown ?? (wasUnspoken(call, names) ? ZERO : undefined),
				...(isCompleted && { completed: shown }),
				transferred: oneIf(transfer === undefined ? undefined : Boolean(transfer)),
				fallback: oneIf(typeof fallback === 'boolean' ? fallback : undefined),
				...(billing && billedAmount(billing, status, shown)),
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
			completed_average_seconds: tally.average('completed', 1),
			completion_rate: percent(
				tally.countOf('completed'),
				calls - unclear - tally.countOf('in_progress'),
			),
			...Object.fromEntries(
				columns.map((column) => [column, isStatusKnown ? tally.countOf(column) : null]),
			),
			...(shares &&
				Object.fromEntries(
					columns.map((column) => [
						`${column}_share`,
						percent(tally.countOf(column), calls - unclear),
					]),
				)),
			without_status: unclear,
			...(billing && billedFigures(tally, billing)),
			...(transfers && {
				transferred,
				transfer_rate: isOneSided ? null : tally.share('transferred'),
				transfer_unknown: unknown,
				fallback_used: figure(tally.sum('fallback')),
				fallback_rate: tally.share('fallback'),
				fallback_unknown: tally.unknown('fallback'),
			}),
			without_duration: tally.unknown('seconds'),
		};
	},
});

const unitIn = (name: string) =>
	name.endsWith('_ms') ? 'milliseconds' : name.endsWith('_minutes') ? 'minutes' : 'seconds';

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
