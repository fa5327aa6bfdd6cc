import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { additionalData, loadPackage, type NodeRun } from '../support/harness.ts';
import { core, workflow as n8n } from '../support/n8n.ts';
import { locator } from '../support/samples.ts';

const emulator = await startEmulator({ data: 'small' });
const pack = await loadPackage();

afterAll(async () => await emulator.close());

beforeEach(() => emulator.reset());

/** What n8n makes of a node that is usable as a tool: a copy with another name and output. */
function asTool(type: INodeType): INodeType {
	const { usableAsTool: _usable, ...rest } = type.description;
	const described = { ...rest, name: `${rest.name}Tool`, inputs: [], outputs: ['ai_tool'] };
	return Object.create(type, { description: { value: described } }) as INodeType;
}

interface Tool {
	description: string;
	invoke(given: IDataObject): Promise<string>;
}

/** An agent without a model: it calls its tool with what comes in, and keeps what it was told. */
class Agent {
	description = {
		displayName: 'Agent',
		name: 'agent',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main', { type: 'ai_tool' }],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions) {
		const [tool] = [await this.getInputConnectionData('ai_tool', 0)].flat() as [Tool];
		const [item] = this.getInputData();
		const answer = JSON.parse(await tool.invoke(item!.json)) as IDataObject[];
		return [[{ json: { about: tool.description, answer } }]];
	}
}

const action = pack.nodeTypes.getByNameAndVersion('ykVoice', 1);
const types: Record<string, INodeType> = {
	agent: new Agent() as unknown as INodeType,
	ykVoiceTool: asTool(action),
};
const nodeTypes: INodeTypes = {
	getByName: (name) => types[name]!,
	getByNameAndVersion: (name) => types[name]!,
	getKnownTypes: () => ({}),
};

interface ToolRun extends Pick<NodeRun, 'mode' | 'staticData'> {
	apiKey: string;
	accounts: string;
	/** n8n's engine runs the tools of newer agents, with what the model says as the item. */
	runBy: 'agent' | 'ykVoiceTool';
}

/** Lets an agent call the node as a tool; `$fromAI` in its parameters is what the model says. */
async function callTool(
	name: string,
	parameters: INodeParameters,
	said: IDataObject = {},
	settings: Partial<INode> = {},
	{
		mode = 'manual',
		staticData = {},
		apiKey = emulator.keys.all,
		accounts = '{}',
		runBy = 'agent',
	}: Partial<ToolRun> = {},
) {
	const [resource, operation] = name.split('.') as [string, string];
	const credentials = { ykVoiceApi: { apiKey, accounts, baseUrl: emulator.url } };
	const node = (type: string, given: Partial<INode>): INode => ({
		id: type,
		name: type,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...given,
	});
	const workflow = new n8n.Workflow({
		id: 'workflow',
		nodes: [
			node('agent', {}),
			node('ykVoiceTool', {
				...settings,
				parameters: { resource, operation, ...parameters },
				credentials: { ykVoiceApi: { id: '1', name: 'ykVoiceApi' } },
			}),
		],
		connections: { ykVoiceTool: { ai_tool: [[{ node: 'agent', type: 'ai_tool', index: 0 }]] } },
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
		staticData,
	});
	const data = n8n.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: workflow.getNode(runBy)!, data: { main: [[{ json: said }]] }, source: null },
			],
		},
	});
	const run = await new core.WorkflowExecute(
		additionalData(pack, credentials, mode),
		mode,
		data,
	).processRunExecutionData(workflow);
	const [task] = run.data.resultData.runData[runBy] ?? [];
	const json = task?.data?.main?.[0]?.[0]?.json as
		{ name: string; about: string; answer: IDataObject[] } | undefined;
	return {
		...json,
		error: task?.error ?? run.data.resultData.error,
		staticData: workflow.staticData,
	};
}

const agent = () => emulator.store.agents.all()[0]!;
const get = (rest: INodeParameters = {}): INodeParameters => ({
	agent_id: locator(agent().id),
	...rest,
});

describe('the node as an AI agent’s tool', () => {
	it('takes no account that the model names in its answer', async () => {
		const { all, read } = emulator.keys;
		const keys = `({ north: '${read}', south: '${all}' })`;
		const runWith = async (apiKey: string) =>
			await callTool('agent.get', get(), { client: 'south' }, {}, { apiKey, runBy: 'ykVoiceTool' });
		const none = await runWith(`={{ ${keys}[$json.client] }}`);
		expect(none.error?.message).toMatch(/A tool of an AI agent cannot read its item/);
		expect(emulator.requests).toEqual([]);
		expect((await runWith(`={{ ${keys}[$json.client ?? 'north'] }}`)).error).toBeUndefined();
		const sent = emulator.requests.map(({ headers }) => headers.authorization);
		expect(sent).toEqual([`Bearer ${read}`]);
	});

	describe('with Account', () => {
		const callFor = async (name: string, said: IDataObject, runBy: ToolRun['runBy']) => {
			const accounts = JSON.stringify({ north: emulator.keys.read, south: emulator.keys.all });
			const given = { runBy, apiKey: emulator.keys.all, accounts };
			const { error, answer } = await callTool(
				'agent.get',
				get({ account: locator(name) }),
				said,
				{},
				given,
			);
			const [failed] = answer ?? [];
			const sent = emulator.requests.map(({ headers }) => headers.authorization);
			emulator.reset();
			return { message: error?.message ?? failed?.error, sent };
		};
		const NORTH = `Bearer ${emulator.keys.read}`;
		const ITEM = '={{ $json.client }}';

		it('takes the account from the item of the agent', async () => {
			expect((await callFor(ITEM, { client: 'north' }, 'agent')).sent).toEqual([NORTH]);
		});

		it.each(['agent', 'ykVoiceTool'] as const)('run by %s', async (runBy) => {
			const asked = "={{ $fromAI('client', 'Which client', 'string') }}";
			expect((await callFor('north', { client: 'south' }, runBy)).sent).toEqual([NORTH]);
			expect((await callFor(asked, { client: 'north' }, runBy)).sent).toEqual([NORTH]);
			for (const [name, client, message] of [
				[asked, '', /'Account' is empty/],
				[asked, 'west', /"west" in 'Account' is no account/],
				// The item of a tool that n8n's engine runs is what the model wrote.
				...(runBy === 'agent' ? [] : [[ITEM, 'south', /'Account' is empty/] as const]),
			] as const) {
				const refused = await callFor(name, { client }, runBy);
				expect(refused.message).toMatch(message);
				expect(refused.message).not.toMatch(/north|south/);
				expect(refused.sent).toEqual([]);
			}
		});
	});

	it('answers as Simplify does, unless another Output is chosen', async () => {
		const { answer, error } = await callTool('agent.get', get());
		expect(error?.message).toBeUndefined();
		const { id, name, prompt_instructions } = agent();
		expect(answer?.[0]).toMatchObject({ id, name, prompt_instructions });
		expect(answer?.[0]).not.toHaveProperty('voice');
	});

	it('answers the id and the named fields with Output Selected Fields', async () => {
		const chosen = { output: 'selected', fields: 'name, updated_at' };
		const { answer } = await callTool('agent.get', get(chosen));
		const { id, name, updated_at } = agent();
		expect(answer).toEqual([{ id, name, updated_at }]);
	});

	it('answers lists with these fields too, null if a record does not have one', async () => {
		const { answer } = await callTool('contact.getAll', {
			limit: 3,
			output: 'selected',
			fields: 'phone_number, x',
		});
		expect(answer).toHaveLength(3);
		for (const record of answer ?? []) {
			expect(record).toEqual({
				id: expect.anything(),
				phone_number: expect.anything(),
				x: null,
			});
		}
	});

	it.each([
		['an object', { tier: 'gold' }],
		['a list of names and values', [{ name: 'tier', value: 'gold' }]],
	])('answers a field inside %s under the name that was asked for', async (_form, custom) => {
		const { id } = emulator.store.addContact({ custom_fields: custom } as never);
		const chosen = { output: 'selected', fields: 'custom_fields.tier' };
		const { answer } = await callTool('contact.get', { contact: locator(id), ...chosen });
		expect(answer).toEqual([{ id, 'custom_fields.tier': 'gold' }]);
	});

	it('takes what the model says', async () => {
		const id = locator(`={{ $fromAI('call', 'The call to sum up', 'string') }}`);
		const call = emulator.store.calls.find(({ call_status: status }) => status === 'Completed')!;
		const { answer, error } = await callTool('call.getSummary', { call_id: id }, { call: call.id });
		expect(error?.message).toBeUndefined();
		expect(answer?.[0]?.call_id).toBe(call.id);
	});

	it('takes a list as the text of a model, and a number likewise', async () => {
		const list = emulator.store.addContactList();
		const ids = emulator.store.contacts
			.all()
			.slice(0, 3)
			.map(({ id }) => id);
		await callTool(
			'contactList.addContacts',
			{
				contact_list_id: locator(list.id),
				contact_ids: `={{ $fromAI('contacts', 'Who', 'string') }}`,
			},
			{ contacts: ids.join(', ') },
		);
		expect([...emulator.store.members.get(list.id)!].sort()).toEqual(ids.sort());
		const limit = `={{ $fromAI('count', 'How many', 'string') }}`;
		const { answer } = await callTool('contact.getAll', { limit }, { count: '2' });
		expect(answer).toHaveLength(2);
	});

	it('tells the model what is wrong, and how to correct it', async () => {
		const id = locator(`={{ $fromAI('agent', 'The agent', 'string') }}`);
		const { error } = await callTool('agent.get', { agent_id: id }, { agent: 'the front desk' });
		expect(error?.message).toContain("'Agent' must be an ID such as");
		expect(error?.message).toContain('Nothing was sent.');
		expect(emulator.requests).toEqual([]);
	});

	it('tells the model the advice and the status too', async () => {
		const campaign = emulator.store.campaigns.find(({ status }) => status === 'draft')!;
		const refused = await callTool('campaign.pause', { campaign_id: locator(campaign.id) });
		const advice = 'Get the campaign to see its status.';
		expect(refused.error?.message).toMatch(
			/^The campaign may not be paused in its current status: .+ \(400 INVALID_REQUEST\)/,
		);
		expect(refused.error?.message.split(advice)).toHaveLength(2);
	});

	it.each([
		['output', 'unknown', "'Output'"],
		['output', '__proto__', "'Output'"],
		['fields', { a: 1 }, "'Fields'"],
		['fields', undefined, "'Fields' must name at least one field"],
		['fields', '', "'Fields' must name at least one field"],
	])('refuses %s %j', async (parameter, bad, label) => {
		const given = { output: 'selected', [parameter]: `={{ $json.bad }}` };
		const { error } = await callTool('agent.get', get(given), { bad } as IDataObject);
		expect(error?.message).toContain(label);
		expect(emulator.requests).toEqual([]);
	});
});

describe('what a model leaves blank', () => {
	const { store } = emulator;
	const pending = store.orders.find(({ status }) => status === 'pending')!;
	const contact = store.contacts.all()[0]!;

	/** What the model says of the field it means, and of the one it does not. */
	const MEANT = "={{ $fromAI('meant', 'What to set', 'string') }}";
	const BLANK = "={{ $fromAI('blank', 'What may be set', 'string') }}";

	/** Updates of each kind: the record, a field that the model means, and fields that it does not. */
	const UPDATES: Record<string, [where: INodeParameters, meant: string, ...unmeant: string[]]> = {
		'agent.update': [
			{ agent_id: locator(agent().id) },
			'first_message',
			'prompt_instructions',
			'default_language',
		],
		'contact.update': [{ contact: locator(contact.id) }, 'first_name', 'notes'],
		'contact.upsert': [{ phone_number: contact.phone_number }, 'first_name', 'notes'],
		'order.update': [{ order_id: locator(pending.id) }, 'notes', 'status_reason', 'status'],
	};

	/** Lets the model fill in the fields of an update. */
	function filledIn(name: string, left = BLANK): INodeParameters {
		const [where, meant, ...unmeant] = UPDATES[name]!;
		const value = { [meant]: MEANT, ...Object.fromEntries(unmeant.map((one) => [one, left])) };
		if (['agent.update', 'order.update'].includes(name)) return { ...where, updateFields: value };
		const record = { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] };
		return { ...where, specifyFields: 'fields', record };
	}

	it.each(Object.entries(UPDATES))('is not changed by %s', async (name, [, meant, ...unmeant]) => {
		for (const blank of ['', ' ', null, undefined]) {
			emulator.reset();
			// Newer agents hand on what the model says without a schema, so that null comes through.
			const filled = filledIn(name, blank == null ? '={{ $json.left }}' : BLANK);
			const said = { meant: 'Anew', blank: blank ?? '', left: blank } as IDataObject;
			const { error } = await callTool(name, filled, said);
			expect(error?.message).toBeUndefined();
			const body = emulator.requests.at(-1)?.body as IDataObject;
			expect(body[meant]).toBe('Anew');
			for (const field of unmeant) {
				const present = (store.contacts.get(contact.id) as IDataObject | undefined)?.[field];
				expect([undefined, present]).toContain(body[field]);
			}
		}
	});

	it('is not changed in JSON either', async () => {
		store.contacts.change(contact.id, { notes: 'nut allergy', email: 'a@example.com' });
		const record = JSON.stringify({ first_name: 'Ann', notes: '', email: null });
		const parameters = {
			contact: locator(contact.id),
			specifyFields: 'json',
			json: "={{ $fromAI('record', 'The fields', 'string') }}",
		};
		const { error } = await callTool('contact.update', parameters, { record });
		expect(error?.message).toBeUndefined();
		expect(store.contacts.get(contact.id)).toMatchObject({
			first_name: 'Ann',
			notes: 'nut allergy',
			email: 'a@example.com',
		});
	});

	it('clears nothing of an order or an agent, unless it is named to be cleared', async () => {
		const order_id = locator(pending.id);
		store.orders.change(pending.id, { notes: 'nut allergy' });
		const blank = { meant: '', blank: '' };
		for (const name of ['order.update', 'agent.update']) {
			const { error } = await callTool(name, filledIn(name), blank);
			expect(error?.message).toContain('Nothing to update: set or clear at least one field');
		}
		const cleared = await callTool(
			'order.update',
			{ order_id, clearFields: "={{ $fromAI('clear', 'What to empty', 'string') }}" },
			{ clear: 'Notes' },
		);
		expect(cleared.error?.message).toBeUndefined();
		expect(store.orders.get(pending.id)?.notes).toBe('');
	});

	it.each(['', ' '])('leaves a dry run on (%j)', async (blank) => {
		const { id, first_message: before } = agent();
		const parameters = { ...filledIn('agent.update'), options: { dryRun: BLANK } };
		const said = { meant: 'Another first message', blank };
		expect((await callTool('agent.update', parameters, said)).error?.message).toBeUndefined();
		expect(store.agents.get(id)!.first_message).toBe(before);
	});

	it('filters nothing', async () => {
		const { answer, error } = await callTool(
			'call.getAll',
			{ limit: 2, filters: { call_status: BLANK, created_after: BLANK } },
			{ blank: '' },
		);
		expect(error?.message).toBeUndefined();
		expect(answer).toHaveLength(2);
	});

	it('is refused as an ID', async () => {
		const { error } = await callTool('order.get', { order_id: locator(BLANK) }, { blank: '' });
		expect(error?.message).toContain("'Order' is empty: choose an order");
		expect(emulator.requests).toEqual([]);
	});
});

describe('words as a model writes them', () => {
	const filters = { call_status: "={{ $fromAI('status', 'The status', 'string') }}" };

	it.each(['not answered', 'NOT_ANSWERED', 'Not-Answered '])('understands %j', async (status) => {
		const { error } = await callTool('call.getAll', { filters }, { status });
		expect(error?.message).toBeUndefined();
		expect(emulator.requests[0]?.query.call_status).toBe('Not Answered');
	});

	it('says what is allowed instead of another', async () => {
		const { error } = await callTool('call.getAll', { filters }, { status: 'missed' });
		expect(error?.message).toContain('must be one of: Busy, Completed');
	});
});

describe('the tool', () => {
	const shown = (type: INodeType, parameters: INodeParameters) =>
		type.description.properties
			.filter((property: INodeProperties) =>
				n8n.NodeHelpers.displayParameter(
					parameters,
					property,
					{ typeVersion: 1 },
					type.description,
				),
			)
			.map(({ name }) => name);

	it('has Output in place of Simplify', () => {
		const parameters = { resource: 'agent', operation: 'get', output: 'selected' };
		const ofTool = shown(types.ykVoiceTool!, parameters);
		expect(ofTool).toEqual(expect.arrayContaining(['output', 'fields']));
		expect(ofTool).not.toContain('simplify');
		const ofNode = shown(action, parameters);
		expect(ofNode).toContain('simplify');
		expect(ofNode).not.toContain('output');
		expect(ofNode).not.toContain('fields');
	});
});
