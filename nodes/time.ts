import { DateTime } from 'luxon';

import { isObject, tidy } from './json';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** No date is longer than this. Longer text is not looked at: a workflow may hold any text. */
const LONGEST = 64;

const DATE_TIME =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,12}))? ?(?:Z|([+-]\d\d):?(\d\d)?)?$/i;

/**
 * A date-time of the API as ms since 1970; undefined if it is none. It may have any fraction of a second
 * (cut to ms) and any offset. Without an offset it is UTC. Reference: fields of type "string, date-time".
 */
export function toMillis(value: unknown): number | undefined {
	const text = typeof value === 'string' && value.length <= LONGEST ? value.trim() : '';
	const [, day, minute, second = ':00', fraction = '', hours = '+00', minutes = '00'] =
		DATE_TIME.exec(text) ?? [];
	const ms = fraction.slice(0, 3).padEnd(3, '0');
	const at = Date.parse(`${day}T${minute}${second}.${ms}${hours}:${minutes}`);
	return day === undefined || Number.isNaN(at) || !isDay(day) ? undefined : at;
}

/**
 * A value whose date-times that name their zone are written in another one, at any depth: the same instants,
 * with all their digits. All else stays as it is.
 */
export function inZone(value: unknown, zone: string): unknown {
	if (Array.isArray(value)) return value.map((each) => inZone(each, zone));
	if (isObject(value))
		return Object.fromEntries(
			Object.entries(value).map(([name, each]) => [name, inZone(each, zone)]),
		);
	const at = toMillis(value);
	if (at === undefined) return value;
	const text = String(value).trim();
	const [, , , , fraction = '', hours] = DATE_TIME.exec(text) ?? [];
	if (!(hours ?? /z$/i.test(text))) return value;
	const moment = DateTime.fromMillis(at, { zone });
	const offset = moment.offset === 0 ? 'Z' : moment.toFormat('ZZ');
	const digits = fraction === '' ? '' : `.${fraction}`;
	return moment.isValid ? `${moment.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${digits}${offset}` : value;
}

/** JavaScript reads 30 February as 2 March, so such days are refused. */
const isDay = (day: string) =>
	day.slice(8) <= '28' || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** Text that begins with a whole date. ISO 8601 also allows `10` or `12:10`, but nobody means a date by them. */
const WITH_DATE = /^(\d{4}-|[+-]\d{6}-|\d{8}(T|$))/i;

/** Milliseconds since 1970, from 1973 on. Smaller numbers could be anything. */
const EPOCH = /^\d{12,14}$/;

/**
 * Reads a date and time of the user: n8n's own dates (luxon), JavaScript's dates, ISO 8601 with a date, the
 * form of databases (a space instead of the T, and before the zone), and milliseconds since 1970. Digits
 * finer than a millisecond are kept, so that a cursor stays exact.
 * @param zone the time zone of a value that names none
 */
export function toIso(value: unknown, zone: string): string | undefined {
	if (value instanceof Date) return utc(DateTime.fromJSDate(value));
	// An item can hold an object that only looks like a date. It has no functions.
	if (DateTime.isDateTime(value) && typeof value.toMillis === 'function') return utc(value);
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	if (text.length > LONGEST) return undefined;
	const [date = '', time, ...offset] = tidy(text).split(/ +/);
	if (EPOCH.test(date) && time === undefined) return utc(DateTime.fromMillis(Number(date)));
	if (typeof value === 'number' || !WITH_DATE.test(date)) return undefined;
	const zoned = /^(utc|gmt)$/i.test(offset.join('')) ? 'Z' : offset.join('');
	const iso = time === undefined ? date : `${date}T${time}${zoned}`;
	const moment = utc(DateTime.fromISO(iso, { zone }));
	const [, fine] = /[.,](\d{4,})/.exec(iso) ?? [];
	return fine === undefined ? moment : moment?.replace(/\.\d{3}Z$/, `.${fine}Z`);
}

const utc = (moment: DateTime) => moment.toUTC().toISO() ?? undefined;

/**
 * The value of created_after that finds everything dated `at` (ms) or later. It is a second earlier,
 * because the API may leave out the moment itself, and may compare only seconds.
 */
export const since = (at: number): string =>
	new Date((Math.floor(at / SECOND) - 1) * SECOND).toISOString().replace('.000Z', 'Z');
