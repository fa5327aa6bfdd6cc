import { z } from 'zod';

import { flag } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { callFilters, callFilterSchema, callList, callOptions, callOptionSchema } from './calls';
import { triggerEvent } from './event';
import { simplify } from './fields';

export const newCall = triggerEvent({
	name: 'New Call',
	description: 'When a call shows up in the call history',
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
				emit: (call) => call,
				api: watching.api,
			}),
			watching,
		),
});
