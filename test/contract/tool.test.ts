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
import { description, operations } from '../support/runSample.ts';

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
		runBy = 'agent',
	}: Partial<ToolRun> = {},
) {
	const [resource, operation] = name.split('.') as [string, string];
	const credentials = { ykVoiceApi: { apiKey, baseUrl: emulator.url } };
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
	it('takes no account that the model names in its answer [P219]', async () => {
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

	it('tells the model what it does', async () => {
		const { about } = await callTool('agent.get', get());
		expect(about).toContain('Get agent');
	});

	it('answers as Simplify does, unless another Output is chosen', async () => {
		const { answer, error } = await callTool('agent.get', get());
		expect(error?.message).toBeUndefined();
		const { id, name, prompt_instructions } = agent();
		expect(answer?.[0]).toMatchObject({ id, name, prompt_instructions });
		expect(answer?.[0]).not.toHaveProperty('voice');
	});

	it('answers everything with Output Raw', async () => {
		const { answer } = await callTool('agent.get', get({ output: 'raw' }));
		expect(answer?.[0]).toHaveProperty('voice');
		expect(answer?.[0]).toHaveProperty('vad_threshold');
	});

	it('answers the id and the named fields with Output Selected Fields [P140]', async () => {
		const chosen = { output: 'selected', selectedFields: 'name, updated_at' };
		const { answer } = await callTool('agent.get', get(chosen));
		const { id, name, updated_at } = agent();
		expect(answer).toEqual([{ id, name, updated_at }]);
	});

	it('answers lists with these fields too', async () => {
		const { answer } = await callTool('contact.getAll', {
			limit: 3,
			output: 'selected',
			selectedFields: 'phone_number',
		});
		expect(answer).toHaveLength(3);
		for (const record of answer ?? []) expect(Object.keys(record)).toEqual(['id', 'phone_number']);
	});

	it.each([
		['an object', { tier: 'gold' }],
		['a list of names and values', [{ name: 'tier', value: 'gold' }]],
	])('answers a field inside %s under the name that was asked for', async (_form, custom) => {
		const contact = emulator.store.contacts.all()[0]!;
		const { custom_fields: before } = contact;
		Object.assign(contact, { custom_fields: custom });
		const { answer } = await callTool('contact.get', {
			contact: locator(contact.id),
			output: 'selected',
			selectedFields: 'custom_fields.tier',
		});
		Object.assign(contact, { custom_fields: before });
		expect(answer).toEqual([{ id: contact.id, 'custom_fields.tier': 'gold' }]);
	});

	it('gives null for a field that a record does not have [P140]', async () => {
		const id = emulator.store.addContact({ first_name: 'Anna', custom_fields: {} }).id;
		const chosen = { output: 'selected', selectedFields: 'first_name, custom_fields.tier, x' };
		const { answer } = await callTool('contact.get', { contact: locator(id), ...chosen });
		expect(answer).toEqual([{ id, first_name: 'Anna', 'custom_fields.tier': null, x: null }]);
	});

	it('does the same after a change', async () => {
		const chosen = { output: 'selected', selectedFields: 'nothing' };
		const json = JSON.stringify({ first_message: 'Hello' });
		const { answer, error } = await callTool('agent.update', {
			...get({ ...chosen, specifyFields: 'json', json }),
		});
		expect(error?.message).toBeUndefined();
		expect(answer?.[0]).toEqual({ id: expect.anything(), nothing: null });
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

	it('tells the model what is wrong, and how to correct it [P143] [P144]', async () => {
		const id = locator(`={{ $fromAI('agent', 'The agent', 'string') }}`);
		const { error } = await callTool('agent.get', { agent_id: id }, { agent: 'the front desk' });
		expect(error?.message).toContain("Agent: Get: 'Agent' must be a UUID");
		expect(error?.message).toContain('Nothing was sent.');
		expect(emulator.requests).toEqual([]);
	});

	it('tells the model the advice and the status too [P144]', async () => {
		const campaign = emulator.store.campaigns.find(({ status }) => status === 'draft')!;
		const refused = await callTool('campaign.pause', { campaign_id: locator(campaign.id) });
		const advice = 'Get the campaign to see its status.';
		expect(refused.error?.message).toMatch(/^Campaign: Pause: 400 INVALID_REQUEST: .+/);
		expect(refused.error?.message.split(advice)).toHaveLength(2);
	});

	it('tells the advice with Continue On Fail too', async () => {
		const { answer, error } = await callTool(
			'agent.get',
			{ agent_id: locator('the front desk') },
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(error?.message).toBeUndefined();
		expect(String(answer?.[0]?.error)).toContain('Nothing was sent.');
	});

	it.each([
		['output', 'unknown', "'Output'"],
		['output', '__proto__', "'Output'"],
		['output', undefined, "'Output'"],
		['selectedFields', { a: 1 }, "'Fields'"],
		['selectedFields', undefined, "'Fields'"],
		['selectedFields', '', "'Fields' must name at least one field"],
	])('refuses %s %j', async (parameter, bad, label) => {
		const given = { output: 'selected', [parameter]: `={{ $json.bad }}` };
		const { error } = await callTool('agent.get', get(given), { bad } as IDataObject);
		expect(error?.message).toContain('Agent: Get: ');
		expect(error?.message).toContain(label);
		expect(emulator.requests).toEqual([]);
	});
});

describe('what a model leaves blank', () => {
	const { store } = emulator;
	const pending = store.orders.find(({ status }) => status === 'pending')!;
	const contact = store.contacts.all()[0]!;
	const item = store.items.all()[0]!;
	const catalogue = store.catalogues.all()[0]!;
	const event = store.events.all()[0]!;

	/** What the model says of the field it means, and of the one it does not. */
	const MEANT = "={{ $fromAI('meant', 'What to set', 'string') }}";
	const BLANK = "={{ $fromAI('blank', 'What may be set', 'string') }}";

	/** Every operation that updates: its record, a field that the model means, and fields that it does not. */
	const UPDATES: Record<string, [where: INodeParameters, meant: string, ...unmeant: string[]]> = {
		'agent.update': [
			{ agent_id: locator(agent().id) },
			'first_message',
			'prompt_instructions',
			'default_language',
		],
		'agentTool.update': [
			{ agent_id: locator(agent().id), tool: 'place-order' },
			'confirmation_message',
			'currency',
		],
		'catalogue.update': [{ catalogue_id: locator(catalogue.id) }, 'name', 'description'],
		'contact.update': [{ contact: locator(contact.id) }, 'first_name', 'notes'],
		'contact.upsert': [{ phone_number: contact.phone_number }, 'first_name', 'notes'],
		'event.update': [{ event_id: locator(event.id) }, 'title', 'notes'],
		'item.update': [{ item_id: locator(item.id) }, 'name', 'category'],
		'item.upsert': [{ sku: item.sku }, 'name', 'category'],
		'order.update': [{ order_id: locator(pending.id) }, 'status_reason', 'notes', 'status'],
	};

	/** Lets the model fill in the fields of an update. */
	function filledIn(name: string): INodeParameters {
		const [where, meant, ...unmeant] = UPDATES[name]!;
		const value = { [meant]: MEANT, ...Object.fromEntries(unmeant.map((one) => [one, BLANK])) };
		if (['agent.update', 'order.update'].includes(name)) return { ...where, updateFields: value };
		const record = { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] };
		return { ...where, specifyFields: 'fields', record };
	}

	it('is tried with every operation that updates', () => {
		const updating = operations.filter((name) => /\.(update|upsert)$/.test(name));
		expect(Object.keys(UPDATES).sort()).toEqual(updating.sort());
	});

	it.each(Object.entries(UPDATES))('is not changed by %s', async (name, [, meant, ...unmeant]) => {
		for (const blank of ['', ' ']) {
			emulator.reset();
			const { error } = await callTool(name, filledIn(name), { meant: 'Anew', blank });
			const bodies = emulator.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ body }) => body as IDataObject);
			// A field that this kind of record does not have is the API's to refuse, not ours.
			if (bodies.length === 0) throw error ?? new Error('nothing was sent');
			for (const body of bodies) {
				expect(body[meant]).toBe('Anew');
				for (const field of unmeant) expect(body[field]).not.toBe(blank);
				expect(Object.values(body)).not.toContain(blank);
			}
		}
	});

	it('is not changed in JSON either, in which null clears', async () => {
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
			email: null,
		});
	});

	it('clears nothing of an order or an agent, unless it is named to be cleared [P141] [P142]', async () => {
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

	it('filters nothing [P188]', async () => {
		const { answer, error } = await callTool(
			'call.getAll',
			{ limit: 2, filters: { call_status: BLANK, created_after: BLANK } },
			{ blank: '' },
		);
		expect(error?.message).toBeUndefined();
		expect(answer).toHaveLength(2);
	});

	it('is no condition for contacts', async () => {
		const condition = [{ field: BLANK, operator: 'equals', value: BLANK }];
		const parameters = { filterType: 'conditions', conditions: { condition }, limit: 2 };
		const { answer, error } = await callTool('contact.getAll', parameters, { blank: '' });
		expect(error?.message).toBeUndefined();
		expect(answer).toHaveLength(2);
		expect(emulator.requests[0]?.query).not.toHaveProperty('filter');
	});

	it('is refused as an ID [P143]', async () => {
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

	it('says that an order needs its ID, not its number', async () => {
		const order_id = locator('00000000-0000-4000-8000-000000000000');
		const { error } = await callTool('order.get', { order_id });
		expect(error?.message).toContain('404');
		expect(error?.message).toContain('Enter its ID, not its order number');
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
		expect(ofTool).toEqual(expect.arrayContaining(['output', 'selectedFields']));
		expect(ofTool).not.toContain('simplify');
		const ofNode = shown(action, parameters);
		expect(ofNode).toContain('simplify');
		expect(ofNode).not.toContain('output');
		expect(ofNode).not.toContain('selectedFields');
	});

	it('has it for every operation that has Simplify', () => {
		const operationsWith = (parameter: string) =>
			description.properties
				.filter(({ name }) => name === parameter)
				.flatMap(({ displayOptions: { show } = {} }) =>
					(show?.resource ?? []).flatMap((resource) =>
						(show?.operation ?? []).map((operation) => `${resource}.${operation}`),
					),
				)
				.sort();
		expect(operationsWith('output')).toEqual(operationsWith('simplify'));
		expect(operationsWith('selectedFields')).toEqual(operationsWith('simplify'));
	});
});
