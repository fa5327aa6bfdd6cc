import { expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import {
	ago,
	dataTable,
	emulator,
	enter,
	execute,
	expectSent,
	fileOf,
	HOUR,
	model,
	n8n,
	numbersOn,
	says,
	sent,
	setUp,
	withModel,
	written,
	type Json,
} from '../shared.ts';
import { locator, pinned } from '../workflows.ts';
import { addClients, withAccounts } from './account.ts';
import type { Tests } from './tested.ts';

const FORM = 'On form submission';

const outbound = () =>
	emulator.store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;

const withAgent = (name: string) =>
	setUp(name, { 'Make test call': { agent_id: locator(outbound(), 'list') } });

const form = (answer: string) => ({
	'Phone number': '+39 333 123 4567',
	'E-mail': 'anna@example.test',
	'Place a real call?': answer,
	submittedAt: '2026-03-04T05:06:07.000Z',
	formMode: 'test',
});

async function placeCall(name: string) {
	const execution = await execute(withAgent(name), FORM, [form('Yes')]);
	const { testCalls } = emulator.store;
	expect(testCalls).toEqual([expect.objectContaining({ phone_number: '+393331234567' })]);
	return execution;
}

function placesNone(name: string): void {
	it('places none without a yes, and none before an agent is chosen', async () => {
		const execution = await execute(withAgent(name), FORM, [form('No')]);
		expect(outputOf(execution, 'Not called')).toEqual([{ message: 'No call was placed' }]);
		await expect(execute(setUp(name), FORM, [form('Yes')])).rejects.toThrow();
		expect(emulator.requests).toEqual([]);
	});
}

/** Examples about agents: their prompts, campaigns and test calls. */
export const agents: Tests = {
	'documents-to-knowledge-base'() {
		it('sends each file of the folder once, as a form', async () => {
			const data = { ok: true, data: { id: 'd1' }, error: null, meta: null };
			const match = ({ path }: { path: string }) => path === '/knowledge';
			emulator.faults.add({ kind: 'status', status: 200, body: data, times: Infinity, match });
			const table = await dataTable('Sent files', [{ file: 'another' }]);
			const chosen = { dataTableId: locator(table.id) };
			const workflow = setUp('documents-to-knowledge-base', {
				'Not sent yet': chosen,
				'Remember it': chosen,
				Send: { path: '/knowledge', formFiles: { file: [{ name: 'document', field: 'data' }] } },
			});
			const download = workflow.nodes.find(({ name }) => name === 'Download')!;
			// Google Drive answers with a file.
			const { type, typeVersion } = { type: 'n8n-nodes-base.convertToFile', typeVersion: 1.1 };
			const parameters = { operation: 'toText', sourceProperty: 'name', options: {} };
			Object.assign(download, { type, typeVersion, parameters, disabled: false });
			const files = [1, 2].map((id) => ({ id, name: `Menu ${id}`, modifiedTime: '2026-11-01' }));
			const saved = await n8n.saveWorkflow(pinned(workflow, { 'Files of the folder': files }));
			const sendAll = async () => outputOf(await n8n.run(saved, 'Every night'), 'Send');
			expect(await sendAll()).toEqual(files.map(() => data.data));
			expect(await sendAll()).toEqual([]);
		});
	},

	'agent-backup'() {
		it('makes one file for each agent, which holds its settings and its tools', async () => {
			const execution = await execute(setUp('agent-backup'), 'Every night');
			const agents = emulator.store.agents.all();
			const read = outputOf(execution, 'Agents');
			expect(outputOf(execution, 'One file per agent')).toHaveLength(agents.length);
			for (const [at, agent] of read.entries()) {
				const { name, text } = await fileOf(execution, 'One file per agent', { at });
				expect(name).toContain(`-${String(agent.id)}-`);
				expect(agent).toMatchObject({ settings: expect.anything(), tools: expect.anything() });
				expect(JSON.parse(text)).toEqual(agent);
			}
			expect(written()).toEqual([]);
		});
	},

	'agent-restore'() {
		it('shows what would change, then makes the agent as it was, with its tools', async () => {
			const backup = await execute(setUp('agent-backup'), 'Every night');
			const at = outputOf(backup, 'Agents').findIndex(
				({ tools }) => Object.keys(tools!).length > 0,
			);
			const { text } = await fileOf(backup, 'One file per agent', { at });
			const { id } = JSON.parse(text) as { id: string };
			const { agents, tools } = emulator.store;
			const state = () => {
				const { updated_at: _, ...agent } = agents.get(id)!;
				return structuredClone([agent, tools.get(id)]);
			};
			const before = state();
			agents.change(id, { prompt_instructions: 'Wrong.', first_message: 'Hm?' });
			tools.get(id)!['transfer-to-phone']!.phone_number = '+390699999999';
			const submit = async (what: string) =>
				await execute(setUp('agent-restore'), 'On form submission', [
					{ 'Content of the file': text, 'What to do': what },
				]);

			const preview = await submit('Show what would change');
			const shown = outputOf(preview, 'Restore settings').filter(({ changes }) => changes === true);
			expect(shown.map(({ field }) => field)).toEqual(['prompt_instructions', 'first_message']);
			expect(written()).toEqual([]);
			await submit('Restore');
			expect(state()).toEqual(before);
		});
	},

	'nightly-campaign'() {
		const add = (status: string, counts: object = {}) =>
			emulator.store.addCampaign({ status: status as 'draft', ...counts });
		const choosing = (id: string) => {
			const chosen = { campaign_id: locator(id, 'list') };
			const entered = { 'Get campaign': chosen, 'Get the same campaign': chosen };
			return setUp('nightly-campaign', entered);
		};
		const good = { completed: 70, failed: 30 };
		const bad = { completed: 9, failed: 11 };

		it.each([
			['Every evening', 'draft', {}, 'running', /calls people until 21:00/],
			['Every evening', 'completed', {}, 'completed', undefined],
			['Every night', 'running', good, 'paused', /rests: 110 calls so far, 27 % failed/],
			['Every night', 'running', bad, 'stopped', /rests: 20 calls so far, 55 % failed/],
			['Every night', 'draft', {}, 'draft', undefined],
		])('%s: %s %j becomes %s', async (start, from, counts, to, said) => {
			const campaign = add(from, counts);
			const execution = await execute(choosing(campaign.id), start);
			expect(emulator.store.campaigns.get(campaign.id)?.status).toBe(to);
			expect(written()).toHaveLength(from === to ? 0 : 1);
			const messages = ['calls', 'rests'].flatMap((what) =>
				sent(execution, `Say in Slack that it ${what}`),
			);
			expect(messages).toEqual(said ? [says(said)] : []);
		});
	},

	'test-call-outcome'() {
		it('waits for the end of exactly one call, and mails its summary', async () => {
			const { store } = emulator;
			store.testCallCourse = { beginsAfter: 500, endsAfter: 1500, summaryAfter: 2500 };
			const execution = await placeCall('test-call-outcome');
			const message = store.summaryOf(store.calls.all().at(-1)!);
			const subject = 'Your test call: Completed';
			expectSent(execution, {
				'Send the outcome': [{ sendTo: 'anna@example.test', subject, message }],
			});
		});

		placesNone('test-call-outcome');
	},

	'test-call-from-form'() {
		it('places exactly one call', async () => {
			const execution = await placeCall('test-call-from-form');
			const [{ task_id } = { task_id: '' }] = emulator.store.testCalls;
			const called = [{ message: 'Calling +39 333 123 4567', task_id }];
			expect(outputOf(execution, 'Called')).toEqual(called);
		});

		placesNone('test-call-from-form');
	},

	'agents-test-agents'() {
		it('plays each scenario with one agent, checks both transcripts, and keeps the result', async () => {
			const { store } = emulator;
			store.calls.clear();
			const tested = store.agents.find(({ agent_type: type }) => type === 'inbound')!.id;
			const [phone_number = ''] = store.verifiedNumbers;
			const row = (scenario: string, more: Record<string, string> = {}) => ({
				...{ scenario, phone_number, agent_id: tested, role: `You want ${scenario}.` },
				...{ caller_must_say: scenario, agent_must_say: 'Aurora; eight' },
				...{ agent_must_not_say: 'no idea', last_result: '', last_details: '', ...more },
			});
			const table = await dataTable('Scenarios', [
				row('a table'),
				row('a cake', { caller_must_say: 'a pie' }),
				row('nothing', { phone_number: '+393330000001' }),
				row('silence'),
			]);
			/** What the caller was told to want. */
			const played: string[] = [];
			const stop = emulator.before(({ method, path }) => {
				const prompt = String(store.agents.get(outbound())!.prompt_instructions);
				const wish = /^You want (.*)\.\n/.exec(prompt)?.[1] ?? '';
				if (method === 'POST' && path === '/playground/test-call') {
					played.push(wish);
					const text = wish === 'a cake' ? 'No idea. Ask Aurora at eight.' : 'Aurora, at eight?';
					const turns = [{ role: 'agent' as const, text, at_seconds: 0 }];
					if (wish !== 'silence') store.addCall({ agent_id: tested }, { turns });
				}
				for (const { id, agent_id } of store.calls.all()) {
					const timing = store.callTimings.get(id)!;
					if (agent_id === outbound())
						timing.turns ??= [{ role: 'agent', text: `I want ${wish}.`, at_seconds: 0 }];
				}
			});
			store.testCallCourse = { beginsAfter: 100, endsAfter: 200 };
			const workflow = setUp('agents-test-agents', {
				'Play the caller': { agent_id: locator(outbound(), 'list') },
				Scenarios: { dataTableId: locator(table.id) },
			});
			const cake = 'Caller: The agent did not say "a pie". Tested agent: The agent said "no idea".';
			const results = async () => {
				const failed = new RegExp(`^3 failed. a cake: ${cake}; nothing: .*verified.*; silence: `);
				await execute(workflow, 'Every night', undefined, failed);
				return (await table.rows()).map((one) => {
					const { last_result, last_details } = one as Json;
					return [last_result, last_details];
				});
			};
			const expected = [
				['passed', ''],
				['failed', cake],
				['failed', expect.stringContaining('not verified')],
				['failed', 'Tested agent: it shows no call. Does phone_number belong to it?'],
			];
			expect(await results()).toEqual(expected);
			expect(await results()).toEqual(expected);
			stop();
			const tried = ['a table', 'a cake', 'nothing', 'silence'];
			expect(played).toEqual([...tried, ...tried]);
			expect(
				written()
					.filter(({ method }) => method === 'PATCH')
					.map(({ path }) => path),
			).toEqual(played.map(() => `/agents/${outbound()}`));
		});
	},

	'agent-evaluation'() {
		it('makes metrics of a test call, and a model judges its summary', async () => {
			const { store } = emulator;
			store.calls.clear();
			const [phone_number = ''] = store.verifiedNumbers;
			const more = { must_say: 'xylophone', must_not_say: '', expected: 'A table was booked.' };
			const table = await dataTable('Test calls', [
				{ agent_id: outbound(), phone_number, ...more },
			]);
			const chosen = { 'Test calls': { dataTableId: locator(table.id) } };
			const workflow = enter(withModel('agent-evaluation'), chosen);
			const judge = workflow.nodes.find(({ name }) => name === 'Summary as expected?')!;
			judge.disabled = false;
			const opinion = { extended_reasoning: '', reasoning_summary: '', score: 4 };
			model.closing = JSON.stringify(opinion);
			for (const calls of [1, 2]) {
				const execution = await execute(workflow, 'Test calls');
				const call = store.calls.all().at(-1)!;
				const seconds = call.duration_seconds;
				expect(outputOf(execution, 'Score')).toEqual([{ score: 0.5, seconds }]);
				expect(outputOf(execution, 'Summary as expected?')).toEqual([{ summary: 4 }]);
				const explanation = expect.stringContaining('"xylophone"') as string;
				const summary = store.summaryOf(call);
				expect(await table.rows()).toMatchObject([{ passed: 'false', explanation, summary }]);
				expect(store.testCalls).toHaveLength(calls);
			}
		});
	},

	'ask-by-phone'() {
		it('goes on with the answer, and only a clear yes is one', async () => {
			const { store } = emulator;
			store.calls.clear();
			const [phone_number = ''] = store.verifiedNumbers;
			/** By question: what the agent and the person say after it. */
			const talks: Record<string, Array<['agent' | 'caller', string]>> = {
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
			const stop = emulator.before(({ method }) => {
				if (method !== 'GET') return;
				const question = String(store.agents.get(outbound())!.first_message);
				const turns = [['agent', question] as const, ...(talks[question] ?? [])];
				for (const { id } of store.calls.all()) {
					store.callTimings.get(id)!.turns ??= turns.map(([role, text]) => {
						return { role, text, at_seconds: 0 };
					});
				}
			});
			store.testCallCourse = { beginsAfter: 100, endsAfter: 200 };
			const asked = Object.keys(talks).map((question) => ({ phone_number, question }));
			const unknown = { phone_number: '+393330000001', question: 'Who?' };
			const start = 'When another workflow asks';
			const agent_id = locator(outbound(), 'list');
			const workflow = setUp('ask-by-phone', { 'Give it the question': { agent_id } });
			const execution = await execute(workflow, start, [...asked, unknown]);
			stop();
			expect(store.testCalls).toHaveLength(asked.length);
			expect(outputOf(execution, 'Answer')).toEqual([
				{ ...asked[0], approved: true, explanation: 'The call ended: Completed.' },
				...asked.slice(1).map((one) => ({
					...one,
					approved: false,
					explanation: expect.stringMatching(/The (agent|caller) /) as string,
				})),
				{
					...unknown,
					approved: false,
					explanation: expect.stringContaining('not verified') as string,
				},
			]);
			expect(outputOf(execution, 'One at a time')).toHaveLength(asked.length + 1);
		});
	},

	'call-again'() {
		const AGAIN = '+393470001111';

		it.each(['running', 'paused'])('who is due, with a campaign that is %s', async (status) => {
			const { store } = emulator;
			store.calls.clear();
			const inbound = store.agents.find(({ agent_type: type }) => type === 'inbound')!.id;
			const calls: Array<[phone_number: string, hours: number, call_status: string, of?: string]> =
				[
					[AGAIN, 9, 'Busy'],
					[AGAIN, 3, 'Not Answered'],
					['+393470002222', 9, 'Not Answered'],
					['+393470002222', 6, 'Not Answered'],
					['+393470002222', 3, 'Not Answered'],
					['+393470003333', 1, 'Voicemail'],
					['+393470004444', 9, 'Not Answered'],
					['+393470004444', 5, 'Completed'],
					['+393470005555', 9, 'Failed'],
					['+393470006666', 100, 'Not Answered'],
					['+393470007777', 9, 'Not Answered', inbound],
				];
			for (const [phone_number, hours, call_status, agent_id = outbound()] of calls)
				store.addCall({ agent_id, phone_number, call_status, created_at: ago(hours * HOUR) });
			const list = store.addContactList({}, [store.contacts.all()[0]!.id]);
			const campaign = store.addCampaign({ status: status as 'running' });
			const campaign_id = locator(campaign.id);
			const options = { auto_create: true, dryRun: false };
			const workflow = setUp('call-again', {
				'Put on the list': { contact_list_id: locator(list.id), options },
				'Pause campaign': { campaign_id },
				'Resume campaign': { campaign_id },
			});
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Calls of the last days')!;
			Object.assign(parameters.filters!, { agent_id: locator(outbound()) });
			for (let run = 0, changes = 0; run < 2; run++) {
				await execute(workflow, 'Every hour of the day');
				expect(numbersOn(list)).toEqual([AGAIN]);
				expect(campaign.status).toBe('running');
				if (run === 1) expect(written()).toHaveLength(changes);
				changes = written().length;
			}
		});
	},

	'test-before-rollout'() {
		const NEW = 'Greet {{ caller_name }}. Say when we are open.';
		const [MUST, SAID] = ['until eleven', 'We are open until eleven.'];

		/**
		 * Runs it with a test for each of these sentences.
		 * @param fails what the execution must fail with
		 * @returns the clients' prompts before and after
		 */
		const rollOut = async (sentences: string[], fails?: RegExp) => {
			const { store } = emulator;
			store.calls.clear();
			const [phone_number = ''] = store.verifiedNumbers;
			const testAgent = store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;
			const clients = store.agents.all().filter(({ agent_type: type }) => type === 'inbound');
			const prompts = () => clients.map(({ id }) => store.agents.get(id)!.prompt_instructions);
			const tests = await dataTable(
				`Tests ${crypto.randomUUID()}`,
				sentences.map((must_say) => ({ phone_number, must_say, must_not_say: '' })),
				['phone_number', 'must_say', 'must_not_say'],
			);
			const table = await dataTable(
				`Clients ${crypto.randomUUID()}`,
				clients.map(({ id }) => ({ client: 'North', agent_id: id })),
			);
			const chosen = setUp('test-before-rollout', {
				'Change the test agent': { agent_id: locator(testAgent, 'list') },
				'Agent tests': { dataTableId: locator(tests.id) },
				Clients: { dataTableId: locator(table.id) },
			});
			const agency = await addClients(emulator, ['North', 'South', 'West']);
			const workflow = withAccounts(chosen, agency.credential);
			const stop = emulator.before(({ path }) => {
				if (!path.startsWith('/call-history')) return;
				for (const { id } of store.calls.all())
					store.callTimings.get(id)!.turns = [{ role: 'agent', text: SAID, at_seconds: 0 }];
			});
			store.testCallCourse = { beginsAfter: 200, endsAfter: 400 };
			const before = prompts();
			const execution = await execute(
				workflow,
				'On form submission',
				[{ 'New prompt': NEW }],
				fails,
			);
			stop();
			expect(store.agents.get(testAgent)?.prompt_instructions).toBe(NEW);
			expect(store.testCalls).toHaveLength(sentences.length);
			return { execution, before, after: prompts() };
		};

		it('gives the prompt to every client if all tests passed', async () => {
			const { execution, before, after } = await rollOut([MUST, 'eleven']);
			expect(before.length).toBeGreaterThan(1);
			expect(after).toEqual(before.map(() => NEW));
			expect(execution.data.resultData.runData).not.toHaveProperty('Tell the team in Slack');
		});

		it('changes no client if one failed, and says what', async () => {
			const text = 'Not rolled out. The agent did not say "twelve".';
			const { execution, before, after } = await rollOut([MUST, 'twelve'], new RegExp(`^${text}$`));
			expect(after).toEqual(before);
			expectSent(execution, { 'Tell the team in Slack': [{ text }] });
		});

		it('changes no client without a test, and fails', async () => {
			const { before, after } = await rollOut([], /^Not rolled out\. .*Phone Number/);
			expect(after).toEqual(before);
		});
	},
};
