import type { Readings } from './readings.ts';

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

const DIGITS: Record<Readings['fraction'], number> = {
	'3 digits': 3,
	'no digits': 0,
	'6 digits': 6,
};

/** How far ahead of UTC a server is that writes its own time. */
const AHEAD = 120;

/** A moment in microseconds, as a server writes it. */
export function written(moment: number, { zone, fraction }: Pick<Readings, 'zone' | 'fraction'>) {
	const local = zone === 'offset' ? moment + AHEAD * 60_000_000 : moment;
	const seconds = new Date(Math.floor(local / 1000)).toISOString().slice(0, 19);
	const micros = String(((local % 1_000_000) + 1_000_000) % 1_000_000).padStart(6, '0');
	const digits = DIGITS[fraction];
	const end = { Z: 'Z', offset: '+02:00', none: '' }[zone];
	return `${seconds}${digits > 0 ? `.${micros.slice(0, digits)}` : ''}${end}`;
}
