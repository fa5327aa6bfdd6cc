import { isBlank, nullable, oneOf, text } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { ORDER_STATUSES } from '../records.ts';
import { choice, cursorOf, onlyWith, pageOf, sortOf } from '../query.ts';
import { readUpdate } from '../crud.ts';
import type { Order, OrderStatus } from '../records.ts';
import { found, get, list, patch } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import { iso } from '../time.ts';

const SORTS = ['created_at', 'status', 'total_amount'];

/** Section "Order": the moves a PATCH makes; only the customer may cancel. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
	pending: ['confirmed', 'refused'],
	confirmed: ['completed'],
	completed: [],
	cancelled: [],
	refused: [],
};

const RULES = {
	status: oneOf(...ORDER_STATUSES),
	status_reason: nullable(text()),
	notes: nullable(text()),
};

const orderOf = ({ store, params }: Exchange): Order =>
	found(store.orders.get(params['order_id']!), 'order');

function listItem({ line_items, ...item }: Order) {
	return { ...item, item_count: line_items.length };
}

/** Section "Order", the table of moves. */
function changesOf(order: Order, exchange: Exchange): Partial<Order> {
	const changes = readUpdate(exchange, RULES) as Partial<Order>;
	const { status, status_reason: reason } = changes;
	if (status === undefined) {
		if (reason !== undefined) throw invalid('status_reason goes with a status');
		return changes;
	}
	if (!MOVES[order.status].includes(status))
		throw invalid(`an order that is ${order.status} cannot become ${status}`);
	if (status === 'refused' && isBlank(reason ?? ''))
		throw invalid('refusing an order needs a status_reason');
	return changes;
}

/** Section "Other endpoints", the lines of /orders. */
export const orderRoutes: Route[] = [
	list('/orders', 'order', ['status', 'sort', 'created_after'], (exchange) => {
		const selection = {
			...sortOf(exchange.query, SORTS),
			after: cursorOf(exchange),
			only: onlyWith('status', choice(exchange.query, 'status', ORDER_STATUSES)),
		};
		return pageOf(exchange, exchange.store.orders, selection, listItem);
	}),
	get('/orders/{order_id}', 'order', orderOf),
	patch('/orders/{order_id}', 'order', (exchange) => {
		const order = orderOf(exchange);
		const changes = { ...changesOf(order, exchange), updated_at: iso(exchange.now()) };
		return exchange.store.orders.change(order.id, changes);
	}),
];
