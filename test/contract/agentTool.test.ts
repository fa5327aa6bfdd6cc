import { describe, expect, it } from 'vitest';

import {
	accountForEachTest,
	agentOf,
	asJson as json,
	emulator,
	fail,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

describe('the configuration of a tool', () => {
	const agent = () => locator(agentOf('inbound').id);

	it('is sent without a wrapper', async () => {
		const parameters = { agent_id: agent(), tool: 'make-reservation' };
		await succeed('agentTool.update', { ...parameters, ...json({ max_party_size: 6 }) });
		expect(emulator.requests[0]?.body).toEqual({ max_party_size: 6 });
	});

	it.each([
		['phone_number', { phone_number: 'reception' }],
		['phone_number', { phone_number: 390612345678 }],
		['phone', { phone: '06' }],
	])('with a phone number that cannot be dialled is refused: %s in %j', async (name, config) => {
		const parameters = { agent_id: agent(), tool: 'transfer-to-phone' };
		const error = await fail('agentTool.update', { ...parameters, ...json(config) });
		expect(error.message).toContain(`${name} must be a phone number with its country code`);
		expect(sent()).toEqual([]);
	});

	it.each([{ meta: null }, {}])(
		'is listed with one request, also without pages: %j',
		async (meta) => {
			const data = [{ name: 'a' }, { name: 'b' }];
			const body = { ok: true, data, error: null, ...meta };
			emulator.faults.add({ kind: 'status', status: 200, body, times: Infinity });
			const { json: output } = await succeed('agentTool.getAll', {
				...{ agent_id: agent(), returnAll: true },
			});
			expect(output.map(({ name }) => name)).toEqual(['a', 'b']);
			expect(sent()).toHaveLength(1);
		},
	);

	it('is listed as a whole if the list says that there are more', async () => {
		const tools = Array.from({ length: 130 }, (_, at) => ({ id: `t${at}`, name: `tool ${at}` }));
		const pages = [0, 99].map((from) => tools.slice(from, from + 100));
		for (const data of [pages[0], ...pages]) {
			const body = { ok: true, data, error: null, meta: { total_items: 130 } };
			emulator.faults.add({ kind: 'status', status: 200, body });
		}
		const { json: output } = await succeed('agentTool.getAll', {
			...{ agent_id: agent(), returnAll: true },
		});
		expect(output).toHaveLength(130);
	});

	it.each([true, false])(
		'that the agent does not have is named, Keep Other Fields %s',
		async (keep) => {
			emulator.faults.add({ kind: 'status', status: 404, times: Infinity });
			const parameters = { agent_id: agent(), tool: 'place-order', keepUntouched: keep };
			for (const operation of ['agentTool.get', 'agentTool.update']) {
				const error = await fail(operation, { ...parameters, ...json({ ask: true }) });
				expect(error.description).toContain('This agent has no such tool');
			}
		},
	);

	it('names its agent in the list of tools', async () => {
		const ids = emulator.store.agents
			.all()
			.filter(({ agent_type: type }) => type === 'inbound')
			.map(({ id }) => ({ id }));
		const parameters = { agent_id: locator('={{ $json.id }}'), returnAll: true };
		const { items } = await succeed('agentTool.getAll', parameters, ids);
		for (const { json: tool, pairedItem } of items) {
			expect(tool.agent_id).toBe(ids[(pairedItem as { item: number }).item]?.id);
		}
	});
});
