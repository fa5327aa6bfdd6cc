import { billingPeriodOf, USAGE_HINTS } from '../../domain/usage';
import { numberIn, type JsonObject } from '../../json';
import { form } from '../../table/form';
import { choice, number } from '../../table/kinds';
import { triggerEvent } from '../event';
import { thresholdWatcher } from '../../watching/thresholdWatcher';
import { eventOptions, startsAgain } from './eventFields';

const UNITS = { minutes: 'Minutes', percent: 'Percent of the Minutes Included' } as const;

/** Reads the usage with each poll, and compares the minutes that are left. */
export const lowMinutes = triggerEvent({
	name: 'Low Minutes',
	description:
		'When the remaining minutes of the plan fall below a number or a share. Starts again after they were above, or in a new billing period.',
	request: 'GET /usage',
	hints: USAGE_HINTS,
	fields: () =>
		form({
			minutesBelow: number({
				displayName: 'Minutes Below',
				min: 0,
				default: 60,
				description: startsAgain('Start when fewer minutes than this are left.'),
			}),
			minutesUnit: choice(UNITS, {
				displayName: 'Unit',
				description: startsAgain("Whether 'Minutes Below' is a number of minutes or a share."),
			}),
			options: eventOptions({}),
		}),
	identity: ({ minutesBelow, minutesUnit }) => [minutesBelow, minutesUnit],
	watch: ({ minutesBelow, minutesUnit }, watching) =>
		thresholdWatcher(watching, {
			path: '/usage',
			threshold: minutesBelow,
			item: { threshold: minutesBelow, threshold_unit: minutesUnit },
			absent:
				minutesUnit === 'minutes'
					? 'the usage has no minutes_remaining'
					: 'the usage has no minutes_remaining, or no minutes_included to take a share of',
			valueOf: minutesUnit === 'minutes' ? remaining : shareRemaining,
			periodOf: billingPeriodOf,
		}),
});

const remaining = ({ minutes_remaining: minutes }: JsonObject) => numberIn(minutes);

function shareRemaining(usage: JsonObject): number | undefined {
	const [left, included] = [remaining(usage), numberIn(usage.minutes_included)];
	return left === undefined || !included ? undefined : (left / included) * 100;
}
