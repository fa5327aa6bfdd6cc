import type { INodeProperties } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { choices, createdAfter } from './fields';
import type { Refuse } from './form';
import { periodOf, PERIOD_MEANINGS, PERIODS, type Period, type PeriodName } from './period';
import { isoDate, oneOf, optional } from './schema';

/** How the user limits the time: a named period, or moments in ISO 8601. */
export interface Within {
	period?: PeriodName;
	from?: string;
	until?: string;
}

/** The filters that limit a list to a time. */
export const periodFilters = (records: string): INodeProperties[] => [
	createdAfter(records),
	{
		displayName: 'Created Before',
		name: 'created_before',
		type: 'dateTime',
		default: '',
		description: `Only ${records} created before this moment (exclusive). Together with it, 'Created After' is inclusive.`,
	},
	{
		displayName: 'Period',
		name: 'period',
		type: 'options',
		options: choices(PERIODS, {
			...PERIOD_MEANINGS,
			between: "From 'Created After' to 'Created Before'. Add both filters too.",
		}),
		default: 'lastMonth',
		description: `Only ${records} created in this period, in the workflow's time zone`,
	},
];

/** Whether a time ends before it starts, or at the same moment. A bound that was refused is no date. */
export const endsTooEarly = (from?: string, until?: string): boolean =>
	Date.parse(from ?? '') >= Date.parse(until ?? '');

/** The schema of these filters, before `splitPeriod`. */
export const periodShape = {
	created_after: optional(isoDate),
	created_before: optional(isoDate),
	period: oneOf(PERIODS),
};

interface Filters {
	created_after?: string;
	created_before?: string;
	period?: PeriodName;
}

/**
 * Splits the filters: `query` is for the API, `within` for the node. `created_after` alone is the API's
 * own filter and is sent unchanged. If there is an end, the node applies both bounds itself.
 */
export function splitPeriod<T extends Filters>(filters: T, refuse: Refuse) {
	const { created_after: from, created_before: until, period, ...rest } = filters;
	const refuseFilter = (name: keyof Filters, words: string) => refuse(words, 'filters', name);
	if (period === 'between') {
		if (from === undefined) refuseFilter('created_after', 'is required for the period Between');
		if (until === undefined) refuseFilter('created_before', 'is required for the period Between');
	} else if (period !== undefined && (from ?? until) !== undefined) {
		const words = 'has bounds of its own: choose Between, or remove Created After and Before';
		refuseFilter('period', words);
	}
	if (endsTooEarly(from, until)) {
		refuseFilter('created_before', 'must be later than Created After');
	}
	if (period === undefined && until === undefined) {
		return { query: { ...rest, ...(from !== undefined && { created_after: from }) } };
	}
	return { query: rest, within: { period, from, until } satisfies Within };
}

/** The parameters of a period that is required. */
export const periodParameters = (records: string): INodeProperties[] => [
	{
		displayName: 'Period',
		name: 'period',
		type: 'options',
		options: choices(PERIODS, PERIOD_MEANINGS),
		default: 'lastMonth',
		description: `When the ${records} were created, in the workflow's time zone`,
	},
	{
		displayName: 'From',
		name: 'from',
		type: 'dateTime',
		displayOptions: { show: { period: ['between'] } },
		default: '',
		required: true,
		description:
			"Start of the period (inclusive). A time without a zone is in the workflow's time zone.",
	},
	{
		displayName: 'Until',
		name: 'until',
		type: 'dateTime',
		displayOptions: { show: { period: ['between'] } },
		default: '',
		required: true,
		description: 'End of the period (exclusive)',
	},
];

/** The schema of these parameters, before `checkPeriod`. */
export const periodParametersShape = {
	period: oneOf(PERIODS).default('lastMonth'),
	from: optional(isoDate),
	until: optional(isoDate),
};

/** Checks these parameters together. */
export function checkPeriod({ period, from, until }: Within, refuse: Refuse): void {
	if (period !== 'between') return;
	if (from === undefined) refuse('is required', 'from');
	if (until === undefined) refuse('is required', 'until');
	if (endsTooEarly(from, until)) refuse('must be later than From', 'until');
}

/** The bounds in the time zone of `now`. A bound that the user did not set is missing. */
export function boundsOf({ period, from, until }: Within, now: DateTime): Partial<Period> {
	if (period !== undefined && period !== 'between') return periodOf(period, now);
	const local = (iso: string) => DateTime.fromISO(iso, { zone: now.zone });
	return {
		...(from !== undefined && { start: local(from) }),
		...(until !== undefined && { end: local(until) }),
	};
}
