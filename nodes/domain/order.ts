import { segmentOf } from '../api/path';
import type { Api } from '../api/session';
import { fitting, isObject, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { asBefore, inFront, topFields, withIncluded, type Simplify } from './simplify';
import { quoted } from '../words';

const ORDER_FIELDS = ['id', 'created_at', 'status', 'status_reason', 'total_amount'];

const orderInFront = inFront(...ORDER_FIELDS);

const shortOrder = topFields(
	...ORDER_FIELDS,
	...ASSUMED.lineItemsFields,
	...ASSUMED.currencyFields,
	'incomplete',
);

/** An order made smaller, with the fields in front that a user looks for first. The fields of its line stay. */
export const simplifyOrder: Simplify = (order) => {
	const isLine = (name: string) => name.startsWith('line_') && Object.hasOwn(order, 'line_number');
	return { ...orderInFront(shortOrder(order)), ...fitting(order, isLine) };
};

/** Parts that the user can include in an order. */
export const ORDER_PARTS = { lineItems: 'Line Items' } as const;

/** How orders are returned with their line items. */
export interface LineItemsWanted {
	/** One record for each line, instead of one for each order. */
	isSplit: boolean;
	/** The field that holds the lines, if the user names it. */
	field?: string;
}

/**
 * The line items of an order; undefined if it does not show them. Null stands for an order without
 * lines. Reference: "Order".
 */
function lineItemsOf(order: JsonObject, field?: string): unknown[] | undefined {
	const names = namesOf(field).filter((name) => Object.hasOwn(order, name));
	const lists = names.map((name) => order[name] ?? []).filter(Array.isArray);
	return lists.find(({ length }) => length > 0) ?? lists[0];
}

/**
 * An order with its line items, which are read from its detail unless it shows them already. Simplify
 * keeps them: lines in a field that the user names are returned as line_items too.
 * Reference: GET /orders/{order_id}, "includes line items".
 */
export async function withLineItems(
	order: JsonObject,
	api: Api,
	field?: string,
): Promise<JsonObject> {
	// Some lists show an empty field instead of the lines. Only the detail tells which orders have none.
	if (lineItemsOf(order, field)?.length) return withKnownName(order, field);
	const path = `/orders/${segmentOf(order)}` as const;
	const detail = (await api.find({ method: 'GET', path })) as JsonObject | null;
	return withKnownName(withIncluded(order, detail), field);
}

/** The order with its lines in the field line_items too, because Simplify keeps that one. */
function withKnownName(order: JsonObject, field?: string): JsonObject {
	const lines = lineItemsOf(order, field);
	const isKnown = field === undefined || namesOf().includes(field);
	return isKnown || lines === undefined ? order : withIncluded(order, { line_items: lines });
}

/** The lines of an order. `withLineItems` may have copied them to the field line_items. */
const linesOf = (order: JsonObject, field?: string) =>
	lineItemsOf(order, field) ?? lineItemsOf(order);

/** What to tell the user if none of these orders shows line items. */
function missingLines(orders: JsonObject[], field?: string): string | undefined {
	const isMissing = orders.every((order) => linesOf(order, field) === undefined);
	if (orders.length === 0 || !isMissing) return undefined;
	const names = quoted(namesOf(field), ' or ');
	return `The orders show no line items in ${names}. Enter the name of their field in 'Line Items Field'.`;
}

/**
 * One record for each line: the order's fields, the line's fields with "line_" in front, and
 * "line_number", from 1. A number that the line itself has is "line_own_number". An order without lines
 * stays one record, whose line_number is null.
 */
function splitByLine(order: JsonObject, field?: string): JsonObject[] {
	const lines = linesOf(order, field) ?? [];
	const isRest = (name: string, value: unknown) => !isLinesField(name, value, field);
	const rest = asBefore(order, fitting(order, isRest));
	if (lines.length === 0) return [withIncluded(rest, { line_number: null })];
	return lines.map((line, at) => {
		const fields = lineFields(isObject(line) ? line : { value: line });
		return withIncluded(rest, { line_number: at + 1 }, fields);
	});
}

const isLinesField = (name: string, value: unknown, field?: string) =>
	(name === field || namesOf().includes(name)) && (value === null || Array.isArray(value));

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
): Promise<JsonObject[]> {
	const read = async (order: JsonObject) => await withLineItems(order, api, wanted.field);
	const { items, notice } = presentLines(wanted)(await Promise.all(orders.map(read)));
	if (notice !== undefined) throw new Error(notice);
	return items;
}

const namesOf = (field?: string): readonly string[] =>
	field === undefined ? ASSUMED.lineItemsFields : [field];

/**
 * An item for each line, if that is wanted, and a notice if no order shows its lines. An order that is
 * incomplete could not be read, so that it says nothing about the name of their field.
 */
export const presentLines =
	({ isSplit, field }: LineItemsWanted) =>
	(orders: JsonObject[]) => {
		const complete = orders.filter(({ incomplete }) => incomplete !== true);
		return {
			items: isSplit ? orders.flatMap((order) => splitByLine(order, field)) : orders,
			notice: missingLines(complete, field),
		};
	};
