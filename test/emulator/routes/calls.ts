import { notFound, Refusal } from '../envelope.ts';
import { createdAfter, list, NEWEST_FIRST } from '../list.ts';
import type { Readings } from '../readings.ts';
import { CALL_STATUSES, type Call } from '../records.ts';
import { found, get, type Exchange, type Route } from '../route.ts';

function callOf({ store, params }: Exchange): Call {
	store.endCalls();
	return found(store.calls.get(params['call_id']!), 'call');
}

/** The fields that only the detail shows. */
const ONLY_IN_DETAIL: Record<Readings['callDetail'], readonly string[]> = {
	'transfer time': ['transfer_time'],
	'transfer time, providers': ['transfer_time', 'ai_provider', 'ai_provider_fallback_used'],
};

/** What the API answers while there is no summary or transcript. */
function absent({ noPart }: Readings, what: string) {
	if (noPart === '404') throw notFound(what);
	if (noPart === '409') throw new Refusal(409, `the call has no ${what} yet`);
	return noPart === 'blank' ? '' : null;
}

/** Section "Other endpoints", the lines of /call-history; section "Call status" for the filter's values. */
export const callRoutes: Route[] = [
	list<Call>('/call-history', 'call', {
		rows({ store }) {
			store.endCalls();
			return store.calls;
		},
		order: NEWEST_FIRST,
		sorts: ['created_at', 'duration_seconds'],
		filters: { call_status: CALL_STATUSES, created_after: createdAfter },
		where: ({ readings }) =>
			readings.underWay === 'listed'
				? undefined
				: ({ call_status }) => call_status !== 'In Progress',
		show(call, { readings }) {
			const hidden = ONLY_IN_DETAIL[readings.callDetail];
			return Object.fromEntries(Object.entries(call).filter(([name]) => !hidden.includes(name)));
		},
	}),
	get('/call-history/{call_id}', 'call', (exchange) => {
		const call = callOf(exchange);
		const { detailAt = 0 } = exchange.store.callTimings.get(call.id) ?? {};
		return found(detailAt > exchange.store.now() ? undefined : call, 'call');
	}),
	get('/call-history/{call_id}/summary', 'other', (exchange) => {
		const call = callOf(exchange);
		const { store, readings } = exchange;
		const summary = store.summaryOf(call) ?? absent(readings, 'call summary');
		return { call_id: call.id, summary };
	}),
	get('/call-history/{call_id}/transcript', 'transcript', (exchange) => {
		const call = callOf(exchange);
		const { store, readings } = exchange;
		const turns = store.turnsOf(call) ?? (absent(readings, 'call transcript') === '' ? [] : null);
		return { call_id: call.id, turns };
	}),
];
