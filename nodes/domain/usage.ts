import { firstOf, type JsonObject } from '../json';
import { DAY, toMillis } from '../time';
import { ASSUMED } from './assumed';

/** What an error means. Reference: GET /usage. */
export const USAGE_HINTS = {
	404: 'The organization has no active plan, so there is no usage to report.',
};

/** When it begins, or else ends: ms since 1970 as text, or ''. Reference: "Usage response", the bounds. */
export function billingPeriodOf(usage: JsonObject): string {
	const bound = firstOf(usage, ASSUMED.periodBounds);
	const isDay = typeof bound === 'string' && bound.length === '2026-01-31'.length;
	return String(toMillis(isDay ? `${bound}T00:00Z` : bound) ?? '');
}

/** A billing period is longer than this (ms). A date that moves by less may be the time of the answer. */
const SHORTEST = 6 * DAY;

/** Whether one billing period has followed another. A period that is not known counts as the same. */
export const isNewPeriod = (before: string, after: string): boolean =>
	before !== '' && after !== '' && Number(after) - Number(before) >= SHORTEST;
