import { beforeEach, expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import {
	dataTable,
	emulator,
	execute,
	expectSent,
	fileOf,
	n8n,
	says,
	sent,
	setUp,
	withoutCalls,
	written,
	type Json,
} from '../stage.ts';
import { locator, pinned } from '../workflows.ts';
import { addClients, withAccounts } from './account.ts';
import type { Tests } from './tested.ts';

const PROMPT = 'You answer for Trattoria Aurora.\nBe brief and kind.\nAsk for the name.';

const OLD = 'You answer for Trattoria Aurora.\nBe witty.';

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
	'agent-prompt-rollout'() {
		// Browsers send the lines of a form with \r\n.
		const run = async (entered: Json) =>
			await execute(setUp('agent-prompt-rollout'), 'On form submission', [
				{ 'New prompt': PROMPT.replaceAll('\n', '\r\n'), ...entered },
			]);
		const prompts = () => {
			const agents = emulator.store.agents.all();
			return Object.fromEntries(agents.map((one) => [one.name, one.prompt_instructions]));
		};

		beforeEach(() => {
			const { agents } = emulator.store;
			const give = (name: string, prompt_instructions: string | null) =>
				agents.change(agents.find((one) => one.name === name)!.id, { prompt_instructions });
			give('Aurora Live', `${PROMPT}\n`);
			give('Aurora Front Desk', null);
			give('Aurora Night Line', OLD);
		});

		it('shows what would change, and changes nothing', async () => {
			const execution = await run({ 'What to do': 'Show what would change' });
			const shown = outputOf(execution, 'Preview, nothing changed');
			const names = shown.map(({ name }) => name);
			expect(names.sort()).toEqual(['Aurora Front Desk', 'Aurora Night Line']);
			expect(shown.find(({ before }) => before === OLD)).toMatchObject({
				after: PROMPT,
				lines_removed: ['Be witty.'],
				lines_added: ['Be brief and kind.', 'Ask for the name.'],
			});
			expect(written()).toEqual([]);
		});

		it('changes the agents whose prompt differs, and only their prompt', async () => {
			const before = prompts();
			const execution = await run({ 'What to do': 'Change' });
			const changed = { 'Aurora Front Desk': PROMPT, 'Aurora Night Line': PROMPT };
			expect(prompts()).toEqual({ ...before, ...changed });
			const body = { prompt_instructions: PROMPT };
			expect(written().map((request) => request.body)).toEqual([body, body]);
			expect(outputOf(execution, 'Update agent')).toHaveLength(2);
			for (const { Agent, Before, After } of sent(execution, 'Keep the old prompts')) {
				expect([Before ?? '', After]).toEqual([before[String(Agent)] ?? '', PROMPT]);
			}
		});
	},

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

	'approve-campaign'() {
		const campaignOf = (status: string) =>
			emulator.store.campaigns.find((one) => one.status === status)!.id;
		const choosing = (id: string) =>
			setUp('approve-campaign', { 'Get campaign': { campaign_id: locator(id, 'list') } });
		const answering = (id: string, approved: boolean) =>
			pinned(choosing(id), { 'Ask in Slack': [{ data: { approved } }] });

		it('starts the campaign with a yes, and says how it ended', async () => {
			const id = campaignOf('draft');
			emulator.before(({ method, path }) => {
				const { campaigns } = emulator.store;
				const isAsked = method === 'GET' && path === `/campaigns/${id}`;
				if (isAsked && campaigns.get(id)?.status === 'running') {
					campaigns.change(id, { status: 'completed' });
				}
			});
			const execution = await execute(answering(id, true), 'Every morning');
			expect(sent(execution, 'Ask in Slack')[0]?.message).toMatch(/^May the campaign ".+" start\?/);
			expectSent(execution, {
				'Tell it in Slack': [says('The campaign has ended: its state is completed.')],
			});
		});

		it.each([
			['a no', (id: string) => answering(id, false)],
			['no answer in time, or while the question is switched off', choosing],
		])('starts nothing with %s', async (_what, workflow) => {
			const id = campaignOf('draft');
			const execution = await execute(workflow(id), 'Every morning');
			expect(outputOf(execution, 'Not approved')).toHaveLength(1);
			expect(written()).toEqual([]);
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

		it('says what is known if two calls could be meant', async () => {
			emulator.before(({ method }) => {
				if (method !== 'POST') return;
				emulator.store.addCall({ agent_id: outbound(), phone_number: '+393331234567' });
			});
			const execution = await placeCall('test-call-outcome');
			const [mail] = sent(execution, 'Send the outcome');
			expect(mail?.subject).toBe('Your test call: its outcome is not known');
			expect(mail?.message).toMatch(/^More than one call matches/);
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

	'nightly-agent-test'() {
		it('what changed since last night, and a message if something fails', async () => {
			const { store } = emulator;
			withoutCalls();
			const agent_id = store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;
			const [phone_number] = store.verifiedNumbers;
			const row = (test: string, checks: Record<string, string>) => {
				const all = { must_say: '', must_not_say: '', outcome: '', max_seconds: '' };
				const last = { last_result: '', last_details: '' };
				return { test, agent_id, phone_number: phone_number!, ...all, ...checks, ...last };
			};
			const table = await dataTable('Agent tests', [
				row('Hours', { must_say: 'Until eleven; Sunday', must_not_say: 'I do not know' }),
				row('Length', { outcome: 'completed', max_seconds: '90' }),
				row('Nothing', {}),
			]);
			const chosen = { dataTableId: locator(table.id) };
			const entered = { 'Agent tests': chosen, 'Remember the result': chosen };
			const workflow = setUp('nightly-agent-test', entered);
			/** The report of a night on which the agents say this, and take so long. */
			const night = async (text: string, duration_seconds: number) => {
				const stop = emulator.before(({ path }) => {
					if (!path.startsWith('/call-history')) return;
					for (const { id } of store.calls.all()) {
						store.calls.change(id, { duration_seconds });
						store.callTimings.get(id)!.turns = [
							{ role: 'caller', text: 'I do not know when you are open.', at_seconds: 0 },
							{ role: 'Aurora' as 'agent', text: 'One moment.', at_seconds: 3 },
							{ role: 'agent', text, at_seconds: 4 },
						];
					}
				});
				store.testCallCourse = { beginsAfter: 200, endsAfter: 400 };
				const execution = await execute(workflow, 'Every night');
				stop();
				const told = sent(execution, 'Tell the team in Slack').map(({ text }) => text);
				return { mails: sent(execution, 'Send the report'), told };
			};

			expect(await night('Until eleven. On SUNDAY we are closed.', 60)).toEqual({
				mails: [
					{
						subject: 'Agent tests: 0 of 3 failed',
						message: 'Hours: passed. \nLength: passed. \nNothing: not checked. ',
					},
				],
				told: [],
			});
			const hours =
				'The agent did not say "Sunday". The agent, or somebody unknown, said "I do not know".';
			const length = 'The call took 120 seconds, more than 90.';
			expect(await night('I do not know. Until eleven?', 120)).toEqual({
				mails: [
					{
						subject: 'Agent tests: 2 of 3 failed',
						message: `Hours: failed (new). ${hours}\nLength: failed (new). ${length}\nNothing: not checked. `,
					},
				],
				told: [`Agent test failed: Hours. ${hours}`, `Agent test failed: Length. ${length}`],
			});
			expect(await table.rows()).toMatchObject([
				{ test: 'Hours', last_result: 'failed', last_details: hours },
				{ test: 'Length', last_result: 'failed' },
				{ test: 'Nothing', last_result: 'not checked' },
			]);
			expect(store.testCalls).toHaveLength(6);
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
			withoutCalls();
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
