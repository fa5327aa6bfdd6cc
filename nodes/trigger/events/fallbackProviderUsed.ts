import { z } from 'zod';

import { flag } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { callFilters, callFilterSchema, callList, callOptions, callOptionSchema } from './calls';
import { triggerEvent } from './event';
import { simplify } from './fields';

/**
 * Null is not measured, and may be measured later: a call waits as long as the look-back, which the
 * list is read for anyway. Reference: "Call history record", `ai_provider_fallback_used`.
 */
export const fallbackProviderUsed = triggerEvent({
	name: 'Fallback Provider Used',
	description:
		'When a call was served by a fallback, because its AI provider failed. Calls that are not measured do not fire.',
	fields: [simplify],
	filters: callFilters,
	options: callOptions,
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: callFilterSchema,
			options: callOptionSchema,
		}),
	watch: ({ filters, options, simplify: isSimple }, watching) =>
		new ListWatcher(
			callList({
				filters,
				parts: options.include,
				simplify: isSimple,
				patience: watching.lookBack,
				needs: 'ai_provider_fallback_used',
				decide(call, isLate) {
					if (call.ai_provider_fallback_used === true) return call;
					return isLate ? 'unwanted' : 'waiting';
				},
				emit: (call) => call,
				api: watching.api,
			}),
			watching,
		),
});
