import { z } from 'zod';

import type { JsonObject } from '../../json';
import { saysSomething, withParts } from '../../domain/callParts';
import { flag, integer } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { callFilters, callFilterSchema, callList, callOptions, callOptionSchema } from './calls';
import { triggerEvent } from './event';
import { simplify } from './fields';

const MINUTE = 60_000;

/** Reference: `transfer_time`, on the response of GET /call-history/{call_id}; of the list it is not said. */
export const callTransferred = triggerEvent({
	name: 'Call Transferred',
	description:
		'When a call has ended that was handed to a person or an external number. Costs one request per ended call.',
	fields: [simplify],
	filters: callFilters,
	options: [
		...callOptions,
		{
			displayName: 'Look for a Transfer For (Minutes)',
			name: 'transferMinutes',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1440 },
			default: 10,
			description:
				'How long after its beginning a call is read again, should its transfer time be written late. Each poll takes one request for each such call. Defaults to 10.',
		},
	],
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: callFilterSchema,
			options: callOptionSchema.and(
				z.object({ transferMinutes: integer(0, 1440).default(10) }).default({}),
			),
		}),
	watch({ filters, options, simplify: isSimple }, watching) {
		const patience = options.transferMinutes * MINUTE;
		const { api } = watching;
		const followed = callList({
			filters,
			parts: options.include.filter((part) => part !== 'detail'),
			simplify: isSimple,
			patience,
			mustEnd: true,
			async decide(call, isLate) {
				// What the list shows is enough, unless the rest of the detail is asked for.
				const isShown = wasTransferred(call) && !options.include.includes('detail');
				const whole = isShown ? call : await withParts(call, ['detail'], api);
				if (wasTransferred(whole)) return whole;
				return isLate ? 'unwanted' : 'waiting';
			},
			emit: (call) => call,
			api,
		});
		// A call must not leave the look-back while it is looked at again.
		const lookBack = Math.max(watching.lookBack, patience);
		return new ListWatcher(
			{ ...followed, cost: 1 + (followed.cost ?? 0) },
			{ ...watching, lookBack },
		);
	},
});

const wasTransferred = ({ transfer_time: time }: JsonObject) => saysSomething(time);
