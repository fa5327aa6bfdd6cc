import { DateTime } from 'luxon';
import { expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import { emulator, model, n8n } from '../shared.ts';
import { MANUAL } from '../workflows.ts';
import { calls, callsWith, campaign, list, NASTY } from './account.ts';
import {
	ago,
	DAY,
	dayOf,
	expectSent,
	fileOf,
	minuteOf,
	numbersOn,
	page,
	says,
	sent,
	text,
	written,
	type Examples,
} from './example.ts';

const created_at = '2026-03-04T05:06:07.000Z';

/** Examples about calls that came in. */
export const aboutCalls: Examples = {
	'call-export-to-table': {
		starts: { [MANUAL]: undefined },
		does: 'has as many rows as there are calls, and no formula in its file',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const call = { agent_name: NASTY.formula, created_at: ago(DAY), duration_seconds: 61 };
			const timing = { summary: 'Wants a table.' };
			const all = Array.from({ length: 120 }, () => store.addCall(call, timing));
			store.addCall({ created_at: ago(31 * DAY) });

			const execution = await run(MANUAL);

			const { name, text: file } = await fileOf(execution, 'Make a CSV file');
			expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
			expect(file).toContain('Created,Status,Agent,Phone,Seconds,Summary,Call ID');
			expect(all.filter(({ id }) => !file.includes(id))).toEqual([]);
			expect(file).toContain(`,"'=HYPERLINK(`);
			expect(file).not.toMatch(/(^|,)"?[=+@-]/m);
			const rows = sent(execution, 'Rows in Google Sheets');
			expect(rows).toHaveLength(all.length);
			expect(rows).toContainEqual({
				Created: call.created_at,
				Status: all[0]!.call_status,
				Agent: NASTY.formula,
				Phone: all[0]!.phone_number,
				Seconds: '61',
				Summary: 'Wants a table.',
				'Call ID': all[0]!.id,
			});
		},
	},

	'calls-at-once': {
		starts: { Notification: () => [{ body: {} }], 'Every month': undefined },
		does: 'a notification with the secret brings each call once, one without it nothing',
		async test(_run, setUp) {
			const header = { name: 'X-Secret', value: crypto.randomUUID() };
			const options = { name: 'Notifications', type: 'httpHeaderAuth' };
			const httpHeaderAuth = await n8n.createCredential(header, options);
			const workflow = setUp();
			const webhook = workflow.nodes.find(({ name }) => name === 'Notification')!;
			const path = crypto.randomUUID();
			Object.assign(webhook, { webhookId: path, credentials: { httpHeaderAuth } });
			Object.assign(webhook.parameters, { path });
			const saved = await n8n.saveWorkflow(workflow);
			await n8n.activate(saved);
			const notify = async (secret: string) => {
				const headers = { [header.name]: secret };
				return await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers });
			};
			const told = async () => {
				const before = (await n8n.listed(saved.id)).length;
				await notify(header.value);
				await n8n.until(async () => (await n8n.listed(saved.id)).length > before);
				const { id } = (await n8n.listed(saved.id)).at(-1)!;
				return sent(await n8n.finished(id), 'Tell the team in Slack').map((one) => one.text);
			};
			// n8n says yes before the webhook is there.
			await n8n.until(async () => (await notify('wrong')).status === 403);
			expect(await n8n.listed(saved.id)).toEqual([]);
			expect(await told()).toEqual([]);
			const call = emulator.store.addCall();
			const said = `New call: ${call.call_status}, ${minuteOf(call.created_at)}`;
			expect(await told()).toEqual([said]);
			expect(await told()).toEqual([]);
			await n8n.deactivate(saved);
		},
	},

	'unanswered-share-alert': {
		starts: { 'Every morning': undefined },
		does: 'tells of an agent whose share rose, not of one with few calls',
		sends(store) {
			store.calls.clear();
			const [worse, few, young] = store.agents.all();
			const counts = [
				[worse, 9, 'Completed', 20],
				[worse, 2, 'Completed', 16],
				[worse, 2, 'Not Answered', 4],
				[few, 9, 'Completed', 20],
				[few, 2, 'Not Answered', 19],
				[young, 9, 'Completed', 19],
				[young, 2, 'Not Answered', 20],
			] as const;
			for (const [agent, days, call_status, count] of counts) {
				const { id: agent_id, name: agent_name } = agent!;
				const call = { agent_id, agent_name, call_status, created_at: ago(days * DAY) };
				for (let at = 0; at < count; at++) store.addCall(call);
			}
			const said = `${worse!.name}: 20 % of 20 calls were not answered, 20 points more than in the week before`;
			return { 'Tell the team in Slack': [{ text: said }] };
		},
	},

	'weekly-quality-digest': {
		starts: { 'Every Monday': undefined },
		does: 'what each agent did, the longest and the failed calls',
		sends(store) {
			store.calls.clear();
			const { id: agent_id, name: agent_name } = store.agents.all()[0]!;
			const lastWeek = DateTime.now().minus({ weeks: 1 }).startOf('week').plus({ days: 2 }).toISO();
			const call = { agent_id, agent_name, created_at: lastWeek, transfer_time: null };
			for (const duration_seconds of [20, 400, 300, 500])
				store.addCall({ ...call, duration_seconds, call_status: 'Completed' });
			const failed = { duration_seconds: 5, call_status: 'Failed', transfer_time: lastWeek };
			store.addCall({ ...call, ...failed });
			store.addCall({ created_at: ago(0), duration_seconds: 900 });
			const agents = `${agent_name}: calls 5, completed 80 %, transferred 1, by[^]*`;
			const longest = ' 500 s .*\n.* 400 s .*\n.* 300 s .*\n\nFailed calls\n';
			const message = text(new RegExp(`${agents}${longest}.*  5 s  no summary$`));
			return { 'Send the digest': [expect.objectContaining({ message })] };
		},
	},

	'daily-figures-to-sheet': {
		starts: { 'Every morning': undefined },
		does: 'one row for each of seven days',
		sends(store) {
			store.calls.clear();
			for (const call_status of ['Completed', 'Completed', 'Not Answered'])
				store.addCall({ created_at: ago(2 * DAY), call_status, duration_seconds: 60 });
			const figures = { Calls: '3', Minutes: '3', 'Seconds per completed call': '60' };
			const statuses = { Completed: '2', 'Not answered': '1', Voicemail: '0' };
			const rows = [7, 6, 5, 4, 3, 2, 1].map((days) => ({
				...(days === 2 ? { ...figures, ...statuses } : { Calls: '0' }),
				Day: ago(days * DAY).slice(0, 10),
			}));
			return {
				'Rows in Google Sheets': rows.map((row) => expect.objectContaining(row) as object),
			};
		},
	},

	'monthly-client-report': {
		starts: { 'Every month': undefined },
		does: 'counts the calls of last month alone, beside those of the month before',
		sends(store) {
			store.calls.clear();
			for (const day of [1, 12]) store.addCall({ created_at: dayOf(-1, day) });
			store.addCall({ created_at: dayOf(-1, 12), call_status: 'Busy' });
			store.addCall({ created_at: dayOf(-2, 1) });
			store.addCall({ created_at: dayOf(0, 1) });
			const shown = /Calls 3 \+200% \(was 1\) .*Completed 2 \(66\.7%\) Busy 1 \(33\.3%\)/;
			const subject = text(/^Voice agent report: \w+ \d{4}$/);
			const mail = { subject, message: page(shown) };
			return { 'Send the report': [expect.objectContaining(mail)] };
		},
	},

	'call-summary-to-crm-contact': {
		starts: { 'Call ready': (store) => callsWith(store).slice(-12) },
		answers: () => ({ 'Find the caller in HubSpot': { id: '501' } }),
		does: 'logs the summary of a call, also of one that comes late',
		sends(store) {
			const phone_number = '+393470006666';
			const summaryAt = Date.now() + 7000;
			store.addCall({ phone_number }, { summaryAt, summary: 'Booked & paid, 7 > 5.' });
			const body = text(/^[-0-9]{10}: Booked & paid, 7 > 5\.$/);
			const logged = { body, fromNumber: phone_number };
			return { 'Log the call in HubSpot': [expect.objectContaining(logged)] };
		},
		tests(run) {
			const start = 'Call ready';

			it('makes contacts, keeps all notes of one person, and leaves out who has no number', async () => {
				const { contacts } = emulator.store;
				const count = contacts.size;
				const present = { ...emulator.store.addContact({ notes: 'Prefers the terrace' }) };
				const calls: Array<[phone_number: string | null, summary: string | null]> = [
					['+393470004444', 'One.'],
					[present.phone_number, 'Two.'],
					['anonymous', 'Three.'],
					[null, 'Four.'],
					['+393470005555', null],
					['+393470004444', 'Six.'],
				];
				const brings = calls.map(([phone_number, summary]) => ({
					created_at,
					phone_number,
					summary,
				}));
				const answers = { 'Find the caller in HubSpot': { id: '501' } };
				const execution = await run(start, { brings, answers });
				expect(sent(execution, 'Log the call in HubSpot')).toContainEqual({
					body: '2026-03-04: Two.',
					fromNumber: present.phone_number,
					contactIds: '501',
				});
				const at = (phone: string) => contacts.find((one) => one.phone_number === phone);
				expect(at('+393470004444')?.notes).toBe('2026-03-04: One.\n2026-03-04: Six.');
				const { updated_at: _, ...kept } = present;
				const notes = 'Prefers the terrace\n2026-03-04: Two.';
				expect(at(present.phone_number)).toMatchObject({ ...kept, notes });
				expect(contacts.size).toBe(count + 2);
			});
		},
	},

	'call-the-missed': {
		starts: { 'Every evening': undefined },
		chosen: (store) => ({
			'Put them on the list': { ...list(store), options: { auto_create: true } },
			'Get campaign': campaign(store, 'paused'),
		}),
		does: 'puts who was missed and not reached since on the list, first as a dry run, and starts the campaign',
		async test(run) {
			const { store } = emulator;
			store.calls.clear();
			const missed = ['+393470001111', '+393470005555'];
			const calls = [
				[4, missed[0], 'not answered', 'inbound'],
				[3, missed[0], 'Busy', 'inbound'],
				[3, missed[1], 'Rejected', 'inbound'],
				[3, '+393470002222', 'Voicemail', 'inbound'],
				[2, '+393470002222', 'Completed', 'inbound'],
				[2, '+393470003333', 'Not Answered', 'outbound'],
				[1, '+393470004444', 'Completed', 'inbound'],
			] as const;
			for (const [seconds, phone_number, call_status, direction] of calls)
				store.addCall({ created_at: ago(seconds * 1000), phone_number, call_status, direction });
			const member = store.contacts.all()[0]!.id;
			const people = store.addContactList({}, [member]);
			const { id, name } = store.addCampaign({ status: 'draft' });
			const evening = async (dryRun: boolean) =>
				await run('Every evening', {
					chosen: {
						'Put them on the list': { ...list(store), options: { auto_create: true, dryRun } },
						'Get campaign': campaign(store, 'draft'),
					},
				});
			const put = { dry_run: true, kept: 0, add: missed.join(', '), remove: member };
			expect(outputOf(await evening(true), 'Put them on the list')).toMatchObject([put]);
			expect(written()).toEqual([]);

			const execution = await evening(false);
			expect(numbersOn(people)).toEqual(missed);
			expect(store.campaigns.get(id)?.status).toBe('running');
			const said = `Campaign "${name}" calls. Missed: ${missed.join(', ')}`;
			expectSent(execution, { 'Tell the team in Slack': [{ text: said }] });
		},
	},

	'transcript-quality-score': {
		starts: {
			'Transcript ready': (store) => callsWith(store).filter((call) => call.transcript_text),
		},
		answers: () => ({
			'Score the call': { output: { score: 3, reason: NASTY.mention, better: NASTY.formula } },
		}),
		does: 'a row per call, and a message for a poor one',
		async test(run) {
			const ready = (id: string, transcript_text: string) => {
				return { id, created_at, agent_name: 'Aurora', transcript_text };
			};
			const brings = [ready('1', 'Caller: Hello?'), ready('2', ''), ready('3', 'Caller: Hi.')];
			const answer = { score: 4, wish_met: false, polite: true, reason: 'Why.', better: 'So.' };
			model.closing = JSON.stringify({ output: answer });
			const execution = await run('Transcript ready', { brings, hasModel: true });
			const about = { Created: created_at, Agent: 'Aurora', Phone: '', Score: '4' };
			const judged = { 'Wish met': 'false', Polite: 'true', Reason: 'Why.', Better: 'So.' };
			const said = 'A call scored 4 of 10: Aurora with an unknown number.\nWhy.\nBetter: So.';
			expectSent(execution, {
				'Scores in Google Sheets': ['1', '3'].map((id) => ({
					'Call ID': id,
					...about,
					...judged,
				})),
				'Tell the team in Slack': [{ text: said }, { text: said }],
			});
		},
	},

	'ask-your-calls': {
		starts: { Chat: () => [{ chatInput: NASTY.mention, sessionId: '1' }] },
		does: 'the agent counts, finds and reads calls, and changes nothing',
		async test(run) {
			const chat = { sessionId: 'one', action: 'sendMessage', chatInput: 'How many calls?' };
			model.says.push({ From: ago(30 * DAY), Until: ago(0), Group_By: 'none' });
			model.closing = 'So many.';
			const execution = await run('Chat', { brings: [chat], hasModel: true });
			expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'So many.' }]);
			const tools = model.offered().map(({ name }) => name);
			expect(tools.sort()).toEqual(['Count_calls', 'Find_calls', 'Read_a_call']);
			expect(model.read().join()).toMatch(/"calls":\d+/);
		},
	},

	'escalate-transferred-call': {
		starts: { 'Call transferred': callsWith },
		does: 'opens a ticket with the summary, and tells the team',
		sends(store) {
			const transfer_time = new Date().toISOString();
			const phone_number = '+393331234567';
			store.addCall({ transfer_time: null });
			store.addCall({ transfer_time, phone_number }, { summary: 'Wants a refund.' });
			const ticketName = `Call transferred at ${minuteOf(transfer_time)}`;
			const description = text(/^Caller: \+393331234567\nCall: \S+\n\nWants a refund\.$/);
			return {
				'Open a ticket in HubSpot': [{ ticketName, description }],
				'Tell the team in Slack': [says(/\+393331234567\n\nWants a refund\.$/)],
			};
		},
	},

	'fallback-provider-alert': {
		starts: { 'Fallback provider used': calls },
		does: 'tells of a call of another provider',
		sends(store) {
			const measured = { ai_provider: 'gamma', ai_provider_fallback_used: true };
			const { id, created_at: at } = store.addCall(measured);
			store.addCall({ ai_provider: 'base', ai_provider_fallback_used: false });
			const said = `A call at ${minuteOf(at)} was served by the fallback provider gamma: ${id}`;
			return { 'Tell the team in Slack': [{ text: said }] };
		},
	},

	'missed-call-message': {
		starts: {
			'Missed call': (store) => calls(store).filter((call) => call.call_status !== 'Completed'),
			'Every month': undefined,
		},
		does: 'tells of missed calls, and texts who can get an SMS',
		sends(store) {
			const all = [
				['Busy', '+393470001111', 'inbound'],
				['Rejected', 'anonymous', 'inbound'],
				['Completed', '+393470002222', 'inbound'],
				['Busy', '+393470003333', 'outbound'],
			] as const;
			for (const [call_status, phone_number, direction] of all)
				store.addCall({ call_status, phone_number, direction });
			return {
				'Tell the team in Slack': [
					says(/^Missed call from \+393470001111 at \d\d:\d\d \(Busy, .+\)$/),
					says(/^Missed call from anonymous at \d\d:\d\d \(Rejected, .+\)$/),
				],
				'Text the caller': [{ to: '+393470001111' }],
			};
		},
	},
};
