import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import type { Api } from '../../nodes/api/session.ts';
import { ordersWithLines } from '../../nodes/domain/order.ts';
import type { JsonObject } from '../../nodes/json.ts';

/** Details of orders by id; what is not there answers 404. */
const apiWith = (details: Record<string, JsonObject>, read: string[] = []) =>
	({
		names: USUAL_NAMES,
		find: async ({ path }: { path: string }) => {
			read.push(path);
			return await Promise.resolve(details[path.replace('/orders/', '')] ?? null);
		},
	}) as unknown as Api;

const pizza = { name: 'Pizza', sku: 'P1', quantity: 2, total: 18 };
const cola = { name: 'Cola', sku: 'C1', quantity: 1, line_total: 3 };

describe('orders with their lines', () => {
	it('are read one by one, unless the list shows the lines', async () => {
		const read: string[] = [];
		const api = apiWith({ b: { id: 'b', status: 'confirmed', items: [cola] } }, read);
		const orders = [
			{ id: 'a', line_items: [pizza] },
			{ id: 'b', status: 'pending' },
		];
		expect(await ordersWithLines(orders, { isSplit: false }, api)).toEqual([
			{ id: 'a', line_items: [pizza] },
			{ id: 'b', status: 'confirmed', items: [cola] },
		]);
		expect(read).toEqual(['/orders/b']);
	});

	it.each([
		['an empty list', { id: 'a', line_items: [] }],
		['null', { id: 'a', line_items: null }],
	])('are read one by one if the list shows %s instead of lines', async (_what, order) => {
		const api = apiWith({ a: { id: 'a', line_items: [pizza] } });
		const orders = await ordersWithLines([order], { isSplit: false }, api);
		expect(orders).toEqual([{ id: 'a', line_items: [pizza] }]);
	});

	it('become one numbered record per line, whose fields do not hide those of the order', async () => {
		const order = { id: 'a', name: 'Ann', line_items: [pizza, cola] };
		expect(await ordersWithLines([order], { isSplit: true }, apiWith({}))).toEqual([
			{
				...{ id: 'a', name: 'Ann', line_number: 1 },
				...{ line_name: 'Pizza', line_sku: 'P1', line_quantity: 2, line_total: 18 },
			},
			{
				...{ id: 'a', name: 'Ann', line_number: 2 },
				...{ line_name: 'Cola', line_sku: 'C1', line_quantity: 1, line_total: 3 },
			},
		]);
	});

	it.each([
		['an empty list', { id: 'a', line_items: [] }, { id: 'a' }],
		['null', { id: 'a', items: null }, { id: 'a' }],
		['a number', { id: 'a', items: 0 }, { id: 'a', items: 0 }],
		['nothing and are gone by now', { id: 'a' }, { id: 'a' }],
	])('stay one record if they show %s instead of lines', async (_how, order, rest) => {
		const orders = [order, { id: 'b', line_items: [pizza] }];
		const records = await ordersWithLines(orders, { isSplit: true }, apiWith({}));
		expect(records).toHaveLength(2);
		expect(records[0]).toEqual({ ...rest, line_number: null });
	});

	it('end with an error if none shows its lines, and the error names the setting', async () => {
		const api = apiWith({ a: { id: 'a', rows: [pizza] } });
		const read = async (names = api.names) =>
			await ordersWithLines([{ id: 'a' }], { isSplit: false }, { ...api, names });
		await expect(read()).rejects.toThrow(/"line_items" or "items".*'Order: Line Items'/);
		const named = { ...USUAL_NAMES, orderLines: ['rows'] };
		expect(await read(named)).toEqual([{ id: 'a', rows: [pizza] }]);
		expect(await ordersWithLines([], { isSplit: true }, api)).toEqual([]);
	});

	it('are a text for a message, with the lines themselves only if they are wanted or shown', async () => {
		const lines = [
			{ name: 'Margherita', quantity: 2, unit_price: 3.2, total_price: '6.40' },
			{ name: 'Water', quantity: 3, price: 1 },
			{ sku: 'TIP' },
		];
		const line_items_text = '2 × Margherita, 6.40\n3 × Water, 3.00\nTIP';
		const api = apiWith({ a: { id: 'a', items: lines } });
		const read = async (order: JsonObject, isTextOnly: boolean) =>
			await ordersWithLines([order], { isSplit: false, isText: true, isTextOnly }, api);
		expect(await read({ id: 'a' }, true)).toEqual([{ id: 'a', line_items_text }]);
		expect(await read({ id: 'a' }, false)).toEqual([{ id: 'a', items: lines, line_items_text }]);
		const shown = { id: 'b', line_items: lines };
		expect(await read(shown, true)).toEqual([{ ...shown, line_items_text }]);
	});
});
