import { z } from 'zod';

import { simplifyOrder } from '../../domain/order';
import { ORDER_STATUS } from '../../domain/status';
import { choices } from '../../table/fields';
import { flag, list, number, oneOf } from '../../table/schema';
import { StatusesWatcher } from '../kinds/statuses';
import { triggerEvent } from './event';
import { pollLimit, simplify } from './fields';

const DAY = 24 * 3_600_000;

/** Only the customer may cancel, from any state. Reference: "Order", states. */
const MOVES = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	refused: ['cancelled'],
	completed: ['cancelled'],
	cancelled: [],
} as const;

const statuses = list(oneOf(ORDER_STATUS)).default([]);

/** Reference: GET /orders. */
export const orderStatusChanged = triggerEvent({
	name: 'Order Status Changed',
	description: 'When an order moves on to a status that it did not have before',
	fields: [simplify],
	filters: [
		{
			displayName: 'From',
			name: 'from',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only moves from one of these',
		},
		{
			displayName: 'To',
			name: 'to',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only moves to one of these',
		},
	],
	options: [
		pollLimit,
		{
			displayName: 'Watch Orders For (Days)',
			name: 'orderDays',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 90 },
			default: 14,
			description:
				'How long after its creation an order is watched. Longer costs more requests per poll. Defaults to 14.',
		},
	],
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: z.object({ from: statuses, to: statuses }).default({}),
			options: z.object({ orderDays: number(1, 90).default(14) }).default({}),
		}),
	watch: ({ filters, options, simplify: isSimple }, watching) =>
		new StatusesWatcher(
			{
				path: '/orders',
				query: { sort: '-created_at' },
				isNewestFirst: true,
				initial: 'pending',
				moves: MOVES,
				span: options.orderDays * DAY,
				spanName: 'Watch Orders For',
				...filters,
				isAfterGap: watching.isAfterGap,
				shape: (order) => (isSimple ? simplifyOrder(order) : order),
			},
			watching,
		),
});
