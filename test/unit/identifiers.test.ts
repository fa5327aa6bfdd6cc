import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { isWithNumber } from '../../nodes/domain/call.ts';
import { judgeNumber } from '../../nodes/domain/identifiers.ts';

describe('whether a number is +390612345678', () => {
	it.each([
		['+390612345678', 'yes'],
		['+39 06-1234 (5678)', 'yes'],
		['00390612345678', 'yes'],
		['390612345678', 'yes'],
		['tel:+39-06-12345678;ext=1', 'yes'],
		['sip:+390612345678@carrier.example', 'yes'],
		['sip:+14155550123@390612345678.example', 'no'],
		['sip:0612345678@carrier.example', 'unclear'],
		['+390612345679', 'no'],
		['+14155550123', 'no'],
		['06 1234 5678', 'unclear'],
		['06 1234 5679', 'no'],
		['+39061234****', 'unclear'],
		['*******678', 'unclear'],
		['678', 'no'],
		['*******', 'no'],
		['anonymous', 'no'],
		['', 'no'],
	])('%s: %s', (shown, expected) => {
		expect(judgeNumber(shown, '+390612345678')).toBe(expected);
	});
});

describe('calls of a person', () => {
	const number = '+390612345678';

	it.each([
		[{ phone_number: number }, true],
		[{ from_number: number, to_number: '+14155550123' }, true],
		[{ from_number: '+14155550123', to_number: number }, true],
		[{ from: '+390600000000', to: '+14155550123' }, false],
		[{ caller_number: null }, false],
	])('%j: %s', (call, expected) => {
		expect(isWithNumber(call, number, USUAL_NAMES)).toBe(expected);
	});

	it('are not known if a call shows no number, or hides some digits', () => {
		expect(isWithNumber({ id: 'a', from: { sip: 1 } }, number, USUAL_NAMES)).toBeUndefined();
		expect(() => isWithNumber({ phone_number: '+39******678' }, number, USUAL_NAMES)).toThrow(
			'hidden digits',
		);
	});
});
