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

	it('with a phone number that cannot be dialled is refused', async () => {
		const parameters = { agent_id: agent(), tool: 'transfer-to-phone' };
		const wrong = json({ phone_number: 'reception' });
		const error = await fail('agentTool.update', { ...parameters, ...wrong });
		expect(error.message).toContain('phone_number must be a phone number');
		expect(sent()).toEqual([]);
	});

	it('is listed with one request, also without pages', async () => {
		const body = { ok: true, data: [{ name: 'a' }, { name: 'b' }], error: null };
		emulator.faults.add({ kind: 'status', status: 200, body, times: Infinity });
		const all = { agent_id: agent(), returnAll: true };
		const { json: output } = await succeed('agentTool.getAll', all);
		expect(output.map(({ name }) => name)).toEqual(['a', 'b']);
		expect(sent()).toHaveLength(1);
	});

	it('that the agent does not have is named', async () => {
		emulator.faults.add({ kind: 'status', status: 404, times: Infinity });
		const parameters = { agent_id: agent(), tool: 'place-order', ...json({ ask: true }) };
		for (const operation of ['agentTool.get', 'agentTool.update']) {
			const error = await fail(operation, parameters);
			expect(error.message).toContain('This agent has no such tool');
		}
	});

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
