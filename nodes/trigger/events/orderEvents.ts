import type { Api } from '../../api/session';
import { simplifyOrder, withLineItems, type LineItemsWanted } from '../../domain/order';
import { FullRecord } from '../../domain/simplify';
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
import { statusChanges } from './comparing';
import { eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

const statuses = (displayName: string, description: string) =>
	always(several(ORDER_STATUS, { displayName, description }));

/** Reads the lines of an order, if they are wanted. If it cannot, the item is incomplete. */
const completeWith = (lines: LineItemsWanted | undefined, api: Api) =>
	lines &&
	(async (order: JsonObject) =>
		(await withLineItems(order, api, lines)).with({ incomplete: false }));

/** Follows the orders by date. Line items may take one more request for each order. Reference: GET /orders. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order is created',
	hint: "One item per order. Send and Wait asks once for all items of a poll. To ask about each order, let Loop Over Items call a sub-workflow that asks, without waiting for it. options.splitIntoLineItems makes one item per line, with the order's fields in each.",
	request: 'GET /orders',
	fields: () =>
		form({
			simplify,
			filters: filtersOf({
				status: statuses(
					'Status',
					'Only new orders that have one of these statuses when they are first read',
				),
			}),
			options: eventOptions({ lookBack, ...lineSettings('Limit per Poll'), pollLimit }),
		}).check((input) => ({ ...input, lines: lineItemsWanted(input.options) })),
	simplify: simplifyOrder,
	watch: ({ filters: { status: wanted }, lines }, watching) => {
		const complete = completeWith(lines, watching.api);
		return listWatcher(watching, {
			path: '/orders',
			query: { sort: '-created_at' },
			wayOut: "Remove the filter 'Status'.",
			async judge(order) {
				const isWanted = passesStatus(wanted, textIn(order.status));
				if (isWanted === undefined) return { lacks: 'status' };
				if (!isWanted) return 'unwanted';
				return { item: (await complete?.(order)) ?? new FullRecord(order) };
			},
			incomplete: (order) => new FullRecord(order, { incomplete: true }),
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
				from: statuses('From', 'Only orders that had one of these statuses at the previous poll'),
				to: statuses('To', 'Only orders that now have one of these statuses'),
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
	simplify: simplifyOrder,
	watch({ filters: { from, to }, options: { orderDays }, lines }, watching) {
		const changes = statusChanges(['status']);
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
			complete: completeWith(lines, watching.api),
		});
	},
});
