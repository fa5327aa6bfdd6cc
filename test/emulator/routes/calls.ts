import { CALL_SORTS } from '../assumed.ts';
import { notFound } from '../envelope.ts';
import { CALL_STATUSES } from '../make.ts';
import { choice, cursorOf, pageOf, polledSort } from '../query.ts';
import type { Call } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

function callOf({ store, params }: Exchange): Call {
	const call = store.calls.get(params['call_id']!);
	if (!call) throw notFound('call');
	return call;
}

function listItem({ transfer_time: _, ...item }: Call): Omit<Call, 'transfer_time'> {
	return item;
}

/** Section "Other endpoints", the lines of /call-history; section "Call status" for the filter's values. */
export const callRoutes: Route[] = [
	{
		method: 'GET',
		path: '/call-history',
		query: ['call_status', 'created_after', 'sort', ...PAGE],
		handle(exchange) {
			const status = choice(exchange.query, 'call_status', CALL_STATUSES);
			const only = status === undefined ? undefined : { field: 'call_status', value: status };
			const selection = { ...polledSort(exchange, CALL_SORTS), after: cursorOf(exchange), only };
			return pageOf(exchange, exchange.store.calls, selection, listItem);
		},
	},
	{
		method: 'GET',
		path: '/call-history/{call_id}',
		handle(exchange) {
			const call = callOf(exchange);
			const { detailAt = 0 } = exchange.store.callTimings.get(call.id) ?? {};
			if (detailAt > exchange.now()) throw notFound('call');
			return { data: call };
		},
	},
	{
		method: 'GET',
		path: '/call-history/{call_id}/summary',
		handle(exchange) {
			const call = callOf(exchange);
			const summary = exchange.store.summaryOf(call);
			if (summary === undefined) throw notFound('call summary');
			return { data: { call_id: call.id, summary } };
		},
	},
	{
		method: 'GET',
		path: '/call-history/{call_id}/transcript',
		handle(exchange) {
			const call = callOf(exchange);
			const turns = exchange.store.turnsOf(call);
			if (turns === undefined) throw notFound('call transcript');
			return { data: { call_id: call.id, turns } };
		},
	},
];
