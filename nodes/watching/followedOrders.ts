import type { Api } from '../api/session';
import { orderWith, simplifyOrder, type LineItemsWanted } from '../domain/order';
import { isSameStatus, ORDER_STATUS } from '../domain/status';
import { always } from '../table/form';
import { several } from '../table/kinds';
import type { FollowedList } from './listWatcher';
import { ofListed } from './watcher';

/** The filters of followed orders. */
export const followedOrderFilters = {
	status: always(
		several(ORDER_STATUS, {
			displayName: 'Status',
			description: 'Only orders that have one of these statuses when they are read',
		}),
	),
};

/** Which orders are wanted, and how they are returned. */
interface FollowedOrders {
	statuses: readonly string[];
	simplify: boolean;
	/** Line items may take one more request for each order. */
	lines?: LineItemsWanted;
	api: Api;
}

/** The orders as a list to follow. Reference: GET /orders. */
export const orderList = ({ statuses, api, ...how }: FollowedOrders): FollowedList => ({
	path: '/orders',
	query: { sort: '-created_at' },
	wayOut: "Remove the filter 'Status'.",
	pathOf: (id) => `/orders/${id}`,
	cost: how.lines ? 1 : 0,
	async judge(order) {
		if (statuses.length > 0 && order.status === undefined) return { lacks: 'status' };
		const isWanted =
			statuses.length === 0 || statuses.some((one) => isSameStatus(one, order.status));
		return isWanted ? { item: await orderWith(order, how, ofListed(api)) } : 'unwanted';
	},
	incomplete: (order) => ({ ...(how.simplify ? simplifyOrder(order) : order), incomplete: true }),
});
