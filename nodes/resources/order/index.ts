import { z } from 'zod';

import { choices, clearFields, optionalFields, picker, sortBy } from '../../table/fields';
import { lineItemsOptions, lineItemsShape, lineItemsWanted } from '../../table/lineItems';
import { operation, type Resource } from '../../table/operation';
import {
	collection,
	nonBlank,
	id,
	list,
	oneOf,
	refusing,
	textUpTo,
	textOrNumber,
} from '../../table/schema';
import { patch } from '../../table/patch';
import { ordersWithLines, simplifyOrder } from '../../domain/order';
import { orderStatistics } from '../../statistics/orderStatistics';
import { ORDER_STATUS } from '../../domain/status';
import { boundsOf, periodFilters, periodShape, splitPeriod } from '../../table/within';

/** The states an order can be moved to: only the customer may cancel. Reference: "Order". */
const MOVES = { completed: 'Completed', confirmed: 'Confirmed', refused: 'Refused' } as const;

const MOVE_REFUSED =
	'The API refused the update. An order goes from pending to confirmed or refused, and from confirmed to completed. Other moves are not possible.';

/** Fields that can be emptied, by an empty text: the reference does not show that null does it. */
const CLEARABLE = { notes: 'Notes' } as const;

const SORT = {
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
	status: 'Status: A to Z',
	'-status': 'Status: Z to A',
	'-total_amount': 'Total Amount: Highest First',
	total_amount: 'Total Amount: Lowest First',
} as const;

/** A model may take the order number, which customers know, for the ID. */
const NO_ORDER =
	'There is no such order in this account. Enter its ID, not its order number. Get Many shows the ID.';

const orderPicker = picker({
	displayName: 'Order',
	name: 'order_id',
	search: 'searchOrders',
	description: 'Order to work with',
});

const updateInput = () => z.object({ order_id: id }).and(changesInput());

/** The body, as `{ changes }`. It is separate from the ID, so that a bad ID does not hide its mistakes. */
const changesInput = () =>
	z
		.object({
			updateFields: collection({
				status: z
					.unknown()
					.refine((status) => !/^\s*cancell?ed\s*$/i.test(String(status)), {
						message:
							'cannot be cancelled here. Only the customer can cancel, through the public order link. Use refused with a reason instead',
					})
					.pipe(oneOf(MOVES)),
				status_reason: textOrNumber(nonBlank()),
				notes: textOrNumber(textUpTo(Infinity)),
			}),
			clearFields: list(oneOf(CLEARABLE)).default([]),
		})
		.transform(({ updateFields, clearFields: cleared }, ctx) => {
			if (updateFields.status === 'refused' && updateFields.status_reason === undefined) {
				ctx.addIssue({
					code: 'custom',
					path: ['updateFields', 'status_reason'],
					message: 'is required when an order is refused',
				});
			}
			return { changes: patch(updateFields, cleared, refusing(ctx), '') };
		});

/** Reference: GET /orders and the paths below it, and the state table of "Order". */
export const order: Resource = {
	name: 'Order',
	description: 'Orders that agents took',
	operations: {
		get: {
			name: 'Get',
			action: 'Get order',
			description: 'Retrieve an order with its line items',
			request: 'GET /orders/{order_id}',
			fields: [orderPicker],
			input: () => z.object({ order_id: id }),
			simplify: simplifyOrder,
			hints: { 404: NO_ORDER },
		},
		getAll: operation({
			name: 'Get Many',
			action: 'Get many orders',
			description: 'Retrieve a list of orders',
			request: 'GET /orders',
			many: true,
			simplify: simplifyOrder,
			fields: [
				optionalFields('Filters', 'filters', 'Add filter', [
					...periodFilters('orders'),
					{
						displayName: 'Status',
						name: 'status',
						type: 'options',
						options: choices(ORDER_STATUS),
						default: 'pending',
						description: 'Only orders with this status',
					},
				]),
				optionalFields('Options', 'options', 'Add option', [
					sortBy(SORT),
					...lineItemsOptions('Limit'),
				]),
			],
			input: () =>
				z
					.object({
						filters: collection({ status: oneOf(ORDER_STATUS), ...periodShape }),
						options: collection({ sort: oneOf(SORT), ...lineItemsShape }),
					})
					.transform(({ filters, options: { sort, ...options } }, ctx) => {
						const { query, within } = splitPeriod(filters, refusing(ctx));
						const lines = lineItemsWanted(options);
						return { query: { ...query, ...(sort && { sort }) }, within, lines };
					}),
			payload: ({ query }) => query,
			search: ({ query, within }, now) =>
				within && {
					period: boundsOf(within, now),
					isOldestFirst: query.sort === 'created_at',
				},
			enrich: ({ lines }, api) =>
				lines && (async (orders) => await ordersWithLines(orders, lines, api)),
		}),
		getStatistics: orderStatistics,
		update: operation({
			name: 'Update',
			action: 'Update order which may notify its customer',
			description:
				'Change the status or the notes of an order. Pending becomes confirmed or refused, confirmed becomes completed. The customer may be notified by SMS.',
			hint: 'Refusing needs status_reason. Only the customer can cancel. Every move may send an SMS to the customer.',
			request: 'PATCH /orders/{order_id}',
			fields: [
				orderPicker,
				optionalFields('Update Fields', 'updateFields', 'Add field', [
					{
						displayName: 'Notes',
						name: 'notes',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						description:
							'Notes of the order. Empty clears them. As a tool of an AI agent, empty leaves them unchanged.',
					},
					{
						displayName: 'Status',
						name: 'status',
						type: 'options',
						options: choices(MOVES, {
							completed: 'For confirmed orders',
							confirmed: 'For pending orders',
							refused: "For pending orders. Needs a 'Status Reason'.",
						}),
						default: 'confirmed',
						hint: 'The customer may be notified by SMS',
						description:
							'New status of the order. Only the customer can cancel an order, through the public order link.',
					},
					{
						displayName: 'Status Reason',
						name: 'status_reason',
						type: 'string',
						default: '',
						description: 'Why the order is refused. Required to refuse an order.',
					},
				]),
				clearFields(CLEARABLE, 'Fields to empty'),
			],
			input: updateInput,
			payload: ({ changes }) => changes,
			simplify: simplifyOrder,
			hints: { 404: NO_ORDER },
			hintsFor: ({ changes }): Record<number, string> =>
				'status' in changes ? { 400: MOVE_REFUSED } : {},
		}),
	},
};
