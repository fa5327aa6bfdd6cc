import { expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import type { Agent } from '../../emulator/records.ts';
import {
	ago,
	DAY,
	dataTable,
	emulator,
	execute,
	n8n,
	numbersOn,
	setUp,
	written,
	type Json,
} from '../shared.ts';
import { locator, pinned } from '../workflows.ts';
import { addClients } from './account.ts';
import type { Tests } from './tested.ts';

/** Speaks with an MCP server as Claude does, over its streamable HTTP. */
async function connectTo(url: string, token: string) {
	let session: Record<string, string> = {};
	const post = async (message: Json) =>
		await fetch(url, {
			method: 'POST',
			headers: {
				...session,
				authorization: `Bearer ${token}`,
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
	const ask = async (method: string, params: Json = {}) => {
		const response = await post({ id: crypto.randomUUID(), method, params });
		const id = response.headers.get('mcp-session-id');
		if (id !== null) session = { 'mcp-session-id': id };
		const [, data = '{}'] = /^data: (.*)$/m.exec(await response.text()) ?? [];
		return (JSON.parse(data) as { result: Json }).result;
	};
	await n8n.until(async () => (await post({ method: 'ping' })).status !== 404);
	const clientInfo = { name: 'test', version: '1' };
	await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
	await post({ method: 'notifications/initialized' });
	return ask;
}

/** Examples whose results go into data tables of n8n. */
export const tables: Tests = {
	'calls-in-claude'() {
		const [START, ASK] = ['Decide on proposals', 'May they be called?'];

		it('counts and finds calls, and puts nobody on the list before a person said yes', async () => {
			const { store } = emulator;
			store.calls.clear();
			store.addCall({ call_status: 'Completed' }, { summary: 'Wants a table.' });
			const list = store.addContactList();
			const columns = ['phone_number', 'reason', 'decision'];
			const table = await dataTable('Proposals', [], columns);
			const workflow = setUp('calls-in-claude', {
				'Oldest proposal': { dataTableId: locator(table.id) },
				'Put on the list': { contact_list_id: locator(list.id) },
			});
			const token = crypto.randomUUID();
			const options = { name: 'Claude', type: 'httpBearerAuth' };
			const httpBearerAuth = await n8n.createCredential({ token }, options);
			for (const node of workflow.nodes) {
				if (/mcpTrigger$/.test(node.type)) node.credentials = { httpBearerAuth };
				if (/formTrigger$/.test(node.type)) node.parameters.authentication = 'none';
			}
			const saved = await n8n.saveWorkflow(workflow);
			await n8n.activate(saved);
			const ask = await connectTo(`${n8n.url}/mcp/yk-voice-calls`, token);
			const { tools } = await ask('tools/list');
			const names = (tools as Array<{ name: string }>).map(({ name }) => name);
			expect(names.sort()).toEqual(['Count_calls', 'Find_calls', 'Propose_a_call_back']);
			const use = async (name: string, given: Json) =>
				JSON.stringify(await ask('tools/call', { name, arguments: given }));
			const period = { From: ago(DAY), Until: ago(-DAY) };
			expect(await use('Count_calls', { ...period, Group_By: 'none' })).toMatch(/calls\W+1\b/);
			const wanted = { ...period, Status: '', Phone_Number: '', Limit: 5, What: 'summary' };
			expect(await use('Find_calls', wanted)).toContain('Wants a table.');
			for (const Phone_Number of ['+393470001111', '+393470002222'])
				await use('Propose_a_call_back', { Phone_Number, Reason: '<b>Hungry</b>' });
			await n8n.deactivate(saved);
			expect(written()).toEqual([]);

			for (const Answer of ['Yes', 'No', 'Yes'])
				await execute(pinned(workflow, { [START]: [{}], [ASK]: [{ Answer }] }), START);
			expect(numbersOn(list)).toEqual(['+393470001111']);
			const decisions = (await table.rows()).map((one) => (one as Json).decision);
			expect(decisions).toEqual(['Yes', 'No']);
			expect(written()).toHaveLength(1);
		});
	},

	'lead-to-outcome'() {
		it('puts each lead on the list once, and the outcome into its row', async () => {
			const { store } = emulator;
			const list = store.addContactList();
			const numbers = ['+393470001111', '+393470002222', 'tomorrow'];
			const empty = { status: '', call: '', summary: '', transferred_at: '', last_order: '' };
			const pasted = ['+393470001111', '0039 347 000-2222', 'tomorrow'];
			const leads = pasted.map((phone_number) => ({ phone_number, ...empty }));
			const table = await dataTable('Leads', leads);
			const workflow = setUp('lead-to-outcome', {
				'New leads': { dataTableId: locator(table.id) },
				'Put on the list': { contact_list_id: locator(list.id) },
			});
			for (let run = 0; run < 2; run++) await execute(workflow, 'Every 15 minutes');
			expect(written()).toHaveLength(2);
			expect(numbersOn(list)).toEqual(numbers.slice(0, 2));

			const transfer_time = '2026-03-04T05:06:07.000Z';
			const call = { call_status: 'Completed', phone_number: numbers[0], transfer_time };
			await execute(workflow, 'Call ready', [
				{ ...call, summary: 'Wants an offer.' },
				{ call_status: 'Voicemail', phone_number: numbers[1], summary: null },
				{ call_status: 'Completed', phone_number: null, summary: 'Nobody.' },
			]);
			const order = { order_number: 'A-1', total_amount: 12.5, currency: 'EUR' };
			await execute(workflow, 'New order', [{ ...order, customer_phone: numbers[0] }]);
			expect(await table.rows()).toMatchObject([
				{
					...{ status: 'on the list', call: 'Completed', summary: 'Wants an offer.' },
					...{ transferred_at: transfer_time, last_order: 'A-1 12.50 EUR' },
				},
				{ phone_number: numbers[1], call: 'Voicemail', summary: '', last_order: '' },
				{ phone_number: numbers[2], status: expect.stringContaining("'Phone Numbers"), call: '' },
			]);
		});
	},

	'before-a-campaign'() {
		/** The workflow with a list, a table and a campaign of these counters, as if its form was sent. */
		async function prepare(counters: Json = {}) {
			const { store } = emulator;
			store.calls.clear();
			const people = ['+393470001111', '+393470002222', '+393470003333', '+393470001111'];
			const ids = people.map((phone_number) => store.addContact({ phone_number }).id);
			const list = store.addContactList({}, ids);
			store.addCall({ phone_number: '+393470002222', created_at: ago(3 * DAY) });
			store.addCall({ phone_number: '+393470003333', created_at: ago(9 * DAY) });
			// People paste numbers as they have them.
			const refusing = [{ phone_number: '+39 347 000-3333' }];
			const table = await dataTable(`Do not call ${crypto.randomUUID()}`, refusing);
			const campaign = store.addCampaign({ status: 'draft', completed: 0, failed: 0, ...counters });
			const workflow = setUp('before-a-campaign', {
				'Do not call': { dataTableId: locator(table.id) },
				'People on the list': { contact_list_id: locator(list.id) },
				'Start campaign': { campaign_id: locator(campaign.id) },
				'Watch campaign': { waitAtMost: 0 },
			});
			const start = { 'Minutes per call': 3, 'Not if called within so many days': 7 };
			return { workflow: pinned(workflow, { 'Start a campaign': [start] }), campaign };
		}

		/** Runs it with this answer, and a campaign of these counters. */
		async function run(answer: string, counters: Json = {}) {
			const { store } = emulator;
			const { workflow, campaign } = await prepare(counters);
			let looks = 0;
			const stop = emulator.before(({ method, path }) => {
				const isWatched = method === 'GET' && path === `/campaigns/${campaign.id}`;
				// It is over at the third look.
				if (isWatched && ++looks === 6)
					store.campaigns.change(campaign.id, { status: 'completed' });
			});
			const pages = { 'May it start?': [{ 'May the campaign start?': answer }] };
			const execution = await execute(pinned(workflow, pages), 'Start a campaign');
			stop();
			return { execution, status: store.campaigns.get(campaign.id)?.status };
		}

		it('shows whom the campaign should not call', async () => {
			const { workflow } = await prepare();
			const page = await n8n.openForm(await n8n.saveWorkflow(workflow), 'Start a campaign');
			expect(page).toContain(
				[
					'People on the list: 4',
					'Twice on it: +393470001111',
					'Called lately: +393470002222',
					'Asked not to be called: +393470003333',
				].join('\n'),
			);
		});

		it('starts nothing without a yes', async () => {
			const { execution, status } = await run('No');
			expect(outputOf(execution, 'People on the list')).toHaveLength(4);
			expect(status).toBe('draft');
			expect(written()).toEqual([]);
		});

		it.each([
			['as long as most calls go well', { completed: 30, failed: 10 }, 'completed'],
			['until too many fail', { completed: 9, failed: 11 }, 'paused'],
		])('lets the campaign call %s', async (_what, counters, expected) => {
			expect((await run('Yes', counters)).status).toBe(expected);
		});
	},

	'one-agent-many-clients'() {
		it('shows the plan, changes the agents after a yes, and tells of one that has drifted', async () => {
			const { store } = emulator;
			const [north, east] = store.agents.all().slice(0, 2) as [Agent, Agent];
			const names = ['North & Sons', 'South', 'West'];
			const { credential, west: other } = await addClients(emulator, names);
			const west = other.addAgent('inbound', {
				prompt_instructions: 'Open 10 to 12. <b>[menu]</b>',
			});
			const row = (client: string, agent_id: string, hours: string, change = 'Yes') => {
				return { client, agent_id, hours, change, prompt: '' };
			};
			const table = await dataTable('Clients', [
				row('North & Sons', north.id, '9 to 18'),
				row('West', west.id, '10 to 12'),
				row('North & Sons', east.id, '9 to 18', 'no'),
				row('South', crypto.randomUUID(), '9 to 18'),
			]);
			const workflow = () =>
				setUp(
					'one-agent-many-clients',
					{ Clients: { dataTableId: locator(table.id) } },
					credential,
				);
			const submit = async (answer: string, fails?: RegExp) => {
				const pages = { 'May they change?': [{ 'Change these agents?': answer }] };
				const entered = [{ Prompt: 'Open [hours].\r\n<b>[menu]</b>' }];
				return await execute(pinned(workflow(), pages), 'Template', entered, fails);
			};
			const plan = outputOf(await submit('No'), 'Plan');
			expect(written()).toEqual([]);
			expect(plan).toMatchObject([
				{ client: 'North & Sons', changes: true },
				{ client: 'West', changes: true },
				{ client: 'South', error: expect.stringContaining('401') },
			]);
			await submit('Yes', /^South: .*401/);
			const prompt = 'Open 9 to 18.\n<b>[menu]</b>';
			const prompts = () =>
				[store.agents.get(north.id), other.agents.get(west.id), store.agents.get(east.id)].map(
					(agent) => agent?.prompt_instructions,
				);
			const given = [prompt, 'Open 10 to 12.\n<b>[menu]</b>', east.prompt_instructions];
			expect(prompts()).toEqual(given);
			const kept = (await table.rows()).map((one) => (one as Json).prompt);
			expect(kept).toEqual([...given.slice(0, 2), '', '']);
			await submit('Yes', /^South: /);
			expect(prompts()).toEqual(given);

			const change = (prompt_instructions: string, fields = ['prompt_instructions']) => {
				const more = { changed_fields: fields, new_values: { prompt_instructions } };
				return [{ id: north.id, change: 'changed', ...more }];
			};
			await execute(workflow(), 'Agent changed', change(prompt));
			await execute(workflow(), 'Agent changed', change('Be rude.', ['first_message']));
			const told = /^North & Sons: the prompt was changed by hand$/;
			await execute(workflow(), 'Agent changed', change('Be rude.'), told);
		});
	},

	'new-calls-of-all-clients'() {
		it('a row for each call of each client, once', async () => {
			const columns = ['account', 'call_id', 'created_at', 'status', 'agent', 'phone', 'seconds'];
			const table = await dataTable('Calls of all clients', [], columns);
			const chosen = { 'Calls of all clients': { dataTableId: locator(table.id) } };
			const workflow = setUp('new-calls-of-all-clients', chosen);
			const call = { id: '7', call_status: 'Completed', created_at: ago(DAY) };
			const calls = ['North', 'South'].map((account) => ({ account, ...call }));
			for (let run = 0; run < 2; run++) await execute(workflow, 'New call', calls);
			const rows = calls.map(({ account }) => ({ account, call_id: '7', status: 'Completed' }));
			expect(await table.rows()).toMatchObject(rows);
		});
	},

	'agent-change-effect'() {
		it('a row for each change, and a week later the figures before and after it', async () => {
			const { store } = emulator;
			store.calls.clear();
			const [agent, other] = store.agents.all();
			const figures = { calls_before: '', calls_after: '', completed_before: '' };
			const more = { completed_after: '', seconds_before: '', seconds_after: '' };
			const row = (days: number, agent_id: string) => ({
				...{ changed_at: ago(days * DAY), agent_id, agent: 'Aurora', change: '' },
				...{ before: '', after: '', ...figures, ...more },
			});
			const table = await dataTable('Changes', [row(8, agent!.id), row(3, agent!.id)]);
			const chosen = { 'Changes to measure': { dataTableId: locator(table.id) } };
			const workflow = setUp('agent-change-effect', chosen);
			const add = (days: number, call_status: string, agent_id = agent!.id) =>
				store.addCall({
					...{ created_at: ago(days * DAY), call_status, agent_id },
					duration_seconds: days > 8 ? 60 : 90,
				});
			for (const days of [16, 14, 10]) add(days, 'Completed');
			for (const days of [7, 5]) add(days, 'Not Answered');
			for (const days of [7, 5, 2]) add(days, 'Completed');
			add(6, 'Completed', other!.id);

			for (let run = 0; run < 2; run++) await execute(workflow, 'Every Monday');
			const changed = { id: other!.id, name: '=1+1', change: 'changed' };
			const values = { previous_values: { first_message: 'A' }, new_values: {} };
			const event = { ...changed, changed_fields: ['first_message'], ...values };
			await execute(workflow, 'Agent changed', [event]);

			const [measured, young, latest] = await table.rows();
			expect(measured).toMatchObject({
				...{ calls_before: '2', calls_after: '5', completed_before: '100' },
				...{ completed_after: '60', seconds_before: '60', seconds_after: '90' },
			});
			expect(young).toMatchObject(figures);
			expect(latest).toMatchObject({
				...{ agent: '=1+1', change: 'changed, first_message', after: '{}' },
				...{ before: '{"first_message":"A"}', calls_after: null },
			});
		});
	},
};
