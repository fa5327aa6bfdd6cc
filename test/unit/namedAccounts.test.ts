import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { accountOf, type NodeContext } from '../../nodes/api/account.ts';
import { readAccounts } from '../../nodes/api/namedAccounts.ts';

const NORTH = 'yk_north_S3cr3t';
const SOUTH = 'yk_south_S3cr3t';
const ACCOUNTS = { 'North & Sons': NORTH, 'South Pizza': SOUTH };

const keysIn = (field: unknown) => Object.fromEntries(readAccounts(field));

describe('the field Accounts', () => {
	test.each([
		['JSON', JSON.stringify(ACCOUNTS)],
		['an object', ACCOUNTS],
		['spaces around names and keys', { ' North & Sons\n': ` ${NORTH} `, 'South Pizza': SOUTH }],
	])('is read: %s', (_what, field) => {
		expect(keysIn(field)).toEqual(ACCOUNTS);
	});

	test.each([undefined, null, '', '{}', {}])('has no account: %j', (field) => {
		expect(readAccounts(field).size).toBe(0);
	});

	test('a name may be any text', () => {
		const names = ['__proto__', 'constructor', 'a "quoted": name', 'Łódź', '1', 'back\\slash'];
		const field = `{${names.map((name) => `${JSON.stringify(name)}: "${NORTH}"`).join()}}`;
		expect([...readAccounts(field).keys()].sort()).toEqual([...names].sort());
	});

	const KEY = `"${NORTH}"`;
	test.each([
		['a comma left out', `{"A": ${KEY} "B": ${KEY}}`, /is not JSON/],
		['a list', `[${KEY}]`, /is not JSON/],
		['a key alone', KEY, /is not JSON/],
		['a name twice', `{"A": ${KEY}, "B": ${KEY}, "A" : "yk_S3cr3t"}`, /has "A" more than once/],
		['twice, in another writing', `{"A": ${KEY}, "\\u0041": ${KEY}}`, /has "A" more than once/],
		['twice after trimming', `{"A": ${KEY}, " A ": ${KEY}}`, /has "A" more than once/],
		['twice, once with a list', `{"A": [{"B": 1}], "A": ${KEY}}`, /has "A" more than once/],
		['a blank name', `{" ": ${KEY}}`, /name .* is blank/],
		['a name that is a key', `{${KEY}: "North"}`, /name comes first/],
		["n8n's mark as a name", `{"***": ${KEY}}`, /name .* is \*\*\*/],
		["n8n's mark as a key", '{"A": "***"}', /key of "A" .* is \*\*\*/],
		['a key that is a number', '{"A": 1}', /key of "A" .* text in quotation marks/],
		['a key that is null', '{"A": null}', /key of "A" .* text in quotation marks/],
		['a key in a list', `{"A": [${KEY}]}`, /key of "A" .* text in quotation marks/],
		['no key', '{"A": ""}', /key of "A" .* begin with yk_/],
		['another key', '{"A": "sk_S3cr3t"}', /key of "A" .* begin with yk_/],
		['an expression as a key', '{"A": "={{ $json.S3cr3t }}"}', /key of "A" .* begin with yk_/],
	])('is refused, and no key is repeated: %s', (_what, field, message) => {
		expect(() => readAccounts(field)).toThrow(message);
		expect(() => readAccounts(field)).not.toThrow(/S3cr3t/);
	});
});

const contextOf = (fields: object) =>
	({
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://a.example/v1', ...fields }),
		getNode: () => ({ name: 'YK Voice' }),
	}) as unknown as NodeContext;

const choose = async (account: unknown, fields: object = { accounts: ACCOUNTS }) =>
	await accountOf(contextOf(fields), 'apiKey', { itemIndex: 0, account });

const keyOf = ({ fields }: { fields?: ICredentialDataDecryptedObject }) => fields?.apiKey;

describe('the account that a node names', () => {
	test.each(['South Pizza', '  South Pizza\n', 'South\u00a0Pizza'])(
		'is found: %j',
		async (name) => {
			const account = await choose(name);
			expect(account.name).toBe('South Pizza');
			expect(keyOf(account)).toBe(SOUTH);
		},
	);

	test('hands over no other key, and conceals all of them', async () => {
		const account = await choose('South Pizza', { accounts: ACCOUNTS, apiKey: 'yk_own_S3cr3t' });
		expect(JSON.stringify(account)).not.toMatch(/yk_north|yk_own/);
		expect(account.conceal(`${NORTH} ${SOUTH} yk_own_S3cr3t`)).toBe('[secret] [secret] [secret]');
	});

	test('is not repeated if it is a key', async () => {
		await expect(choose(NORTH)).rejects.toThrow(/^The text in 'Account' is no account/);
	});
});
