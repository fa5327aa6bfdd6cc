import { CALL_SORTS } from '../assumed.ts';
import { notFound, Refusal } from '../envelope.ts';
import { CALL_STATUSES } from '../make.ts';
import { choice, cursorOf, pageOf, polledSort } from '../query.ts';
import type { Readings } from '../readings.ts';
import type { Call, Turn } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

function callOf({ store, params }: Exchange): Call {
	store.endCalls();
	const call = store.calls.get(params['call_id']!);
	if (!call) throw notFound('call');
	return call;
}

const PARTIES = ['agent_id', 'agent_name', 'phone_number'];

/** The fields that the list leaves to the detail. */
const LEFT: Record<Readings['callDetail'], readonly string[]> = {
	'transfer time': ['transfer_time'],
	nothing: [],
	'transfer time, parties': ['transfer_time', ...PARTIES],
	'transfer time, providers': ['transfer_time', 'ai_provider', 'ai_provider_fallback_used'],
};

const listItem =
	({ callDetail }: Readings) =>
	(call: Call): Partial<Call> =>
		Object.fromEntries(Object.entries(call).filter(([name]) => !LEFT[callDetail].includes(name)));

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
	{
		method: 'GET',
		path: '/call-history',
		kind: 'call',
		query: ['call_status', 'created_after', 'sort', ...PAGE],
		handle(exchange) {
			exchange.store.endCalls();
			const status = choice(exchange.query, 'call_status', CALL_STATUSES);
			const only = status === undefined ? undefined : { field: 'call_status', value: status };
			const after = cursorOf(exchange);
			const { underWay } = exchange.behaviour.readings;
			const where = underWay === 'hidden' ? hasEnded : undefined;
			const selection = { ...polledSort(exchange, CALL_SORTS), after, only, where };
			const show = listItem(exchange.behaviour.readings);
			return pageOf(exchange, exchange.store.calls, selection, show);
		},
	},
	{
		method: 'GET',
		path: '/call-history/{call_id}',
		kind: 'call',
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
		kind: 'summary',
		handle(exchange) {
			const call = callOf(exchange);
			const summary = exchange.store.summaryOf(call);
			const { noSummary } = exchange.behaviour.readings;
			return { data: { call_id: call.id, summary: summary ?? NO_SUMMARY[noSummary]() } };
		},
	},
	{
		method: 'GET',
		path: '/call-history/{call_id}/transcript',
		kind: 'transcript',
		handle(exchange) {
			const call = callOf(exchange);
			const turns = exchange.store.turnsOf(call);
			const { noTranscript } = exchange.behaviour.readings;
			return { data: { call_id: call.id, turns: turns ?? NO_TRANSCRIPT[noTranscript]() } };
		},
	},
];
