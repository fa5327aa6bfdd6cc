import { momentOf } from '../api/moment';
import { isObject, type JsonObject } from '../json';

/**
 * The first and last date of the billing period, as one text. The reference does not show the names of
 * their fields, so they are recognised by words in the names. Other dates do not count, because they may
 * change with every poll.
 */
export const billingPeriodOf = (usage: JsonObject, within = ''): string =>
	Object.entries(usage)
		.map(([name, value]) => {
			if (isObject(value)) return billingPeriodOf(value, name);
			const isBound = BOUND.test(`${within} ${name}`) && !STAMP.test(name);
			return isBound && isDate(value) ? String(value) : '';
		})
		.join(' ')
		.trim();

const BOUND = /period|cycle|billing|start|begin|end|from|until|renew|reset/i;

const STAMP = /updat|modif|chang|creat|calculat|comput|measur|sync|refresh|fetch|last|as_?of/i;

/** A date-time, a day, a month, or seconds or milliseconds since 1970. */
const isDate = (value: unknown) =>
	momentOf(value) !== undefined ||
	/^\d{4}-\d\d(-\d\d)?$/.test(String(value)) ||
	(typeof value === 'number' && value >= 1e9);
