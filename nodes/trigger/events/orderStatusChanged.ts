import { z } from 'zod';

import { orderWith, presentLines } from '../../domain/order';
import { isSameStatus, ORDER_STATUS } from '../../domain/status';
import { choices, simplifyField } from '../../table/fields';
import { lineItemsOptions, lineItemsShape, lineItemsWanted } from '../../table/lineItems';
import { list, number, oneOf } from '../../table/schema';
import { DAY, since } from '../../time';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { inputOf, pollLimit, startsAgain, withChange } from './eventFields';

const statuses = list(oneOf(ORDER_STATUS)).default([]);

const STATUSES: readonly string[] = Object.keys(ORDER_STATUS);

/** Reference: GET /orders, and the states of "Order". */
export const orderStatusChanged = triggerEvent({
	name: 'Order Status Changed',
	description: 'When an order has another status than at the last poll',
	request: 'GET /orders',
	fields: [simplifyField],
	filters: [
		{
			displayName: 'From',
			name: 'from',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only orders that had one of these statuses at the poll before',
		},
		{
			displayName: 'To',
			name: 'to',
			type: 'multiOptions',
			options: choices(ORDER_STATUS),
			default: [],
			description: 'Only orders that now have one of these statuses',
		},
	],
	options: [
		...lineItemsOptions('Limit per Poll'),
		pollLimit,
		{
			displayName: 'Watch Orders For (Days)',
			name: 'orderDays',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 90 },
			default: 14,
			description: startsAgain(
				'How long to watch an order after it was created. A longer time costs more requests per poll. Defaults to 14.',
			),
		},
	],
	input: () =>
		inputOf(
			{ from: statuses, to: statuses },
			{ orderDays: number(1, 90).default(14), ...z.object(lineItemsShape).partial().shape },
		).transform(({ options: { orderDays, ...options }, ...rest }) => ({
			...rest,
			orderDays,
			lines: lineItemsWanted(options),
		})),
	// With more days, orders would show up that were never watched.
	identity: ({ orderDays }) => orderDays,
	present: ({ lines }) => presentLines(lines),
	watch: ({ filters: { from, to }, orderDays, ...how }, watching) =>
		new StatesWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at', created_after: since(Date.now() - orderDays * DAY) },
			most: 10_000,
			tooMany: "Set a shorter 'Watch Orders For'.",
			stateOf: ({ status }) => (typeof status === 'string' ? nameOf(status) : undefined),
			shows: 'status',
			queues: true,
			isWanted(before, status) {
				// Every order begins as pending.
				if (before === undefined && status === 'pending') return false;
				const isFrom = from.length === 0 || from.some((one) => one === before);
				return isFrom && (to.length === 0 || to.some((one) => one === status));
			},
			itemOf: async (order, status, before) =>
				withChange(await orderWith(order, how, watching.api), before, status),
		}),
});

/** The status as the reference writes it, or as it came. */
const nameOf = (status: string) => STATUSES.find((name) => isSameStatus(name, status)) ?? status;
