import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { loadOptions } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import {
	answerWith,
	keyFor,
	pollerFor,
	record,
	run,
	serverForTests,
	targetsFor,
	tokenFor,
	TRIGGERS,
	tryEach,
	type Asked,
	type Target,
} from './lab.ts';

const api = serverForTests();

interface Account {
	name: string;
	key: string;
	/** The only ID that its records have. */
	id: string;
}

const ACCOUNTS: Account[] = ['aurora', 'borea'].map((name, at) => ({
	name,
	key: `yk_${name}`,
	id: `${at + 1}`.repeat(8) + '-2222-4333-8444-555555555555',
}));
const [AURORA, BOREA] = ACCOUNTS as [Account, Account];

const accountOf = ({ headers }: Asked) =>
	ACCOUNTS.find(({ key }) => headers.authorization === `Bearer ${key}`);

/** Each account has records of its own, whose texts have its name. */
const answer = answerWith((asked) => {
	const { name = 'nobody', id = '' } = accountOf(asked) ?? {};
	const texts = { name, title: name, notes: name, summary: name, first_message: name, sku: name };
	return record(asked, { ...texts, id, agent_id: id, transcript: [{ role: 'agent', text: name }] });
});

/** Nothing of another account is in a value. */
function expectOnly({ name, id, key }: Account, value: unknown): void {
	const text = JSON.stringify(value);
	for (const account of ACCOUNTS) {
		if (account.name === name) continue;
		for (const part of [account.name, account.id, account.key]) expect(text).not.toContain(part);
	}
	expect(text).not.toContain(key);
	expect(id).toBeDefined();
}

/** Each request has the key of the account whose records it names. */
function expectOwn(requests: Asked[]): void {
	for (const asked of requests) {
		const account = accountOf(asked);
		if (asked.path.startsWith('/v1/')) expect(account).toBeDefined();
		const { path, query, body } = asked;
		if (account) expectOnly(account, [path, String(query), body]);
	}
}

const pairs = targetsFor(AURORA.id).map(
	(target, at) => [target, targetsFor(BOREA.id)[at]!] as const,
);

/** The parameters of two accounts as one: what differs between them is an expression. */
const merged = (target: Target): Target => {
	const text = JSON.stringify(target.parameters).replaceAll(`"${AURORA.id}"`, '"={{ $json.id }}"');
	return { ...target, parameters: JSON.parse(text) as Target['parameters'] };
};

/** How each item says whose it is: its name chooses the account, or the key itself is an expression. */
const WAYS = {
	'by the name of its account': {
		credentials: ({ url }: typeof api) => ({
			ykVoiceApi: {
				baseUrl: url,
				accounts: JSON.stringify(Object.fromEntries(ACCOUNTS.map(({ name, key }) => [name, key]))),
			},
		}),
		parameters: { account: locator('={{ $json.client }}') },
		item: ({ name }: Account) => ({ client: name }),
	},
	'by its key': {
		credentials: ({ url }: typeof api) => keyFor(url, '={{ $json.key }}'),
		parameters: {},
		item: ({ key }: Account) => ({ key }),
	},
};

// That each goes to its own Base URL: contract/accounts.
describe('5. The records and keys of two accounts never mix', () => {
	it.each(Object.entries(WAYS))('item by item, %s, in any operation', async (_way, way) => {
		api.answer = answer;
		await tryEach(
			pairs,
			([{ operation }]) => operation,
			async ([target]) => {
				api.asked = [];
				const owners = [AURORA, BOREA, AURORA, BOREA];
				const one = merged(target);
				const { outputs } = await run(
					api,
					{
						...one,
						parameters: { ...one.parameters, ...way.parameters },
						items: owners.map((owner) => ({
							...target.items?.[0],
							...way.item(owner),
							id: owner.id,
						})),
					},
					{ credentials: way.credentials(api), node: { onError: 'continueErrorOutput' } },
				);
				expectOwn(api.asked);
				expect(new Set(api.asked.map(accountOf))).toContain(BOREA);
				for (const { json, pairedItem } of outputs.flat()) {
					const items = [pairedItem].flat().map((pair) => (pair as { item: number }).item);
					const [owner, ...others] = [...new Set(items.map((item) => owners[item]!))];
					expect(others).toEqual([]);
					const { key: _key, ...shown } = json as IDataObject;
					expectOnly(owner!, shown);
				}
			},
		);
	});

	it('at the same time, in any operation, also with OAuth2', async () => {
		api.answer = answer;
		await tryEach(
			pairs,
			([{ operation }]) => operation,
			async (both) => {
				api.asked = [];
				const [first, second] = await Promise.all([
					run(api, both[0], { credentials: keyFor(api.url, AURORA.key) }),
					run(api, both[1], { credentials: tokenFor(api.url, BOREA.key) }),
				]);
				expectOwn(api.asked);
				expectOnly(AURORA, [first.outputs, first.messages]);
				expectOnly(BOREA, [second.outputs, second.messages]);
			},
		);
	});

	it('in the polls of two triggers, and in the lists of the editor', async () => {
		api.answer = answer;
		await tryEach(
			TRIGGERS,
			({ event }) => String(event),
			async (parameters) => {
				const pollers = ACCOUNTS.map(({ key }) =>
					pollerFor(api, { parameters, credentials: keyFor(api.url, key) }),
				);
				await Promise.all(pollers.map(async (poller) => await poller.activate()));
				await Promise.all(pollers.map(async (poller) => await poller.tick()));
				for (const [at, { items, known }] of pollers.entries())
					expectOnly(ACCOUNTS[at]!, [items, known]);
			},
		);
		const lists = await Promise.all(
			ACCOUNTS.map(
				async ({ key }) =>
					await loadOptions('listSearch', 'searchAgents', { credentials: keyFor(api.url, key) }),
			),
		);
		for (const [at, list] of lists.entries()) {
			expectOnly(ACCOUNTS[at]!, list);
			expect(JSON.stringify(list)).toContain(ACCOUNTS[at]!.name);
		}
		expectOwn(api.asked);
	});
});
