import { simplifyOrder, withLineItems } from '../../domain/order';
import { nameOfStatus, ORDER_STATUS, passesStatus } from '../../domain/status';
import { textIn, type JsonObject } from '../../json';
import { filtersOf } from '../../table/common';
import { always, form } from '../../table/form';
import { simplify } from '../../table/handling';
import { number, several } from '../../table/kinds';
import { lineItemsWanted, lineSettings } from '../../filters/lineItems';
import { DAY, since } from '../../time';
import { listWatcher } from '../../watching/listWatcher';
import { statesWatcher } from '../../watching/statesWatcher';
import { triggerEvent } from '../event';
import { shapeFor, statusChanges } from './comparing';
import { eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

/** Follows the orders by date. Line items may take one more request for each order. Reference: GET /orders. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order is created',
	hint: "One item per order. options.splitIntoLineItems makes one item per line, with the order's fields in each.",
	request: 'GET /orders',
	fields: () =>
		form({
			simplify,
			filters: filtersOf({
				status: always(
					several(ORDER_STATUS, {
						displayName: 'Status',
						description: 'Only new orders that have one of these statuses when they are first read',
					}),
				),
			}),
			options: eventOptions({ lookBack, ...lineSettings('Limit per Poll'), pollLimit }),
		}).check((input) => ({ ...input, lines: lineItemsWanted(input.options) })),
	watch: ({ filters: { status: statuses }, simplify: isSimple, lines }, watching) => {
		const { api } = watching;
		const shape = shapeFor(isSimple, simplifyOrder, api);
		return listWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at' },
			wayOut: "Remove the filter 'Status'.",
			async judge(order) {
				const isWanted = passesStatus(statuses, textIn(order.status));
				if (isWanted === undefined) return { lacks: 'status' };
				if (!isWanted) return 'unwanted';
				return { item: shape(lines ? await withLineItems(order, api, lines) : order) };
			},
			incomplete: (order) => ({ ...shape(order), incomplete: true }),
		});
	},
});

const STATUSES: readonly string[] = Object.keys(ORDER_STATUS);

/** Reference: GET /orders, and the states of "Order". */
export const orderStatusChanged = triggerEvent({
	name: 'Order Status Changed',
	description: 'When an order has another status than at the last poll',
	hint: 'previous_status and new_status say what changed. Narrow with filters.from and filters.to. Updating an order in this workflow starts it again: end the loop with the filters.',
	request: 'GET /orders',
	fields: () =>
		form({
			simplify,
			filters: filtersOf({
				from: always(
					several(ORDER_STATUS, {
						displayName: 'From',
						description: 'Only orders that had one of these statuses at the previous poll',
					}),
				),
				to: always(
					several(ORDER_STATUS, {
						displayName: 'To',
						description: 'Only orders that now have one of these statuses',
					}),
				),
			}),
			options: eventOptions({
				...lineSettings('Limit per Poll'),
				pollLimit,
				orderDays: always(
					number({
						displayName: 'Watch Orders For (Days)',
						min: 1,
						max: 90,
						default: 14,
						description: startsAgain(
							'How long to watch an order after it was created. A longer time costs more requests per poll. Defaults to 14.',
						),
					}),
				),
			}),
		}).check((input) => ({ ...input, lines: lineItemsWanted(input.options) })),
	// With more days, orders would show up that were never watched.
	stateKey: ({ options }) => options.orderDays,
	watch({ filters: { from, to }, options: { orderDays }, lines, simplify: isSimple }, watching) {
		const changes = statusChanges(['status'], shapeFor(isSimple, simplifyOrder, watching.api));
		return statesWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at', created_after: since(Date.now() - orderDays * DAY) },
			most: 10_000,
			tooMany: "Set a shorter 'Watch Orders For'.",
			...changes,
			stateOf(...seen) {
				const status = changes.stateOf(...seen);
				return typeof status === 'string' ? nameOfStatus(STATUSES, status) : undefined;
			},
			isWanted({ before, state: status }) {
				// Every order begins as pending.
				if (before === undefined && status === 'pending') return false;
				const isFrom = from.length === 0 || from.some((wanted) => wanted === before);
				return isFrom && (to.length === 0 || to.some((wanted) => wanted === status));
			},
			...(lines && {
				complete: async (order: JsonObject) => await withLineItems(order, watching.api, lines),
			}),
		});
	},
});
