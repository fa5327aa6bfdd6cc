import { expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import { dataTable, emulator, n8n, type Json } from '../shared.ts';
import { agentOf, callsWith, campaign, list, NASTY, UNKNOWN_NUMBER } from './account.ts';
import { ago, DAY, numbersOn, text, written, type Examples } from './example.ts';

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
export const intoTables: Examples = {
	'calls-in-claude': {
		starts: {},
		chosen: (store) => ({ 'Put on the list': list(store) }),
		does: 'counts and finds calls, and puts nobody on the list before a person said yes',
		async test(run, setUp) {
			const { store } = emulator;
			store.calls.clear();
			store.addCall({ call_status: 'Completed' }, { summary: 'Wants a table.' });
			const people = store.addContactList();
			const table = await dataTable([], ['phone_number', 'reason', 'decision']);
			const chosen = { 'Oldest proposal': table.chosen };
			const workflow = setUp({ chosen });
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

			for (const Answer of ['Yes', 'No', 'Yes']) {
				const answers = { 'May they be called?': [{ Answer }] };
				await run('Decide on proposals', { chosen, brings: [{}], answers });
			}
			expect(numbersOn(people)).toEqual(['+393470001111']);
			expect((await table.rows()).map(({ decision }) => decision)).toEqual(['Yes', 'No']);
			expect(written()).toHaveLength(1);
		},
	},

	'lead-to-outcome': {
		starts: {
			'Every 15 minutes': undefined,
			'Call ready': callsWith,
			'New order': (store) => store.orders.all(),
		},
		chosen: (store) => ({ 'Put on the list': list(store) }),
		answers: () => ({
			'New leads': [UNKNOWN_NUMBER, NASTY.formula].map((phone_number, id) => ({
				id,
				phone_number,
			})),
		}),
		does: 'puts each lead on the list once, and the outcome into its row',
		async test(run) {
			const people = emulator.store.addContactList();
			const numbers = ['+393470001111', '+393470002222'];
			const empty = { status: '', call: '', summary: '', transferred_at: '', last_order: '' };
			const pasted = ['+393470001111', '0039 347 000-2222', 'tomorrow'];
			const table = await dataTable(pasted.map((phone_number) => ({ phone_number, ...empty })));
			const chosen = { 'New leads': table.chosen };
			for (let count = 0; count < 2; count++) await run('Every 15 minutes', { chosen });
			expect(written()).toHaveLength(2);
			expect(numbersOn(people)).toEqual(numbers);

			const transfer_time = '2026-03-04T05:06:07.000Z';
			const call = { call_status: 'Completed', phone_number: numbers[0], transfer_time };
			const calls = [
				{ ...call, summary: 'Wants an offer.' },
				{ call_status: 'Voicemail', phone_number: numbers[1], summary: null },
				{ call_status: 'Completed', phone_number: null, summary: 'Nobody.' },
			];
			await run('Call ready', { chosen, brings: calls });
			const order = { order_number: 'A-1', total_amount: 12.5, currency: 'EUR' };
			await run('New order', { chosen, brings: [{ ...order, customer_phone: numbers[0] }] });
			expect(await table.rows()).toMatchObject([
				{
					status: 'on the list',
					call: 'Completed',
					summary: 'Wants an offer.',
					transferred_at: transfer_time,
					last_order: 'A-1 12.5 EUR',
				},
				{ phone_number: numbers[1], call: 'Voicemail', summary: '', last_order: '' },
				{ phone_number: 'tomorrow', status: text("'Phone Numbers"), call: '' },
			]);
		},
	},

	'before-a-campaign': {
		starts: {
			'Start a campaign': () => [{ 'Minutes per call': 2, 'Not if called within so many days': 7 }],
		},
		chosen: (store) => ({
			'People on the list': list(store),
			'Start campaign': campaign(store, 'draft'),
		}),
		answers: () => ({
			'Do not call': [{ phone_number: NASTY.markup }],
			'May it start?': [{ 'May the campaign start?': 'Yes' }],
		}),
		tests(run, setUp) {
			const START = 'Start a campaign';

			/** A list, a table and a campaign of these counters, and what its form was sent with. */
			async function prepare(counters: Json = {}) {
				const { store } = emulator;
				store.calls.clear();
				const people = ['+393470001111', '+393470002222', '+393470003333', '+393470001111'];
				store.addContactList(
					{},
					people.map((phone_number) => store.addContact({ phone_number }).id),
				);
				store.addCall({ phone_number: '+393470002222', created_at: ago(3 * DAY) });
				store.addCall({ phone_number: '+393470003333', created_at: ago(9 * DAY) });
				// People paste numbers as they have them.
				const { chosen } = await dataTable([{ phone_number: '+39 347 000-3333' }]);
				const { id } = store.addCampaign({ status: 'draft', completed: 0, failed: 0, ...counters });
				const brings = [{ 'Minutes per call': 3, 'Not if called within so many days': 7 }];
				return {
					chosen: { 'Do not call': chosen, 'Watch campaign': { waitAtMost: 0 } },
					brings,
					id,
				};
			}

			it('shows whom the campaign should not call', async () => {
				const { chosen, brings } = await prepare();
				const workflow = setUp({ chosen, answers: { [START]: brings } });
				const shown = await n8n.openForm(await n8n.saveWorkflow(workflow), START);
				expect(shown).toContain(
					[
						'People on the list: 4',
						'Twice on it: +393470001111',
						'Called lately: +393470002222',
						'Asked not to be called: +393470003333',
					].join('\n'),
				);
			});

			it.each([
				['starts nothing without a yes', 'No', {}, 'draft', 0],
				['goes on if most calls go well', 'Yes', { completed: 30, failed: 10 }, 'completed', 1],
				['pauses if too many calls fail', 'Yes', { completed: 9, failed: 11 }, 'paused', 2],
			])('%s', async (_what, answer, counters, expected, changes) => {
				const { campaigns } = emulator.store;
				const { id, ...given } = await prepare(counters);
				let looks = 0;
				emulator.before(({ method, path }) => {
					const isWatched = method === 'GET' && path === `/campaigns/${id}`;
					// It is over at the third look.
					if (isWatched && ++looks === 6) campaigns.change(id, { status: 'completed' });
				});
				const answers = { 'May it start?': [{ 'May the campaign start?': answer }] };
				const execution = await run(START, { ...given, answers });
				expect(outputOf(execution, 'People on the list')).toHaveLength(4);
				expect(campaigns.get(id)?.status).toBe(expected);
				expect(written()).toHaveLength(changes);
			});
		},
	},

	'agent-change-effect': {
		starts: {
			'Agent changed': (store) =>
				store.agents.all().map(({ id, name }) => ({
					id,
					name,
					change: 'changed',
					changed_fields: 'name',
					previous_values: { name: NASTY.formula },
					new_values: { name },
				})),
			'Every Monday': undefined,
		},
		answers: (store) => ({
			'Changes to measure': [agentOf(store, 'outbound'), 'gone'].map((agent_id, id) => ({
				id,
				agent_id,
				agent: NASTY.mention,
				changed_at: '2026-03-04T05:06:07.000Z',
			})),
		}),
		does: 'keeps what changed',
		sends(store) {
			const { id: agent_id, name: agent, first_message } = store.agents.all()[0]!;
			store.agents.change(agent_id, { first_message: 'Hm?' });
			const [before, after] = [{ first_message }, { first_message: 'Hm?' }];
			const row = { agent_id, agent, change: 'changed, first_message' };
			const values = { before: JSON.stringify(before), after: JSON.stringify(after) };
			return { 'Keep the change': [expect.objectContaining({ ...row, ...values })] };
		},
		tests(run) {
			it('adds the figures before and after a change, a week later', async () => {
				const { store } = emulator;
				store.calls.clear();
				const [agent, other] = store.agents.all();
				const figures = { calls_before: '', calls_after: '', completed_before: '' };
				const more = { completed_after: '', seconds_before: '', seconds_after: '' };
				const row = (days: number) => ({
					changed_at: ago(days * DAY),
					agent_id: agent!.id,
					agent: 'Aurora',
					change: '',
					before: '',
					after: '',
					...figures,
					...more,
				});
				const table = await dataTable([row(8), row(3)]);
				const chosen = { 'Changes to measure': table.chosen };
				const add = (call_status: string, days: number[], agent_id = agent!.id) => {
					for (const day of days) {
						const call = { created_at: ago(day * DAY), call_status, agent_id };
						store.addCall({ ...call, duration_seconds: day > 8 ? 60 : 90 });
					}
				};
				add('Completed', [16, 14, 10, 7, 5, 2]);
				add('Not Answered', [7, 5]);
				add('Completed', [6], other!.id);

				for (let count = 0; count < 2; count++) await run('Every Monday', { chosen });

				expect(await table.rows()).toMatchObject([
					{
						calls_before: '2',
						calls_after: '5',
						completed_before: '100',
						completed_after: '60',
						seconds_before: '60',
						seconds_after: '90',
					},
					figures,
				]);
			});
		},
	},
};
