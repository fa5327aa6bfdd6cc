import { describe, expect, it } from 'vitest';
import { byText, firstOf, jsonIn, numberIn, textIn, tidy } from '../../nodes/json.ts';
import { plural, quoted, sentences, withoutMarkup } from '../../nodes/words.ts';

it('byText orders by what is shown, in capitals or not; what reads the same keeps its order', () => {
	const sorted = (...names: string[]) => names.sort(byText((name) => name));
	const fruits = ['apple', 'Apricot', 'banana', 'Cherry'];
	expect(sorted('banana', 'Cherry', 'apple', 'Apricot')).toEqual(fruits);
	expect(sorted('b', 'A', 'a', 'B')).toEqual(['A', 'a', 'b', 'B']);
	expect(byText(String)('a', 'A')).toBe(0);
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

/** What a value is not read as. */
const none = (...values: unknown[]) =>
	values.map((value): [unknown, undefined] => [value, undefined]);

it.each([
	['\u200bNorth\u00a0Dental\ufeff ', 'North Dental'],
	[' a b ', 'a b'],
])('tidy: %j', (text, plain) => {
	expect(tidy(text)).toBe(plain);
});

it.each([['{"a":1}', { a: 1 }], ['\u200b[1]', [1]], ...none('{')])('jsonIn: %j', (text, value) => {
	expect(jsonIn(text as string)).toEqual(value);
});

it.each<[unknown, string | undefined]>([
	[' a ', 'a'],
	[7, '7'],
	[{ id: 7 }, '7'],
	...none(' ', { id: { id: 7 } }, null, true, 2 ** 53, -(2 ** 53)),
])('textIn: %j', (value, text) => {
	expect(textIn(value)).toBe(text);
});

it.each<[unknown, number | undefined]>([
	[7, 7],
	['7.5', 7.5],
	...none('', 'seven', '7 days', [7], false, NaN),
])('numberIn: %j', (value, number) => {
	expect(numberIn(value)).toBe(number);
});

it.each(['Refused', 'Refused.', 'Why?', 'Of example.com'])('%j is a sentence', (one) => {
	const sentence = /[.?]$/.test(one) ? one : `${one}.`;
	expect(sentences(one, 'Run again.')).toBe(`${sentence} Run again.`);
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
