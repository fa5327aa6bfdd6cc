import { z } from 'zod';

import { CALL_PARTS } from '../../domain/callParts';
import { choices, simplifyField } from '../../table/fields';
import { integer, list, oneOf } from '../../table/schema';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent, callInput, callList } from './callEvents';

const PARTS = { summary: CALL_PARTS.summary, transcript: CALL_PARTS.transcript } as const;

/** Follows the call history. A call waits until its parts exist, or until the user's time is over. */
export const callReady = triggerEvent({
	...callEvent,
	name: 'Call Ready',
	description: 'When the summary or the transcript of a call is ready',
	fields: [
		{
			displayName: 'Wait For',
			name: 'waitFor',
			type: 'multiOptions',
			options: choices(PARTS),
			default: ['summary'],
			description: 'The parts that must exist. They become part of the item.',
		},
		{
			displayName: 'Wait at Most (Minutes)',
			name: 'waitMinutes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1440 },
			default: 60,
			description:
				'How long to wait, counted from the start of the call. After that the call is sent anyway, with "ready": false.',
		},
		simplifyField,
	],
	input: () =>
		callInput().and(
			z.object({
				// Without a part to wait for, every call would be ready at once.
				waitFor: list(oneOf(PARTS))
					.refine((parts) => parts.length > 0, { message: 'must name a summary or a transcript' })
					.default(['summary']),
				waitMinutes: integer(1, 1440).default(60),
			}),
		),
	watch({ waitFor, waitMinutes, ...input }, watching) {
		const patience = waitMinutes * MINUTE;
		const followed = callList({ input, patience, waitFor, api: watching.api });
		const lookBack = Math.max(watching.lookBack, patience);
		return new ListWatcher({ ...watching, lookBack }, followed);
	},
});
