import { describe, expect, it } from 'vitest';
import { inFront, namedFields, plainFields } from '../../nodes/domain/simplify.ts';

describe('a record of known shape', () => {
	it('keeps the named fields, in their order, null too', () => {
		const record = { other: 1, name: null, id: 'a' };
		expect(Object.entries(namedFields('id', 'name')(record))).toEqual([
			['id', 'a'],
			['name', null],
		]);
	});

	it('gets no field that it has not, also none that every object has', () => {
		expect(namedFields('id', 'name', 'toString')({ id: 'a' })).toEqual({ id: 'a' });
	});
});

describe('fields in front', () => {
	it('are those that the record has, in this order, and no other is lost', () => {
		const record = { a: 1, status: null, id: 'x', b: 2 };
		expect(Object.entries(inFront('id', 'toString', 'status')(record))).toEqual([
			['id', 'x'],
			['status', null],
			['a', 1],
			['b', 2],
		]);
	});
});

describe('a record of unknown shape', () => {
	it('keeps single values, and objects of them', () => {
		const plain = { t: 'x', n: 0, b: false, none: null, custom: { size: 'L', none: null }, no: {} };
		expect(plainFields()(plain)).toEqual(plain);
	});

	it('keeps lists of single values, and names with values', () => {
		const record = { tags: ['a', 'b'], none: [], custom: [{ name: 'size', value: 'L' }] };
		expect(plainFields()(record)).toEqual(record);
	});

	it('loses lists of records and what is nested deeper', () => {
		const record = { id: 'a', list: [{ a: 1 }], deep: { inner: {} }, mixed: { a: 1, list: [] } };
		expect(plainFields()(record)).toEqual({ id: 'a' });
	});

	it('keeps what is named, whatever it holds', () => {
		const record = { list: [1], deep: { inner: {} }, other: [{ a: 2 }] };
		expect(plainFields('list', 'deep')(record)).toEqual({ list: [1], deep: { inner: {} } });
	});
});
