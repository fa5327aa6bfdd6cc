import type { Api } from '../api/session';
import { callInFront, callStatusOf, isOfAgent, mayGoOn, shortCall } from '../domain/call';
import { CALL_INCLUDES, requestsFor, withParts, type CallPart } from '../domain/callParts';
import { orderWith, simplifyOrder, type OrderInput } from '../domain/order';
import { CALL_STATUS, isState, ORDER_STATUS, TRANSACTION_TYPE } from '../domain/status';
import { textIn, type JsonObject } from '../json';
import { agentFilter } from '../table/common';
import { always, type SettingsOf } from '../table/form';
import { choice, several, type Choices } from '../table/kinds';
import type { FollowedList, Judged } from './listWatcher';
import { ofListed } from './watcher';

// The lists that both the trigger and Get New follow, and their filters.

/** The filters of followed calls. */
export const followedCallFilters = {
	agent_id: agentFilter,
	call_status: always(
		several(CALL_STATUS, {
			displayName: 'Call Status',
			description: 'Only calls that ended in one of these ways',
		}),
	),
};

const MEANINGS = {
	detail:
		"What only the detail shows, such as the transfer time. Turn off 'Simplify' to see all of it.",
	summary: 'The summary, or null if there is none yet',
	transcript: 'The transcript as structured data, or null if there is none yet',
	transcriptText: 'Who said what, as one text in transcript_text',
};

/** Parts to read with a call. */
export const includeParts = <P extends Choices>(parts: P) =>
	several(parts, {
		displayName: 'Include',
		meanings: MEANINGS as Partial<Record<keyof P & string, string>>,
		description: 'What to add to each call. Each part costs one more request per call.',
	});

/** The parts that a followed call is returned with. */
export const includedParts = always(includeParts(CALL_INCLUDES));

type ItemOf = (call: JsonObject) => Promise<JsonObject>;

/** Which calls are wanted, and what their items have. */
export interface FollowedCalls {
	input: {
		simplify: boolean;
		filters: SettingsOf<typeof followedCallFilters>;
		options: { include: ReadonlyArray<keyof typeof CALL_INCLUDES> };
	};
	/** Parts that the item has besides those that the user includes. */
	parts?: readonly CallPart[];
	/** The verdict on a call that has ended. Default: its item. */
	decide?(call: JsonObject, waited: number, itemOf: ItemOf): Promise<Judged>;
	api: Api;
}

/** The call history as a list to follow. A call is new when it has ended. */
export function callList({ input, parts: more = [], decide, api }: FollowedCalls): FollowedList {
	const { agent_id: agent, call_status: statuses } = input.filters;
	const parts = [...new Set<CallPart>([...input.options.include, ...more])];
	const shape = (call: JsonObject) => (input.simplify ? shortCall(call, api.names) : call);
	const itemOf: ItemOf = async (call) =>
		callInFront(shape(await withParts(call, parts, ofListed(api))), api.names);
	return {
		path: '/call-history',
		query: { sort: '-created_at' },
		cost: requestsFor(parts),
		wayOut: "Remove the filter by it, or choose another event under 'Trigger On'.",
		isOpen: (call) => mayGoOn(call, api.names, Date.now()),
		async judge(call, waited) {
			const isTheirs = agent === undefined || isOfAgent(call, agent, api.names);
			if (isTheirs === undefined) return { lacks: 'agent by such an ID' };
			const hasState = hasOneOf(statuses, callStatusOf(call, api.names));
			if (hasState === undefined) return { lacks: 'status' };
			if (!isTheirs || !hasState) return 'unwanted';
			return (await decide?.(call, waited, itemOf)) ?? { item: await itemOf(call) };
		},
		incomplete: (call) => callInFront({ ...shape(call), incomplete: true }, api.names),
	};
}

/** Whether a record passes the filter by status. Undefined if there is one, and the record shows no status. */
const hasOneOf = (statuses: readonly string[], status: string | undefined) =>
	statuses.length === 0 || (status === undefined ? undefined : isState(statuses, status));

/** The filters of followed orders. */
export const followedOrderFilters = {
	status: always(
		several(ORDER_STATUS, {
			displayName: 'Status',
			description: 'Only new orders that have one of these statuses when they are first read',
		}),
	),
};

/** Which orders are wanted, and how they are returned. */
interface FollowedOrders extends OrderInput {
	statuses: readonly string[];
	api: Api;
}

/** The orders as a list to follow. Reference: GET /orders. */
export const orderList = ({ statuses, api, ...how }: FollowedOrders): FollowedList => ({
	path: '/orders',
	query: { sort: '-created_at' },
	wayOut: "Remove the filter 'Status'.",
	cost: how.lines ? 1 : 0,
	async judge(order) {
		const isWanted = hasOneOf(statuses, textIn(order.status));
		if (isWanted === undefined) return { lacks: 'status' };
		return isWanted ? { item: await orderWith(order, how, ofListed(api)) } : 'unwanted';
	},
	incomplete: (order) => ({
		...(how.simplify ? simplifyOrder(order, api.names) : order),
		incomplete: true,
	}),
});

/** The filter of followed transactions. The API applies it. */
export const transactionType = (description: string) =>
	choice(TRANSACTION_TYPE, {
		displayName: 'Transaction Type',
		default: 'ADD',
		description,
	});

/** The transactions as a list to follow. Reference: GET /wallet/transactions. It shows no order and no sort. */
export const transactionList = (
	type: keyof typeof TRANSACTION_TYPE | undefined,
	{ names }: Api,
): FollowedList => ({
	dateFields: names.transactionDate,
	path: '/wallet/transactions',
	query: { transaction_type: type },
	judge: (transaction) => ({ item: transaction }),
});
