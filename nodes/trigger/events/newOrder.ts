import { z } from 'zod';

import { orderWith, presentLines, simplifyOrder } from '../../domain/order';
import { isSameStatus, ORDER_STATUS } from '../../domain/status';
import { choices, simplifyField } from '../../table/fields';
import { lineItemsOptions, lineItemsShape, lineItemsWanted } from '../../table/lineItems';
import { list, oneOf } from '../../table/schema';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { inputOf, lookBack, pollLimit } from './eventFields';

/** Follows the orders by date. Line items may take one more request for each order. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order shows up',
	request: 'GET /orders',
	fields: [simplifyField],
	filters: [
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only orders that have one of these statuses when the trigger reads them',
		},
	],
	options: [lookBack, ...lineItemsOptions('Limit per Poll'), pollLimit],
	input: () =>
		inputOf(
			{ status: list(oneOf(ORDER_STATUS)).default([]) },
			z.object(lineItemsShape).partial().shape,
		).transform(({ options, ...rest }) => ({ ...rest, lines: lineItemsWanted(options) })),
	present: ({ lines }) => presentLines(lines),
	watch: ({ filters: { status: wanted }, ...how }, watching) =>
		new ListWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at' },
			lacks: ({ status }) => (wanted.length > 0 && status === undefined ? 'status' : undefined),
			wayOut: "Remove the filter 'Status'.",
			pathOf: (id) => `/orders/${id}`,
			cost: how.lines ? 1 : 0,
			async judge(order) {
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
