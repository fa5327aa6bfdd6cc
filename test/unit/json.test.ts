import { describe, expect, it } from 'vitest';
import { byText, isObject, mapTexts, sentences } from '../../nodes/json.ts';

describe('byText', () => {
	const sorted = (...names: string[]) =>
		names.map((name) => ({ name })).sort(byText((e) => e.name));

	it('orders by what is shown, in capitals or not', () => {
		const names = sorted('banana', 'Cherry', 'apple', 'Apricot').map(({ name }) => name);
		expect(names).toEqual(['apple', 'Apricot', 'banana', 'Cherry']);
	});

	it('leaves what reads the same in its order', () => {
		expect(sorted('b', 'A', 'a', 'B').map(({ name }) => name)).toEqual(['A', 'a', 'b', 'B']);
		expect(byText(String)('a', 'A')).toBe(0);
		expect(byText(String)('b', 'A')).toBe(1);
	});
});

describe('isObject', () => {
	it.each([[{}], [{ a: 1 }], [Object.create(null)]])('%j is one', (value) => {
		expect(isObject(value)).toBe(true);
	});

	it.each([[null], [undefined], [[]], ['text'], [1], [true]])('%j is none', (value) => {
		expect(isObject(value)).toBe(false);
	});
});

describe('mapTexts', () => {
	const shout = (text: string) => text.toUpperCase();

	it('changes every text, names too, however deep', () => {
		const value = { a: 'x', b: ['y', { c: 'z' }], d: { e: ['w'] } };
		expect(mapTexts(value, shout)).toEqual({ A: 'X', B: ['Y', { C: 'Z' }], D: { E: ['W'] } });
	});

	it('changes nothing else, and not what it was given', () => {
		const value = { n: 1, b: false, none: null, t: 'x' };
		expect(mapTexts(value, (text) => `${text}!`)).toEqual({
			'n!': 1,
			'b!': false,
			'none!': null,
			't!': 'x!',
		});
		expect(value).toEqual({ n: 1, b: false, none: null, t: 'x' });
	});
});

describe('sentences', () => {
	it.each([
		['Refused', 'Refused. Run again.'],
		['Refused.', 'Refused. Run again.'],
		['Why?', 'Why? Run again.'],
	])('%j', (one, both) => {
		expect(sentences(one, 'Run again.')).toBe(both);
	});
});
