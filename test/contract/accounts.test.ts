import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { startEmulator, type AddedOrganization } from '../emulator/index.ts';
import { accountForEachTest, credentials, emulator, run, slowly } from '../support/account.ts';
import {
	additionalData,
	loadOptions,
	loadPackage,
	type Credentials,
	type NodeRun,
} from '../support/harness.ts';
import { core } from '../support/n8n.ts';
import { Poller } from '../support/poller.ts';
import { locator } from '../support/samples.ts';

let clients: AddedOrganization[];

accountForEachTest();

beforeEach(() => {
	clients = Array.from({ length: 3 }, () => emulator.addOrganization());
});

const ONE_FOR_EACH = '={{ $json.api_key }}';

const byItem = (apiKey = ONE_FOR_EACH, baseUrl = emulator.url) => credentials(apiKey, baseUrl);

const CONTINUE = { onError: 'continueRegularOutput' as const };

const getContacts = async (items: object[], rest: Partial<NodeRun> = {}, parameters = {}) =>
	await run(
		'contact.get',
		{ contact: locator('={{ $json.contact }}'), ...parameters },
		items as IDataObject[],
		{ credentials: byItem(), ...rest },
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
	emulator.requests.map((request) => clients.findIndex(({ apiKey }) => apiKey === keyOf(request)));

const isOf = (client: AddedOrganization) => (request: { headers: object }) =>
	keyOf(request) === client.apiKey;

describe('items of several clients', () => {
	test('each goes to its own address', async () => {
		const another = await startEmulator();
		try {
			const [here, there] = [emulator, another].map(({ url, keys, store }) => ({
				base_url: url,
				api_key: keys.all,
				contact: store.contacts.all()[0]!.id,
			}));
			const credentials = byItem(ONE_FOR_EACH, '={{ $json.base_url }}');
			const { json } = await getContacts([there!, here!, there!], { credentials });
			expect(json).toHaveLength(3);
			expect([emulator.requests.length, another.requests.length]).toEqual([1, 2]);
		} finally {
			await another.close();
		}
	});

	test('of one client share its places for requests, also if spaces surround the key', async () => {
		const seen = slowly(() => 30);
		const items = itemsOf(...Array<number>(24).fill(0)).map((item, at) =>
			at % 2 === 0 ? item : { ...item, api_key: ` ${item.api_key}\n` },
		);
		const { json } = await getContacts(items);
		expect(json).toHaveLength(24);
		expect(seen.most).toBeLessThan(20);
	});

	test('are not held back by the rate limit of another', async () => {
		const [limited, free] = [clients[0]!, clients[1]!];
		const items = itemsOf(...Array<number>(12).fill(0), ...Array<number>(12).fill(1));
		const isBusy = () => emulator.requests.filter(isOf(free)).length < 12;
		emulator.faults.add({
			kind: 'status',
			status: 429,
			retryAfter: '0.05',
			times: Infinity,
			match: (request) => isOf(limited)(request) && isBusy(),
		});
		const { json, error } = await getContacts(items);
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(items.map(({ contact }) => contact));
	});

	/** Items of so many new clients, so many of each. */
	const itemsOfMany = (count: number, each: number) =>
		Array.from({ length: count }, () => emulator.addOrganization()).flatMap((client) => {
			const contact = client.store.contacts.all()[0]!.id;
			return Array.from({ length: each }, () => ({ api_key: client.apiKey, contact }));
		});

	test.each([
		[8, 10, 80],
		[40, 20, 200],
	])('of %d clients with %d items each have %d requests under way', async (count, each, most) => {
		const seen = { underWay: 0, most: 0 };
		let release = () => {};
		const full = new Promise<void>((resolve) => (release = resolve));
		emulator.before(async () => {
			seen.most = Math.max(seen.most, ++seen.underWay);
			if (seen.underWay === most) release();
			await full;
			seen.underWay -= 1;
		});
		const { json } = await getContacts(itemsOfMany(count, each));
		expect(json).toHaveLength(count * each);
		expect(seen.most).toBe(most);
	});
});

describe('a client that fails', () => {
	test('fails alone: its key was revoked', async () => {
		clients[1]!.revoke();
		const { json, items } = await getContacts(itemsOf(0, 1, 2, 1), { node: CONTINUE });
		expect(json.map(({ error }) => error)).toEqual([
			undefined,
			expect.stringMatching(/^The API key was not accepted/),
			undefined,
			expect.stringMatching(/^The API key was not accepted/),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(JSON.stringify(json)).not.toContain(clients[1]!.apiKey);
	});

	const GIVES_NOTHING = /expression that fails, or gives nothing for this item/;
	const NOT_A_KEY = /'API Key' must begin with yk_/;

	test.each<[what: string, credential: () => Credentials, one: object, said: RegExp]>([
		['an expression that gives nothing', () => byItem(), { api_key: undefined }, GIVES_NOTHING],
		[
			'an expression that gives a part of a key',
			() => byItem('=yk_{{ $json.api_key?.slice(3) }}'),
			{ api_key: undefined },
			NOT_A_KEY,
		],
		['the key of something else', () => byItem(), { api_key: 'sk_1' }, NOT_A_KEY],
		['a key that is no text', () => byItem(), { api_key: { a: 1 } }, NOT_A_KEY],
		[
			'an expression that cannot be evaluated',
			() => byItem("={{ $json.api_key ?? $('Nowhere').item.json.api_key }}"),
			{ api_key: undefined },
			GIVES_NOTHING,
		],
		[
			'an address that is none',
			() => byItem(ONE_FOR_EACH, `={{ $json.base_url ?? "${emulator.url}" }}`),
			{ base_url: 'https://api.example.com' },
			/'Base URL' .* end in \/v1/,
		],
		[
			'an address that the credential does not allow',
			() => ({
				ykVoiceApi: {
					...byItem(ONE_FOR_EACH, `={{ $json.base_url ?? "${emulator.url}" }}`).ykVoiceApi!,
					allowedHttpRequestDomains: 'domains',
					allowedDomains: '127.0.0.1',
				},
			}),
			{ base_url: 'https://evil.example/v1' },
			/^The server of the 'Base URL' is not one of the 'Allowed Domains'/,
		],
	])('fails alone: %s', async (_what, credential, one, said) => {
		const items = itemsOf(0, 1, 2).map((item, at) => (at === 1 ? { ...item, ...one } : item));
		const { json } = await getContacts(items, { node: CONTINUE, credentials: credential() });
		expect(json.map(({ id }) => id)).toEqual([items[0]!.contact, undefined, items[2]!.contact]);
		expect(json[1]?.error).toMatch(said);
		expect(sentFor().sort()).toEqual([0, 2]);
	});

	test('without Continue On Fail, a credential that cannot be used stops all before anything is sent', async () => {
		const items = [...itemsOf(0, 1), { contact: itemsOf(2)[0]!.contact }];
		const { error } = await getContacts(items);
		expect(error?.message).toMatch(GIVES_NOTHING);
		expect(error?.context?.itemIndex).toBe(2);
		expect(emulator.requests).toEqual([]);
	});

	test('whose error repeats the key does not show it', async () => {
		const secret = clients[1]!.apiKey;
		emulator.faults.add({
			kind: 'status',
			status: 400,
			message: `the key ${secret} is odd`,
			match: isOf(clients[1]!),
		});
		const { json, run: saved } = await getContacts(itemsOf(0, 1, 2), { node: CONTINUE });
		expect(json[1]?.error).toMatch(/the key \[secret\] is odd/);
		const { runData } = saved.data.resultData;
		expect(JSON.stringify(runData)).not.toContain(secret);
	});
});

describe('OAuth2', () => {
	const oAuth2 = (fields: object = {}): Credentials => ({
		ykVoiceOAuth2Api: {
			baseUrl: emulator.url,
			clientId: 'client',
			clientSecret: 'client-secret',
			oauthTokenData: { access_token: emulator.tokens.all, token_type: 'Bearer' },
			...fields,
		},
	});
	const getAgents = async (urls: string[], rest: Partial<NodeRun>) =>
		await run(
			'agent.getAll',
			{ authentication: 'oAuth2' },
			urls.map((value) => ({ value })),
			rest,
		);

	test.each(['baseUrl', 'scope', 'clientId'])(
		'an expression in %s that differs from item to item is refused',
		async (field) => {
			const values = [1, 2].map((n) => `${emulator.url}?${n}`);
			const credentials = oAuth2({ [field]: '={{ $json.value }}' });
			for (const node of [{}, CONTINUE]) {
				const { error, json } = await getAgents(values, { credentials, node });
				const message = String(error?.message ?? json[1]?.error);
				expect(message).toMatch(/differs from item to item.*one OAuth2 credential for all items/);
			}
			expect(emulator.requests).toEqual([]);
		},
	);

	test('a token that n8n would write into the address is refused', async () => {
		const oauthTokenData = { access_token: emulator.tokens.all, token_type: 'mac' };
		const { error } = await getAgents(['1'], { credentials: oAuth2({ oauthTokenData }) });
		expect(error?.message).toMatch(/access token .* is not of the type Bearer/);
		expect(emulator.requests).toEqual([]);
	});

	test('an address that the credential does not allow is refused', async () => {
		const list = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
		const { error } = await getAgents(['1'], { credentials: oAuth2(list) });
		expect(error?.message).toMatch(/not one of the 'Allowed Domains'/);
		expect(emulator.requests).toEqual([]);
	});

	test('an expression with the same value for all items is not refused', async () => {
		const credentials = oAuth2({ baseUrl: '={{ $json.value }}' });
		const { error } = await getAgents(Array<string>(3).fill(emulator.url), { credentials });
		expect(error).toBeUndefined();
		expect(emulator.requests).toHaveLength(3);
	});
});

describe('an expression in the credential, without an item,', () => {
	const NEEDS_ITEM = [
		['an item’s field', ONE_FOR_EACH],
		['a part of one', '=yk_{{ $json.rest }}'],
		['a variable that is not there', '={{ $vars.none }}'],
	] as const;

	/** What reads a credential without an item, and the advice of its error. */
	const READERS: Array<
		[what: string, read: (given: Credentials) => Promise<unknown>, fix: RegExp]
	> = [
		[
			'a list',
			async (given) => await loadOptions('listSearch', 'searchAgents', { credentials: given }),
			/Enter the ID by hand\.$/,
		],
		[
			'a field list',
			async (given) => await loadOptions('resourceMapping', 'mapContact', { credentials: given }),
			/Set 'Specify Fields' to 'Using JSON' and enter the fields there\.$/,
		],
		[
			'the trigger',
			async (given) => {
				const parameters = { event: 'newCall' };
				return await new Poller({ emulator, parameters, credentials: given }).activate();
			},
			/credential that holds the value itself\.$/,
		],
	];

	describe.each(READERS)('is refused by %s, which says what to do:', (_what, read, fix) => {
		test.each(NEEDS_ITEM)('%s', async (_expression, apiKey) => {
			const error = await read(byItem(apiKey)).catch((thrown: Error) => thrown);
			expect((error as Error).message).toMatch(
				/The credential holds an expression that needs an item, and there is none here/,
			);
			expect((error as Error).message).toMatch(fix);
			expect(emulator.requests).toEqual([]);
		});
	});

	test('works if it needs no item', async () => {
		const credentials = byItem(`={{ "${clients[1]!.apiKey}" }}`);
		const { results } = await loadOptions<{ results: Array<{ value: string }> }>(
			'listSearch',
			'searchAgents',
			{ credentials },
		);
		const ids = clients[1]!.store.agents.all().map(({ id }) => id);
		expect(results.map(({ value }) => value).sort()).toEqual([...ids].sort());
	});
});

describe('Account', () => {
	const named = (rest: object = {}): Credentials => ({
		ykVoiceApi: {
			...{ apiKey: '', baseUrl: emulator.url },
			accounts: JSON.stringify(
				Object.fromEntries(clients.map(({ apiKey }, at) => [`Client ${at}`, apiKey])),
			),
			...rest,
		},
	});
	const ofItem = { account: locator('={{ $json.client }}') };
	/** Items of the clients with these numbers. */
	const clientsOf = (...numbers: number[]) =>
		itemsOf(...numbers).map(({ contact }, at) => ({ contact, client: `Client ${numbers[at]}` }));
	const agentsOf = (parameters: object, rest: Partial<NodeRun> = {}) =>
		run('agent.getAll', parameters as never, [{}], { credentials: named(), ...rest });

	test('gives each item the key of its client', async () => {
		const items = clientsOf(2, 0, 1, 2);
		const { json } = await getContacts(items, { credentials: named() }, ofItem);
		expect(json.map(({ id }) => id)).toEqual(items.map(({ contact }) => contact));
		expect(sentFor().sort()).toEqual([0, 1, 2, 2]);
	});

	test('may be the same for all items', async () => {
		const { json } = await agentsOf({ account: locator('Client 1') });
		expect(json.length).toBeGreaterThan(0);
		expect(sentFor()).toEqual([1]);
	});

	test.each([
		['blank', { client: '' }, /^'Account' is empty/],
		['not there', { client: undefined }, /^'Account' is empty/],
		['unknown', { client: 'Nobody' }, /^"Nobody" in 'Account' is no account/],
		['a key', { client: 'yk_1' }, /^The text in 'Account' is no account/],
	])('fails alone, before anything is sent for it: %s', async (_what, one, message) => {
		const items = clientsOf(0, 1).map((item, at) => (at === 1 ? { ...item, ...one } : item));
		const { json } = await getContacts(
			items,
			{ credentials: named({ apiKey: clients[2]!.apiKey }), node: CONTINUE },
			ofItem,
		);
		expect(json).toEqual([
			expect.objectContaining({ id: items[0]!.contact }),
			expect.objectContaining({ error: expect.stringMatching(message) }),
		]);
		expect(json[1]?.error).not.toMatch(/Client/);
		expect(sentFor()).toEqual([0]);
	});

	const EMPTY = [{}, { account: locator('') }, { account: '' }, { account: locator(' ') }];

	test.each(EMPTY)('must be chosen if the credential has accounts: %j', async (empty) => {
		const { error } = await agentsOf(empty, {
			credentials: named({ apiKey: clients[2]!.apiKey }),
		});
		expect(error?.message).toMatch(/Choose one in 'Account'/);
		expect(emulator.requests).toEqual([]);
	});

	test.each(EMPTY)('may be empty if the credential has one key: %j', async (empty) => {
		const { error } = await agentsOf(empty, { credentials: credentials() });
		expect(error).toBeUndefined();
		expect(emulator.requests).toHaveLength(1);
	});

	test.each(['Client 0', '={{ $json.client }}', "={{ '' }}"])(
		'never means the key of a credential without accounts: %j',
		async (name) => {
			for (const account of [name, locator(name)]) {
				const { error } = await agentsOf({ account }, { credentials: credentials() });
				expect(error?.message).toMatch(/'Account' is empty|no account of this/);
			}
			expect(emulator.requests).toEqual([]);
		},
	);

	test('is refused with OAuth2, which has one account', async () => {
		const oAuth2 = {
			ykVoiceOAuth2Api: {
				baseUrl: emulator.url,
				oauthTokenData: { access_token: emulator.tokens.all },
			},
		};
		const given = { authentication: 'oAuth2', account: locator('Client 0') };
		const { error } = await run('agent.getAll', given as never, [{}], { credentials: oAuth2 });
		expect(error?.message).toMatch(/^An OAuth2 credential has one account/);
		expect(emulator.requests).toEqual([]);
	});

	test.each([
		['broken JSON', '{"Client 0": "yk_1" "Client 1": "yk_2"}', /is not JSON/],
		["n8n's mark", '{"Client 0": "***"}', /is \*\*\*/],
		['a name twice', '{"Client 0": "yk_1", "Client 0": "yk_2"}', /more than once/],
	])('is refused if the credential has %s', async (_what, accounts, message) => {
		const { error } = await agentsOf(
			{ account: locator('Client 0') },
			{ credentials: named({ accounts }) },
		);
		expect(error?.message).toMatch(message);
		expect(emulator.requests).toEqual([]);
	});

	describe('stands in the items of a list', () => {
		test.each([{ simplify: true }, { simplify: false }])('%j', async (simplify) => {
			const { json } = await agentsOf({ account: locator('Client 1'), ...simplify });
			expect(json.length).toBeGreaterThan(0);
			for (const item of json) expect(Object.entries(item)[0]).toEqual(['account', 'Client 1']);
			const { json: before } = await run('agent.getAll', simplify, [{}], {
				credentials: byItem(clients[1]!.apiKey),
			});
			expect(json.map(({ account: _, ...rest }) => rest)).toEqual(before);
		});

		test('and leaves the field of that name that a record has', async () => {
			for (const contact of clients[1]!.store.contacts.all())
				Object.assign(contact, { account: 'their own' });
			const given = { account: locator('Client 1'), simplify: false };
			const { json } = await run('contact.getAll', given, [{}], { credentials: named() });
			expect(json[0]).toMatchObject({ account: 'Client 1', api_account: 'their own' });
		});

		test('beside the fields of the input item', async () => {
			const { json } = await run(
				'agent.getAll',
				{
					account: locator('={{ $json.account }}'),
					options: { inputFields: '*' },
					limit: 1,
					returnAll: false,
				},
				[{ account: ' Client 1 ' }],
				{ credentials: named() },
			);
			expect(json).toEqual([
				expect.objectContaining({ account: 'Client 1', input_account: ' Client 1 ' }),
			]);
		});
	});

	describe('chooses what the editor lists', () => {
		const load = async (
			kind: 'listSearch' | 'loadOptions' | 'resourceMapping',
			name: string,
			parameters: object,
		) =>
			await loadOptions(kind, name, {
				parameters: { resource: 'agent', operation: 'get', ...parameters } as never,
				credentials: named(),
			});

		test.each([
			['listSearch', 'searchAgents'],
			['resourceMapping', 'mapContact'],
			['loadOptions', 'getContactFields'],
		] as const)('%s %s', async (kind, name) => {
			await load(kind, name, { account: locator('Client 2') });
			expect(new Set(sentFor())).toEqual(new Set([2]));
			emulator.reset();
			for (const [given, message] of [
				[{}, /Choose one in 'Account'/],
				[{ account: locator('') }, /Choose one in 'Account'/],
				[{ account: locator('Nobody') }, /"Nobody" in 'Account' is no account/],
				[
					ofItem,
					/^'Account' is an expression, so the editor cannot know which account to read\. (Enter|Set) /,
				],
			] as const) {
				await expect(load(kind, name, given)).rejects.toThrow(message);
			}
			expect(emulator.requests).toEqual([]);
		});

		test('and is chosen from the names themselves', async () => {
			const { results } = (await loadOptions('listSearch', 'searchAccounts', {
				...{ credentials: named(), filter: '2' },
			})) as { results: unknown };
			expect(results).toEqual([{ name: 'Client 2', value: 'Client 2' }]);
			const none = loadOptions('listSearch', 'searchAccounts', { credentials: credentials() });
			await expect(none).rejects.toThrow(/^The credential has one key\./);
			expect(emulator.requests).toEqual([]);
		});
	});

	test("other nodes have the credential's own key only", async () => {
		const { credentialTypes } = await loadPackage();
		const { authenticate } = credentialTypes.ykVoiceApi!;
		const ask = async (fields: Credentials) =>
			await (authenticate as (...given: unknown[]) => Promise<{ headers: object }>)(
				fields.ykVoiceApi,
				{ url: `${emulator.url}/agents/` },
			);
		await expect(ask(named())).rejects.toThrow(/no 'API Key' of its own/);
		const { headers } = await ask(named({ apiKey: 'yk_own' }));
		expect(headers).toEqual({ Authorization: 'Bearer yk_own' });
	});
});

describe('the test of a credential with accounts', () => {
	const testAccounts = async (accounts: object | string, rest: object = {}) => {
		const pack = await loadPackage();
		const { methods } = pack.nodeTypes.getByNameAndVersion('ykVoice', 1);
		const data = {
			...{ apiKey: '', baseUrl: emulator.url, ...rest },
			accounts: typeof accounts === 'string' ? accounts : JSON.stringify(accounts),
		};
		const context = new core.CredentialTestContext(additionalData(pack, {}, 'internal'));
		const asked = { id: '1', name: 'Clients', type: 'ykVoiceApi', data };
		return await methods!.credentialTest!.testApiKey!.call(context, asked as never);
	};

	/** So many clients that are new, by name. */
	const many = (count: number) =>
		Object.fromEntries(
			Array.from({ length: count }, (_, at) => [`Client ${at}`, emulator.addOrganization().apiKey]),
		);

	test('reads each of them, ten at a time, and says how many there are', async () => {
		const seen = slowly(() => 5, 10);
		expect(await testAccounts(many(25))).toEqual({
			status: 'OK',
			message: 'Connection successful! 25 accounts',
		});
		expect([emulator.requests.length, seen.most]).toEqual([25, 10]);
		expect(new Set(emulator.requests.map(keyOf)).size).toBe(25);
	});

	test('says which could not be read, and why', async () => {
		clients[1]!.revoke();
		const accounts = {
			North: clients[0]!.apiKey,
			South: clients[1]!.apiKey,
			West: clients[2]!.apiKey,
		};
		const { status, message } = await testAccounts({ ...accounts, East: clients[1]!.apiKey });
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^2 of 4 accounts could not be read\. "South", "East": .*did not accept this key/,
		);
		expect(message).not.toMatch(/North|West|yk_[a-z0-9]/);
	});

	test('refuses accounts that cannot be used, before anything is sent', async () => {
		for (const accounts of ['{', '{"A": "***"}', '{"A": "yk_1", "A": "yk_2"}', '{"A": 1}'])
			expect(await testAccounts(accounts)).toMatchObject({ status: 'Error' });
		expect(await testAccounts('{}')).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^The 'API Key' must begin with yk_/),
		});
		expect(emulator.requests).toEqual([]);
	});
});
