import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { Emulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { SERVERS, startServer } from './servers.ts';

describe.each(SERVERS)('$name', (server) => {
	let emulator: Emulator;

	beforeAll(async () => {
		emulator = await startServer(server);
	});

	afterAll(async () => await emulator.close());

	const run = async (parameters: INodeParameters) =>
		await runNode({
			parameters,
			credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
		});

	it('a rate limit is waited out', async () => {
		onTestFinished(sleepOn({ advance: () => {} }));
		emulator.faults.add({ kind: 'limited', seconds: 1 });
		const { json, error } = await run({ resource: 'contactList', operation: 'getAll' });
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(emulator.store.contactLists.size);
	});

	it('a refusal says its status and the API’s words', async () => {
		const order = emulator.store.addOrder({ status: 'completed' });
		const { error } = await run({
			resource: 'order',
			operation: 'update',
			order_id: locator(order.id),
			updateFields: { status: 'confirmed' },
		});
		const said = `${error?.message} ${error?.description}`;
		expect(error?.httpCode).toBe('400');
		expect(said).toContain('400');
		expect(said).toContain('an order that is completed cannot become confirmed');
	});

	it('a record that is not there says so', async () => {
		const { id } = emulator.store.addOrder();
		emulator.store.removeOrder(id);
		const { error } = await run({ resource: 'order', operation: 'get', order_id: locator(id) });
		expect(error?.httpCode).toBe('404');
	});
});
