import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { accountForEachTest, emulator, sent, succeed } from '../support/account.ts';

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
