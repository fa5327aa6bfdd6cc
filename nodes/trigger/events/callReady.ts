import { callInFront } from '../../domain/call';
import { CALL_PARTS, saysSomething } from '../../domain/callParts';
import type { JsonObject } from '../../json';
import { form } from '../../table/form';
import { several, wholeNumber } from '../../table/kinds';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent, callForm } from './callEvents';
import { callList } from '../../watching/followedCalls';

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
					'How long to wait after the call has ended. After that the call is sent anyway, with "ready": false.',
			}),
		}).and(callForm({})),
	watch({ waitFor: parts, waitMinutes, ...input }, watching) {
		const waitFor = waitMinutes * MINUTE;
		const calls = callList({
			input,
			parts,
			async decide(call, _waited, itemOf) {
				const item = await itemOf(call);
				const ready = parts.every((part) => saysSomething(item[part]));
				const verdict = { item: callInFront({ ...item, ready }) };
				return ready ? verdict : { waitFor, verdict };
			},
			api: watching.api,
		});
		const incomplete = (call: JsonObject) =>
			callInFront({ ...calls.incomplete?.(call), ready: false });
		const lookBack = Math.max(watching.lookBack, waitFor);
		return new ListWatcher({ ...watching, lookBack }, { ...calls, incomplete });
	},
});
