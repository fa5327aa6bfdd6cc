import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { startModel, type Model } from './model.ts';
import { N8n, type Execution, type WorkflowJson, type WorkflowNode } from './n8n.ts';
import { chain, locator, manualTrigger, type CredentialRef } from './workflows.ts';

let n8n: N8n;
let emulator: Emulator;
let model: Model;
let credential: CredentialRef;
let modelCredential: CredentialRef;

beforeAll(async () => {
	emulator = await startEmulator({ data: 'small' });
	model = await startModel();
	n8n = await N8n.start({
		host: installHost(NEWEST),
		pack: inject('pack'),
	});
	await n8n.installPackage();
	credential = await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
	modelCredential = await n8n.createCredential(
		{ apiKey: 'sk-none', url: model.url },
		{ name: 'Model', type: 'openAiApi' },
	);
});

afterAll(async () => {
	await n8n?.dispose('agent');
	await model?.close();
	await emulator?.close();
});

beforeEach(() => {
	model.reset();
	emulator.reset();
});

/** What the model fills in, as the editor saves it. */
const byModel = (name: string, description = '', type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;

const node = (
	name: string,
	type: string,
	typeVersion: number,
	rest: Partial<WorkflowNode>,
): WorkflowNode => ({ name, type, typeVersion, position: [0, 200], parameters: {}, ...rest });

/** An agent with this node as its one tool, and the recording server as its model. */
function agentWith(operation: string, parameters: Record<string, unknown>): WorkflowJson {
	const [resource, name] = operation.split('.');
	const agent = node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, {
		parameters: { promptType: 'define', text: 'Do it.', options: {} },
	});
	const workflow = chain(operation, manualTrigger(), agent);
	const link = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	return {
		...workflow,
		nodes: [
			...workflow.nodes,
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
				parameters: { model: { __rl: true, mode: 'id', value: 'recording' }, options: {} },
				credentials: { openAiApi: modelCredential },
			}),
			node('YK Voice', 'n8n-nodes-yk-voice.ykVoiceTool', 1, {
				parameters: { resource, operation: name, ...parameters },
				credentials: { ykVoiceApi: credential },
			}),
		],
		connections: {
			...workflow.connections,
			Model: link('ai_languageModel'),
			'YK Voice': link('ai_tool'),
		},
	};
}

/** Lets the agent run, whose model calls the tool with each of these in turn. */
async function talk(
	operation: string,
	parameters: Record<string, unknown>,
	...says: Model['says']
): Promise<Execution> {
	model.says.push(...says);
	const execution = await n8n.run(await n8n.saveWorkflow(agentWith(operation, parameters)));
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(model.says).toEqual([]);
	return execution;
}

describe('the AI Agent node, with this node as its tool', () => {
	const updateOrder = (id: string) => ({
		order_id: locator(id),
		updateFields: {
			status: byModel('Status', 'Where to move the order'),
			notes: byModel('Notes', 'What is noted of the order'),
		},
		clearFields: byModel('Clear_Fields', 'Fields to empty'),
	});

	const pendingOrder = () => emulator.store.addOrder({ status: 'pending', notes: 'nut allergy' });

	it('offers it to the model, with what it does and what it needs', async () => {
		await talk('order.update', updateOrder(pendingOrder().id), {
			Status: 'confirmed',
			Notes: '',
			Clear_Fields: '',
		});
		const [tool] = model.offered();
		expect(tool?.name).toBe('YK_Voice');
		expect(tool?.description).toMatch(/^Update .*order.* may notify .*customer in YK Voice$/);
		expect(tool?.parameters.properties).toMatchObject({
			Status: { type: 'string', description: 'Where to move the order' },
			Notes: { type: 'string', description: 'What is noted of the order' },
			Clear_Fields: { type: 'string', description: 'Fields to empty' },
		});
		// Why a model sends blanks: n8n lets it leave nothing out.
		expect(tool?.parameters.required?.sort()).toEqual(['Clear_Fields', 'Notes', 'Status']);
	});

	it('leaves what the model leaves blank, and understands its words', async () => {
		const { id } = pendingOrder();
		await talk('order.update', updateOrder(id), {
			Status: 'CONFIRMED ',
			Notes: '',
			Clear_Fields: '',
		});
		expect(emulator.store.orders.get(id)).toMatchObject({
			status: 'confirmed',
			notes: 'nut allergy',
		});
		expect(JSON.parse(model.read()[0]!)).toMatchObject([{ id, status: 'confirmed' }]);
	});

	it('empties what the model names', async () => {
		const { id } = pendingOrder();
		await talk('order.update', updateOrder(id), { Status: '', Notes: '', Clear_Fields: 'Notes' });
		expect(emulator.store.orders.get(id)).toMatchObject({ status: 'pending', notes: '' });
	});

	it('tells the model what was wrong and how to mend it, so that it can', async () => {
		const { id } = pendingOrder();
		await talk(
			'order.update',
			updateOrder(id),
			{ Status: 'accepted', Notes: '', Clear_Fields: '' },
			{ Status: 'refused', Notes: '', Clear_Fields: '' },
			{ Status: 'confirmed', Notes: '', Clear_Fields: '' },
		);
		const [first, second, third] = model.read();
		expect(first).toContain('must be one of: completed, confirmed, refused');
		expect(first).toContain('Nothing was sent. Correct the parameter and run again.');
		expect(second).toContain('is required when an order is refused');
		expect(JSON.parse(third!)).toMatchObject([{ id, status: 'confirmed' }]);
	});

	it('tells the model what the API refused, with the status and the advice', async () => {
		const draft = emulator.store.campaigns.find(({ status }) => status === 'draft')!;
		await talk(
			'campaign.pause',
			{ campaign_id: locator(byModel('Campaign', 'The campaign')) },
			{ Campaign: draft.id },
		);
		expect(model.read()[0]).toContain('400 INVALID_REQUEST');
		expect(model.read()[0]).toContain('Get the campaign to see its status.');
	});

	it('erases no prompt of an agent', async () => {
		const { id, prompt_instructions } = emulator.store.agents.all()[0]!;
		await talk(
			'agent.update',
			{
				agent_id: locator(byModel('Agent', 'The agent')),
				updateFields: {
					prompt_instructions: byModel('Prompt', 'What the agent is told'),
					first_message: byModel('First', 'What the agent says first'),
				},
			},
			{ Agent: id, Prompt: '', First: 'Good evening' },
		);
		expect(emulator.store.agents.get(id)).toMatchObject({
			prompt_instructions,
			first_message: 'Good evening',
		});
	});
});
