import { withDetailFields } from '../../domain/callParts';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent } from './callEvents';
import { callList } from '../../watching/followedCalls';

const FIELD = 'ai_provider_fallback_used';

/** When to read the detail of a call again, if it is not measured and the list does not show the field. */
const READ_AGAIN = 10 * MINUTE;

/**
 * Null means that it is not measured. It may be measured later, so the call waits as long as Look
 * Back: that part of the list is read anyway. If only the detail shows the field, it is read a second
 * time, and not with every poll.
 * Reference: "Call history record", GET /call-history/{call_id}.
 */
export const fallbackProviderUsed = triggerEvent({
	...callEvent,
	name: 'Fallback Provider Used',
	description: 'When a fallback provider served a call, because the configured AI provider failed',
	watch(input, watching) {
		const { api, lookBack } = watching;
		const calls = callList({
			input,
			async decide(call, waited, itemOf) {
				const isListed = call[FIELD] !== undefined;
				const waitFor = isListed ? lookBack : READ_AGAIN;
				const later = { waitFor, verdict: 'unwanted' } as const;
				if (!isListed && waited > 0 && waited < waitFor) return later;
				const whole = await withDetailFields(call, [FIELD], api);
				if (whole !== call && whole[FIELD] === undefined) return { lacks: FIELD };
				if (whole[FIELD] === true) return { item: await itemOf(whole) };
				return whole[FIELD] === false ? 'unwanted' : later;
			},
			api,
		});
		return new ListWatcher(watching, { ...calls, cost: 1 + (calls.cost ?? 0) });
	},
});
