import { firstOf, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { ORDER_STATUS } from '../domain/status';
import { decimalOf, plus, times, toJson, ZERO, type Decimal } from './decimal';
import { average, type Figure } from './figures';
import type { Subject } from './report';

/** What is known of the orders that were counted so far, all of one currency. */
interface OrderTally {
	orders: number;
	/** The sum of all orders, in any status. */
	amount: Decimal;
	/** The sum of the orders in a status that counts as revenue. */
	revenue: Decimal;
	sold: number;
	statuses: Record<string, number>;
	withoutAmount: number;
}

/**
 * Counts orders. Reference: "Order" (total_amount, status).
 * @param revenue orders in these statuses count as revenue
 */
export const orderSubject = (revenue: readonly string[]): Subject<OrderTally> => ({
	empty: () => ({
		orders: 0,
		amount: ZERO,
		revenue: ZERO,
		sold: 0,
		statuses: {},
		withoutAmount: 0,
	}),
	count(tally, order) {
		tally.orders += 1;
		const status = String(order.status ?? 'without_status').toLowerCase();
		tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
		const amount = decimalOf(order.total_amount);
		if (amount === undefined) {
			tally.withoutAmount += 1;
			return;
		}
		tally.amount = plus(tally.amount, amount);
		if (!revenue.includes(status)) return;
		tally.revenue = plus(tally.revenue, amount);
		tally.sold += 1;
	},
	figures: orderFigures,
});

function orderFigures(tally: OrderTally): Record<string, Figure> {
	const { orders, amount, revenue, sold, statuses, withoutAmount } = tally;
	const { without_status: unclear = 0 } = statuses;
	const known = Object.keys(ORDER_STATUS).map((status) => [status, statuses[status] ?? 0] as const);
	return {
		orders,
		revenue: toJson(revenue),
		revenue_orders: sold,
		average: average(revenue, sold, 2),
		amount: toJson(amount),
		...Object.fromEntries(known),
		other_status: orders - unclear - known.reduce((total, [, count]) => total + count, 0),
		without_status: unclear,
		without_amount: withoutAmount,
	};
}

/** The currency that an order, a line or a transaction shows. Null if it shows none. */
export const currencyOf =
	(field?: string) =>
	(record: JsonObject): string | null => {
		const currency = firstOf(record, field === undefined ? ASSUMED.currencyFields : [field]);
		return typeof currency === 'string' ? currency.trim().toUpperCase() : null;
	};

/** A line of an order, with all that the statistics of items need. */
export interface SoldLine extends JsonObject {
	sku: string | null;
	name: string | null;
	quantity: unknown;
	amount: Decimal | undefined;
	currency: string | null;
}

/**
 * The lines of an order. Undefined if the order does not show them.
 * Reference: "Order", line items with name, SKU, quantity and prices.
 */
export function soldLinesOf(order: JsonObject, currency: string | null): SoldLine[] | undefined {
	const lines = firstOf(order, ASSUMED.lineItemsFields);
	if (!Array.isArray(lines)) return undefined;
	return (lines as JsonObject[]).map((line) => ({
		sku: textOrNull(firstOf(line, ['sku', 'SKU'])),
		name: textOrNull(firstOf(line, ['name'])),
		quantity: line.quantity,
		amount: amountOf(line),
		currency,
	}));
}

function amountOf(line: JsonObject): Decimal | undefined {
	const total = decimalOf(firstOf(line, ASSUMED.lineAmountFields));
	if (total !== undefined) return total;
	const price = decimalOf(firstOf(line, ASSUMED.linePriceFields));
	const quantity = decimalOf(line.quantity);
	return price && quantity && times(price, quantity);
}

const textOrNull = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** What is known of the lines of one item so far. */
interface ItemTally {
	quantity: Decimal;
	lines: number;
	amount: Decimal;
	withoutQuantity: number;
	withoutAmount: number;
}

/** Counts lines of orders. */
export const itemSubject: Subject<ItemTally> = {
	empty: () => ({
		quantity: ZERO,
		lines: 0,
		amount: ZERO,
		withoutQuantity: 0,
		withoutAmount: 0,
	}),
	count(tally, record) {
		const line = record as SoldLine;
		tally.lines += 1;
		const quantity = decimalOf(line.quantity);
		if (quantity === undefined) tally.withoutQuantity += 1;
		else tally.quantity = plus(tally.quantity, quantity);
		if (line.amount === undefined) tally.withoutAmount += 1;
		else tally.amount = plus(tally.amount, line.amount);
	},
	figures: ({ quantity, lines, amount, withoutQuantity, withoutAmount }) => ({
		quantity: toJson(quantity),
		order_lines: lines,
		amount: toJson(amount),
		without_quantity: withoutQuantity,
		without_amount: withoutAmount,
	}),
};
