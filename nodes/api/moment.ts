const ISO =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?\s*(?:(Z)|([+-]\d\d):?(\d\d)?)?$/i;

/**
 * A record's date as ms since 1970: any fraction of a second (floored to ms), any offset, and UTC
 * where none is given; undefined where it is no date and time. Reference: fields of type "string,
 * date-time".
 */
export function momentOf(value: unknown): number | undefined {
	const [, day, minute, second = ':00', fraction = '', , hours = '+00', minutes = '00'] =
		ISO.exec(typeof value === 'string' ? value.trim() : '') ?? [];
	const ms = fraction.slice(0, 3).padEnd(3, '0');
	const at = Date.parse(`${day}T${minute}${second}.${ms}${hours}:${minutes}`);
	return day === undefined || Number.isNaN(at) || !isDay(day) ? undefined : at;
}

/** JavaScript takes 30 February for 2 March. */
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/**
 * The created_after that asks for everything dated `at` (ms) or later, whether the API means "after"
 * or "from", and whether it compares in seconds or finer (reference: "Other endpoints", created_after,
 * ISO 8601).
 */
export function since(at: number): string {
	return new Date((Math.floor(at / 1000) - 1) * 1000).toISOString().replace('.000Z', 'Z');
}
