import { DateTime } from 'luxon';

import { tidy } from '../json';

/** What begins with a whole date: `10`, `12:10` and `1788264` are none, though ISO 8601 has such forms. */
const WITH_DATE = /^(\d{4}-|[+-]\d{6}-|\d{8}(T|$))/i;

/** As databases write it: a blank for the T, and before the zone. */
const SQL = /^(\d{4}-\d\d-\d\d) +(\d\d:\d\d[\d:.,]*) *(.*)$/;

/** Milliseconds since 1970, from 1973 on; less could be anything. */
const EPOCH = /^\d{12,14}$/;

/**
 * The moment that a value names, as ISO 8601 in UTC; undefined where it names none. Understood are
 * every form of ISO 8601 that has a date, what databases write, and milliseconds since 1970.
 * Digits finer than a millisecond are kept: cut, a cursor would lie before the record that it names.
 *
 * @param zone the time zone of what names none
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
