import { isObject, type JsonObject } from '../json';
import { DAY, SECOND, toMillis } from '../time';

/**
 * The first and last date of the billing period (ms), as one text. The reference does not show the names
 * of their fields, so they are recognised by words in the names. Other dates do not count, because they
 * may change with every poll.
 */
export const billingPeriodOf = (usage: JsonObject, within = ''): string =>
	Object.entries(usage)
		.map(([name, value]) => {
			if (isObject(value)) return billingPeriodOf(value, name);
			const isBound = BOUND.test(`${within} ${name}`) && !STAMP.test(name);
			return isBound ? String(dateIn(value) ?? '') : '';
		})
		.filter((text) => text !== '')
		.join(' ');

const BOUND = /period|cycle|billing|start|begin|end|from|until|renew|reset/i;

const STAMP = /updat|modif|chang|creat|calculat|comput|measur|sync|refresh|fetch|last|as_?of/i;

/** A date-time, a day, a month, or seconds or milliseconds since 1970, as ms since 1970. */
function dateIn(value: unknown): number | undefined {
	if (typeof value === 'number' && value >= 1e9) return value < 1e11 ? value * SECOND : value;
	const text = /^\d{4}-\d\d(-\d\d)?$/.exec(String(value))?.[0] ?? '';
	const at = toMillis(value) ?? Date.parse(text);
	return Number.isNaN(at) ? undefined : at;
}

/** A billing period is longer than this (ms). A date that moves by less may be the time of the answer. */
const SHORTEST = 6 * DAY;

/** Whether one billing period has followed another. A period that is not recognised counts as the same. */
export function isNewPeriod(before: string, after: string): boolean {
	if (before === '' || after === '') return false;
	const [old, present] = [before.split(' '), after.split(' ')];
	if (old.length !== present.length) return false;
	return old.some((at, index) => Math.abs(Number(present[index]) - Number(at)) >= SHORTEST);
}
