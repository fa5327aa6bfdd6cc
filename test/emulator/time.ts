import type { Readings } from './readings.ts';

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * An ISO 8601 text as microseconds since 1970; undefined if it is none. Without a zone it means UTC.
 * A service may write more digits than milliseconds, and a cursor must not lose them.
 */
export function instant(text: string): number | undefined {
	const [whole, time, digits = '', zone] = ISO_8601.exec(text) ?? [];
	const start = Date.parse(text.replace(/\.\d+/, '') + (time && !zone ? 'Z' : ''));
	if (whole === undefined || Number.isNaN(start)) return undefined;
	return start * 1000 + Number(digits.padEnd(6, '0').slice(0, 6));
}

export const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

const DIGITS = { '3 digits': 3, 'no digits': 0, '6 digits': 6 } as const;

/** A moment in microseconds, in the form that the server writes. */
export function written(moment: number, { zone, fraction }: Pick<Readings, 'zone' | 'fraction'>) {
	const local = zone === 'offset' ? moment + 7_200_000_000 : moment;
	const seconds = iso(Math.floor(local / 1000)).slice(0, 19);
	const micros = String(((local % 1_000_000) + 1_000_000) % 1_000_000).padStart(6, '0');
	const digits = DIGITS[fraction];
	const end = { Z: 'Z', offset: '+02:00', none: '' }[zone];
	return `${seconds}${digits > 0 ? `.${micros.slice(0, digits)}` : ''}${end}`;
}
