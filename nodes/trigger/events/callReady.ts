import { z } from 'zod';

import { CALL_PARTS, saysSomething, type CallPart } from '../../domain/callParts';
import { choices } from '../../table/fields';
import { integer, list, oneOf } from '../../table/schema';
import { MINUTE } from '../../time';
import { ListWatcher } from '../kinds/list';
import { triggerEvent } from '../event';
import { callFilters, callInput, callList, callOptions } from './calls';
import { simplify } from './fields';

const PARTS = { summary: CALL_PARTS.summary, transcript: CALL_PARTS.transcript } as const;

/** Reference: GET /call-history and the paths below it. */
export const callReady = triggerEvent({
	name: 'Call Ready',
	description: 'When the summary or the transcript of a call is ready',
	request: 'GET /call-history',
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
		simplify,
	],
	filters: callFilters,
	options: callOptions,
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
		const include = [...new Set<CallPart>([...input.options.include, ...waitFor])];
		const followed = callList({
			input: { ...input, options: { include } },
			patience,
			emit(call, isLate) {
				const ready = waitFor.every((part) => saysSomething(call[part]));
				return ready || isLate ? { ...call, ready } : undefined;
			},
			marks: { ready: false },
			api: watching.api,
		});
		const lookBack = Math.max(watching.lookBack, patience);
		return new ListWatcher(followed, { ...watching, lookBack });
	},
});
