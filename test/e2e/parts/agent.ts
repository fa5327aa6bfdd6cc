import { beforeAll, beforeEach, expect, it } from 'vitest';

import type { WorkflowJson, WorkflowNode } from '../n8n.ts';
import { credential, emulator, model, modelCredential, n8n, renewEmulator } from '../shared.ts';
import { chain, locator, manualTrigger } from '../workflows.ts';

/** What the model fills in, as the editor saves it. */
const byModel = (name: string, description: string) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, 'string') }}`;

const node = (
	name: string,
	type: string,
	typeVersion: number,
	rest: Partial<WorkflowNode>,
): WorkflowNode => ({ name, type, typeVersion, position: [0, 200], parameters: {}, ...rest });

/** An agent with this node as its tool, and the recording server as its model. */
function agentWith(parameters: WorkflowNode['parameters'], version = 3.1): WorkflowJson {
	const agent = node('AI Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		parameters: { promptType: 'define', text: 'Do it.', options: {} },
	});
	const languageModel = node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
		parameters: { model: { __rl: true, mode: 'id', value: 'recording' }, options: {} },
		credentials: { openAiApi: modelCredential },
	});
	const tool = node('YK Voice', 'n8n-nodes-yk-voice.ykVoiceTool', 1, {
		parameters,
		credentials: { ykVoiceApi: credential },
	});
	const { nodes, connections, name } = chain('Agent', manualTrigger(), agent);
	const link = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	return {
		name,
		nodes: [...nodes, languageModel, tool],
		connections: { ...connections, Model: link('ai_languageModel'), 'YK Voice': link('ai_tool') },
	};
}

/** The node as the tool of a language model. */
export function agent(): void {
	beforeAll(async () => await renewEmulator());

	beforeEach(() => model.reset());

	it('is offered with what it does, understands the words of the model, and leaves what it leaves blank', async () => {
		const { orders } = emulator.store;
		const { id } = emulator.store.addOrder({ status: 'pending', notes: 'nut allergy' });
		const workflow = agentWith({
			resource: 'order',
			operation: 'update',
			order_id: locator(id),
			updateFields: {
				status: byModel('Status', 'Where to move the order'),
				notes: byModel('Notes', 'What is noted of the order'),
			},
			clearFields: byModel('Clear_Fields', 'Fields to empty'),
		});
		model.says.push({ Status: 'CONFIRMED ', Notes: '', Clear_Fields: '' });
		await n8n.run(await n8n.saveWorkflow(workflow));
		const [tool] = model.offered();
		expect(tool?.description).toBe('Update order and maybe notify customer in YK Voice');
		expect(tool?.parameters.properties).toMatchObject({
			Status: { type: 'string', description: 'Where to move the order' },
			Clear_Fields: { type: 'string', description: 'Fields to empty' },
		});
		// Why a model sends blanks: n8n lets it leave nothing out.
		expect(tool?.parameters.required?.sort()).toEqual(['Clear_Fields', 'Notes', 'Status']);
		expect(orders.get(id)).toMatchObject({ status: 'confirmed', notes: 'nut allergy' });
		expect(JSON.parse(model.read()[0]!)).toMatchObject([{ id, status: 'confirmed' }]);
	});

	it.each([2.2, 3.1])('places each call that the model asks for (agent %s)', async (version) => {
		const numbers = ['+393401110001', '+393401110002'];
		for (const number of numbers) emulator.store.verifiedNumbers.add(number);
		const { id } = emulator.store.agents.find((one) => one.agent_type === 'outbound')!;
		const parameters = {
			resource: 'playground',
			operation: 'makeTestCall',
			agent_id: locator(id),
			phone_number: byModel('Number', 'Whom to call'),
		};
		model.says.push(...numbers.map((Number) => ({ Number })));
		const before = emulator.store.testCalls.length;
		await n8n.run(await n8n.saveWorkflow(agentWith(parameters, version)));
		expect(model.read().map((answer) => JSON.parse(answer) as unknown)).toHaveLength(2);
		expect(emulator.store.testCalls.length - before).toBe(2);
	});
}
