import { isBlank, nullable, oneOf, text } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { createdAfter, list } from '../list.ts';
import { ORDER_STATUSES, type Order, type OrderStatus } from '../records.ts';
import { found, get, patch, type Exchange, type Route } from '../route.ts';
import { iso } from '../time.ts';

/** Section "Order": the moves a PATCH makes; only the customer may cancel. */
const MOVES: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
	pending: ['confirmed', 'refused'],
	confirmed: ['completed'],
};

const orderOf = ({ store, params }: Exchange): Order =>
	found(store.orders.get(params['order_id']!), 'order');

/** Section "Order", the table of moves. */
function update(exchange: Exchange): Order {
	const { store, body } = exchange;
	const order = orderOf(exchange);
	const { status, status_reason: reason } = body as Partial<Order>;
	if (status !== undefined && !MOVES[order.status]?.includes(status))
		throw invalid(`an order that is ${order.status} cannot become ${status}`);
	if (status === 'refused' && isBlank(reason ?? ''))
		throw invalid('refusing an order needs a status_reason');
	return store.orders.change(order.id, { ...body, updated_at: iso(store.now()) });
}

/** Section "Other endpoints", the lines of /orders. */
export const orderRoutes: Route[] = [
	list<Order>('/orders', 'order', {
		rows: ({ store }) => store.orders,
		sorts: ['created_at', 'status', 'total_amount'],
		filters: { status: ORDER_STATUSES, created_after: createdAfter },
		show: ({ line_items, ...order }) => ({ ...order, item_count: line_items.length }),
	}),
	get('/orders/{order_id}', 'order', orderOf),
	patch('/orders/{order_id}', 'order', update, {
		body: {
			status: oneOf(...ORDER_STATUSES),
			status_reason: nullable(text()),
			notes: nullable(text()),
		},
	}),
];
