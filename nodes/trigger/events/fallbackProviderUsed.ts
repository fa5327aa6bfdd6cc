import type { JsonObject } from '../../json';
import { triggerEvent } from '../event';
import { ListWatcher } from '../kinds/list';
import { callEvent, callList } from './calls';

const FIELD = 'ai_provider_fallback_used';

/**
 * Null means that it is not measured. It may be measured later, so the call waits as long as Look
 * Back: that part of the list is read anyway. Reference: "Call history record".
 */
export const fallbackProviderUsed = triggerEvent({
	...callEvent,
	name: 'Fallback Provider Used',
	description: 'When a fallback provider served a call, because the configured AI provider failed',
	watch(input, watching) {
		const decide = (call: JsonObject, isLate: boolean) => {
			if (call[FIELD] === true) return call;
			return isLate ? 'unwanted' : 'waiting';
		};
		const { api, lookBack: patience } = watching;
		return new ListWatcher(watching, callList({ input, patience, needs: FIELD, decide, api }));
	},
});
