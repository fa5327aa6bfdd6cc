import { DateTime } from 'luxon';

import { tidy } from '../json';

/** Text that begins with a whole date. ISO 8601 also allows `10` or `12:10`, but nobody means a date by them. */
const WITH_DATE = /^(\d{4}-|[+-]\d{6}-|\d{8}(T|$))/i;

/** A date as databases write it: with a space instead of the T, and before the zone. */
const SQL = /^(\d{4}-\d\d-\d\d) +(\d\d:\d\d[\d:.,]*) *(.*)$/;

/** Milliseconds since 1970, from 1973 on. Smaller numbers could be anything. */
const EPOCH = /^\d{12,14}$/;

/**
 * Reads a date and time. Accepts ISO 8601 with a date, the form of databases, and milliseconds since
 * 1970. Digits finer than a millisecond are kept, so that a cursor stays exact.
 *
 * @param zone the time zone of a value that names none
 * @returns ISO 8601 in UTC; undefined if the value is no date
 */
export function momentIn(value: unknown, zone: string): string | undefined {
	if (value instanceof Date) return momentIn(value.getTime(), zone);
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = tidy(String(value));
	if (EPOCH.test(text)) return DateTime.fromMillis(Number(text)).toUTC().toISO() ?? undefined;
	if (typeof value === 'number') return undefined;
	const iso = text.replace(SQL, (_all, date: string, time: string, of: string) =>
		[date, 'T', time, /^(utc|gmt)$/i.test(of) ? 'Z' : of].join(''),
	);
	if (!WITH_DATE.test(iso)) return undefined;
	const moment = DateTime.fromISO(iso, { zone }).toUTC().toISO() ?? undefined;
	const fine = /T.*[.,](\d{4,})/i.exec(iso)?.[1];
	return fine === undefined ? moment : moment?.replace(/\.\d{3}Z$/, `.${fine}Z`);
}
