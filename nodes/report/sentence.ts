import { DateTime } from 'luxon';

import type { Direction } from '../domain/direction';
import type { JsonObject } from '../json';
import type { Figure } from '../statistics/tally';
import type { Periods } from '../statistics/tabulate';
import { filled, ratioOf, type Format } from './format';

/** How many days a period has at least, so that each weekday comes often enough to name the busiest. */
const FEWEST_DAYS = 28;

/**
 * The sentence at the top: "1,640 calls in October, 12% more than in September; 75.0% were completed; on
 * average, Thursday is the busiest day of the week". What the figures do not show is left out.
 * @param directions the figures of inbound and of outbound calls, if there are both
 */
export function sentenceOf(
	totals: JsonObject,
	directions: readonly JsonObject[],
	days: readonly JsonObject[],
	{ chosen, before }: Periods,
	format: Format,
): string {
	const { labels } = format;
	const calls = totals.calls as number;
	const month = format.month(chosen.start, chosen.end);
	const last = before && format.month(before.start, before.end);
	const start = `${format.number(calls)} ${calls === 1 ? labels.oneCall : labels.someCalls} ${
		month === undefined ? labels.inPeriod : filled(labels.inMonth, month)
	}`;
	const ratio = ratioOf(calls, totals.calls_before as Figure | undefined);
	const parts = [start];
	if (ratio !== undefined) {
		const change = filled(ratio > 0 ? labels.more : labels.fewer, format.change(Math.abs(ratio)));
		const isNamed = month !== undefined && last !== undefined;
		parts[0] += `, ${change} ${isNamed ? filled(labels.thanMonth, last) : labels.thanPeriod}`;
	}
	const completed = ({ completion_rate: share }: JsonObject) =>
		share === null ? [] : [filled(labels.shareCompleted, format.percent(share as Figure))];
	if (directions.length === 0) parts.push(...completed(totals));
	for (const row of directions) {
		const name = labels[row.direction as Direction].toLowerCase();
		parts.push([`${format.number(row.calls as Figure)} ${name}`, ...completed(row)].join(', '));
	}
	const busiest = calls >= days.length ? busiestDay(days) : undefined;
	if (busiest) parts.push(filled(labels.busiest, format.weekday(busiest)));
	return `${format.joined(parts)}.`;
}

/**
 * The weekday with the most calls on average, because a month has some weekdays five times. Undefined if
 * two are equal, or if there are too few days.
 */
function busiestDay(days: readonly JsonObject[]): DateTime | undefined {
	if (days.length < FEWEST_DAYS) return undefined;
	const dates = days.map(({ day }) => DateTime.fromISO(String(day)));
	const weekdays = dates.slice(0, 7).map((date) => {
		const same = days.filter((_, at) => dates[at]!.weekday === date.weekday);
		const calls = same.reduce((sum, row) => sum + Number(row.calls), 0);
		return { date, average: calls / same.length };
	});
	const [first, second] = weekdays.toSorted((one, other) => other.average - one.average);
	return first!.average > second!.average ? first!.date : undefined;
}
