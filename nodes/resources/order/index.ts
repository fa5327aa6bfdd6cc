import { filtersOf, optionsOf, recordPicker, sortBy, sorted } from '../../table/common';
import { counting, operation, sends, type Resource } from '../../table/operation';
import { form, settings } from '../../table/form';
import { getRow } from '../../table/handling';
import { choice, collection, text } from '../../table/kinds';
import { lineItemsWanted, lineSettings } from '../../filters/lineItems';
import { keptIfBlank, nonBlank, scalar } from '../../table/schema';
import { clearFields, patch } from '../../table/updates';
import { ordersWithLines, simplifyOrder } from '../../domain/order';
import { orderStatistics } from '../../statistics/orderStatistics';
import { isUuid } from '../../domain/identifiers';
import { ORDER_STATUS } from '../../domain/status';
import { titled } from '../../words';
import { boundsOf, splitPeriod, timeFilters } from '../../filters/within';

const MOVE_REFUSED =
	'The API refused the update. An order goes from pending to confirmed or refused, and from confirmed to completed. Other moves are not possible.';

const SORT = {
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
	status: 'Status: A to Z',
	'-status': 'Status: Z to A',
	'-total_amount': 'Total Amount: Highest First',
	total_amount: 'Total Amount: Lowest First',
} as const;

const NO_ORDER =
	'There is no such order in this account. Enter its ID, not its order number. Get Many shows the ID.';

/** What an error status means. IDs are UUIDs or numbers: anything else is most likely the order number. */
const hintsAbout = (id: string): Record<number, string> =>
	isUuid(id) || /^\d+$/.test(id) ? { 404: NO_ORDER } : { 400: NO_ORDER, 404: NO_ORDER };

const about = { order_id: recordPicker('Order', 'searchOrders') };

const updateFields = collection(
	{ displayName: 'Update Fields', placeholder: 'Add field' },
	settings({
		status: choice(titled('completed', 'confirmed', 'refused'), {
			displayName: 'Status',
			meanings: {
				completed: 'For confirmed orders',
				confirmed: 'For pending orders',
				refused: "For pending orders. Needs a 'Status Reason'.",
			},
			default: 'confirmed',
			hint: 'The customer may be notified by SMS',
			description: 'New status of the order. Only the customer can cancel one.',
		}),
		status_reason: text(
			{
				displayName: 'Status Reason',
				description: 'Why the order is refused. Required to refuse an order.',
			},
			scalar(nonBlank()),
		),
		notes: text(
			{
				displayName: 'Notes',
				typeOptions: { rows: 3 },
				description: "Notes of the order. To empty them, use 'Clear Fields'.",
			},
			scalar(keptIfBlank()),
		),
	}),
);

const changes = form({
	updateFields,
	clearFields: clearFields(titled('notes'), 'Fields to empty'),
}).check(({ updateFields: set, clearFields: cleared }, refuse) => {
	if (set.status === 'refused' && set.status_reason === undefined) {
		refuse('is required when an order is refused', 'updateFields', 'status_reason');
	}
	// The reference does not show that null empties the notes.
	return patch(set, cleared, refuse, '');
});

const filterForm = () =>
	form({
		filters: filtersOf({
			...timeFilters('orders'),
			status: choice(ORDER_STATUS, {
				displayName: 'Status',
				default: 'pending',
				description: 'Only orders with this status',
			}),
		}),
	}).check(({ filters }, refuse) => splitPeriod(filters, refuse));

/** Reference: GET /orders and the paths below it, and the state table of "Order". */
export const order: Resource = {
	name: 'Order',
	description: 'Orders that agents took',
	operations: {
		get: getRow('Retrieve an order with its line items', '/orders/{order_id}', about, {
			simplify: simplifyOrder,
			hints: ({ order_id: id }) => hintsAbout(String(id)),
		}),
		getAll: operation({
			name: 'Get Many',
			description: 'Retrieve a list of orders',
			request: 'GET /orders',
			does: 'list',
			simplify: simplifyOrder,
			fields: () =>
				filterForm().and(
					form({ options: optionsOf(lineSettings('Limit')), sort: sorted({ sort: sortBy(SORT) }) }),
				),
			run: async ({ query, within, options, sort }, api) => {
				const period = within && boundsOf(within, api.now);
				const orders = await api.list('/orders', { ...query, ...sort }, { period });
				const lines = lineItemsWanted(options);
				return lines ? await ordersWithLines(orders, lines, api) : orders;
			},
		}),
		getStatistics: orderStatistics,
		update: operation({
			name: 'Update',
			action: 'Update order and maybe notify customer',
			description:
				'Change the status or the notes of an order. Pending becomes confirmed or refused, confirmed becomes completed. The customer may be notified by SMS.',
			hint: 'Refusing needs status_reason. Only the customer can cancel. Every move may send an SMS to the customer.',
			...sends('PATCH /orders/{order_id}'),
			fields: () => form(about).and(changes),
			hints: ({ order_id: id, ...changed }): Record<number, string> =>
				'status' in changed ? { 400: MOVE_REFUSED, ...hintsAbout(id) } : hintsAbout(id),
		}),
		count: operation({
			...counting('orders'),
			request: 'GET /orders',
			fields: filterForm,
			run: async ({ query, within }, api) =>
				await api.count('/orders', query, { period: within && boundsOf(within, api.now) }),
		}),
	},
};
