import { momentOf } from '../api/moment';
import { isObject, type JsonObject } from '../json';

/**
 * The dates that bound the billing period, as one text. Their names and forms are not shown, so they
 * are recognised by what such names say. All other dates may move with every poll.
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
