import { z } from 'zod';

import { simplifyOrder } from '../../domain/order';
import { isSameStatus, ORDER_STATUS } from '../../domain/status';
import { choices } from '../../table/fields';
import { flag, list, oneOf } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { triggerEvent } from './event';
import { lookBack, pollLimit, simplify } from './fields';

/** Reference: GET /orders. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order shows up',
	fields: [simplify],
	filters: [
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only orders that have one of these when they are first seen',
		},
	],
	options: [lookBack, pollLimit],
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: z.object({ status: list(oneOf(ORDER_STATUS)).default([]) }).default({}),
		}),
	watch: ({ filters: { status: wanted }, simplify: isSimple }, watching) =>
		new ListWatcher(
			{
				path: '/orders',
				query: { sort: '-created_at' },
				isNewestFirst: true,
				lacks: ({ status }) => (wanted.length > 0 && status === undefined ? 'status' : undefined),
				judge(order) {
					const isWanted =
						wanted.length === 0 || wanted.some((one) => isSameStatus(one, order.status));
					if (!isWanted) return 'unwanted';
					return { item: isSimple ? simplifyOrder(order) : order };
				},
			},
			watching,
		),
});
