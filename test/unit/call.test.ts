import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { hasEnded, isWithNumber } from '../../nodes/domain/call.ts';

describe('the end of a call', () => {
	it.each([
		'Completed',
		'not_answered',
		'REJECTED',
		'failed',
		'Busy',
		'voicemail',
		'ended in queue',
	])('is %s', (status) => expect(hasEnded({ call_status: status }, USUAL_NAMES)).toBe(true));

	it.each(['In Progress', 'queued', 'Ringing', '', null, undefined, 7])('is not %s', (status) =>
		expect(hasEnded({ status }, USUAL_NAMES)).toBe(false),
	);

	it('is shown by the first field that holds a status', () => {
		expect(hasEnded({ call_status: null, status: 'Busy' }, USUAL_NAMES)).toBe(true);
		expect(hasEnded({ call_status: 'In Progress', status: 'Busy' }, USUAL_NAMES)).toBe(false);
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
