import { pathTo } from '../api/path';
import type { Names } from '../api/names';
import type { Api } from '../api/session';
import { firstOf, firstText, fitting, isObject, tidy, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { decimalOf, decimalText, dividedBy, ONE, times, type Decimal } from './decimal';
import { amountText, currencyIn, digitsOf } from './money';
import { FullRecord, type Columns } from './simplify';
import { quoted } from '../words';

/** Reference: "Order". */
export const simplifyOrder = ({ currency }: Names): Columns => ({
	first: ['created_at', 'status', 'status_reason', 'total_amount', ...currency, 'notes'],
	onTop: ASSUMED.orderLines,
});

const isLines = (name: string) => ASSUMED.orderLines.some((field) => field === name);

export const ORDER_PARTS = {
	lineItems: 'Line Items',
	lineItemsText: 'Line Items as Text',
} as const;

export interface LineItemsWanted {
	/** One record for each line, instead of one for each order. */
	isSplit: boolean;
	isText?: boolean;
	/** Only the text: lines that the list does not show are left out again. */
	isTextOnly?: boolean;
}

/** Undefined if the order does not show them. Null stands for an order without lines. Reference: "Order". */
function lineItemsOf(order: JsonObject): unknown[] | undefined {
	const shown = ASSUMED.orderLines.filter((name) => Object.hasOwn(order, name));
	const lists = shown.map((name) => order[name] ?? []).filter(Array.isArray);
	return lists.find(({ length }) => length > 0) ?? lists[0];
}

/**
 * An order with its line items, which are read from its detail unless it shows them already.
 * Reference: GET /orders/{order_id}, "includes line items".
 */
export async function withLineItems(
	order: JsonObject,
	api: Api,
	{ isText, isTextOnly }: Omit<LineItemsWanted, 'isSplit'> = {},
): Promise<FullRecord> {
	// The reference does not say whether lists show the lines, so an empty field may stand for them.
	const read = async () => await api.find({ method: 'GET', path: pathTo('/orders/{id}', order) });
	const detail = lineItemsOf(order)?.length ? null : await read();
	const full = new FullRecord(order, {}, (detail ?? {}) as JsonObject);
	const { whole } = full;
	const lines = lineItemsOf(whole);
	if (!isText || lines === undefined) return full;
	const currencyOf = currencyIn(api.names);
	const text = (line: unknown) =>
		isObject(line) ? lineText(line, currencyOf(line) ?? currencyOf(whole)) : onOneLine(line);
	const isKept = (name: string) => !isTextOnly || !isLines(name);
	const line_items_text = lines.map(text).join('\n');
	return new FullRecord(order, { line_items_text }, fitting(full.detail, isKept));
}

/** The amount of a whole line: as it says, or its price times its quantity. */
export function lineAmountOf(line: JsonObject, currency: string | null): Decimal | undefined {
	const price = decimalOf(firstOf(line, ASSUMED.linePriceFields));
	const quantity = decimalOf(firstOf(line, ['quantity']) ?? 1);
	const total = decimalOf(firstOf(line, ASSUMED.lineAmountFields));
	return total ?? (price && quantity && dividedBy(times(price, quantity), ONE, digitsOf(currency)));
}

/** A line as people write it: `2 × Margherita (no onion), 6.40`. The amount is that of the whole line. */
function lineText(line: JsonObject, currency: string | null): string {
	const quantity = decimalOf(line.quantity);
	const amount = lineAmountOf(line, currency);
	const name = firstText(line, ['name', 'sku']) ?? '';
	const { name: _name, ...others } = line;
	const notes = textsIn(others).join(', ');
	return [
		quantity === undefined ? '' : `${decimalText(quantity)} × `,
		onOneLine(name),
		notes === '' ? '' : ` (${notes})`,
		amount === undefined ? '' : `, ${amountText(amount, currency)}`,
	].join('');
}

/** Fields of a line whose texts nobody who prepares it needs to read. */
const NO_NOTE = /(^|_)(at|category|currency|id|image|sku|status|type|unit|url)$/i;

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (!isObject(value))
		return typeof value === 'string' && decimalOf(value) === undefined ? [onOneLine(value)] : [];
	return Object.entries(value).flatMap(([name, inner]) =>
		NO_NOTE.test(name) ? [] : textsIn(inner),
	);
}

const onOneLine = (value: unknown) => tidy(String(value).replace(/\s+/g, ' '));

const NO_LINES = `The orders show no line items in ${quoted(ASSUMED.orderLines, ' or ')}. Use 'API Request' to see what they have.`;

/**
 * One record for each line: the order's fields, the line's fields with "line_" in front, and
 * "line_number", from 1. A number that the line itself has is "line_own_number". An order without lines
 * stays one record, whose line_number is null.
 */
function splitByLine(order: FullRecord): FullRecord[] {
	const lines = lineItemsOf(order.whole) ?? [];
	const isRest = (name: string, value: unknown) =>
		!isLines(name) || (value !== null && !Array.isArray(value));
	const { record, beside, detail } = order;
	const rest = new FullRecord(fitting(record, isRest), beside, fitting(detail, isRest));
	if (lines.length === 0) return [rest.with({ line_number: null })];
	return lines.map((line, at) => {
		const fields = lineFields(isObject(line) ? line : { value: line });
		return rest.with({ line_number: at + 1, ...fields });
	});
}

function lineFields(line: JsonObject): JsonObject {
	const named = (name: string) => {
		const own =
			name.startsWith('line_') && !Object.hasOwn(line, name.slice(5)) ? name : `line_${name}`;
		return own === 'line_number' ? 'line_own_number' : own;
	};
	return Object.fromEntries(Object.entries(line).map(([name, value]) => [named(name), value]));
}

/**
 * Orders with their line items, or one record for each line.
 * @throws Error if no order shows its lines: rows without them would say nothing
 */
export async function ordersWithLines(
	orders: JsonObject[],
	wanted: LineItemsWanted,
	api: Api,
): Promise<FullRecord[]> {
	const read = async (order: JsonObject) => await withLineItems(order, api, wanted);
	const { items, notice } = presentLines(await Promise.all(orders.map(read)), wanted);
	if (notice !== undefined) throw new Error(notice);
	return items;
}

/**
 * An item for each line, if that is wanted, and a notice if no order shows its lines. An order that is
 * incomplete could not be read, so that it says nothing about the name of their field.
 */
export function presentLines(orders: FullRecord[], { isSplit }: LineItemsWanted) {
	const complete = orders.filter(({ beside }) => beside.incomplete !== true);
	const isMissing = complete.every(
		({ whole, beside }) => lineItemsOf(whole) === undefined && beside.line_items_text === undefined,
	);
	const notice = complete.length > 0 && isMissing ? NO_LINES : undefined;
	return { items: isSplit ? orders.flatMap(splitByLine) : orders, notice };
}
