import { describe, expect, it, onTestFinished } from 'vitest';

import { accountForAllTests, emulator, fail, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { SERVERS } from './servers.ts';

describe.each(SERVERS)('$name', ({ readings }) => {
	accountForAllTests({ readings });

	it('a rate limit is waited out', async () => {
		onTestFinished(sleepOn({ advance: () => {} }));
		emulator.faults.add({ kind: 'limited', seconds: 1 });
		const { json } = await succeed('contactList.getAll');
		expect(json).toHaveLength(emulator.store.contactLists.size);
	});

	it('a refusal says its status and the API’s words', async () => {
		const order = emulator.store.addOrder({ status: 'completed' });
		const error = await fail('order.update', {
			order_id: locator(order.id),
			updateFields: { status: 'confirmed' },
		});
		const said = `${error.message} ${error.description}`;
		expect(error.httpCode).toBe('400');
		expect(said).toContain('400');
		expect(said).toContain('an order that is completed cannot become confirmed');
	});

	it('a record that is not there says so', async () => {
		const { id } = emulator.store.addOrder();
		emulator.store.orders.remove(id);
		const { httpCode } = await fail('order.get', { order_id: locator(id) });
		expect(httpCode).toBe('404');
	});
});
