import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { startEmulator, type AddedOrganization } from '../emulator/index.ts';
import {
	accountForEachTest,
	CONTINUE,
	credentials,
	emulator,
	oAuth2,
	run,
	severalAccounts,
	slowly,
} from '../support/account.ts';
import { loadOptions, loadPackage, testCredential, type Credentials } from '../support/harness.ts';
import { Poller } from '../support/poller.ts';
import { locator } from '../support/samples.ts';

let clients: AddedOrganization[];

accountForEachTest();

beforeEach(() => {
	clients = Array.from({ length: 3 }, () => emulator.addOrganization());
});

const OF_ITEM = '={{ $json.api_key }}';

/** A credential whose key, and whose Base URL, are expressions. */
const byItem = (apiKey = OF_ITEM, baseUrl = emulator.url) => ({
	credentials: credentials(apiKey, baseUrl),
});

const getContacts = async (items: object[], rest: object = byItem(), parameters = {}) =>
	await run(
		'contact.get',
		{ contact: locator('={{ $json.contact }}'), ...parameters },
		items as IDataObject[],
		rest,
	);

/** Items of the clients with these numbers. */
const itemsOf = (...numbers: number[]) =>
	numbers.map((number) => ({
		api_key: clients[number]!.apiKey,
		contact: clients[number]!.store.contacts.all()[0]!.id,
	}));

const keyOf = ({ headers }: { headers: object }) =>
	String((headers as { authorization?: string }).authorization).replace('Bearer ', '');

/** The numbers of the clients whose keys were sent. */
const sentFor = () =>
	emulator.requests
		.map((request) => clients.findIndex(({ apiKey }) => apiKey === keyOf(request)))
		.sort();

describe('items of several clients', () => {
	test('have the same columns, also if the accounts have other custom fields', async () => {
		const customOf = [{ tier: 'gold' }, { tags: ['vip', 'old'] }, {}];
		for (const [at, { store }] of clients.entries())
			store.contacts.all()[0]!.custom_fields = customOf[at]!;
		const { json } = await getContacts(itemsOf(0, 1, 2));
		expect(new Set(json.map((row) => Object.keys(row).join())).size).toBe(1);
		expect(json.map((row) => [row['custom_fields.tier'], row['custom_fields.tags']])).toEqual([
			['gold', null],
			[null, 'vip, old'],
			[null, null],
		]);
	});

	test('never share a request, also if their contact lists have the same ID', async () => {
		const items = [0, 1, 0].map((number, at) => ({
			api_key: clients[number]!.apiKey,
			phone: `+3934700000${at}0`,
		}));
		const contact_list_id = locator(clients[0]!.store.contactLists.all()[0]!.id);
		const parameters = { contact_list_id, phone_numbers: '={{ $json.phone }}', auto_create: true };
		for (const operation of ['contactList.addContacts', 'contactList.sync']) {
			emulator.reset();
			const given = { ...parameters, options: operation.endsWith('sync') ? { dryRun: true } : {} };
			await run(operation, given, items, { ...byItem(), ...CONTINUE });
			expect([...new Set(sentFor())], operation).toEqual([0, 1]);
			for (const { body, ...request } of emulator.requests) {
				const isSecond = JSON.stringify(body ?? '').includes(items[1]!.phone);
				expect(keyOf(request) === items[1]!.api_key || !isSecond, operation).toBe(true);
			}
		}
	});

	test('each goes to its own address', async () => {
		const another = await startEmulator();
		const [here, there] = [emulator, another].map(({ url, keys, store }) => ({
			base_url: url,
			api_key: keys.all,
			contact: store.contacts.all()[0]!.id,
		}));
		const { json } = await getContacts(
			[there!, here!, there!],
			byItem(OF_ITEM, '={{ $json.base_url }}'),
		);
		await another.close();
		expect(json).toHaveLength(3);
		expect([emulator.requests.length, another.requests.length]).toEqual([1, 2]);
	});

	test('are not held back by the rate limit of another', async () => {
		const isOf = (number: number) => (request: { headers: object }) =>
			keyOf(request) === clients[number]!.apiKey;
		const items = itemsOf(...Array<number>(12).fill(0), ...Array<number>(12).fill(1));
		const isBusy = () => emulator.requests.filter(isOf(1)).length < 12;
		emulator.faults.add({
			kind: 'status',
			status: 429,
			retryAfter: '0.05',
			times: Infinity,
			match: (request) => isOf(0)(request) && isBusy(),
		});
		const { json, error } = await getContacts(items);
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(items.map(({ contact }) => contact));
	});

	test('of 40 clients have 200 requests under way', async () => {
		const items = Array.from({ length: 40 }, () => emulator.addOrganization()).flatMap(
			({ apiKey, store }) => {
				const contact = store.contacts.all()[0]!.id;
				return Array.from({ length: 20 }, () => ({ api_key: apiKey, contact }));
			},
		);
		const seen = slowly(() => 0, 200);
		expect((await getContacts(items)).json).toHaveLength(800);
		expect(seen.most).toBe(200);
	});
});

describe('a client that fails', () => {
	test('fails alone: its key was revoked', async () => {
		clients[1]!.revoke();
		const { json, items } = await getContacts(itemsOf(0, 1, 2, 1), { ...byItem(), ...CONTINUE });
		const refused = expect.stringMatching(/^The API key was not accepted/) as string;
		expect(json.map(({ error }) => error)).toEqual([undefined, refused, undefined, refused]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(JSON.stringify(json)).not.toContain(clients[1]!.apiKey);
	});

	const GIVES_NOTHING = /expression that fails, or gives nothing for this item/;

	// Which keys and addresses are refused: contract/credential, unit/baseUrl, promises/keyStaysHome.
	test('fails alone: it has no key', async () => {
		const items = itemsOf(0, 1, 2).map((item, at) => (at === 1 ? { contact: item.contact } : item));
		const { json } = await getContacts(items, { ...byItem(), ...CONTINUE });
		expect(json.map(({ id }) => id)).toEqual([items[0]!.contact, undefined, items[2]!.contact]);
		expect(json[1]?.error).toMatch(GIVES_NOTHING);
		expect(sentFor()).toEqual([0, 2]);
	});

	test('without Continue On Fail, a credential that cannot be used stops all before anything is sent', async () => {
		const items = [...itemsOf(0, 1), { contact: itemsOf(2)[0]!.contact }];
		const { error } = await getContacts(items);
		expect(error?.message).toMatch(GIVES_NOTHING);
		expect(error?.context?.itemIndex).toBe(2);
		expect(emulator.requests).toEqual([]);
	});
});

describe('OAuth2', () => {
	const getAgents = async (fields: object, values = ['1']) =>
		await run(
			'agent.getAll',
			{},
			values.map((value) => ({ value })),
			{ credentials: oAuth2(undefined, fields) },
		);

	test('takes no expression whose value differs from item to item', async () => {
		const values = [1, 2].map((n) => `${emulator.url}?${n}`);
		const { messages } = await getAgents({ baseUrl: '={{ $json.value }}' }, values);
		expect(messages.join()).toMatch(/differs from item to item.*one OAuth2 credential for all/);
		expect(emulator.requests).toEqual([]);
	});

	test('refuses a token that n8n would write into the address, and a server that is not allowed', async () => {
		const oauthTokenData = { access_token: emulator.tokens.all, token_type: 'mac' };
		const { error } = await getAgents({ oauthTokenData });
		expect(error?.message).toMatch(/access token .* is not of the type Bearer/);
		const domains = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
		const other = await getAgents(domains);
		expect(other.error?.message).toMatch(/not one of the 'Allowed Domains'/);
		expect(emulator.requests).toEqual([]);
	});
});

describe('an expression in the credential, where there is no item,', () => {
	const agents = async (given: object) =>
		await loadOptions<{ results: Array<{ value: string }> }>(
			'listSearch',
			'searchAgents',
			given as never,
		);

	/** What reads a credential without an item, and the advice of its error. */
	test.each<[fix: string, read: (given: { credentials: Credentials }) => Promise<unknown>]>([
		['Enter the ID by hand.', agents],
		[
			'credential that holds the value itself.',
			async (given) => await new Poller({ parameters: { event: 'newCall' }, ...given }).activate(),
		],
	])('is refused with the advice: %s', async (fix, read) => {
		const error = (await read(byItem()).catch((thrown: unknown) => thrown)) as Error;
		expect(error.message).toMatch(/The credential holds an expression that needs an item/);
		expect(error.message.endsWith(fix), error.message).toBe(true);
		expect(emulator.requests).toEqual([]);
	});

	test('works if it needs no item', async () => {
		const { results } = await agents(byItem(`={{ "${clients[1]!.apiKey}" }}`));
		const ids = clients[1]!.store.agents.all().map(({ id }) => id);
		expect(results.map(({ value }) => value).sort()).toEqual([...ids].sort());
	});
});

/** A credential with an account for each client. */
const withAccounts = (more: object = {}) => ({
	credentials: severalAccounts({
		...Object.fromEntries(clients.map(({ apiKey }, at) => [`Client ${at}`, apiKey])),
		...more,
	}),
});

// What the field Accounts may hold: unit/accountKeys. That each item has the key of its account: promises/accountsApart.
describe('Account', () => {
	const ofItem = { account: locator('={{ $json.client }}') };
	const agentsOf = async (parameters: object, items: IDataObject[] = [{}], rest = {}) =>
		await run('agent.getAll', parameters as INodeParameters, items, { ...withAccounts(), ...rest });

	test.each<[message: RegExp, item: object]>([
		[/^'Account' is empty/, { client: undefined }],
		[/^"Nobody" in 'Account' is no account/, { client: 'Nobody' }],
		[/^The text in 'Account' is no account/, { client: 'yk_1' }],
		[/^'Account' is a list, and must be one name/, { client: ['Client 1'] }],
		[/^'Account' is an object, and must be one name/, { client: { name: 'Client 1' } }],
		[/^The key of "Broken" in 'Accounts' .* begin with yk_/, { client: 'Broken' }],
	])('fails alone, before anything is sent for it: %s, with %j', async (message, item) => {
		const clientOf = [{ client: 'Client 0' }, item];
		const items = itemsOf(0, 1).map(({ contact }, at) => ({ contact, ...clientOf[at] }));
		const rest = { ...withAccounts({ Broken: 'sk_S3cr3t' }), ...CONTINUE };
		const { json } = await getContacts(items, rest, ofItem);
		expect(json).toMatchObject([
			{ id: items[0]!.contact },
			{ error: expect.stringMatching(message) },
		]);
		expect(json[1]?.error).not.toMatch(/Client|S3cr3t/);
		expect(sentFor()).toEqual([0]);
	});

	test('must be chosen if the credential has several accounts, and counts nowhere else', async () => {
		await expect(agentsOf({})).rejects.toThrow('Parameter "Account" is required.');
		expect(emulator.requests).toEqual([]);
		const single = { credentials: credentials() };
		expect((await agentsOf({ account: locator('Nobody') }, [{}], single)).error).toBeUndefined();
		expect(emulator.requests).toHaveLength(1);
	});

	test('may have several blanks in a row, which n8n shows as one', async () => {
		await agentsOf({ account: locator('Client  1') });
		expect(sentFor()).toEqual([1]);
	});

	describe('stands in the items of a list', () => {
		const account = locator('Client 1');

		test('in front', async () => {
			const { json } = await agentsOf({ account });
			expect(json.length).toBeGreaterThan(0);
			for (const item of json) expect(Object.entries(item)[0]).toEqual(['account', 'Client 1']);
			const without = await run('agent.getAll', {}, [{}], byItem(clients[1]!.apiKey));
			expect(json.map(({ account: _, ...rest }) => rest)).toEqual(without.json);
		});

		test('and leaves the field of that name that a record or the input item has', async () => {
			for (const contact of clients[1]!.store.contacts.all())
				Object.assign(contact, { account: 'their own' });
			const given = { account, simplify: false };
			const { json } = await run('contact.getAll', given, [{}], withAccounts());
			expect(json[0]).toMatchObject({ account: 'Client 1', api_account: 'their own' });
			const included = { account: locator('={{ $json.account }}'), options: { inputFields: '*' } };
			const agents = await agentsOf({ ...included, limit: 1 }, [{ account: ' Client 1 ' }]);
			expect(agents.json).toMatchObject([{ account: 'Client 1', input_account: ' Client 1 ' }]);
		});
	});

	describe('chooses what the editor lists', () => {
		test.each([
			['listSearch', 'searchAgents'],
			['resourceMapping', 'mapContact'],
			['loadOptions', 'getContactFields'],
		] as const)('with %s, %s', async (kind, name) => {
			const load = async (parameters: IDataObject) =>
				await loadOptions(kind, name, {
					parameters: { resource: 'agent', operation: 'get', ...parameters } as INodeParameters,
					...withAccounts(),
				});
			await load({ account: locator('Client 2') });
			expect(new Set(sentFor())).toEqual(new Set([2]));
			emulator.reset();
			const unknown =
				/^To see this list, choose one account under 'Account'\. With an expression there, it stays empty. (Enter|Set) /;
			for (const given of [{}, { account: locator('') }, ofItem])
				await expect(load(given)).rejects.toThrow(unknown);
			await expect(load({ account: locator('Nobody') })).rejects.toThrow(/"Nobody" .* no account/);
			expect(emulator.requests).toEqual([]);
		});

		test('in the trigger, where it is one of the accounts that it watches', async () => {
			const load = async (accounts?: string[] | string) =>
				await loadOptions('listSearch', 'searchAgents', {
					type: 'ykVoiceTrigger',
					parameters: { event: 'newCall', accounts } as INodeParameters,
					...withAccounts(),
				});
			await load(['Client 1']);
			expect(sentFor()).toEqual([1]);
			for (const given of [undefined, [], ['Client 1', 'Client 2'], '={{ ["Client 1"] }}'])
				await expect(load(given)).rejects.toThrow(
					/^To see this list, choose one account under 'Account Names or IDs'. With an/,
				);
			expect(sentFor()).toEqual([1]);
		});

		test('and is chosen from the names themselves', async () => {
			const filter = { filter: '2', ...withAccounts() };
			expect(await loadOptions('listSearch', 'searchAccounts', filter)).toMatchObject({
				results: [{ name: 'Client 2', value: 'Client 2' }],
			});
			expect(emulator.requests).toEqual([]);
		});
	});

	test('is chosen by our nodes only: another node is refused in words', async () => {
		const { credentialTypes } = await loadPackage();
		const { authenticate } = credentialTypes.ykVoiceAccountsApi!;
		const ask = authenticate as (...given: unknown[]) => Promise<object>;
		const given = withAccounts().credentials.ykVoiceAccountsApi;
		await expect(ask(given, { url: `${emulator.url}/agents/` })).rejects.toThrow(
			/^Only the YK Voice nodes can choose an account/,
		);
	});
});

describe('the test of a credential with accounts', () => {
	const testAccounts = async (accounts: object | string) =>
		await testCredential(severalAccounts(accounts));

	test('reads each of them, ten at a time, and says how many there are', async () => {
		const seen = slowly(() => 5, 10);
		const many = Object.fromEntries(
			Array.from({ length: 25 }, (_, at) => [`Client ${at}`, emulator.addOrganization().apiKey]),
		);
		expect(await testAccounts(many)).toEqual({ status: 'OK', message: '25 accounts tested' });
		expect([emulator.requests.length, seen.most]).toEqual([25, 10]);
		expect(new Set(emulator.requests.map(keyOf)).size).toBe(25);
	});

	test('says which cannot be used, and why, and which have the same key', async () => {
		clients[1]!.revoke();
		const [North, South, West] = clients.map(({ apiKey }) => apiKey);
		const { status, message } = await testAccounts({
			North,
			South,
			Broken: '***',
			West,
			East: West,
		});
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^5 accounts tested\. 2 of them cannot be used\. "South": .*did not accept this key.*\. "Broken": The key of "Broken" .* "West", "East" have the same key\./,
		);
		expect(message).not.toMatch(/North|yk_[a-z0-9]/);
		expect(await testAccounts({ North, West, East: West })).toEqual({
			status: 'Error',
			message:
				'3 accounts tested. "West", "East" have the same key. Enter the key of each account.',
		});
	});

	test('refuses a name that stands there twice, and text that is no list of accounts', async () => {
		const { apiKey } = clients[0]!;
		const twice = await testAccounts(`{"A": "${apiKey}", "A": "${clients[1]!.apiKey}"}`);
		expect(twice.message).toMatch(/has "A" more than once/);
		for (const accounts of ['{', '{}', '[]', ''])
			expect((await testAccounts(accounts)).message).toMatch(/^'Accounts' .* is not JSON/);
		expect(emulator.requests).toEqual([]);
	});
});
