import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	accountForAllTests,
	credentials,
	emulator,
	run,
	severalAccounts,
} from '../support/account.ts';
import { PACKAGE } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

// How an agent calls its tool: e2e/parts/agent.

accountForAllTests({ data: 'small' });

/** Runs the node as a tool. n8n gives it what the model says as its item. */
async function callTool(
	name: string,
	parameters: INodeParameters,
	said: IDataObject = {},
	given = credentials(),
) {
	const { json, error } = await run(name, parameters, [said], {
		credentials: given,
		node: { type: `${PACKAGE}.ykVoiceTool` },
	});
	return { answer: json, message: error?.message };
}

/** A value that the model fills in. */
const fromAI = (name: string) => `={{ $fromAI('${name}', 'What it is', 'string') }}`;

/** The keys that were sent. */
const keysSent = () => emulator.requests.map(({ headers }) => headers.authorization);

const agent = () => emulator.store.agents.all()[0]!;
const get = async (rest: INodeParameters = {}, said: IDataObject = {}, given = credentials()) =>
	await callTool('agent.get', { agent_id: locator(agent().id), ...rest }, said, given);

describe('the node as an AI agent’s tool', () => {
	it('takes no account that the model names in its answer', async () => {
		const apiKey = `={{ ({ north: '${emulator.keys.read}' })[$json.client] }}`;
		const { message } = await get({}, { client: 'north' }, credentials(apiKey));
		expect(message).toMatch(/A tool of an AI agent cannot read its item/);
		expect(keysSent()).toEqual([]);
	});

	it.each<[account: string, client: string, outcome: string | RegExp]>([
		['north', 'south', 'north'],
		[fromAI('client'), 'north', 'north'],
		[fromAI('client'), '', /'Account' is empty/],
		[fromAI('client'), 'west', /"west" in 'Account' is no account/],
		// The model was not asked.
		['={{ $json.client }}', 'south', /'Account' is empty/],
	])('where Account is %j and the model says %j: %s', async (account, client, outcome) => {
		const keys = { north: emulator.keys.read, south: emulator.keys.all };
		const given = severalAccounts(keys);
		const { message } = await get({ account: locator(account) }, { client }, given);
		if (outcome === 'north') return expect(keysSent()).toEqual([`Bearer ${keys.north}`]);
		expect(message).toMatch(outcome);
		expect(message).not.toMatch(/north|south/);
		expect(keysSent()).toEqual([]);
	});

	it('answers as Simplify does, unless another Output is chosen', async () => {
		const { id, name, prompt_instructions, updated_at } = agent();
		const [simplified] = (await get()).answer;
		expect(simplified).toMatchObject({ id, name, prompt_instructions });
		expect(simplified).not.toHaveProperty('voice');
		const chosen = { output: 'selected', fields: 'name, updated_at' };
		expect((await get(chosen)).answer).toEqual([{ id, name, updated_at }]);
	});

	it('answers lists with the selected fields too, null if a record does not have one', async () => {
		const chosen = { output: 'selected', fields: 'phone_number, x' };
		const { answer } = await callTool('contact.getAll', { limit: 3, ...chosen });
		const record = { id: expect.anything(), phone_number: expect.anything(), x: null } as object;
		expect(answer).toEqual([record, record, record]);
	});

	it('answers a custom field under the name that was asked for, also from a list of names and values', async () => {
		for (const custom of [{ tier: 'gold' }, [{ name: 'tier', value: 'gold' }]]) {
			const { id } = emulator.store.addContact({ custom_fields: custom } as never);
			const chosen = { output: 'selected', fields: 'custom_fields.tier' };
			const { answer } = await callTool('contact.get', { contact: locator(id), ...chosen });
			expect(answer).toEqual([{ id, 'custom_fields.tier': 'gold' }]);
		}
	});

	it('takes what the model says: an ID, a number, and a list as text', async () => {
		const { store } = emulator;
		const call = store.calls.find(({ call_status: status }) => status === 'Completed')!;
		const call_id = locator(fromAI('call'));
		const summary = await callTool('call.getSummary', { call_id }, { call: call.id });
		expect(summary.answer).toMatchObject([{ call_id: call.id }]);
		const many = await callTool('contact.getAll', { limit: fromAI('n') }, { n: '2' });
		expect(many.answer).toHaveLength(2);
		const list = store.addContactList();
		const ids = [1, 2, 3].map(() => store.addContact().id);
		const given = { contact_list_id: locator(list.id), contact_ids: fromAI('who') };
		await callTool('contactList.addContacts', given, { who: ids.join(', ') });
		expect([...store.members.get(list.id)!].sort()).toEqual(ids.sort());
	});

	it('tells the model what is wrong and how to correct it, with the advice and the status', async () => {
		const agent_id = locator(fromAI('agent'));
		const wrong = await callTool('agent.get', { agent_id }, { agent: 'the front desk' });
		expect(wrong.message).toMatch(
			/'Agent' must be an ID such as.*\. Get Many Agents shows the IDs\. Nothing was sent\./s,
		);
		expect(emulator.requests).toEqual([]);
		const campaign = emulator.store.campaigns.find(({ status }) => status === 'draft')!;
		const refused = await callTool('campaign.pause', { campaign_id: locator(campaign.id) });
		expect(refused.message).toMatch(
			/^The campaign may not be paused in its current status: .+ \(400 INVALID_REQUEST\)/,
		);
		expect(refused.message?.split('Get the campaign to see its status.')).toHaveLength(2);
	});

	it('refuses Selected Fields without a field', async () => {
		const { message } = await get({ output: 'selected', fields: '={{ $json.none }}' });
		expect(message).toContain("'Fields' must name at least one field");
		expect(emulator.requests).toEqual([]);
	});
});

// Which values are blank: unit/form, and in JSON unit/kinds.
describe('what a model leaves blank', () => {
	const MEANT = fromAI('meant');
	const anOrder = () => emulator.store.addOrder({ status: 'pending', notes: 'nut allergy' }).id;

	// Newer agents hand on what the model says without a schema, so that null comes through.
	it.each([fromAI('blank'), '={{ $json.left }}'])('is not changed: %s', async (blank) => {
		const said = { meant: 'Anew', blank: '', left: null };
		const bodyOf = async (name: string, parameters: INodeParameters) => {
			expect((await callTool(name, parameters, said)).message).toBeUndefined();
			return emulator.requests.at(-1)?.body;
		};
		const updateFields = { notes: MEANT, status_reason: blank };
		const order = { order_id: locator(anOrder()), updateFields };
		expect(await bodyOf('order.update', order)).toEqual({ notes: 'Anew' });
		const { id } = emulator.store.addContact({ notes: 'nut allergy' });
		const value = { first_name: MEANT, notes: blank };
		const record = { mappingMode: 'defineBelow', schema: [], value };
		// A PUT sends what the contact had.
		const kept = { first_name: 'Anew', notes: 'nut allergy' };
		expect(await bodyOf('contact.update', { contact: locator(id), record })).toMatchObject(kept);
	});

	it('clears nothing of an order, unless it is named to be cleared', async () => {
		const id = anOrder();
		const order_id = locator(id);
		const updateFields = { notes: fromAI('blank') };
		const said = { blank: '', clear: 'Notes' };
		const nothing = await callTool('order.update', { order_id, updateFields }, said);
		expect(nothing.message).toContain('Nothing to update: set or clear at least one field');
		const clear = { order_id, clearFields: fromAI('clear') };
		expect((await callTool('order.update', clear, said)).message).toBeUndefined();
		expect(emulator.store.orders.get(id)?.notes).toBe('');
	});

	it('leaves a dry run on', async () => {
		const { id, first_message: before } = agent();
		const given = {
			agent_id: locator(id),
			updateFields: { first_message: MEANT },
			options: { dryRun: fromAI('blank') },
		};
		const said = { meant: 'Another first message', blank: '' };
		expect((await callTool('agent.update', given, said)).message).toBeUndefined();
		expect(emulator.store.agents.get(id)!.first_message).toBe(before);
	});

	it('filters nothing, and is refused as an ID', async () => {
		const said = { blank: '' };
		const filters = { call_status: fromAI('blank'), created_after: fromAI('blank') };
		const { answer } = await callTool('call.getAll', { limit: 2, filters }, said);
		expect(answer).toHaveLength(2);
		emulator.reset();
		const { message } = await callTool('order.get', { order_id: locator(fromAI('blank')) }, said);
		expect(message).toContain("'Order' is empty: choose an order. Get Many Orders shows the IDs");
		expect(emulator.requests).toEqual([]);
	});
});

// Which words are understood: unit/schema.
it('understands words as a model writes them, and says what is allowed instead of another', async () => {
	const withStatus = async (status: string) => {
		const filters = { call_status: fromAI('status') };
		return await callTool('call.getAll', { filters }, { status });
	};
	expect((await withStatus('Not-Answered ')).message).toBeUndefined();
	expect(emulator.requests[0]?.query.call_status).toBe('Not Answered');
	expect((await withStatus('missed')).message).toContain('must be one of: Busy, Completed');
});
