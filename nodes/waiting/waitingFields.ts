import { CALL_INCLUDES } from '../domain/callParts';
import { number, several } from '../table/kinds';
import { without } from '../json';

const AWAITED = without(CALL_INCLUDES, 'detail');

/** How long to wait, in minutes. @param minutes the default */
export const waitAtMost = (minutes: number) =>
	number({
		displayName: 'Wait at Most (Minutes)',
		min: 0,
		max: 1440,
		default: minutes,
		description: 'How long to wait. The execution stays open meanwhile.',
	});

export const alsoWaitFor = several(AWAITED, {
	displayName: 'Also Wait For',
	description: 'Also wait until these exist (skipped if nobody spoke)',
});
