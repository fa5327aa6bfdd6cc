import { CALL_SORTS } from '../assumed.ts';
import { notFound, Refusal } from '../envelope.ts';
import { CALL_STATUSES } from '../records.ts';
import { choice, cursorOf, onlyWith, pageOf, sortOf } from '../query.ts';
import type { Readings } from '../readings.ts';
import type { Call, Turn } from '../records.ts';
import { found, get, list } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

function callOf({ store, params }: Exchange): Call {
	store.endCalls();
	return found(store.calls.get(params['call_id']!), 'call');
}

/** The fields that only the detail shows. */
const ONLY_IN_DETAIL: Record<Readings['callDetail'], readonly string[]> = {
	'transfer time': ['transfer_time'],
	'transfer time, providers': ['transfer_time', 'ai_provider', 'ai_provider_fallback_used'],
};

const listItem =
	({ callDetail }: Readings) =>
	(call: Call): Partial<Call> =>
		Object.fromEntries(
			Object.entries(call).filter(([name]) => !ONLY_IN_DETAIL[callDetail].includes(name)),
		);

const hasEnded = ({ call_status }: Call) => call_status !== 'In Progress';

const NO_SUMMARY: Record<Readings['noSummary'], () => string | null> = {
	'404'() {
		throw notFound('call summary');
	},
	'409'() {
		throw new Refusal(409, 'NOT_READY', 'the call has no summary yet');
	},
	null: () => null,
	blank: () => '',
};

const NO_TRANSCRIPT: Record<Readings['noTranscript'], () => Turn[] | null> = {
	'404'() {
		throw notFound('call transcript');
	},
	null: () => null,
	empty: () => [],
};

/** Section "Other endpoints", the lines of /call-history; section "Call status" for the filter's values. */
export const callRoutes: Route[] = [
	list('/call-history', 'call', ['call_status', 'created_after', 'sort'], (exchange) => {
		const { store, query, readings } = exchange;
		store.endCalls();
		const selection = {
			...sortOf(exchange.query, CALL_SORTS),
			after: cursorOf(exchange),
			only: onlyWith('call_status', choice(query, 'call_status', CALL_STATUSES)),
			where: readings.underWay === 'hidden' ? hasEnded : undefined,
		};
		return pageOf(exchange, store.calls, selection, listItem(readings));
	}),
	get('/call-history/{call_id}', 'call', (exchange) => {
		const call = callOf(exchange);
		const { detailAt = 0 } = exchange.store.callTimings.get(call.id) ?? {};
		return found(detailAt > exchange.now() ? undefined : call, 'call');
	}),
	get('/call-history/{call_id}/summary', 'summary', (exchange) => {
		const call = callOf(exchange);
		const summary = exchange.store.summaryOf(call) ?? NO_SUMMARY[exchange.readings.noSummary]();
		return { call_id: call.id, summary };
	}),
	get('/call-history/{call_id}/transcript', 'transcript', (exchange) => {
		const call = callOf(exchange);
		const turns = exchange.store.turnsOf(call) ?? NO_TRANSCRIPT[exchange.readings.noTranscript]();
		return { call_id: call.id, turns };
	}),
];
