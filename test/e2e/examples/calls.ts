import { DateTime } from 'luxon';
import { beforeEach, expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import {
	ago,
	DAY,
	dayOf,
	emulator,
	execute,
	expectSent,
	failReads,
	fileOf,
	minuteOf,
	model,
	n8n,
	numbersOn,
	renewEmulator,
	seen,
	sent,
	setUp,
	withModel,
	written,
} from '../shared.ts';
import { locator, MANUAL, pinned } from '../workflows.ts';
import type { Tests } from './tested.ts';

/** Examples about calls that came in. */
export const calls: Tests = {
	'call-export-to-table'() {
		it('as many rows as calls', async () => {
			await renewEmulator('demo');
			const { store } = emulator;
			const since = ago(30 * DAY);
			const recent = store.calls.all().filter(({ created_at: date }) => date > since);

			const agent_name = '=HYPERLINK("https://evil.example")';
			store.calls.change(recent[0]!.id, { agent_name });
			const execution = await execute(setUp('call-export-to-table'), MANUAL);

			const { name, text } = await fileOf(execution, 'Make a CSV file');
			expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
			expect(text).toContain('Created,Status,Agent,Phone,Seconds,Summary,Call ID');
			expect(recent.length).toBeGreaterThan(500);
			// A call may leave the thirty days while they are read.
			const missing = recent.filter(({ id }) => !text.includes(id));
			expect(missing.length).toBeLessThanOrEqual(1);
			// No formula in the file.
			expect(text).toContain(`,"'=HYPERLINK(`);
			expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
			const rows = sent(execution, 'Rows in Google Sheets');
			expect(rows).toHaveLength(recent.length - missing.length);
			const call = recent.filter((one) => store.summaryOf(one)).at(-1)!;
			expect(rows).toContainEqual({
				Created: call.created_at,
				Status: call.call_status,
				Agent: call.agent_name,
				Phone: call.phone_number,
				Seconds: String(call.duration_seconds),
				Summary: store.summaryOf(call),
				'Call ID': call.id,
			});
		});
	},

	'calls-at-once'() {
		it('a notification with the secret brings each call once, one without it nothing', async () => {
			const header = { name: 'X-Secret', value: crypto.randomUUID() };
			const options = { name: 'Notifications', type: 'httpHeaderAuth' };
			const httpHeaderAuth = await n8n.createCredential(header, options);
			const workflow = setUp('calls-at-once');
			const webhook = workflow.nodes.find(({ name }) => name === 'Notification')!;
			const path = crypto.randomUUID();
			Object.assign(webhook, { webhookId: path, credentials: { httpHeaderAuth } });
			Object.assign(webhook.parameters, { path, responseMode: 'lastNode' });
			const saved = await n8n.saveWorkflow(workflow);
			await n8n.activate(saved);
			const notify = async (secret: string = header.value) => {
				const headers = { [header.name]: secret, 'content-type': 'application/json' };
				const body = JSON.stringify({ call: 'of somebody else' });
				return await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
			};
			const told = async () => {
				const before = (await n8n.listed(saved.id)).length;
				await notify();
				await n8n.until(async () => (await n8n.listed(saved.id)).length > before);
				const { id } = (await n8n.listed(saved.id)).at(-1)!;
				return sent(await n8n.finished(id), 'Tell the team in Slack').map(({ text }) => text);
			};
			// n8n says yes before the webhook is there.
			await n8n.until(async () => (await notify('wrong')).status === 403);
			expect(await n8n.listed(saved.id)).toEqual([]);
			expect(await told()).toEqual([]);
			const { call_status, created_at } = emulator.store.addCall();
			expect(await told()).toEqual([`New call: ${call_status}, ${minuteOf(created_at)}`]);
			expect(await told()).toEqual([]);
			await n8n.deactivate(saved);
		});
	},

	'unanswered-share-alert'() {
		it('tells of an agent whose share rose, not of one with few calls', async () => {
			const { store } = emulator;
			store.calls.clear();
			const [worse, few, young] = store.agents.all();
			const add = (agent: typeof worse, days: number, statuses: Record<string, number>) => {
				for (const [call_status, count] of Object.entries(statuses))
					for (let at = 0; at < count; at++)
						store.addCall({
							...{ agent_id: agent!.id, agent_name: agent!.name, call_status },
							created_at: ago(days * DAY),
						});
			};
			add(worse, 9, { Completed: 20 });
			add(worse, 2, { Completed: 16, 'Not Answered': 4 });
			add(few, 9, { Completed: 20 });
			add(few, 2, { 'Not Answered': 19 });
			add(young, 9, { Completed: 19 });
			add(young, 2, { 'Not Answered': 20 });
			const execution = await execute(setUp('unanswered-share-alert'), 'Every morning');
			const text = `${worse!.name}: 20 % of 20 calls were not answered, 20 points more than in the week before`;
			expectSent(execution, { 'Tell the team in Slack': [{ text }] });
		});
	},

	'weekly-quality-digest'() {
		it('what each agent did, the longest and the failed calls', async () => {
			const { store } = emulator;
			store.calls.clear();
			const [agent] = store.agents.all();
			const created_at = DateTime.now()
				.minus({ weeks: 1 })
				.startOf('week')
				.plus({ days: 2 })
				.toISO();
			const add = (duration_seconds: number, call_status: string, more = {}) =>
				store.addCall({
					...{ agent_id: agent!.id, agent_name: agent!.name, created_at },
					...{ duration_seconds, call_status, transfer_time: null, ...more },
				});
			for (const seconds of [20, 400, 300, 500]) add(seconds, 'Completed');
			const failed = add(5, 'Failed', { transfer_time: created_at });
			store.addCall({ created_at: ago(0), duration_seconds: 900 });
			const execution = await execute(setUp('weekly-quality-digest'), 'Every Monday');
			const [{ message }] = sent(execution, 'Send the digest') as [{ message: string }];
			const [agents, longest, failures] = message.split('\n\n');
			expect(agents).toContain(`${agent!.name}: calls 5, completed 80 %, transferred 1, by`);
			expect(longest!.match(/\d+ s /g)).toEqual(['500 s ', '400 s ', '300 s ']);
			expect(failures).toContain(String(store.summaryOf(failed) ?? 'no summary'));
		});
	},

	'daily-figures-to-sheet'() {
		it('one row for each of seven days', async () => {
			emulator.store.calls.clear();
			for (const call_status of ['Completed', 'Completed', 'Not Answered'])
				emulator.store.addCall({ created_at: ago(2 * DAY), call_status, duration_seconds: 60 });
			const execution = await execute(setUp('daily-figures-to-sheet'), 'Every morning');
			const rows = sent(execution, 'Rows in Google Sheets');
			expect(new Set(rows.map(({ Day }) => Day)).size).toBe(7);
			const figures = { Calls: '3', Minutes: '3', 'Average seconds': '60' };
			const statuses = { Completed: '2', 'Not answered': '1', Voicemail: '0' };
			expect(rows.filter(({ Calls }) => Calls !== '0')).toMatchObject([
				{ ...figures, ...statuses },
			]);
		});
	},

	'monthly-client-report'() {
		const report = async () => {
			const execution = await execute(setUp('monthly-client-report'), 'Every month');
			const [mail, ...more] = sent(execution, 'Send the report');
			expect(more).toEqual([]);
			return mail;
		};

		beforeEach(() => emulator.store.calls.clear());

		it('counts the calls of last month alone, beside those of the month before', async () => {
			const { store } = emulator;
			for (const day of [1, 12]) store.addCall({ created_at: dayOf(-1, day) });
			store.addCall({ created_at: dayOf(-1, 12), call_status: 'Busy' });
			store.addCall({ created_at: dayOf(-2, 1) });
			store.addCall({ created_at: dayOf(0, 1) });
			const mail = await report();
			expect(mail?.subject).toMatch(/^Voice agent report: \w+ \d{4}$/);
			expect(seen(mail?.message)).toMatch(
				/Calls 3 \+200% \(was 1\) .*Completed 2 \(66\.7%\) Busy 1 \(33\.3%\)/,
			);
		});
	},

	'call-summary-to-crm-contact'() {
		const NAME = 'call-summary-to-crm-contact';
		const [start, created_at] = ['Call ready', '2026-03-04T05:06:07Z'];
		const at = (phone: string) =>
			emulator.store.contacts.find(({ phone_number: number }) => number === phone);

		it('adds the summary of the newest call to the contact, fetched as a test event', async () => {
			const { store } = emulator;
			const before = { ...store.addContact({ notes: 'Prefers the terrace' }) };
			const { phone_number } = before;
			const call = store.addCall({ phone_number }, { summary: 'Booked & paid, 7 > 5.' });
			const note = `${call.created_at.slice(0, 10)}: Booked & paid, 7 > 5.`;

			const found = [{ id: '501', properties: {} }];
			const workflow = pinned(setUp(NAME), { 'Find the caller in HubSpot': found });
			const execution = await execute(workflow, start);

			const { updated_at: _, ...kept } = before;
			const notes = `Prefers the terrace\n${note}`;
			expect(at(phone_number)).toMatchObject({ ...kept, notes });
			expectSent(execution, {
				'Log the call in HubSpot': [{ body: note, fromNumber: phone_number, contactIds: '501' }],
			});
		});

		it('makes contacts, keeps both notes of one person, and leaves out who has no number', async () => {
			const { store } = emulator;
			const count = store.contacts.size;
			const present = { ...store.contacts.all()[0]! };
			const ready = (phone_number: string | null, summary: string | null) => {
				return { created_at, phone_number, summary };
			};

			await execute(setUp(NAME), start, [
				ready('+393470004444', 'One.'),
				ready(present.phone_number, 'Two.'),
				ready('anonymous', 'Three.'),
				ready(null, 'Four.'),
				ready('+393470005555', null),
				ready('+393470004444', 'Six.'),
			]);

			expect(at('+393470004444')?.notes).toBe('2026-03-04: One.\n2026-03-04: Six.');
			expect(at(present.phone_number)).toMatchObject({
				email: present.email,
				custom_fields: present.custom_fields,
				notes: [present.notes, '2026-03-04: Two.'].filter(Boolean).join('\n'),
			});
			expect(store.contacts.size).toBe(count + 1);
		});

		it('overwrites no notes if they cannot be read', async () => {
			const { phone_number } = emulator.store.addContact({ notes: 'Prefers the terrace' });
			failReads();
			await execute(setUp(NAME), start, [{ created_at, phone_number, summary: 'One.' }], /500/);
			expect(written()).toEqual([]);
		});
	},

	'call-the-missed'() {
		const missed = ['+393470001111', '+393470005555'];

		/** Runs it on a day on which two callers were missed, and not reached since. */
		async function run(dryRun: boolean) {
			const { store } = emulator;
			store.calls.clear();
			const [reached, called, other] = ['+393470002222', '+393470003333', '+393470004444'];
			const calls: Array<[number, string | undefined, string, ('inbound' | 'outbound')?]> = [
				[4, missed[0], 'not answered'],
				[3, missed[0], 'Busy'],
				[3, missed[1], 'Rejected'],
				[3, reached, 'Voicemail'],
				[2, reached, 'Completed'],
				[2, called, 'Not Answered', 'outbound'],
				[1, other, 'Completed'],
			];
			for (const [seconds, phone_number, call_status, direction = 'inbound'] of calls) {
				store.addCall({ created_at: ago(seconds * 1000), phone_number, call_status, direction });
			}
			const member = store.contacts.all()[0]!.id;
			const list = store.addContactList({}, [member]);
			const campaign = store.addCampaign({ status: 'draft' });
			const workflow = setUp('call-the-missed', {
				'Put them on the list': {
					contact_list_id: locator(list.id),
					options: { auto_create: true, dryRun },
				},
				'Get campaign': { campaign_id: locator(campaign.id) },
			});
			const execution = await execute(workflow, 'Every evening');
			return { execution, member, list, campaign };
		}

		it('only says who would be called, as long as it is a dry run', async () => {
			const { execution, member } = await run(true);
			const put = { dry_run: true, kept: 0, add: missed.join(', '), remove: member };
			expect(outputOf(execution, 'Put them on the list')).toMatchObject([put]);
			expect(written()).toEqual([]);
		});

		it('puts those who were missed and not reached since on the list, and starts the campaign', async () => {
			const { execution, list, campaign } = await run(false);
			expect(numbersOn(list)).toEqual(missed);
			expect(campaign.status).toBe('running');
			const text = `Campaign "${campaign.name}" calls. Missed: ${missed.join(', ')}`;
			expectSent(execution, { 'Tell the team in Slack': [{ text }] });
		});
	},

	'transcript-quality-score'() {
		it('a row per call, and a message for a poor one', async () => {
			const NAME = 'transcript-quality-score';
			const created_at = '2026-03-04T05:06:07Z';
			const ready = (id: string, transcript_text: string) => {
				return { id, created_at, agent_name: 'Aurora', transcript_text };
			};
			const calls = [ready('1', 'Caller: Hello?'), ready('2', ''), ready('3', 'Caller: Hi.')];
			const answer = { score: 4, wish_met: false, polite: true, reason: 'Why.', better: 'So.' };
			model.closing = JSON.stringify({ output: answer });

			const scored = await execute(withModel(NAME), 'Transcript ready', calls);

			const about = { Created: created_at, Agent: 'Aurora', Phone: '', Score: '4' };
			const judged = { 'Wish met': 'false', Polite: 'true', Reason: 'Why.', Better: 'So.' };
			const text = 'A call scored 4 of 10: Aurora with an unknown number.\nWhy.\nBetter: So.';
			expectSent(scored, {
				'Scores in Google Sheets': ['1', '3'].map((id) => {
					return { 'Call ID': id, ...about, ...judged };
				}),
				'Tell the team in Slack': [{ text }, { text }],
			});

			const off = await execute(setUp(NAME), 'Transcript ready', calls);
			const unscored = (id: string) => expect.objectContaining({ 'Call ID': id, Score: '' });
			expectSent(off, {
				'Scores in Google Sheets': [unscored('1'), unscored('3')],
				'Tell the team in Slack': [],
			});
		});
	},

	'ask-your-calls'() {
		it('the agent counts, finds and reads calls, and changes nothing', async () => {
			const chat = { sessionId: 'one', action: 'sendMessage', chatInput: 'How many calls?' };
			model.says.push({ From: ago(30 * DAY), Until: ago(0), Group_By: 'none' });
			model.closing = 'So many.';
			const execution = await execute(withModel('ask-your-calls'), 'Chat', [chat]);
			expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'So many.' }]);
			const tools = model.offered().map(({ name }) => name);
			expect(tools.sort()).toEqual(['Count_calls', 'Find_calls', 'Read_a_call']);
			expect(model.read().join()).toMatch(/"calls":\d+/);
			await execute(setUp('ask-your-calls'), 'Chat', [chat]);
		});
	},
};
