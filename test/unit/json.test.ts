import { describe, expect, it } from 'vitest';
import { byText, firstOf, jsonIn, numberIn, textIn, tidy } from '../../nodes/json.ts';
import { plural, quoted, sentences, withoutMarkup } from '../../nodes/words.ts';

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

describe('sentences', () => {
	it.each([
		['Refused', 'Refused. Run again.'],
		['Refused.', 'Refused. Run again.'],
		['Why?', 'Why? Run again.'],
		['Of example.com', 'Of example.com. Run again.'],
	])('%j', (one, both) => {
		expect(sentences(one, 'Run again.')).toBe(both);
	});
});

describe('firstOf', () => {
	it.each<[record: object, found: unknown]>([
		[{ a: 1, b: 2 }, 1],
		[{ a: undefined, b: 2 }, 2],
		[{ a: null, b: 2 }, 2],
		[{ a: '', b: 2 }, 2],
		[{ b: '', 'c.d': null }, undefined],
		[{ c: { d: 3 } }, 3],
		[{ 'c.d': 4, c: { d: 3 } }, 4],
		[{ c: 'text' }, undefined],
		[{ c: Object.create({ d: 3 }) as object }, undefined],
	])('of %j', (record, found) => {
		expect(firstOf({ ...record }, ['a', 'b', 'c.d'])).toBe(found);
	});
});

it.each([
	['\u200bNorth\u00a0Dental\ufeff ', 'North Dental'],
	[' a b ', 'a b'],
])('tidy: %j', (text, plain) => {
	expect(tidy(text)).toBe(plain);
});

it.each([
	['{"a":1}', { a: 1 }],
	['\u200b[1]', [1]],
	['{', undefined],
])('jsonIn: %j', (text, value) => {
	expect(jsonIn(text)).toEqual(value);
});

it.each<[unknown, string | undefined]>([
	[' a ', 'a'],
	[' ', undefined],
	[7, '7'],
	[{ id: 7 }, '7'],
	[{ id: { id: 7 } }, undefined],
	[null, undefined],
	[true, undefined],
	[2 ** 53, undefined],
	[-(2 ** 53), undefined],
])('textIn: %j', (value, text) => {
	expect(textIn(value)).toBe(text);
});

it.each<[unknown, number | undefined]>([
	[7, 7],
	['7.5', 7.5],
	['', undefined],
	['seven', undefined],
	['7 days', undefined],
	[[7], undefined],
	[false, undefined],
	[NaN, undefined],
])('numberIn: %j', (value, number) => {
	expect(numberIn(value)).toBe(number);
});

it('names and numbers in sentences', () => {
	expect(quoted(['a', 'b'])).toBe('"a", "b"');
	expect(quoted(['a', 'b'], ' or ')).toBe('"a" or "b"');
	expect(quoted([`a\n${'b'.repeat(500)}`])).toBe(`"a ${'b'.repeat(98)}…"`);
	expect(quoted(Array(1000).fill('a')).length).toBeLessThan(110);
	expect(withoutMarkup('Refused: <a href="http://evil">pay</a>')).toBe(
		'Refused: ‹a href="http://evil">pay‹/a>',
	);
	expect([0, 1, 2].map((count) => plural(count, 'call'))).toEqual(['0 calls', '1 call', '2 calls']);
});
