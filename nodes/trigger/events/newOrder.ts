import { orderWith, presentLines, simplifyOrder } from '../../domain/order';
import { isSameStatus, ORDER_STATUS } from '../../domain/status';
import { filtersOf } from '../../table/common';
import { always, form } from '../../table/form';
import { simplify } from '../../table/handling';
import { several } from '../../table/kinds';
import { lineItemsWanted, lineSettings } from '../../table/lineItems';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { eventOptions, lookBack, pollLimit } from './eventFields';

/** Follows the orders by date. Line items may take one more request for each order. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order shows up',
	request: 'GET /orders',
	fields: () =>
		form({
			simplify,
			filters: filtersOf({
				status: always(
					several(ORDER_STATUS, {
						displayName: 'Status',
						description: 'Only orders that have one of these statuses when the trigger reads them',
					}),
				),
			}),
			options: eventOptions({ lookBack, ...lineSettings('Limit per Poll'), pollLimit }),
		}).check((input) => ({ ...input, lines: lineItemsWanted(input.options) })),
	present: ({ lines }) => presentLines(lines),
	watch: ({ filters: { status: wanted }, ...how }, watching) =>
		new ListWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at' },
			wayOut: "Remove the filter 'Status'.",
			pathOf: (id) => `/orders/${id}`,
			cost: how.lines ? 1 : 0,
			async judge(order) {
				if (wanted.length > 0 && order.status === undefined) return { lacks: 'status' };
				const isWanted =
					wanted.length === 0 || wanted.some((one) => isSameStatus(one, order.status));
				return isWanted ? { item: await orderWith(order, how, watching.api) } : 'unwanted';
			},
			incomplete: (order) => ({
				...(how.simplify ? simplifyOrder(order) : order),
				incomplete: true,
			}),
		}),
});
