import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { hasEnded } from '../../nodes/domain/call.ts';

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
