import { ASSUMED } from '../domain/assumed';
import { CALL_PARTS } from '../domain/callParts';
import { always } from '../table/form';
import { number, several, text, type Said } from '../table/kinds';
import { list, nonBlank } from '../table/schema';
import { without } from '../json';

const AWAITED = without(CALL_PARTS, 'detail');

/** How long to wait, in minutes. @param minutes the default */
export const waitAtMost = (minutes: number) =>
	number({
		displayName: 'Wait at Most (Minutes)',
		min: 0,
		max: 1440,
		default: minutes,
		description:
			'How long to wait; the execution stays open meanwhile. After that the item says how far it got, and the workflow goes on.',
	});

export const alsoWaitFor = several(AWAITED, {
	displayName: 'Also Wait For',
	description: 'Also wait until these exist (skipped if nobody spoke)',
});

/** Names, separated by commas. @param assumed those that count if the user adds none */
export const names = (assumed: readonly string[], said: Said) =>
	always(
		text({ ...said, default: assumed.join(', ') }, list(nonBlank(), 'must name at least one')),
	);

export const statusFields = names(ASSUMED.callStatus, {
	displayName: 'Status Fields',
	description:
		'Advanced: names of the fields that may hold the status of a call, separated by commas',
});
