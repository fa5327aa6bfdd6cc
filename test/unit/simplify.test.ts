import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { FullRecord, selectedFields, toRows, type Columns } from '../../nodes/domain/simplify.ts';

const ROME = 'Europe/Rome';

/** The rows of these records. */
const rowsOf = (records: JsonObject[], columns: Partial<Columns> = {}) =>
	toRows(
		records.map((record) => new FullRecord(record)),
		{ first: [], ...columns },
		ROME,
	);

/** The row of one record. */
const rowOf = (record: JsonObject, columns?: Partial<Columns>) => rowsOf([record], columns)[0]!;

/** An object with these fields, each with a value. */
const having = (names: Iterable<string>) => Object.fromEntries([...names].map((name) => [name, 1]));

describe('the columns', () => {
	it('are ten: the ID, the named ones, phone numbers and addresses, others, and notes', () => {
		const record = { notes: 1, ...having('abcdef'), delivery_address: 1, id: 1, customer_phone: 1 };
		const columns = { first: ['f', 'not there'] };
		const ten = ['id', 'f', 'delivery_address', 'customer_phone', ...'abcde'];
		expect(Object.keys(rowOf(record, columns))).toEqual([...ten, 'notes']);
		expect(Object.keys(rowOf({ ...record, g: 1 }, columns))).toEqual([...ten, 'g']);
	});

	it('are the same in all rows, whatever a record holds or lacks', () => {
		const full = { id: 1, ...having('abcdefghijkl') };
		const rows = rowsOf([{ ...full, a: null, b: '', c: [] }, full, { id: 3, k: 1, z: 1 }]);
		const names = ['id', ...'abcdefghi'];
		for (const row of rows) expect(Object.keys(row)).toEqual(names);
		expect(rows[0]).toMatchObject({ a: null, b: null, c: null, d: 1 });
		expect(rows[2]).toEqual({ ...Object.fromEntries(names.map((name) => [name, null])), id: 3 });
	});

	it('leave a field out if one record has something nested in it, unless it is named', () => {
		const records = [
			{ id: 1, lines: [] },
			{ id: 2, lines: [{ sku: 'a' }] },
		];
		expect(rowsOf(records)).toEqual([{ id: 1 }, { id: 2 }]);
		const named = [
			{ id: 1, lines: null },
			{ id: 2, lines: '[{"sku":"a"}]' },
		];
		expect(rowsOf(records, { first: ['lines'] })).toEqual(named);
	});

	it('are no others than the named ones if the reference shows all fields', () => {
		expect(rowOf({ b: 1, name: null, id: 'a' }, { first: ['name'], isAll: true })).toEqual({
			id: 'a',
			name: null,
		});
	});

	it('hold what is on top, and all that stands beside, besides the ten', () => {
		const record = { id: 1, ...having('abcdefghijkl'), lines: [{ sku: 'a' }] };
		const beside = { tags: ['x', 'y'], ready: false, transcript: [{ text: 'Hello' }] };
		const detail = { ...record, a: 'new', ...having('mnopqrstuvwxyz') };
		const [row] = toRows(
			[new FullRecord(record, beside, detail)],
			{ first: ['ready'], onTop: ['lines', 'transcript'] },
			ROME,
		);
		const { lines, transcript } = row!;
		expect({ lines, transcript }).toEqual({
			lines: [{ sku: 'a' }],
			transcript: [{ text: 'Hello' }],
		});
		const ten = ['id', 'ready', ...'abcdefghi', 'lines'];
		expect(Object.keys(row!)).toEqual([...ten, ...'mnopqrstuv', 'tags', 'transcript']);
		expect(row).toMatchObject({ a: 'new', tags: 'x, y' });
	});
});

describe('a cell', () => {
	it.each<[what: string, value: unknown, shown: unknown]>([
		['a list of single values as text', ['vip', null, 7], 'vip, 7'],
		['nothing as null', [], null],
		[
			'a moment with its offset, in the zone of the workflow',
			'2026-11-27T05:54:14.370Z',
			'2026-11-27T06:54:14.370+01:00',
		],
		['a moment without a zone as it is', '2026-11-27T05:54:14', '2026-11-27T05:54:14'],
		['a day as it is', '2026-11-27', '2026-11-27'],
		['moments in a list', ['2026-11-27T05:54:14Z'], '2026-11-27T06:54:14+01:00'],
	])('shows %s', (_what, value, shown) => {
		expect(rowOf({ id: 1, value, custom_fields: { value } })).toEqual({
			id: 1,
			value: shown,
			'custom_fields.value': shown,
		});
		expect(
			selectedFields(
				[new FullRecord({ value, custom_fields: { value } })],
				['value', 'custom_fields.value'],
				ROME,
			),
		).toEqual([{ value: shown, 'custom_fields.value': shown }]);
	});

	it('of something that is kept in its form shows its moments in the zone too', () => {
		const events = [{ start: { at: '2026-11-27T08:00:00Z' } }];
		expect(rowOf({ events }, { onTop: ['events'] })).toEqual({
			events: [{ start: { at: '2026-11-27T09:00:00+01:00' } }],
		});
	});
});

describe('an object', () => {
	it.each([
		['an object', { tier: 'gold' }],
		['a list of names and values', [{ name: 'tier', value: 'gold' }]],
	])('has a column for each of its fields: %s', (_form, held) => {
		expect(rowOf({ id: 1, custom_fields: held, agent: held })).toEqual({
			id: 1,
			'agent.tier': 'gold',
			'custom_fields.tier': 'gold',
		});
	});

	it('has the columns of all records, on top of the ten if it holds custom fields', () => {
		const others = having('abcdefghi');
		const rows = rowsOf([
			{ id: 1, ...others, custom_fields: { b: { c: [{ d: 1 }] } } },
			{ id: 2, ...others, custom_fields: [] },
			{ id: 3, ...others, custom_fields: { a: 'x', b: null } },
		]);
		const none = { 'custom_fields.b.c': null, 'custom_fields.a': null };
		expect(rows).toEqual([
			{ id: 1, ...others, ...none, 'custom_fields.b.c': '[{"d":1}]' },
			{ id: 2, ...others, ...none },
			{ id: 3, ...others, ...none, 'custom_fields.a': 'x' },
		]);
	});
});

it('selected fields are the same in all rows, with the ID if any record has one', () => {
	const records = [{ id: 1, a: { b: 1 } }, { c: [2] }].map((record) => new FullRecord(record));
	expect(selectedFields(records, ['c', 'a.b', 'x'], ROME)).toEqual([
		{ id: 1, c: null, 'a.b': 1, x: null },
		{ id: null, c: '2', 'a.b': null, x: null },
	]);
	expect(selectedFields(records.slice(1), ['c'], ROME)).toEqual([{ c: '2' }]);
});
