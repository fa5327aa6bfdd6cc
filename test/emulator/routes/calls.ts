import { CALL_SORTS } from '../assumed.ts';
import { notFound, Refusal } from '../envelope.ts';
import { choice, cursorOf, onlyWith, pageOf, sortOf } from '../query.ts';
import type { Readings } from '../readings.ts';
import { CALL_STATUSES, type Call } from '../records.ts';
import { found, get, list, type Exchange, type Route } from '../route.ts';

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
function absent(reading: Readings['noSummary' | 'noTranscript'], what: string) {
	if (reading === '404') throw notFound(what);
	if (reading === '409') throw new Refusal(409, 'NOT_READY', `the call has no ${what} yet`);
	return { null: null, blank: '', empty: [] }[reading];
}

/** Section "Other endpoints", the lines of /call-history; section "Call status" for the filter's values. */
export const callRoutes: Route[] = [
	list('/call-history', 'call', ['call_status', 'created_after', 'sort'], (exchange) => {
		const { store, query, readings } = exchange;
		store.endCalls();
		const status = choice(query, 'call_status', CALL_STATUSES);
		const isListed = (call: Call) =>
			readings.underWay === 'listed' || call.call_status !== 'In Progress';
		const where = [onlyWith<Call>('call_status', status), isListed];
		const selection = { ...sortOf(query, CALL_SORTS), from: cursorOf(exchange), where };
		const hidden = ONLY_IN_DETAIL[readings.callDetail];
		return pageOf(exchange, store.calls, selection, (call) =>
			Object.fromEntries(Object.entries(call).filter(([name]) => !hidden.includes(name))),
		);
	}),
	get('/call-history/{call_id}', 'call', (exchange) => {
		const call = callOf(exchange);
		const { detailAt = 0 } = exchange.store.callTimings.get(call.id) ?? {};
		return found(detailAt > exchange.now() ? undefined : call, 'call');
	}),
	get('/call-history/{call_id}/summary', 'summary', (exchange) => {
		const call = callOf(exchange);
		const summary = exchange.store.summaryOf(call);
		return {
			call_id: call.id,
			summary: summary ?? absent(exchange.readings.noSummary, 'call summary'),
		};
	}),
	get('/call-history/{call_id}/transcript', 'transcript', (exchange) => {
		const call = callOf(exchange);
		const turns = exchange.store.turnsOf(call);
		return {
			call_id: call.id,
			turns: turns ?? absent(exchange.readings.noTranscript, 'call transcript'),
		};
	}),
];
