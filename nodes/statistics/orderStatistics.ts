import { ASSUMED } from '../domain/assumed';
import { withLineItems } from '../domain/order';
import { ORDER_STATUS } from '../domain/status';
import { firstOf, type JsonObject } from '../json';
import { optionsOf } from '../table/common';
import { always, form } from '../table/form';
import { several } from '../table/kinds';
import { operation, type RunContext } from '../table/operation';
import { decimalOf, plus, times, toJson, ZERO, type Decimal } from './decimal';
import { average, type Figure } from './figures';
import { byTime, byValue, isTimeGroup, largestFirst, sortedBy, TIME_GROUPS } from './groupings';
import { currencyField, statisticsForm } from './options';
import { counted, periodsOf } from './reading';
import { type Subject, type Grouping, type Periods } from './report';

const GROUPS = {
	...TIME_GROUPS,
	item: 'Item Sold',
	reason: 'Refusal Reason',
	status: 'Status',
} as const;

/** Counts the records of GET /orders. Reads GET /orders/{order_id} for line items. */
export const orderStatistics = operation({
	name: 'Get Statistics',
	action: 'Get order statistics',
	description:
		'Count the orders of a period: revenue and average by currency, statuses, refusals with their reasons, best-selling items',
	hint: 'One item per currency, or one per group and currency; groupBy item finds what sells best, groupBy reason why orders were refused.',
	request: 'GET /orders',
	isAny: true,
	fields: () =>
		statisticsForm('orders', GROUPS).and(
			form({
				options: optionsOf({
					currencyField,
					revenueStatuses: always(
						several(
							ORDER_STATUS,
							{
								displayName: 'Count as Revenue',
								default: ['confirmed', 'completed'],
								description:
									'Statuses of the orders that count as revenue. Their items count as sold.',
							},
							'must name at least one status',
						),
					),
				}),
			}),
		),
	payload: () => ({ sort: '-created_at' }),
	run: async ({ groupBy, compare, options, within }, call) => {
		const periods = periodsOf(within, compare, call.now);
		const revenue: readonly string[] = options.revenueStatuses;
		const currency = currencyOf(options.currencyField);
		if (groupBy === 'item') return await itemRows(call, periods, revenue, currency);
		const report = await counted(
			call,
			{
				subject: orderSubject(revenue),
				grouping: groupingOf(groupBy, periods, call),
				periods,
				dateFields: ['created_at'],
				series: { column: 'currency', of: currency },
			},
			(order) => (groupBy !== 'reason' || orderStatusOf(order) === 'refused' ? [order] : []),
		);
		tellLacks(report.figures, call.tell);
		const rows = report.rows();
		if (groupBy === 'status') return sortedBy(rows, 'status');
		return groupBy === 'reason' ? largestFirst(rows, 'orders') : rows;
	},
});

function groupingOf(groupBy: keyof typeof GROUPS, periods: Periods, { now }: RunContext): Grouping {
	if (isTimeGroup(groupBy)) return byTime(groupBy, periods, now);
	if (groupBy === 'status') return byValue('status', orderStatusOf);
	return byValue('status_reason', ({ status_reason: reason }) =>
		typeof reason === 'string' && reason.trim() !== '' ? reason.trim() : null,
	);
}

const orderStatusOf = ({ status }: JsonObject) =>
	typeof status === 'string' ? status.toLowerCase() : null;

/** One row for each item sold, the best-selling first. */
async function itemRows(
	call: RunContext,
	periods: Periods,
	revenue: readonly string[],
	currency: (order: JsonObject) => string | null,
): Promise<JsonObject[]> {
	let withoutLines = 0;
	const linesSold = async (order: JsonObject) => {
		if (!revenue.includes(orderStatusOf(order) ?? '')) return [];
		const whole = await withLineItems(order, call.api);
		const lines = soldLinesOf(whole, currency(whole));
		if (lines === undefined) withoutLines += 1;
		return lines ?? [];
	};
	const layout = {
		subject: itemSubject,
		grouping: byItem(),
		periods,
		dateFields: ['created_at'],
		series: { column: 'currency', of: (line: JsonObject) => (line as SoldLine).currency },
	};
	const report = await counted(call, layout, linesSold);
	if (withoutLines > 0) {
		call.tell(`Orders without line items: ${withoutLines}. Their items are not counted.`);
	}
	return largestFirst(report.rows(), 'quantity');
}

/** Groups lines by their SKU, or by their name if they show no SKU. */
function byItem(): Grouping {
	const names = new Map<string | null, Pick<SoldLine, 'sku' | 'name'>>();
	return byValue(
		'item',
		(line) => {
			const { sku, name } = line as SoldLine;
			const item = sku ?? name;
			names.set(item, { sku, name });
			return item;
		},
		undefined,
		(item) => names.get(item) ?? { sku: null, name: null },
	);
}

function tellLacks(figures: JsonObject, tell: (message: string) => void): void {
	const { orders, without_amount: unknown } = figures;
	if (Number(unknown) === 0) return;
	tell(
		`${unknown} of the ${orders} orders have no readable total_amount. Amounts and revenue leave them out. "without_amount" counts them.`,
	);
}

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
