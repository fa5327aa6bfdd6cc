import { describe, expect, test } from 'vitest';

import {
	accountForEachTest,
	CONTINUE,
	credentials,
	emulator,
	fail,
	run,
	succeed,
} from '../support/account.ts';
import { operations } from '../support/description.ts';
import { locator, samplesFor } from '../support/samples.ts';

accountForEachTest();

const include = (inputFields = '*') => ({ options: { inputFields } });
const item = { client: 'North', email: 'anna@example.com', id: 7 };

test('*: the fields of the input item go out with each record, and none is overwritten', async () => {
	const { json } = await succeed('agent.getAll', include(), [{ ...item, error: 'earlier' }]);
	expect(json.length).toBeGreaterThan(1);
	for (const agent of json) {
		expect(agent).toMatchObject({ client: 'North', email: 'anna@example.com', input_id: 7 });
		// n8n would take the item for a failed one.
		expect(agent).toMatchObject({ input_error: 'earlier' });
		expect(agent.id).not.toBe(7);
	}
});

test('behind another node of this kind, none of the fields is lost', async () => {
	for (const before of [
		{ id: 7, input_id: 6 },
		{ input_id: 6, id: 7 },
	]) {
		const { json } = await succeed('agent.getAll', { limit: 1, ...include() }, [before]);
		const { id: _, ...rest } = json[0]!;
		expect(Object.values(rest)).toEqual(expect.arrayContaining([6, 7]));
	}
});

test('names: only these, and a name that no item has is told', async () => {
	const { json, hints } = await succeed('wallet.get', include('client, missing'), [item]);
	expect(json[0]).toMatchObject({ client: 'North' });
	expect(json[0]).not.toHaveProperty('email');
	expect(json[0]).not.toHaveProperty('missing');
	expect(hints.map(({ message }) => message)).toEqual([
		`No input item has the field "missing", which 'Include Input Fields' names.`,
	]);
});

describe('a failed item', () => {
	const known = () => emulator.store.agents.all()[0]!.id;
	const both = () => [
		{ ...item, code: 'of the item', agent: 'not an id' },
		{ ...item, code: 'of the item', agent: known() },
	];
	const parameters = { agent_id: locator('={{ $json.agent }}'), ...include() };

	test('has them under the same names as the others, and none shows through in its own', async () => {
		const { json } = await run('agent.get', parameters, both(), CONTINUE);
		const added = { client: 'North', input_id: 7, input_code: 'of the item' };
		const missing = { status: null, code: null, details: null, may_have_acted: null };
		expect(json).toMatchObject([
			{ ...added, ...missing, error: expect.stringContaining('Agent') as string },
			{ ...added, id: known() },
		]);
		expect(json[0]).not.toHaveProperty('id');
		const [alone] = (await run('agent.get', parameters, both().slice(1), CONTINUE)).json;
		expect(alone).toEqual(json[1]);
	});

	test('has all of them from n8n at the error output', async () => {
		const given = { ...parameters, ...include('client') };
		const { outputs } = await run('agent.get', given, both(), {
			node: { onError: 'continueErrorOutput' },
		});
		const [good, failed] = outputs.map((items) => items.map(({ json }) => json));
		expect(good).toMatchObject([{ client: 'North', id: known() }]);
		const error = expect.stringContaining('Agent') as string;
		expect(failed).toEqual([{ ...both()[0], error }]);
	});
});

test('a field with a key never goes out, whether the item succeeds or fails', async () => {
	const key = emulator.keys.all;
	const items = [
		{ client: 'North', key, nested: { deep: [key] }, [`f_${key}`]: 1 },
		{ client: 'West', key, others: 'first\nyk_live_0123456789', more: '\u0001yk_live_0123456789' },
		{ client: 'South', key: 'yk_wrong_key_of_the_client' },
	];
	const { json } = await run('wallet.get', include(), items, {
		credentials: credentials('={{ $json.key }}' as never),
		...CONTINUE,
	});
	expect(json.map(({ client }) => client).toSorted()).toEqual(['North', 'South', 'West']);
	expect(JSON.stringify(json)).not.toMatch(/yk_/);
});

test('items that share a request give what they agree in', async () => {
	const [one, two] = emulator.store.contacts.all();
	const [list] = emulator.store.contactLists.all();
	const items = [one, two].map((contact, n) => ({ id: contact!.id, n, campaign: 'May' }));
	const where = { contact_list_id: locator(list!.id), contact_ids: '={{ $json.id }}' };
	const { json } = await run('contactList.addContacts', { ...where, ...include() }, items);
	expect(json[0]).toMatchObject({ campaign: 'May' });
	expect(json[0]).not.toHaveProperty('n');
});

test('says so if items of several clients were read with one key', async () => {
	const parameters = include('client');
	const items = [item, { ...item, client: 'South' }];
	const doubt = /^All 2 items asked the same account for the same\./;
	const { hints } = await succeed('wallet.get', parameters, items);
	expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(doubt)]);
	const alone = await succeed('wallet.get', parameters, [item]);
	expect(alone.hints).toEqual([]);
});

describe('If Not Found', () => {
	const asItem = { options: { ifNotFound: 'item' } };
	const unknown = { contact: locator('={{ $json.phone }}', 'phone'), ...asItem };

	test('returns an item that says so, with the fields of the input item, and the others go on', async () => {
		const { phone_number: phone, id } = emulator.store.contacts.all()[0]!;
		const items = [
			{ phone: '+390612345678', client: 'North', key: 'yk_0123456789' },
			{ phone, client: 'South' },
		];
		const { json, items: output } = await succeed('contact.get', unknown, items);
		expect(json[0]).toEqual({ found: false, phone: '+390612345678', client: 'North' });
		expect(json[1]).toMatchObject({ id });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('without it, the error says that no contact has the number', async () => {
		const parameters = { contact: locator('+390612345678', 'phone') };
		const { message, description } = await fail('contact.get', parameters);
		expect(message).toBe('No contact in this account has this phone number (404 NOT_FOUND)');
		expect(description).toContain("'If Not Found'");
	});

	const gets = operations.filter(
		(name) => name.endsWith('.get') && !/^(usage|wallet|portalAccess)/.test(name),
	);

	test.each(gets)('is there for %s', async (name) => {
		emulator.faults.add({ kind: 'status', status: 404, times: Infinity });
		const parameters = { ...samplesFor(emulator)[name]!.parameters, ...asItem };
		const { json } = await succeed(name, parameters, [{ client: 'North' }]);
		expect(json).toEqual([{ found: false, client: 'North' }]);
	});

	test('is no way out of another failure', async () => {
		const rest = { credentials: credentials('yk_wrong') };
		const { message } = await fail('contact.get', unknown, [{ phone: '+39061234567' }], rest);
		expect(message).toMatch(/^The API key was not accepted/);
	});
});
