import { expect, it } from 'vitest';

import type { Store } from '../../emulator/index.ts';
import { outputOf, type Execution } from '../n8n.ts';
import { dataTable, emulator, model } from '../shared.ts';
import { locator } from '../workflows.ts';
import {
	addClients,
	agentOf,
	campaign,
	list,
	moved,
	NASTY,
	outbound,
	rowsOf,
	UNKNOWN_NUMBER,
	verified,
} from './account.ts';
import {
	ago,
	DAY,
	execute,
	expectSent,
	fileOf,
	HOUR,
	numbersOn,
	says,
	sent,
	text,
	written,
	type Example,
	type Examples,
} from './example.ts';

const FORM = 'On form submission';

const lead = (phone: string, answer = 'Yes') => ({
	'Phone number': phone,
	'E-mail': 'anna@example.test',
	'Place a real call?': answer,
});

/** A form that places a test call. */
const placesCall = (
	does: string,
	expectResult: (execution: Execution, store: Store) => void,
	tells?: Example['tells'],
): Example => ({
	starts: { [FORM]: () => [lead(UNKNOWN_NUMBER)] },
	chosen: (store) => ({ 'Make test call': outbound(store) }),
	tells,
	does,
	async test(run) {
		const { store, requests } = emulator;
		const submit = async (answer: string) =>
			await run(FORM, { brings: [lead('+39 333 123 4567', answer)] });
		expect(outputOf(await submit('No'), 'Not called')).toHaveLength(1);
		expect(requests).toEqual([]);
		store.testCallCourse = { beginsAfter: 500, endsAfter: 1500, summaryAfter: 2500 };
		const execution = await submit('Yes');
		const called = expect.objectContaining({ phone_number: '+393331234567' }) as unknown;
		expect(store.testCalls).toEqual([called]);
		expectResult(execution, store);
	},
});

/** Lets each call of an agent show that this was said, once it is asked for. */
function letSay(
	agentId: string,
	turnsOf: () => Array<readonly ['agent' | 'caller', string]>,
): void {
	const { calls: all, callTimings } = emulator.store;
	emulator.before(({ method }) => {
		if (method !== 'GET') return;
		for (const { id, agent_id } of all.all()) {
			if (agent_id !== agentId) continue;
			callTimings.get(id)!.turns ??= turnsOf().map(([role, said]) => {
				return { role, text: said, at_seconds: 0 };
			});
		}
	});
}

/** Three tests, as n8n's table holds them: one passes, and two cannot be made. */
const testRows = (store: Store) =>
	[{}, { phone_number: UNKNOWN_NUMBER }, { agent_id: 'gone' }].map((row, id) => ({
		id,
		test: NASTY.mention,
		role: NASTY.mention,
		agent_id: agentOf(store, 'outbound'),
		phone_number: verified(store),
		must_say: '',
		must_not_say: 'no',
		caller_must_say: '',
		agent_must_say: '',
		agent_must_not_say: 'xylophone',
		outcome: '',
		max_seconds: '',
		last_result: '',
		last_details: '',
		...row,
	}));

/** Examples about agents: their settings, campaigns and test calls. */
export const aboutAgents: Examples = {
	'documents-to-knowledge-base': {
		starts: { 'Every night': undefined },
		answers: () => ({
			'Files of the folder': [1, 2, 3].map((id) => ({
				id: `${id}`,
				name: NASTY.formula,
				modifiedTime: 'May',
			})),
		}),
		does: 'sends each file of the folder once, as a form',
		async test(run) {
			const data = { ok: true, data: { id: 'd1' }, error: null, meta: null };
			const match = ({ path }: { path: string }) => path === '/knowledge';
			emulator.faults.add({ kind: 'status', status: 200, body: data, times: Infinity, match });
			const { chosen } = await dataTable([{ file: 'another' }]);
			const files = [1, 2].map((id) => ({ id, name: `Menu ${id}`, modifiedTime: '2026-11-01' }));
			const sendAll = async () => {
				const execution = await run('Every night', {
					answers: { 'Files of the folder': files },
					chosen: {
						'Not sent yet': chosen,
						'Remember it': chosen,
						Send: {
							path: '/knowledge',
							formFiles: { file: [{ name: 'document', field: 'data' }] },
						},
					},
				});
				return outputOf(execution, 'Send');
			};
			expect(await sendAll()).toEqual(files.map(() => data.data));
			expect(await sendAll()).toEqual([]);
		},
	},

	'agent-backup': {
		starts: { 'Every night': undefined },
		does: 'makes one file for each agent, which holds its settings and its tools',
		async test(run) {
			const execution = await run('Every night');
			const read = outputOf(execution, 'Agents');
			expect(read).toHaveLength(emulator.store.agents.size);
			for (const [at, agent] of read.entries()) {
				const { name, text: file } = await fileOf(execution, 'One file per agent', at);
				expect(name).toContain(`-${String(agent.id)}-`);
				expect(agent).toMatchObject({ settings: expect.anything(), tools: expect.anything() });
				expect(JSON.parse(file)).toEqual(agent);
			}
		},
	},

	'agent-restore': {
		starts: {
			[FORM]: (store) => {
				const settings = { prompt_instructions: NASTY.markup, first_message: null };
				const tools = { 'make-reservation': { enabled: false }, 'place-order': { enabled: false } };
				const agent = { id: agentOf(store, 'outbound'), settings, tools };
				return [{ 'Content of the file': JSON.stringify(agent), 'What to do': 'Restore' }];
			},
		},
		does: 'shows what would change, then makes the agent as it was, with its tools',
		async test(run) {
			const backup = await execute('agent-backup', 'Every night', {});
			const at = outputOf(backup, 'Agents').findIndex(
				({ tools }) => Object.keys(tools!).length > 0,
			);
			const { text: file } = await fileOf(backup, 'One file per agent', at);
			const { id } = JSON.parse(file) as { id: string };
			const { agents, tools } = emulator.store;
			const state = () => {
				const { updated_at: _, ...agent } = agents.get(id)!;
				return structuredClone([agent, tools.get(id)]);
			};
			const before = state();
			agents.change(id, { prompt_instructions: 'Wrong.', first_message: 'Hm?' });
			tools.get(id)!['transfer-to-phone']!.phone_number = '+390699999999';
			const submit = async (what: string) =>
				await run(FORM, { brings: [{ 'Content of the file': file, 'What to do': what }] });

			const shown = outputOf(await submit('Show what would change'), 'Restore settings');
			const changes = shown.filter((one) => one.changes === true).map(({ field }) => field);
			expect(changes).toEqual(['prompt_instructions', 'first_message']);
			expect(written()).toEqual([]);
			await submit('Restore');
			expect(state()).toEqual(before);
		},
	},

	'nightly-campaign': {
		starts: { 'Every evening': undefined, 'Every night': undefined },
		chosen: (store) => ({
			'Get campaign': campaign(store, 'draft'),
			'Get the same campaign': campaign(store, 'draft'),
		}),
		tests(run) {
			const [EVENING, NIGHT] = ['Every evening', 'Every night'];
			const good = { completed: 70, failed: 30 };
			const bad = { completed: 9, failed: 11 };

			it.each([
				['starts one in the evening', EVENING, 'draft', {}, 'running', /calls people until 21:00/],
				['leaves one that runs', EVENING, 'running', {}, 'running', undefined],
				['leaves one that is over', EVENING, 'completed', {}, 'completed', undefined],
				['pauses one at night', NIGHT, 'running', good, 'paused', /110 calls so far, 27 % failed/],
				['stops one that fails', NIGHT, 'running', bad, 'stopped', /20 calls so far, 55 % failed/],
				['leaves one that does not run', NIGHT, 'draft', {}, 'draft', undefined],
			])('%s', async (_what, start, from, counts, to, said) => {
				const { store } = emulator;
				const { id } = store.addCampaign({ status: from as 'draft', ...counts });
				const which = campaign(store, from);
				const chosen = { 'Get campaign': which, 'Get the same campaign': which };
				const execution = await run(start, { chosen });
				expect(store.campaigns.get(id)?.status).toBe(to);
				expect(written()).toHaveLength(from === to ? 0 : 1);
				const messages = ['calls', 'rests'].flatMap((what) =>
					sent(execution, `Say in Slack that it ${what}`),
				);
				expect(messages).toEqual(said ? [says(said)] : []);
			});
		},
	},

	'campaign-ended-message': {
		starts: {
			'Campaign status changed': (store) =>
				moved(
					[...store.campaigns.all(), { id: 'gone', name: 'Gone', status: 'completed' }],
					'running',
				),
		},
		tells: { 'Campaign status changed': /^1 failed\. Gone: .+ \(4/ },
		does: 'tells of a campaign that is over, with its figures',
		sends(store) {
			const [ended, paused] = store.campaigns.all();
			store.campaigns.change(ended!.id, { status: 'completed' });
			store.campaigns.change(paused!.id, { status: 'paused' });
			const said = new RegExp(`^Campaign ${ended!.name} is completed\\. .*not_answered: \\d+`);
			return { 'Tell the team in Slack': [says(said)] };
		},
	},

	'test-call-outcome': placesCall(
		'after a yes, places one call, waits for its end, and mails its summary',
		(execution, store) => {
			const message = store.summaryOf(store.calls.all().at(-1)!);
			const mail = { sendTo: 'anna@example.test', subject: 'Your test call: Completed', message };
			expectSent(execution, { 'Send the outcome': [mail] });
		},
	),

	'test-call-from-form': placesCall(
		'after a yes, places one call',
		(execution, { testCalls }) => {
			const called = { message: 'Calling +39 333 123 4567', task_id: testCalls[0]!.task_id };
			expect(outputOf(execution, 'Called')).toEqual([called]);
		},
		{ [FORM]: /not verified/ },
	),

	'agents-test-agents': {
		starts: { 'Every night': undefined },
		chosen: (store) => ({ 'Play the caller': outbound(store) }),
		answers: (store) => ({ Scenarios: testRows(store) }),
		// Without its table, what passed is not kept.
		tells: { 'Every night': /^3 failed\. .*not kept; A row: .*not verified.*; A row: / },
		does: 'plays each scenario with one agent, checks both transcripts, and keeps the result',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const [caller, tested] = [agentOf(store, 'outbound'), agentOf(store, 'inbound')];
			const row = (scenario: string, more: Record<string, string> = {}) => ({
				scenario,
				phone_number: verified(store),
				agent_id: tested,
				role: `You want ${scenario}.`,
				caller_must_say: scenario,
				agent_must_say: 'Aurora; eight',
				agent_must_not_say: 'no idea',
				last_result: '',
				last_details: '',
				last_score: '',
				last_seconds: '',
				last_transcript: '',
				...more,
			});
			const { chosen, rows } = await dataTable([
				row('a table'),
				row('a cake', { caller_must_say: 'a pie' }),
				row('nothing', { phone_number: UNKNOWN_NUMBER }),
				row('silence'),
				row('no agent', { agent_id: '' }),
				row('a name', { agent_id: 'Aurora' }),
			]);
			/** What the caller was told to want. */
			const played: string[] = [];
			const wish = () =>
				/^You want (.*)\.\n/.exec(store.agents.get(caller)!.prompt_instructions!)?.[1] ?? '';
			emulator.before(({ method, path }) => {
				if (method !== 'POST' || path !== '/playground/test-call') return;
				played.push(wish());
				const isBad = wish() === 'a cake';
				const said = isBad ? 'No idea. Ask Aurora at eight.' : 'Aurora, at eight?';
				const turns = [{ role: 'agent' as const, text: said, at_seconds: 0 }];
				if (wish() !== 'silence') store.addCall({ agent_id: tested }, { turns });
			});
			letSay(caller, () => [['agent', `I want ${wish()}.`]]);
			store.testCallCourse = { beginsAfter: 100, endsAfter: 200 };
			const cake = 'Caller: The agent did not say "a pie". Tested agent: The agent said "no idea".';
			const fails = new RegExp(`^5 failed. a cake: ${cake}; nothing: .*verified.*; silence: `);
			for (let count = 0; count < 2; count++) {
				await run('Every night', { chosen: { Scenarios: chosen }, fails });
				const kept = (await rows()).map((one) => [
					...[one.last_result, one.last_details, one.last_score],
					String(one.last_transcript).includes('I want'),
				]);
				const silent = 'Tested agent: it shows no call. Does phone_number belong to it?';
				expect(kept).toEqual([
					['passed', '', '1', true],
					['failed', cake, '0.5', true],
					['failed', text('not verified'), '0', false],
					['failed', silent, '0', true],
					['failed', text("'Agent' has no value"), '0', false],
					['failed', text('must be'), '0', false],
				]);
			}
			const tried = ['a table', 'a cake', 'nothing', 'silence'];
			expect(played).toEqual([...tried, ...tried]);
			const changes = written().filter(({ method }) => method === 'PATCH');
			expect(changes.map(({ path }) => path)).toEqual(played.map(() => `/agents/${caller}`));
		},
	},

	// In a real week n8n's own evaluation nodes would read and write its tables.
	'agent-evaluation': {
		starts: {},
		does: 'makes metrics of a test call, and a model judges its summary',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const { chosen, rows } = await dataTable([
				{
					agent_id: agentOf(store, 'outbound'),
					phone_number: verified(store),
					must_say: 'xylophone',
					must_not_say: '',
					expected: 'A table was booked.',
				},
			]);
			const opinion = { extended_reasoning: '', reasoning_summary: '', score: 4 };
			model.closing = JSON.stringify(opinion);
			for (const count of [1, 2]) {
				const given = { chosen: { 'Test calls': chosen }, hasModel: true };
				const execution = await run('Test calls', given);
				const call = store.calls.all().at(-1)!;
				const seconds = call.duration_seconds;
				expect(outputOf(execution, 'Score')).toEqual([{ score: 0.5, seconds }]);
				expect(outputOf(execution, 'Summary as expected?')).toEqual([{ summary: 4 }]);
				const [explanation, summary] = [text('"xylophone"'), store.summaryOf(call)];
				expect(await rows()).toMatchObject([{ passed: 'false', explanation, summary }]);
				expect(store.testCalls).toHaveLength(count);
			}
		},
	},

	'ask-by-phone': {
		starts: {
			'When another workflow asks': (store) =>
				['May we?', NASTY.mention].map((question) => ({
					question,
					phone_number: verified(store),
				})),
		},
		chosen: (store) => ({ 'Give it the question': outbound(store) }),
		does: 'goes on with the answer, and only a clear yes is one',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			/** By question: what the agent and the person say after it. */
			const talks: Record<string, Array<readonly ['agent' | 'caller', string]>> = {
				'May we deliver?': [
					['caller', 'Yes, please.'],
					['agent', 'Good: your answer is yes. Goodbye.'],
				],
				'May we deliver on Friday?': [
					['caller', 'No.'],
					['agent', 'Your answer is no.'],
				],
				'May we call again?': [
					['caller', 'Well, yes and no.'],
					['agent', 'Your answer is yes. Your answer is unclear.'],
				],
				'May we paint it blue?': [['agent', 'Your answer is yes.']],
			};
			const agent = agentOf(store, 'outbound');
			letSay(agent, () => {
				const question = store.agents.get(agent)!.first_message!;
				return [['agent', question], ...(talks[question] ?? [])];
			});
			store.testCallCourse = { beginsAfter: 100, endsAfter: 200 };
			const phone_number = verified(store);
			const asked = Object.keys(talks).map((question) => ({ phone_number, question }));
			const unknown = { phone_number: UNKNOWN_NUMBER, question: 'Who?' };
			const execution = await run('When another workflow asks', { brings: [...asked, unknown] });
			expect(store.testCalls).toHaveLength(asked.length);
			const unclear = { approved: false, explanation: text(/The (agent|caller) /) };
			expect(outputOf(execution, 'Answer')).toEqual([
				{ ...asked[0], approved: true, explanation: 'The call ended: Completed.' },
				...asked.slice(1).map((one) => ({ ...one, ...unclear })),
				{ ...unknown, approved: false, explanation: text('not verified') },
			]);
		},
	},

	'call-again': {
		starts: { 'Every hour of the day': undefined },
		chosen: (store) => ({
			'Calls of the last days': { filters: { agent_id: locator(agentOf(store, 'inbound')) } },
			'Put on the list': { ...list(store), options: { auto_create: true } },
			'Pause campaign': campaign(store, 'paused'),
			'Resume campaign': campaign(store, 'paused'),
		}),
		does: 'puts who is due on the list, once, and resumes the campaign',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const again = '+393470001111';
			const agent = agentOf(store, 'inbound');
			const all: Array<[phone: string, hours: number, call_status: string, of?: string]> = [
				[again, 9, 'Busy'],
				[again, 3, 'Not Answered'],
				['+393470002222', 9, 'Not Answered'],
				['+393470002222', 6, 'Not Answered'],
				['+393470002222', 3, 'Not Answered'],
				['+393470003333', 1, 'Voicemail'],
				['+393470004444', 9, 'Not Answered'],
				['+393470004444', 5, 'Completed'],
				['+393470005555', 9, 'Failed'],
				['+393470006666', 100, 'Not Answered'],
				['+393470007777', 9, 'Not Answered', agentOf(store, 'outbound')],
			];
			for (const [phone_number, hours, call_status, agent_id = agent] of all)
				store.addCall({ agent_id, phone_number, call_status, created_at: ago(hours * HOUR) });
			const people = store.addContactList({}, [store.contacts.all()[0]!.id]);
			const { id } = store.addCampaign({ status: 'paused' });
			const chosen = {
				'Put on the list': { ...list(store), options: { auto_create: true, dryRun: false } },
				'Pause campaign': campaign(store, 'paused'),
				'Resume campaign': campaign(store, 'paused'),
			};
			for (let count = 0, changes = 0; count < 2; count++) {
				await run('Every hour of the day', { chosen });
				expect(numbersOn(people)).toEqual([again]);
				expect(store.campaigns.get(id)?.status).toBe('running');
				if (count === 1) expect(written()).toHaveLength(changes);
				changes = written().length;
			}
		},
	},

	'test-before-rollout': {
		starts: { [FORM]: () => [{ 'New prompt': 'Be kind.' }] },
		chosen: (store) => ({ 'Settings before': outbound(store) }),
		answers: (store) => ({
			'Agent tests': testRows(store),
			Clients: rowsOf(['North'], { agent_id: agentOf(store, 'inbound') }),
		}),
		tells: { [FORM]: /^Not rolled out\. .*not verified/ },
		does: 'gives the prompt to every client if all tests passed; otherwise to none, says why, and goes back',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const agents = store.agents.all().filter(({ agent_type: type }) => type === 'inbound');
			const prompts = () => agents.map(({ id }) => store.agents.get(id)!.prompt_instructions);
			const before = prompts();
			const rows = agents.map(({ id }) => ({ client: 'North & Sons', agent_id: id }));
			const table = await dataTable(rows);
			const { clients } = await addClients(emulator);
			const agent = agentOf(store, 'outbound');
			letSay(agent, () => [['agent', 'We are open until eleven.']]);
			store.testCallCourse = { beginsAfter: 200, endsAfter: 400 };
			const prompt = 'Greet {{ caller_name }}. Say when we are open.';
			const old = store.agents.get(agent)!.prompt_instructions;
			const submit = async (
				sentences: string[],
				fails?: RegExp,
				phone_number = verified(store),
			) => {
				// What last night left in the table.
				const passed = 'true';
				const tests = await dataTable(
					sentences.map((must_say) => ({ phone_number, must_say, passed })),
					['phone_number', 'must_say', 'must_not_say', 'passed'],
				);
				const chosen = { 'Agent tests': tests.chosen, Clients: table.chosen };
				return await run(FORM, { brings: [{ 'New prompt': prompt }], chosen, clients, fails });
			};

			const failed = /^Not rolled out\. Row 2: The agent did not say "twelve"\.$/;
			const execution = await submit(['until eleven', 'twelve'], failed);
			expectSent(execution, { 'Tell the team in Slack': [says(failed)] });
			await submit([], /^Not rolled out\. .*Phone Number/);
			const refused = /^Not rolled out\. Row 1: The call was not placed: .*not verified/;
			await submit(['until eleven', 'eleven'], refused, UNKNOWN_NUMBER);
			expect(store.agents.get(agent)?.prompt_instructions).toBe(old);
			expect(prompts()).toEqual(before);

			await submit(['until eleven', 'eleven']);
			expect(prompts()).toEqual(before.map(() => prompt));
			expect(store.testCalls).toHaveLength(4);
		},
	},

	'low-balance-alert': {
		starts: {
			'Low balance': () => [
				{ balance: 3.5, currency: 'EUR', threshold: 20, auto_topup_enabled: null },
			],
		},
		does: 'tells of the balance',
		sends(store) {
			store.setBalance(7.5);
			const said = 'The YK Voice balance is 7.5 EUR, below 20. Automatic top-up is on.';
			return { 'Tell the team in Slack': [{ text: said }] };
		},
	},

	'low-minutes-alert': {
		starts: {
			'Low minutes': () => [{ minutes_remaining: 0, minutes_included: 100, minutes_used: 0 }],
		},
		does: 'tells how long the minutes will last',
		sends(store) {
			const minutes = { minutes_included: 1000, minutes_used: 900, minutes_remaining: 100 };
			const period = { period_start: ago(9 * DAY), period_end: '2027-03-01T00:00:00Z' };
			store.usage = { ...minutes, ...period, extra_minutes_used: 0 };
			const said =
				'YK Voice: 100 of 1000 minutes remain. At this pace they last about 1 day. The billing period ends on 1 March.';
			return {
				'Tell the team in Slack': [{ text: said }],
				'Send an e-mail': [{ message: said }],
			};
		},
	},

	'wallet-transactions-to-sheet': {
		starts: { 'New wallet transaction': (store) => store.transactions.all() },
		does: 'a row for each transaction',
		sends(store) {
			const added = store.addTransaction({ transaction_type: 'ADD', amount: 50 });
			const { id, created_at, description } = added;
			const row = { 'Transaction ID': id, Created: created_at, Type: 'ADD', Amount: '50' };
			return { 'Row in Google Sheets': [{ ...row, Description: description }] };
		},
	},
};
