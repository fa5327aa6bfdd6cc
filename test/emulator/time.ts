const ISO_8601 =
	/^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * An ISO 8601 text as microseconds since 1970, or undefined when it is none.
 * Microseconds, because a cursor must not lose what a service may write behind the milliseconds.
 */
export function instant(text: string): number | undefined {
	const parts = ISO_8601.exec(text);
	if (parts === null) return undefined;
	const [year, month, day, hour, minute, second] = parts
		.slice(1, 7)
		.map((part) => Number(part ?? 0));
	const valid = [month! >= 1, month! <= 12, day! >= 1, hour! <= 23, minute! <= 59, second! <= 59];
	const start = Date.UTC(year!, month! - 1, day!, hour, minute, second);
	if (valid.includes(false) || new Date(start).getUTCDate() !== day) return undefined;
	const micros = Number((parts[7] ?? '').padEnd(6, '0').slice(0, 6));
	return start * 1000 + micros - offset(parts[8]) * 60_000_000;
}

function offset(zone: string | undefined): number {
	if (zone === undefined || zone === 'Z') return 0;
	const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
	return zone.startsWith('-') ? -minutes : minutes;
}

export function iso(milliseconds: number): string {
	return new Date(milliseconds).toISOString();
}
