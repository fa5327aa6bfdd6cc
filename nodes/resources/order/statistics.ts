import type { JsonObject } from '../../json';
import { optionsOf } from '../../table/common';
import { always, form } from '../../table/form';
import { several } from '../../table/kinds';
import { operation, type RunContext } from '../../table/operation';
import { withLineItems } from '../../domain/order';
import { ORDER_STATUS } from '../../domain/status';
import {
	byTime,
	byValue,
	isTimeGroup,
	largestFirst,
	sortedBy,
	TIME_GROUPS,
} from '../../statistics/groupings';
import { currencyField, statisticsForm } from '../../statistics/options';
import {
	currencyOf,
	itemSubject,
	soldLinesOf,
	orderSubject,
	type SoldLine,
} from '../../statistics/orders';
import { counted, periodsOf } from '../../statistics/reading';
import type { Grouping, Periods } from '../../statistics/report';

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
