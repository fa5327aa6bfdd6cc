import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { credentials, oAuth2, run, severalAccounts } from '../support/account.ts';
import { Poller } from '../support/poller.ts';
import { locator } from '../support/samples.ts';
import { answerWith, apiForTests, record, type Asked } from '../support/server.ts';
import { targetsFor, TRIGGERS, tryEach, type Target } from './all.ts';

const api = apiForTests();

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
function expectOnly({ name, key }: Account, value: unknown): void {
	const text = JSON.stringify(value);
	const other = name === AURORA.name ? BOREA : AURORA;
	for (const part of [other.name, other.id, other.key, key]) expect(text).not.toContain(part);
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

/** Each operation, for records of either account. */
const pairs = targetsFor(AURORA.id).map(
	(target, at) => [target[0], target, targetsFor(BOREA.id)[at]!] as const,
);

/** The parameters of two accounts as one: what differs between them is an expression. */
const merged = (parameters: Target[1]) => {
	const text = JSON.stringify(parameters).replaceAll(`"${AURORA.id}"`, '"={{ $json.id }}"');
	return JSON.parse(text) as Target[1];
};

/** How each item says whose it is: its name chooses the account, or the key itself is an expression. */
const WAYS = {
	'by the name of its account': {
		credential: () => {
			const accounts = Object.fromEntries(ACCOUNTS.map(({ name, key }) => [name, key]));
			return severalAccounts(accounts);
		},
		parameters: { account: locator('={{ $json.client }}') },
		item: ({ name }: Account) => ({ client: name }),
	},
	'by its key': {
		credential: () => credentials('={{ $json.key }}'),
		parameters: {},
		item: ({ key }: Account) => ({ key }),
	},
};

// That each goes to its own Base URL, and what the editor lists: contract/accounts.
describe('5. The records and keys of two accounts never mix', () => {
	it.each(Object.entries(WAYS))('item by item, %s, in any operation', async (_way, way) => {
		api.answer = answer;
		await tryEach(pairs, async ([name, [, parameters, items]]) => {
			api.asked = [];
			const owners = [AURORA, BOREA, AURORA, BOREA];
			const given = owners.map((owner) => ({ ...items[0], ...way.item(owner), id: owner.id }));
			const { outputs } = await run(name, { ...merged(parameters), ...way.parameters }, given, {
				credentials: way.credential(),
				node: { onError: 'continueErrorOutput' },
			});
			expectOwn(api.asked);
			expect(new Set(api.asked.map(accountOf))).toContain(BOREA);
			for (const { json, pairedItem } of outputs.flat()) {
				const items = [pairedItem].flat().map((pair) => (pair as { item: number }).item);
				const [owner, ...others] = [...new Set(items.map((item) => owners[item]!))];
				expect(others).toEqual([]);
				const { key: _key, ...shown } = json as IDataObject;
				expectOnly(owner!, shown);
			}
		});
	});

	it('at the same time, in any operation, also with OAuth2', async () => {
		api.answer = answer;
		await tryEach(pairs, async ([, ofAurora, ofBorea]) => {
			api.asked = [];
			const [first, second] = await Promise.all([
				run(...ofAurora, { credentials: credentials(AURORA.key) }),
				run(...ofBorea, { credentials: oAuth2(BOREA.key) }),
			]);
			expectOwn(api.asked);
			expectOnly(AURORA, [first.outputs, first.messages]);
			expectOnly(BOREA, [second.outputs, second.messages]);
		});
	});

	it('in the polls of two triggers', async () => {
		api.answer = answer;
		const given = ACCOUNTS.map(({ key }) => credentials(key));
		await tryEach(TRIGGERS, async ([, parameters]) => {
			const pollers = given.map((credentials) => new Poller({ parameters, credentials }));
			await Promise.all(pollers.map(async (poller) => await poller.activate()));
			await Promise.all(pollers.map(async (poller) => await poller.tick()));
			for (const [at, { items, known }] of pollers.entries())
				expectOnly(ACCOUNTS[at]!, [items, known]);
		});
		expectOwn(api.asked);
	});
});
