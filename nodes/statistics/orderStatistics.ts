import type { DateTime } from 'luxon';

import type { Names } from '../api/names';
import { decimalOf, type Decimal } from '../domain/decimal';
import { currencyIn, digitsOf } from '../domain/money';
import { ASSUMED } from '../domain/assumed';
import { lineAmountOf, withLineItems } from '../domain/order';
import { ORDER_STATUS } from '../domain/status';
import { firstOf, isObject, textIn, type JsonObject } from '../json';
import { optionsOf } from '../table/common';
import { always, form } from '../table/form';
import { several } from '../table/kinds';
import { timeout } from '../table/handling';
import { operation } from '../table/operation';
import { firstDayOption } from '../filters/within';
import { byTime, byValue, isTimeGroup, largestFirst, sortedBy, TIME_GROUPS } from './groupings';
import { differencesOption, statisticsForm } from './options';
import { periodsOf, tabulate, type Grouping, type Periods, type Subject } from './tabulate';
import { figure } from './tally';

export const REVENUE_STATUSES = ['confirmed', 'completed'] as const;

const GROUPS = {
	...TIME_GROUPS,
	item: 'Item Sold',
	reason: 'Refusal Reason',
	status: 'Status',
} as const;

/** Reference: GET /orders, and GET /orders/{order_id} for line items. */
export const orderStatistics = operation({
	name: 'Get Statistics',
	action: 'Get order statistics',
	description:
		'Count the orders of a period: revenue and average by currency, statuses, refusals with their reasons, best-selling items',
	hint: 'One item per currency, or one per group and currency; groupBy item finds what sells best, groupBy reason why orders were refused.',
	request: 'GET /orders',
	fields: () =>
		statisticsForm('orders', GROUPS).and(
			form({
				options: optionsOf({
					differences: differencesOption,
					firstDay: firstDayOption,
					revenueStatuses: always(
						several(
							ORDER_STATUS,
							{
								displayName: 'Count as Revenue',
								default: [...REVENUE_STATUSES],
								description:
									'Statuses of the orders that count as revenue. Their items count as sold.',
							},
							'must name at least one status',
						),
					),
					timeout,
				}),
			}),
		),
	run: async ({ groupBy, compare, options, within }, api) => {
		const { differences = false, firstDay } = options;
		const { names } = api;
		const periods = periodsOf({ ...within, firstDay }, compare || differences, api.now);
		const revenue: readonly string[] = options.revenueStatuses;
		const isByItem = groupBy === 'item';
		let withoutLines = 0;
		const linesSold = async (order: JsonObject) => {
			if (!revenue.includes(statusOf(order) ?? '')) return [];
			const { whole } = await withLineItems(order, api);
			const lines = soldLinesOf(whole, names);
			if (lines === undefined) withoutLines += 1;
			return lines ?? [];
		};
		const isCounted = (order: JsonObject) => groupBy !== 'reason' || statusOf(order) === 'refused';
		const tabulation = await tabulate(
			{
				api,
				request: { method: 'GET', path: '/orders', query: { sort: '-created_at' } },
				partsOf: isByItem ? linesSold : (order) => (isCounted(order) ? [order] : []),
			},
			{
				subject: isByItem ? itemSubject : orderSubject(revenue),
				groupings: [groupingOf(groupBy, periods, api.now)],
				periods,
				compare,
				differences,
				dateFields: ['created_at'],
				currencyOf: isByItem ? (line) => (line as SoldLine).currency : currencyIn(names),
				currencies: names.currency,
			},
		);
		if (withoutLines > 0) {
			api.tell(`Orders without line items: ${withoutLines}. Their items are not counted.`);
		}
		const unknown = tabulation.sumOf((total) => total.unknown('amount'));
		if (unknown > 0 && !isByItem) {
			api.tell(
				`${unknown} of the ${tabulation.sumOf((total) => total.countOf('orders'))} orders have no readable total_amount. Amounts and revenue leave them out. "without_amount" counts them.`,
			);
		}
		const rows = tabulation.rows();
		if (isByItem) return largestFirst(rows, 'quantity');
		if (groupBy === 'status') return sortedBy(rows, 'status');
		return groupBy === 'reason' ? largestFirst(rows, 'orders') : rows;
	},
});

function groupingOf(groupBy: keyof typeof GROUPS, periods: Periods, now: DateTime): Grouping {
	if (isTimeGroup(groupBy)) return byTime(groupBy, periods, now);
	if (groupBy === 'item') return byItem();
	return groupBy === 'status'
		? byValue('status', statusOf)
		: byValue('status_reason', ({ status_reason: reason }) => textIn(reason) ?? null);
}

const statusOf = ({ status }: JsonObject) => textIn(status)?.toLowerCase() ?? null;

/** @param revenue orders in these statuses count as revenue */
export const orderSubject = (revenue: readonly string[]): Subject => ({
	amounts: ['revenue', 'average', 'amount'],
	read(order) {
		const [status, amount] = [statusOf(order), decimalOf(order.total_amount)];
		const isRevenue = status !== null && revenue.includes(status);
		return {
			as: ['orders', status === null ? 'without_status' : columnOf(status)],
			amounts: isRevenue ? { amount, revenue: amount } : { amount },
		};
	},
	figures(tally, currency) {
		const [orders, unclear] = [tally.countOf('orders'), tally.countOf('without_status')];
		const isStatusKnown = unclear === 0 || unclear < orders;
		const columns = [...Object.keys(ORDER_STATUS), 'other_status'];
		return {
			orders,
			revenue: isStatusKnown ? figure(tally.sum('revenue')) : null,
			revenue_orders: isStatusKnown ? tally.known('revenue') : null,
			average: tally.average('revenue', digitsOf(currency)),
			amount: figure(tally.sum('amount')),
			...Object.fromEntries(
				columns.map((column) => [column, isStatusKnown ? tally.countOf(column) : null]),
			),
			without_status: unclear,
			without_amount: tally.unknown('amount'),
		};
	},
});

const columnOf = (status: string) =>
	Object.hasOwn(ORDER_STATUS, status) ? status : 'other_status';

interface SoldLine extends JsonObject {
	sku: string | null;
	name: string | null;
	quantity: Decimal | undefined;
	amount: Decimal | undefined;
	currency: string | null;
}

/** Groups lines by their SKU, or by their name if they show no SKU. */
function byItem(): Grouping {
	// The newest orders come first, so the name that an item has now does.
	const items = new Map<string, JsonObject>();
	return byValue(
		'item',
		(line) => {
			const { sku, name } = line as SoldLine;
			// A name may be the SKU of another item.
			const key = JSON.stringify([sku, sku === null && name]);
			if (!items.has(key)) items.set(key, { item: sku ?? name, sku, name });
			return key;
		},
		undefined,
		(key) => items.get(key!)!,
	);
}

function soldLinesOf(order: JsonObject, names: Names): SoldLine[] | undefined {
	const currencyOf = currencyIn(names);
	const lines = firstOf(order, ASSUMED.orderLines);
	if (!Array.isArray(lines)) return undefined;
	return lines.filter(isObject).map((line) => {
		const currency = currencyOf(line) ?? currencyOf(order);
		return {
			sku: textIn(firstOf(line, [names.itemSku, 'sku', 'SKU'])) ?? null,
			name: textIn(line.name) ?? null,
			quantity: decimalOf(line.quantity),
			amount: lineAmountOf(line, currency),
			currency,
		};
	});
}

const itemSubject: Subject = {
	amounts: ['amount'],
	read(line) {
		const { quantity, amount } = line as SoldLine;
		return { as: ['order_lines'], amounts: { quantity, amount } };
	},
	figures: (tally) => ({
		quantity: figure(tally.sum('quantity')),
		order_lines: tally.countOf('order_lines'),
		amount: figure(tally.sum('amount')),
		without_quantity: tally.unknown('quantity'),
		without_amount: tally.unknown('amount'),
	}),
};
