const ISO =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?\s*(?:(Z)|([+-]\d\d):?(\d\d)?)?$/i;

/**
 * A date-time as ms since 1970; undefined if it is none. It may have any fraction of a second (cut to ms)
 * and any offset. Without an offset it is UTC. Reference: fields of type "string, date-time".
 */
export function momentOf(value: unknown): number | undefined {
	const [, day, minute, second = ':00', fraction = '', , hours = '+00', minutes = '00'] =
		ISO.exec(typeof value === 'string' ? value.trim() : '') ?? [];
	const ms = fraction.slice(0, 3).padEnd(3, '0');
	const at = Date.parse(`${day}T${minute}${second}.${ms}${hours}:${minutes}`);
	return day === undefined || Number.isNaN(at) || !isDay(day) ? undefined : at;
}

/** JavaScript reads 30 February as 2 March, so such days are refused. */
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/**
 * The value of created_after that finds everything dated `at` (ms) or later. It is a second earlier,
 * because the API may leave out the moment itself, and may compare only seconds.
 * Reference: "Other endpoints" (created_after, ISO 8601).
 */
export function since(at: number): string {
	return new Date((Math.floor(at / 1000) - 1) * 1000).toISOString().replace('.000Z', 'Z');
}
