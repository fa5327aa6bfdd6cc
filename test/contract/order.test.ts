import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import {
	accountForEachTest,
	changeAccount,
	emulator,
	fail,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

it('orders come with their lines, or one item per line', async () => {
	const sort = { sort: '-created_at' };
	const many = async (options: INodeParameters) =>
		(await succeed('order.getAll', { limit: 2, options, sort })).json;
	const orders = await many({ include: ['lineItems'] });
	const stored = orders.map(({ id }) => emulator.store.orders.get(String(id))!);
	expect(orders.map((order) => order.line_items)).toEqual(stored.map((order) => order.line_items));
	expect(sent()).toHaveLength(1 + 2);

	const rows = await many({ splitIntoLineItems: true });
	expect(rows.map(({ id, line_number, line_sku }) => [id, line_number, line_sku])).toEqual(
		stored.flatMap(({ id, line_items: lines }) => lines.map(({ sku }, at) => [id, at + 1, sku])),
	);
	expect(rows[0]).not.toHaveProperty('line_items');
	expect(rows[0]).toMatchObject({ total_amount: stored[0]!.total_amount });
});

it('only Clear Fields empties the notes, no blank text does', async () => {
	const { id } = emulator.store.orders.all()[0]!;
	const order = { order_id: locator(String(id)) };
	for (const notes of ['', ' ', '={{ "" }}']) {
		const { message } = await fail('order.update', { ...order, updateFields: { notes } });
		expect(message).toContain("must not be blank. To empty it, choose it in 'Clear Fields'");
	}
	expect(sent()).toEqual([]);
	await succeed('order.update', { ...order, clearFields: ['notes'] });
	expect(emulator.requests.map(({ body }) => body)).toEqual([{ notes: '' }]);
});

it.each(['get', 'update'])(
	'%s with an order number in place of the ID says where the ID is',
	async (name) => {
		const updateFields = { status: 'confirmed' };
		const parameters = { order_id: locator('A-38988'), ...(name === 'update' && { updateFields }) };
		const { message, description } = await fail(`order.${name}`, parameters);
		const said = `${message} ${description}`;
		expect(said).toContain('Enter its ID, not its order number');
		expect(said).not.toContain('from pending to confirmed');
	},
);

// When the total counts: unit/lists.
it('counts what the node itself looks for, and says how many have no date', async () => {
	await changeAccount({ data: 'empty' });
	for (const day of ['2026-10-30', '2026-10-31', '2026-11-01'])
		emulator.store.addOrder({ created_at: `${day}T10:00:00Z` });
	emulator.store.addOrder({ created_at: 'soon' });
	const { json } = await succeed('order.count', {
		filters: { created_before: '2026-11-01T00:00:00Z' },
	});
	expect(json).toEqual([{ count: 2, method: 'counted', without_date: 1 }]);
});
