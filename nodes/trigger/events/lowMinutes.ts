import { z } from 'zod';

import { numberIn } from '../../json';
import { momentOf } from '../../api/moment';
import type { JsonObject } from '../../json';
import { choices } from '../../table/fields';
import { number, oneOf } from '../../table/schema';
import { ThresholdWatcher } from '../kinds/threshold';
import { triggerEvent } from './event';

const UNITS = { minutes: 'Minutes', percent: 'Percent of the Minutes Included' } as const;

/** Reference: GET /usage. */
export const lowMinutes = triggerEvent({
	name: 'Low Minutes',
	description:
		'Once when the minutes remaining fall below a number or a share, and again after they recovered or a new billing period began',
	fields: [
		{
			displayName: 'Minutes Below',
			name: 'minutesBelow',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 60,
			description:
				'How many minutes remain at the least. A change starts anew: what happened before it does not fire.',
		},
		{
			displayName: 'Unit',
			name: 'minutesUnit',
			type: 'options',
			options: choices(UNITS),
			default: 'minutes',
			description:
				"What 'Minutes Below' is. A change starts anew: what happened before it does not fire.",
		},
	],
	input: () =>
		z.object({
			minutesBelow: number(0).default(60),
			minutesUnit: oneOf(UNITS).default('minutes'),
		}),
	identity: ({ minutesBelow, minutesUnit }) => [minutesBelow, minutesUnit],
	watch: ({ minutesBelow, minutesUnit }, watching) =>
		new ThresholdWatcher(
			{
				path: '/usage',
				threshold: minutesBelow,
				item: { threshold: minutesBelow, threshold_unit: minutesUnit },
				absent:
					minutesUnit === 'minutes'
						? 'the usage has no minutes_remaining'
						: 'the usage has no minutes_remaining, or no minutes_included to take a share of',
				valueOf: minutesUnit === 'minutes' ? remaining : shareRemaining,
				spanOf: periodOf,
			},
			watching,
		),
});

const remaining = ({ minutes_remaining: minutes }: JsonObject) => numberIn(minutes);

function shareRemaining(usage: JsonObject): number | undefined {
	const [left, included] = [remaining(usage), numberIn(usage.minutes_included)];
	return left === undefined || !included ? undefined : (left / included) * 100;
}

/**
 * The billing period, by the dates of the record: how its bounds are named is not shown. A date of
 * when the record was written moves from poll to poll, and says nothing of the period.
 */
const periodOf = (usage: JsonObject): string =>
	Object.entries(usage)
		.filter(([name]) => !IS_STAMP.test(name))
		.map(([, value]) => value)
		.filter((value) => momentOf(value) !== undefined || isDay(value))
		.join(' ');

const IS_STAMP =
	/updat|modif|chang|creat|generat|calculat|comput|measur|sync|refresh|fetch|last|latest|as_?of|timestamp/i;

const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
