import { DateTime } from 'luxon';

import { form, when, type Form, type Refuse, type SettingsOf } from '../table/form';
import { choice, moment } from '../table/kinds';
import { FIRST_DAYS, periodOf, PERIOD_MEANINGS, PERIODS } from './period';
import type { FirstDay, Period, PeriodName } from './period';

/** A named period, or moments in ISO 8601. */
export interface Within {
	period?: PeriodName;
	from?: string;
	until?: string;
	firstDay?: FirstDay;
}

export const firstDayOption = choice(FIRST_DAYS, {
	displayName: 'First Day of Week',
	default: 'monday',
});

export const timeFilters = (records: string) => ({
	created_after: moment({ displayName: 'Created After' }),
	created_before: moment({ displayName: 'Created Before' }),
	firstDay: firstDayOption,
	period: choice(PERIODS, {
		displayName: 'Period',
		meanings: {
			...PERIOD_MEANINGS,
			between: "From 'Created After' to 'Created Before'. Add both filters too.",
		},
		default: 'lastMonth',
		description: `Only ${records} created in this period`,
	}),
});

export const periodForm = (): Form<Within> =>
	form({
		period: choice(PERIODS, {
			displayName: 'Period',
			meanings: PERIOD_MEANINGS,
			default: 'lastMonth',
			description: 'When the records were created',
		}),
		...when(
			{ show: { period: ['between'] } },
			{
				// Not `required`: n8n would ask for both whenever the period is an expression.
				from: moment({
					displayName: 'From',
					description: 'Start of the period (inclusive)',
				}),
				until: moment({
					displayName: 'Until',
					description: 'End of the period (exclusive)',
				}),
			},
		),
	}).check((within, refuse) => {
		if (endsTooEarly(within.from, within.until)) refuse("must be later than 'From'", 'until');
		return within;
	});

/** Whether a time ends before it starts, or at the same moment. A bound that was refused is no date. */
export const endsTooEarly = (from?: string, until?: string): boolean =>
	Date.parse(from ?? '') >= Date.parse(until ?? '');

type Filters = SettingsOf<ReturnType<typeof timeFilters>>;

/**
 * Splits the filters: `query` is for the API, `within` for the node. `created_after` alone is the API's
 * own filter and is sent unchanged. If there is an end, the node applies both bounds itself.
 */
export function splitPeriod<T extends Filters>(filters: T, refuse: Refuse) {
	const { created_after: from, created_before: until, firstDay, period, ...rest } = filters;
	const bounds = [from, until].filter((bound) => bound !== undefined).length;
	const both = "'Created After' and 'Created Before'";
	if (period === 'between' && bounds < 2) refuse(`needs ${both}`, 'filters', 'period');
	if (period !== undefined && period !== 'between' && bounds > 0) {
		refuse(`has bounds of its own: choose Between, or remove ${both}`, 'filters', 'period');
	}
	if (endsTooEarly(from, until)) {
		refuse("must be later than 'Created After'", 'filters', 'created_before');
	}
	if (period === undefined && until === undefined) {
		return { query: { ...rest, ...(from !== undefined && { created_after: from }) } };
	}
	return { query: rest, within: { period, from, until, firstDay } satisfies Within };
}

/** The bounds in the time zone of `now`. A bound that the user did not set is missing. */
export function boundsOf(within: Within, now: DateTime): Partial<Period> {
	const { period, from, until, firstDay } = within;
	if (period !== undefined && period !== 'between') return periodOf(period, now, firstDay);
	const local = (iso: string) => DateTime.fromISO(iso, { zone: now.zone });
	return {
		firstDay,
		...(from !== undefined && { start: local(from) }),
		...(until !== undefined && { end: local(until) }),
	};
}
