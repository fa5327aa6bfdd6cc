import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import * as decimal from '../../nodes/domain/decimal.ts';

const { decimalOf, decimalText, toJson } = decimal;

const read = (value: unknown) => decimalOf(value)!;

describe('an exact decimal number', () => {
	test.each([
		['12.50', '12.5'],
		[' -0.10 ', '-0.1'],
		['+7', '7'],
		['7.', '7'],
		['-0', '0'],
		[1e-7, '0.0000001'],
		[1.5e21, '1500000000000000000000'],
		['2E2', '200'],
		[0.1, '0.1'],
		[10.079999999999998, '10.08'],
		['10.079999999999998', '10.079999999999998'],
	])('%j is %s', (value, text) => {
		expect(decimalText(read(value))).toBe(text);
	});

	test.each(['', ' ', '1,50', '1.234,50', '€5', '.', '-', '1e9999', 'NaN', NaN, Infinity, null])(
		'%j is no number',
		(value) => {
			expect(decimalOf(value)).toBeUndefined();
		},
	);

	test.each([
		['1', '3', 2, '0.33'],
		['2', '3', 2, '0.67'],
		['0.125', '1', 2, '0.13'],
		['-0.125', '1', 2, '-0.13'],
		['10', '0.4', 0, '25'],
	])('%s by %s to %d digits is %s', (one, other, digits, expected) => {
		expect(decimalText(decimal.dividedBy(read(one), read(other), digits))).toBe(expected);
	});

	test('becomes a number in JSON', () => {
		expect(toJson(read('1234567.89'))).toBe(1234567.89);
		expect(toJson(read('9007199254740.93'))).toBe(9007199254740.93);
	});

	test('adds up to the cent', () => {
		const written = (cents: bigint) => {
			const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
			return read(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
		};
		const amount = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
		const property = fc.property(fc.array(amount, { maxLength: 200 }), (amounts) => {
			const sum = amounts.map(written).reduce(decimal.plus, decimal.ZERO);
			const expected = amounts.reduce((total, one) => total + one, 0n);
			expect(decimalText(sum)).toBe(decimalText(written(expected)));
			expect(decimalText(decimal.minus(sum, sum))).toBe('0');
		});
		fc.assert(property);
	});
});
