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

const recordsOf = async (...given: Parameters<typeof ordersWithLines>) =>
	(await ordersWithLines(...given)).map(({ whole }) => whole);
const whole = async (orders: JsonObject[], api: Api) =>
	await recordsOf(orders, { isSplit: false }, api);
const split = async (...orders: JsonObject[]) =>
	await recordsOf(orders, { isSplit: true }, apiWith({}));

describe('orders with their lines', () => {
	it('are read one by one, unless the list shows the lines', async () => {
		const read: string[] = [];
		const api = apiWith({ b: { id: 'b', status: 'confirmed', items: [cola] } }, read);
		const shown = { id: 'a', line_items: [pizza] };
		expect(await whole([shown, { id: 'b', status: 'pending' }], api)).toEqual([
			shown,
			{ id: 'b', status: 'confirmed', items: [cola] },
		]);
		expect(read).toEqual(['/orders/b']);
	});

	it.each([[[]], [null]])('are read too if the list shows %j instead of lines', async (nothing) => {
		const detail = { id: 'a', line_items: [pizza] };
		const api = apiWith({ a: detail });
		expect(await whole([{ id: 'a', line_items: nothing }], api)).toEqual([detail]);
	});

	it('become one numbered record per line, whose fields do not hide those of the order', async () => {
		const order = { id: 'a', name: 'Ann' };
		expect(await split({ ...order, line_items: [pizza, cola] })).toEqual([
			{
				...order,
				line_number: 1,
				line_name: 'Pizza',
				line_sku: 'P1',
				line_quantity: 2,
				line_total: 18,
			},
			{
				...order,
				line_number: 2,
				line_name: 'Cola',
				line_sku: 'C1',
				line_quantity: 1,
				line_total: 3,
			},
		]);
	});

	it.each<[string, shown: JsonObject, kept?: JsonObject]>([
		['an empty list', { line_items: [] }],
		['null', { items: null }],
		['a number', { items: 0 }, { items: 0 }],
		['nothing and are gone by now', {}],
	])('stay one record if they show %s instead of lines', async (_how, shown, kept) => {
		const records = await split({ id: 'a', ...shown }, { id: 'b', line_items: [pizza] });
		expect(records).toHaveLength(2);
		expect(records[0]).toEqual({ id: 'a', ...kept, line_number: null });
	});

	it('end with an error if none shows its lines', async () => {
		const detail = { id: 'a', rows: [pizza] };
		const api = apiWith({ a: detail });
		await expect(whole([{ id: 'a' }], api)).rejects.toThrow(
			/no line items in "line_items" or "items"/,
		);
		expect(await split()).toEqual([]);
	});

	it('are a text for a message, with the lines themselves only if they are wanted or shown', async () => {
		const items = [
			{ name: 'Margherita', quantity: 2, unit_price: 3.2, total_price: '6.40' },
			{ name: 'Water', quantity: 3, price: 1 },
			{ sku: 'TIP' },
		];
		const line_items_text = '2 × Margherita, 6.40\n3 × Water, 3.00\nTIP';
		const api = apiWith({ a: { id: 'a', items } });
		const read = async (order: JsonObject, isTextOnly: boolean) =>
			await recordsOf([order], { isSplit: false, isText: true, isTextOnly }, api);
		expect(await read({ id: 'a' }, true)).toEqual([{ id: 'a', line_items_text }]);
		expect(await read({ id: 'a' }, false)).toEqual([{ id: 'a', items, line_items_text }]);
		const shown = { id: 'b', line_items: items };
		expect(await read(shown, true)).toEqual([{ ...shown, line_items_text }]);
	});

	it.each<[line: JsonObject, text: string, order?: JsonObject]>([
		[{ name: 'Ramen', quantity: 2, price: 1200 }, '2 × Ramen, 2400', { currency: 'JPY' }],
		[{ name: 'Tea', quantity: 2, price: 10.005, currency: 'BHD' }, '2 × Tea, 20.010'],
		// In binary 0.5 × 12.35 is less than 6.175.
		[{ name: 'Ham', quantity: 0.5, price: 12.35 }, '0.5 × Ham, 6.18', { currency: 'EUR' }],
		[{ name: 'Ham', quantity: '1.0', total: '6' }, '1 × Ham, 6.00'],
		[
			{
				id: 'l1',
				name: 'Margherita\nextra\u2028large',
				sku: 'M1',
				unit_price: '3.20',
				notes: 'no onion\n well done',
				modifiers: [{ id: 'm1', name: 'Olives', price: 0.5 }, 'to share'],
				size: 'L',
			},
			'Margherita extra large (no onion well done, Olives, to share, L), 3.20',
		],
	])('write the line %j as %s', async (line, line_items_text, order) => {
		const shown = { ...order, id: 'a', items: [line] };
		const wanted = { isSplit: false, isText: true };
		expect(await recordsOf([shown], wanted, apiWith({}))).toMatchObject([{ line_items_text }]);
	});
});
