import { expect } from 'vitest';

import { outputOf } from '../n8n.ts';
import { dataTable, emulator } from '../shared.ts';
import { addClients, agentOf, CLIENTS, NAMES, NASTY, rowsOf } from './account.ts';
import {
	ago,
	DAY,
	dayOf,
	expectSent,
	page,
	says,
	text,
	written,
	type Examples,
	type Given,
	type Run,
} from './example.ts';

/** What a run fails with, because the key of South is revoked. */
const SOUTH_FAILED = /^1 failed\. South: .*401/;

/** In a messy week, the clients of n8n's table. The key of the second is revoked. */
const ofClients = (start: string) => ({
	starts: { [start]: undefined },
	answers: () => ({
		Clients: rowsOf(CLIENTS, { currency: 'EUR', markup_percent: '12,5', minute_price: '0,15' }),
	}),
	tells: { [start]: SOUTH_FAILED },
});

/** Three clients with an account each. Slack is switched off, so each run ends in an error that names South. */
async function agency(run: Run, chosen: Given['chosen'] = {}, rows = rowsOf(NAMES)) {
	const names = rows.map(({ client }) => client);
	const { clients, west, revoked } = await addClients(emulator, names);
	const { store: north } = emulator;
	north.calls.clear();
	north.transactions.clear();
	const answers = { Clients: rows };
	return {
		north,
		west,
		run: async (start: string) => {
			const execution = await run(start, { chosen, answers, clients, fails: SOUTH_FAILED });
			expect(JSON.stringify(execution.data)).not.toContain(revoked);
			return execution;
		},
	};
}

/** Examples for agencies: one workflow for all of their clients. */
export const forClients: Examples = {
	'reports-for-all-clients': {
		...ofClients('Every month'),
		does: 'a page of each client, and who failed',
		async test(runExample) {
			const table = await dataTable([], ['report', 'client', 'text']);
			const chosen = { 'Reports in the table': table.chosen };
			const { north, west, run } = await agency(runExample, chosen);
			for (const day of [1, 2, 28]) north.addCall({ created_at: dayOf(-1, day) });
			north.addCall({ created_at: dayOf(-1, 15), call_status: 'Voicemail' });
			north.addCall({ created_at: dayOf(-2, 1) });
			north.addCall({ created_at: dayOf(0, 1) });
			west.addCall({ created_at: dayOf(-1, 5), duration_seconds: 30 });

			await run('Every month');
			const execution = await run('Every month');

			const mail = (at: number, client: string, shown: RegExp) => ({
				sendTo: `${at}@example.com`,
				subject: text(new RegExp(`^${client}: \\w+ \\d{4}$`)),
				message: page(shown),
			});
			expectSent(execution, {
				'Send the report': [
					mail(0, 'North & Sons', /North &#38; Sons.*Calls 4 \+300% \(was 1\) /),
					mail(2, 'West', /Calls 1 /),
				],
			});
			expect(await table.rows()).toMatchObject([
				{ report: text('North & Sons: '), client: 'North & Sons' },
				{ client: 'West', text: text('Calls') },
			]);
		},
	},

	'client-billing': {
		...ofClients('Every month'),
		does: 'a line for the minutes or the consumption of each client, once, and who failed',
		async test(runExample) {
			const columns = ['line_id', 'client', 'month', 'line', 'quantity', 'amount'];
			const table = await dataTable([], [...columns, 'currency', 'to_check']);
			const deals = [{ minute_price: '0,1234' }, {}, { markup_percent: '20 %' }, {}];
			const rows = rowsOf([...NAMES, 'East']).map((row, at) => ({
				...row,
				currency: 'EUR',
				minute_price: null,
				markup_percent: '',
				...deals[at],
			}));
			const chosen = { 'Lines in the table': table.chosen };
			const { north, west, run } = await agency(runExample, chosen, rows);
			north.addCall({ created_at: dayOf(-1, 9), duration_seconds: 150 });
			const add = (transaction_type: 'ADD' | 'CONSUME', amount: number, created_at: string) =>
				west.addTransaction({ transaction_type, amount, created_at });
			// 10.024 and a fifth are 12.0288; from 10.02 it would be 12.02.
			for (const amount of [0.1, 0.2, 9.724]) add('CONSUME', amount, dayOf(-1, 3));
			add('ADD', 50, dayOf(-1, 4));
			add('CONSUME', 99, dayOf(0, 1));

			for (let count = 0; count < 2; count++) await run('Every month');

			const month = dayOf(-1, 1).slice(0, 7);
			const consumption = { line: 'Consumption', month, currency: 'EUR' };
			expect(await table.rows()).toMatchObject([
				{ line_id: `${month} North & Sons minutes`, quantity: '3', amount: '0.37', to_check: '' },
				{ ...consumption, client: 'West', quantity: '1', amount: '12.03', to_check: '' },
				{ ...consumption, client: 'East', amount: 'unknown', to_check: 'no mark-up. ' },
			]);
		},
	},

	'missed-call-digest': {
		...ofClients('Every morning'),
		does: 'what each client missed yesterday, and who failed',
		async test(runExample) {
			const { north, west, run } = await agency(runExample);
			const yesterday = ago(DAY).slice(0, 10);
			const at = (time: string) => ({ created_at: `${yesterday}T${time}:00.000Z` });
			const phone_number = '+393470001234';
			north.addCall({ ...at('09:30'), call_status: 'Not Answered', phone_number });
			// A field of a call that is called like one of the client.
			const more = { email: 'caller@example.com', client: 'Caller' };
			north.addCall({ ...at('08:15'), call_status: 'Voicemail', phone_number, ...more });
			north.addCall({ ...at('10:00'), call_status: 'Completed' });
			north.addCall({ call_status: 'Busy' });
			west.addCall({ ...at('10:00'), call_status: 'Completed' });

			const execution = await run('Every morning');

			const message = `Nobody took these calls yesterday:\n\n08:15  ${phone_number}  Voicemail\n09:30  ${phone_number}  Not Answered`;
			const subject = `North & Sons: 2 missed calls on ${yesterday}`;
			expectSent(execution, {
				'Send the digest': [{ sendTo: '0@example.com', subject, message }],
				'Tell the agency in Slack': [says(/^No missed-call digest for South: .*401/)],
			});
		},
	},

	'new-calls-of-all-clients': {
		starts: { 'New call': (store) => store.calls.all() },
		does: 'a row for each call of each client, once',
		async test(run) {
			const columns = ['account', 'call_id', 'created_at', 'status', 'agent', 'phone', 'seconds'];
			const table = await dataTable([], columns);
			const chosen = { 'Calls of all clients': table.chosen };
			const call = { id: '7', call_status: 'Completed', created_at: ago(DAY) };
			const brings = ['North', 'South'].map((account) => ({ account, ...call }));
			for (let count = 0; count < 2; count++) await run('New call', { brings, chosen });
			const rows = brings.map(({ account }) => ({ account, call_id: '7', status: 'Completed' }));
			expect(await table.rows()).toMatchObject(rows);
		},
	},

	'one-agent-many-clients': {
		starts: {
			Template: () => [{ Prompt: NASTY.markup }],
			'Agent changed': (store) =>
				store.agents.all().map(({ id }) => ({ id, changed_fields: 'prompt_instructions' })),
		},
		answers(store) {
			const agent_id = agentOf(store, 'inbound');
			const rows = CLIENTS.map((client, id) => ({ id, client, agent_id, change: 'Yes' }));
			const answer = { 'Change these agents?': 'Yes' };
			return {
				Clients: rows,
				'Clients to change': rows,
				Drifted: [],
				'May they change?': [answer],
			};
		},
		tells: { Template: /40[14]/ },
		does: 'shows the plan, changes the agents after a yes, and tells of one that has drifted',
		async test(run) {
			const { store } = emulator;
			const [north, east] = store.agents.all();
			const { clients, west: other } = await addClients(emulator);
			const before = { prompt_instructions: 'Open 10 to 12. <b>[menu]</b>' };
			const west = other.addAgent('inbound', before);
			const row = (client: string, agent_id: string, hours: string, change = 'Yes') => {
				return { client, agent_id, hours, change, prompt: '' };
			};
			const table = await dataTable([
				row('North & Sons', north!.id, '9 to 18'),
				row('West', west.id, '10 to 12'),
				row('North & Sons', east!.id, '9 to 18', 'no'),
				row('South', crypto.randomUUID(), '9 to 18'),
			]);
			const given = { chosen: { Clients: table.chosen }, clients };
			const submit = async (answer: string, fails?: RegExp) => {
				const answers = { 'May they change?': [{ 'Change these agents?': answer }] };
				const brings = [{ Prompt: 'Open [hours].\r\n<b>[menu]</b>' }];
				return await run('Template', { ...given, brings, answers, fails });
			};
			const plan = outputOf(await submit('No'), 'Plan');
			expect(written()).toEqual([]);
			expect(plan).toMatchObject([
				{ client: 'North & Sons', changes: true },
				{ client: 'West', changes: true },
				{ client: 'South', error: text('401') },
			]);
			const prompt = 'Open 9 to 18.\n<b>[menu]</b>';
			const own = east!.prompt_instructions;
			for (let count = 0; count < 2; count++) {
				await submit('Yes', /^South: .*401/);
				const agents = [store.agents.get(north!.id), other.agents.get(west.id)];
				const expected = [prompt, 'Open 10 to 12.\n<b>[menu]</b>'];
				expect(agents.map((agent) => agent?.prompt_instructions)).toEqual(expected);
				expect(store.agents.get(east!.id)?.prompt_instructions).toBe(own);
				const kept = (await table.rows()).map((one) => one.prompt);
				expect(kept).toEqual([...expected, '', '']);
			}

			const change = async (prompt_instructions: string, fails?: RegExp) => {
				const changed_fields = 'prompt_instructions';
				const more = { changed_fields, new_values: { prompt_instructions } };
				const brings = [{ id: north!.id, change: 'changed', ...more }];
				await run('Agent changed', { ...given, brings, fails });
			};
			await change(prompt);
			await change('Be rude.', /^North & Sons: the prompt was changed by hand$/);
		},
	},
};
