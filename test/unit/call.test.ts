import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { hasEnded, isWithNumber } from '../../nodes/domain/call.ts';

it.each<[ended: boolean, call: object]>([
	...['Completed', 'not_answered', 'REJECTED', 'failed', 'Busy', 'voicemail', 'ended in queue'].map(
		(call_status): [boolean, object] => [true, { call_status }],
	),
	...['In Progress', 'queued', 'Ringing', '', null, undefined, 7].map(
		(status): [boolean, object] => [false, { status }],
	),
	// The first field that holds a status counts.
	[true, { call_status: null, status: 'Busy' }],
	[false, { call_status: 'In Progress', status: 'Busy' }],
])('whether a call has ended is %s for %j', (ended, call) => {
	expect(hasEnded({ ...call }, USUAL_NAMES)).toBe(ended);
});

describe('calls of a person', () => {
	const number = '+390612345678';

	it.each([
		[{ phone_number: number }, true],
		[{ from_number: '+14155550123', to_number: number }, true],
		[{ from: '+390600000000', to: '+14155550123' }, false],
		[{ caller_number: null }, false],
		// It shows no number.
		[{ id: 'a', from: { sip: 1 } }, undefined],
	])('%j: %s', (call, expected) => {
		expect(isWithNumber(call, number, USUAL_NAMES)).toBe(expected);
	});

	it('are not known if a call hides some digits', () => {
		const hidden = { phone_number: '+39******678' };
		expect(() => isWithNumber(hidden, number, USUAL_NAMES)).toThrow('hidden digits');
	});
});
