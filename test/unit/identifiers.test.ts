import { expect, it } from 'vitest';

import { judgeNumber } from '../../nodes/domain/identifiers.ts';

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
	['06 1234 5678', 'unclear'],
	['06 1234 5679', 'no'],
	['+39061234****', 'unclear'],
	['*******678', 'unclear'],
	['678', 'no'],
	['*******', 'no'],
	['anonymous', 'no'],
	['', 'no'],
])('whether %s is +390612345678: %s', (shown, expected) => {
	expect(judgeNumber(shown, '+390612345678')).toBe(expected);
});
