import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { inFront, namedFields, topFields, toRow } from '../../nodes/domain/simplify.ts';

it('a record of known shape keeps the named fields, in their order, null too', () => {
	const kept = namedFields('id', 'name')({ other: 1, name: null, id: 'a' });
	expect(JSON.stringify(kept)).toBe('{"id":"a","name":null}');
});

it('fields in front are those that the record has, in this order, before all others', () => {
	const record = { a: 1, status: null, id: 'x', b: 2 };
	const ordered = inFront('id', 'toString', 'status')(record);
	expect(JSON.stringify(ordered)).toBe('{"id":"x","status":null,"a":1,"b":2}');
});

describe('a record of unknown shape', () => {
	it('keeps ten fields: its ID, the named ones, and then the first', () => {
		const names = [...'abcdefghijklmno'];
		const record = { ...Object.fromEntries(names.map((name) => [name, 1])), id: 'x', last: [{}] };
		const kept = Object.keys(topFields('last', 'n', 'not there')(record));
		expect(kept).toEqual([...'abcdefg', 'n', 'id', 'last']);
	});

	it('of more than ten fields, phone numbers and addresses go first, notes and empty fields last', () => {
		const record = { id: 1, notes: 'x', e1: null, e2: '', e3: [], e4: {} };
		const others = Object.fromEntries([...'abcdef'].map((name) => [name, 0]));
		const whole = { ...record, ...others, customer_phone: '+39', delivery_address: 'Rome' };
		expect(Object.keys(topFields()(whole))).toEqual([
			'id',
			'notes',
			...'abcdef',
			'customer_phone',
			'delivery_address',
		]);
		expect(topFields()({ ...whole, g: 1 })).not.toHaveProperty('notes');
	});

	const LOST = { list: [{ a: 1 }], deep: { inner: {} }, mixed: { a: 1, list: [] } };
	it.each<[what: string, kept: JsonObject, named?: string[]]>([
		['single values', { t: 'x', n: 0, b: false, none: null }],
		['objects of single values', { custom: { size: 'L', none: null }, no: {} }],
		['lists of single values', { tags: ['a', 'b'], none: [] }],
		['lists of values with a name', { fields: [{ name: 'size', value: 'L' }] }],
		['lists of values with an ID', { fields: [{ id: 7, value: ['nuts', 'milk'] }] }],
		['the named fields, whatever they hold', LOST, Object.keys(LOST)],
	])('keeps %s, and loses lists of records and deeper objects', (_what, kept, named = []) => {
		expect(topFields(...named)({ id: 'a', ...LOST, ...kept })).toEqual({ id: 'a', ...kept });
	});
});

describe('a row', () => {
	const row = (record: JsonObject, request = 'GET /contacts') =>
		toRow(record, 'Europe/Rome', request);

	it.each([
		['an object', { tier: 'gold' }],
		['a list of names and values', [{ name: 'tier', value: 'gold' }]],
	])('has custom fields as columns, from %s', (_form, custom_fields) => {
		expect(row({ id: 1, custom_fields })).toEqual({ id: 1, 'custom_fields.tier': 'gold' });
	});

	it('has moments in the zone of the workflow, but not those of custom fields and events', () => {
		const at = '2026-11-27T05:54:14.370Z';
		const local = '2026-11-27T06:54:14.370+01:00';
		const record = { created_at: at, updated_at: null, transfer_time: at, start: at, notes: at };
		expect(row({ ...record, custom_fields: { created_at: at } })).toEqual({
			...record,
			created_at: local,
			transfer_time: local,
			'custom_fields.created_at': at,
		});
		expect(row(record, 'GET /events')).toEqual(record);
	});
});
