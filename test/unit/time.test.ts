import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';

import { inZone, toIso, toMillis } from '../../nodes/time.ts';

/** A text of 100,000 characters. Patterns over it would take seconds. */
const LONG = `2026-10-31T${'.'.repeat(100_000)}`;

describe('the date of a record', () => {
	test.each([
		['2026-10-31T09:08:07.123999Z', '2026-10-31T09:08:07.123Z'],
		['2026-10-31 09:08:07+02:00', '2026-10-31T07:08:07.000Z'],
		['2026-10-31T09:08', '2026-10-31T09:08:00.000Z'],
	])('is read as UTC if it names no zone, to the millisecond: %s', (text, expected) => {
		expect(new Date(toMillis(text)!).toISOString()).toBe(expected);
	});

	test.each([
		'',
		'2026-10-31',
		'10',
		'12:10',
		'2026-13-01T00:00Z',
		'2026-02-30T00:00Z',
		LONG,
		1788264,
		null,
		undefined,
		{},
	])('is not known if the API shows something else', (value) => {
		expect(toMillis(value)).toBeUndefined();
	});
});

describe('a date that a user or an expression gives', () => {
	const noon = '2026-10-31T11:00:00.000Z';

	test.each<[what: string, value: unknown, iso?: string]>([
		["n8n's date", DateTime.fromISO('2026-10-31T12:00', { zone: 'Europe/Rome' })],
		["JavaScript's date", new Date(noon)],
		['ms since 1970', Date.parse(noon)],
		['ISO 8601', '2026-10-31T11:00Z'],
		['no zone', '2026-10-31T12:00:00'],
		['the form of databases', '2026-10-31 12:00:00'],
		['with a zone behind', '2026-10-31 11:00:00 UTC'],
		['with an offset behind', ' 2026-10-31  14:00:00  +03:00 '],
		['finer than a millisecond', '2026-10-31T11:00:00.123456Z', '2026-10-31T11:00:00.123456Z'],
	])('may be %s', (_form, value, iso = noon) => {
		expect(toIso(value, 'Europe/Rome')).toBe(iso);
	});

	test.each([
		'',
		'10',
		'12:10',
		'2026-13-01',
		'soon',
		'1.5',
		LONG,
		new Date(NaN),
		7,
		2026,
		null,
		{},
		[],
		true,
		{ isLuxonDateTime: true },
		DateTime.invalid('x'),
	])('is refused if it is none: %s', (value) => {
		expect(toIso(value, 'utc')).toBeUndefined();
	});
});

describe('a moment in the zone of the workflow', () => {
	test.each([
		['2026-11-27T05:54:14.370Z', '2026-11-27T06:54:14.370+01:00'],
		['2026-08-31T22:30:00.123456789Z', '2026-09-01T00:30:00.123456789+02:00'],
		['2026-08-31T22:30:00Z', '2026-09-01T00:30:00+02:00'],
		['2026-08-31 22:30:00.5-0300', '2026-09-01T03:30:00.5+02:00'],
		['2026-08-31T22:30Z', '2026-09-01T00:30:00+02:00'],
	])('%s is %s in Rome', (value, local) => {
		expect(inZone(value, 'Europe/Rome')).toBe(local);
		expect(toMillis(local)).toBe(toMillis(value));
	});

	test('ends in Z in UTC, also as another zone writes it', () => {
		expect(inZone('2026-11-27T06:54:14+01:00', 'UTC')).toBe('2026-11-27T05:54:14Z');
	});

	test('is found at any depth', () => {
		const held = (at: string) => ({ list: [{ at }, null] });
		expect(inZone(held('2026-11-27T05:54Z'), 'Europe/Rome')).toEqual(
			held('2026-11-27T06:54:00+01:00'),
		);
	});

	test.each(['2026-11-27', '2026-11-27T05:54:14', 'soon', '', null, 7, {}, []])(
		'%j stays: it names no zone, or is no moment',
		(value) => {
			expect(inZone(value, 'Europe/Rome')).toEqual(value);
		},
	);
});
