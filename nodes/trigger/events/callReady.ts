import { z } from 'zod';

import { CALL_PARTS, type CallPart } from '../../domain/callParts';
import { choices } from '../../table/fields';
import { flag, integer, list, oneOf } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { callFilters, callFilterSchema, callList, callOptions, callOptionSchema } from './calls';
import { triggerEvent } from './event';
import { simplify } from './fields';

const MINUTE = 60_000;

const READY_PARTS = { summary: CALL_PARTS.summary, transcript: CALL_PARTS.transcript } as const;

export const callReady = triggerEvent({
	name: 'Call Ready',
	description: 'When the summary or transcript of a call exists',
	fields: [
		{
			displayName: 'Wait For',
			name: 'waitFor',
			type: 'multiOptions',
			options: choices(READY_PARTS),
			default: ['summary'],
			description: 'What must exist before the call is emitted; it is part of the item',
		},
		{
			displayName: 'Wait at Most (Minutes)',
			name: 'waitMinutes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1440 },
			default: 60,
			description:
				'How long after its beginning the call is emitted without, with "ready": false. Allow for the length of the call.',
		},
		simplify,
	],
	filters: callFilters,
	options: callOptions,
	input: () =>
		z.object({
			// Waiting for nothing would call every call ready at once.
			waitFor: list(oneOf(READY_PARTS))
				.refine((parts) => parts.length > 0, { message: 'must name a summary or a transcript' })
				.default(['summary']),
			waitMinutes: integer(1, 1440).default(60),
			simplify: flag.default(true),
			filters: callFilterSchema,
			options: callOptionSchema,
		}),
	watch({ waitFor, waitMinutes, filters, options, simplify: isSimple }, watching) {
		const patience = waitMinutes * MINUTE;
		const followed = callList({
			filters,
			parts: [...new Set<CallPart>([...options.include, ...waitFor])],
			simplify: isSimple,
			patience,
			emit(call, isLate) {
				const ready = waitFor.every((part) => isThere(call[part]));
				return ready || isLate ? { ...call, ready } : undefined;
			},
			marks: { ready: false },
			api: watching.api,
		});
		// A call must not leave the look-back while it waits.
		return new ListWatcher(followed, {
			...watching,
			lookBack: Math.max(watching.lookBack, patience),
		});
	},
});

/** Whether a part of a call says anything. */
const isThere = (part: unknown) =>
	typeof part === 'object' && part !== null
		? Object.keys(part).length > 0
		: part !== null && part !== undefined && part !== '';
