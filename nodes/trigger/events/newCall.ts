import { ListWatcher } from '../kinds/list';
import { triggerEvent } from '../event';
import { callFilters, callInput, callList, callOptions } from './calls';
import { simplify } from './fields';

/** Reference: GET /call-history. */
export const newCall = triggerEvent({
	name: 'New Call',
	description: 'When a call has ended',
	request: 'GET /call-history',
	fields: [simplify],
	filters: callFilters,
	options: callOptions,
	input: callInput,
	watch: (input, watching) =>
		new ListWatcher(callList({ input, patience: watching.lookBack, api: watching.api }), watching),
});
