import { expect, it } from 'vitest';

import { accountForEachTest, emulator, run, sent, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

const TOOLS = ['make-reservation', 'place-order', 'transfer-to-operator', 'transfer-to-phone'];

it('Get Many adds what Update takes, and the tools of each agent that has some', async () => {
	emulator.store.addAgent('meta');
	const { json } = await succeed('agent.getAll', {
		returnAll: true,
		options: { include: ['settings', 'tools'] },
	});
	expect(json).toHaveLength(emulator.store.agents.size);
	for (const { id, agent_type, settings, tools } of json) {
		const parameters = { agent_id: locator(String(id)), options: { settingsOnly: true } };
		const { json: alone } = await succeed('agent.get', parameters);
		expect([settings]).toEqual(alone);
		const { 'end-the-call': _, ...own } = emulator.store.tools.get(String(id))!;
		expect(tools).toEqual(own);
		if (agent_type === 'inbound') expect(Object.keys(own).sort()).toEqual(TOOLS);
	}
});

it('what Get Many adds can be written back: nothing differs, and a changed tool is as before', async () => {
	const { id } = emulator.store.agents.all()[0]!;
	const include = ['settings', 'tools'];
	const read = async () => {
		const { json } = await succeed('agent.getAll', { returnAll: true, options: { include } });
		return json.find((agent) => agent.id === id)!;
	};
	const saved = await read();
	emulator.store.agents.change(id, {
		prompt_instructions: 'Something else',
		first_message: null,
		ai_speed: 1.3,
	});
	emulator.store.tools.get(id)!['transfer-to-phone']!.phone_number = '+390699999999';
	expect(await read()).not.toEqual(saved);
	await succeed('agent.update', {
		agent_id: locator(id),
		specifyFields: 'json',
		json: JSON.stringify(saved.settings),
	});
	for (const [tool, config] of Object.entries(saved.tools as object)) {
		await succeed('agentTool.update', {
			agent_id: locator(id),
			tool,
			specifyFields: 'json',
			json: JSON.stringify(config),
		});
	}
	const { updated_at: _now, ...restored } = await read();
	const { updated_at: _before, ...before } = saved;
	expect(restored).toEqual(before);
	// The API lets nobody change it.
	expect(emulator.store.agents.get(id)!.ai_speed).toBe(1.3);
});

it('a tool is kept without its agent, which an update would refuse', async () => {
	const { id } = emulator.store.agents.all()[0]!;
	const data = { agent_id: id, enabled: true, hours: { mon: '9-17' } };
	const body = { ok: true, data, meta: null, error: null };
	const match = ({ path }: { path: string }) => path.endsWith('/make-reservation');
	emulator.faults.add({ kind: 'status', status: 200, body, match });
	const options = { include: ['tools'] };
	const { json } = await succeed('agent.get', { agent_id: locator(id), options });
	const { agent_id: _, ...settings } = data;
	expect((json[0]!.tools as Record<string, unknown>)['make-reservation']).toEqual(settings);
});

it('Get adds no tools to Settings Only', async () => {
	const { id } = emulator.store.agents.all()[0]!;
	const options = { include: ['tools'], settingsOnly: true };
	const { error } = await run('agent.get', { agent_id: locator(id), options });
	expect(error?.message).toMatch(/Settings Only/);
	expect(sent()).toEqual([]);
});
