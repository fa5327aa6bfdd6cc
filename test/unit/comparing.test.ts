import fc from 'fast-check';
import { expect, it } from 'vitest';

import { fingerprintOf } from '../../nodes/trigger/events/comparing.ts';

const record = { id: 7, title: 'Dinner', extras: { seats: 2, tags: ['x', 'y'] } };
const print = fingerprintOf(record);

it.each([
	['another order of fields', { extras: { tags: ['x', 'y'], seats: 2 }, title: 'Dinner', id: 7 }],
	['another order of a list', { ...record, extras: { seats: 2, tags: ['y', 'x'] } }],
	['null', { ...record, notes: null }],
	['a blank text', { ...record, notes: '' }],
	['an empty list', { ...record, links: [] }],
	['an empty object, however deep', { ...record, room: { door: {} } }],
	['undefined', { ...record, date: undefined }],
])('%s gives the same fingerprint', (_name, other) => {
	expect(fingerprintOf(other)).toBe(print);
});

it.each([
	['another value', { ...record, title: 'Lunch' }],
	['a value of another kind', { ...record, id: '7' }],
	['a value that says no', { ...record, cancelled: false }],
	['a zero', { ...record, price: 0 }],
	['a field that is gone', { id: 7, title: 'Dinner' }],
	['a value further in', { ...record, extras: { seats: 3, tags: ['x', 'y'] } }],
	['an entry of a list', { ...record, extras: { seats: 2, tags: ['x', 'z'] } }],
	['one entry twice', { ...record, extras: { seats: 2, tags: ['x', 'y', 'y'] } }],
	['a list in place of an object', { ...record, extras: [['seats', 2]] }],
	['values that change places', { ...record, id: 'Dinner', title: 7 }],
])('%s gives another fingerprint', (_name, other) => {
	expect(fingerprintOf(other)).not.toBe(print);
});

it('a fingerprint leaves out the ignored fields, however deep', () => {
	const ignored = ['seats', 'synced_at'];
	expect(fingerprintOf({ ...record, synced_at: 1 }, ignored)).toBe(fingerprintOf(record, ignored));
	const other = { ...record, extras: { seats: 9, tags: ['x', 'y'] } };
	expect(fingerprintOf(other, ignored)).toBe(fingerprintOf(record, ignored));
	expect(fingerprintOf({ ...record, title: 'Lunch' }, ignored)).not.toBe(
		fingerprintOf(record, ignored),
	);
});

it('a fingerprint is short, and does not depend on the order of the fields', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => {
			const turned = Object.fromEntries(Object.entries(any).reverse());
			expect(fingerprintOf(turned)).toBe(fingerprintOf(any));
			expect(fingerprintOf(JSON.parse(JSON.stringify(any)))).toBe(fingerprintOf(any));
			expect(fingerprintOf(any)).toMatch(/^[\w-]{6}$/);
		}),
	);
});
