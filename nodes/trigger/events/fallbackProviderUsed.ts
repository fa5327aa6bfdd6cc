import { withDetailFields } from '../../domain/callParts';
import type { JsonObject } from '../../json';
import { MINUTE, toMillis } from '../../time';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { callEvent, callList } from './callEvents';

const FIELD = 'ai_provider_fallback_used';

/** How long to read the detail of a call again, counted from its start, if the list does not show the field. */
const READ_AGAIN = 10 * MINUTE;

/**
 * Null means that it is not measured. It may be measured later, so the call waits as long as Look
 * Back: that part of the list is read anyway. If only the detail shows the field, that would cost one
 * request per call and poll, so the call waits for less.
 * Reference: "Call history record", GET /call-history/{call_id}.
 */
export const fallbackProviderUsed = triggerEvent({
	...callEvent,
	name: 'Fallback Provider Used',
	description: 'When a fallback provider served a call, because the configured AI provider failed',
	watch(input, watching) {
		const { api, lookBack: patience } = watching;
		const decide = async (call: JsonObject, isLate: boolean, now: number) => {
			const whole = await withDetailFields(call, [FIELD], api);
			const isRead = whole !== call;
			if (whole[FIELD] === true) return whole;
			if (isRead && whole[FIELD] === undefined) return 'lacking';
			const isTooLate = isRead && now >= (toMillis(call.created_at) ?? now) + READ_AGAIN;
			return isLate || isTooLate ? 'unwanted' : 'waiting';
		};
		const followed = callList({ input, patience, needs: FIELD, decide, api });
		return new ListWatcher(watching, { ...followed, cost: 1 + (followed.cost ?? 0) });
	},
});
