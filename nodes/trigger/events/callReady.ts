import { CALL_PARTS } from '../../domain/callParts';
import { form } from '../../table/form';
import { several, wholeNumber } from '../../table/kinds';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent, callForm, callList } from './callEvents';

const PARTS = { summary: CALL_PARTS.summary, transcript: CALL_PARTS.transcript } as const;

/** Follows the call history. A call waits until its parts exist, or until the user's time is over. */
export const callReady = triggerEvent({
	...callEvent,
	name: 'Call Ready',
	description: 'When the summary or the transcript of a call is ready',
	fields: () =>
		form({
			waitFor: several(
				PARTS,
				{
					displayName: 'Wait For',
					default: ['summary'],
					description: 'The parts that must exist. They become part of the item.',
				},
				// Without a part to wait for, every call would be ready at once.
				'must name a summary or a transcript',
			),
			waitMinutes: wholeNumber({
				displayName: 'Wait at Most (Minutes)',
				min: 1,
				max: 1440,
				default: 60,
				description:
					'How long to wait, counted from the start of the call. After that the call is sent anyway, with "ready": false.',
			}),
		}).and(callForm({})),
	watch({ waitFor, waitMinutes, ...input }, watching) {
		const patience = waitMinutes * MINUTE;
		const followed = callList({ input, patience, waitFor, api: watching.api });
		const lookBack = Math.max(watching.lookBack, patience);
		return new ListWatcher({ ...watching, lookBack }, followed);
	},
});
