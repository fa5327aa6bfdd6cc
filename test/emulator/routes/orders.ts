import { isBlank, nullable, oneOf, text } from '../checks.ts';
import { readUpdate } from '../crud.ts';
import { invalid } from '../envelope.ts';
import { choice, cursorOf, onlyWith, pageOf, sortOf } from '../query.ts';
import { ORDER_STATUSES, type Order, type OrderStatus } from '../records.ts';
import { found, get, list, patch, type Exchange, type Route } from '../route.ts';
import { iso } from '../time.ts';

const SORTS = ['created_at', 'status', 'total_amount'];

/** Section "Order": the moves a PATCH makes; only the customer may cancel. */
const MOVES: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
	pending: ['confirmed', 'refused'],
	confirmed: ['completed'],
};

const RULES = {
	status: oneOf(...ORDER_STATUSES),
	status_reason: nullable(text()),
	notes: nullable(text()),
};

const orderOf = ({ store, params }: Exchange): Order =>
	found(store.orders.get(params['order_id']!), 'order');

/** Section "Order", the table of moves. */
function update(exchange: Exchange): Order {
	const order = orderOf(exchange);
	const changes = readUpdate(exchange, RULES) as Partial<Order>;
	const { status, status_reason: reason } = changes;
	if (status === undefined && reason !== undefined)
		throw invalid('status_reason goes with a status');
	if (status !== undefined && !MOVES[order.status]?.includes(status))
		throw invalid(`an order that is ${order.status} cannot become ${status}`);
	if (status === 'refused' && isBlank(reason ?? ''))
		throw invalid('refusing an order needs a status_reason');
	const updated_at = iso(exchange.now());
	return exchange.store.orders.change(order.id, { ...changes, updated_at });
}

/** Section "Other endpoints", the lines of /orders. */
export const orderRoutes: Route[] = [
	list('/orders', 'order', ['status', 'sort', 'created_after'], (exchange) => {
		const { query, store } = exchange;
		const status = choice(query, 'status', ORDER_STATUSES);
		const from = cursorOf(exchange);
		const selection = { ...sortOf(query, SORTS), from, where: [onlyWith<Order>('status', status)] };
		return pageOf(exchange, store.orders, selection, ({ line_items, ...order }) => {
			return { ...order, item_count: line_items.length };
		});
	}),
	get('/orders/{order_id}', 'order', orderOf),
	patch('/orders/{order_id}', 'order', update),
];
