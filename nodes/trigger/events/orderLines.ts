import {
	missingLines,
	simplifyOrder,
	splitByLine,
	withLineItems,
	type LineItemsWanted,
} from '../../domain/order';
import type { Api } from '../../api/session';
import type { JsonObject } from '../../json';
import type { Presented } from '../event';

/** How an order goes out. */
interface OrderInput {
	simplify: boolean;
	/** Undefined if it goes out without its line items. */
	lines?: LineItemsWanted;
}

/** An order as it goes out, with its line items if they are wanted. They may take a request. */
export async function orderWith(
	order: JsonObject,
	{ simplify, lines }: OrderInput,
	api: Api,
): Promise<JsonObject> {
	const whole = lines ? await withLineItems(order, api, lines.field) : order;
	return simplify ? simplifyOrder(whole) : whole;
}

/** An item for each line, if that is wanted, and a notice if no order shows its lines. */
export const presentLines = (lines: LineItemsWanted | undefined) =>
	lines &&
	((orders: JsonObject[]): Presented => ({
		items: lines.isSplit ? orders.flatMap((order) => splitByLine(order, lines.field)) : orders,
		notice: missingLines(orders, lines.field),
	}));
