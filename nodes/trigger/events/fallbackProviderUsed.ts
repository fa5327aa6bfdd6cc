import { ListWatcher } from '../kinds/list';
import { triggerEvent } from '../event';
import { callFilters, callInput, callList, callOptions } from './calls';
import { simplify } from './fields';

const FIELD = 'ai_provider_fallback_used';

/**
 * Null means that it is not measured. It may be measured later, so the call waits as long as Look
 * Back: that part of the list is read anyway. Reference: "Call history record".
 */
export const fallbackProviderUsed = triggerEvent({
	name: 'Fallback Provider Used',
	description: 'When a fallback provider served a call, because the configured AI provider failed',
	request: 'GET /call-history',
	fields: [simplify],
	filters: callFilters,
	options: callOptions,
	input: callInput,
	watch: (input, watching) =>
		new ListWatcher(
			callList({
				input,
				patience: watching.lookBack,
				needs: FIELD,
				decide(call, isLate) {
					if (call[FIELD] === true) return call;
					return isLate ? 'unwanted' : 'waiting';
				},
				api: watching.api,
			}),
			watching,
		),
});
