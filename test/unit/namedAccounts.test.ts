import { describe, expect, test } from 'vitest';

import { chooseKey, readAccounts } from '../../nodes/api/namedAccounts.ts';

const NORTH = 'yk_north_S3cr3t';
const SOUTH = 'yk_south_S3cr3t';
const ACCOUNTS = { 'North & Sons': NORTH, 'South Pizza': SOUTH };

describe('the field Accounts', () => {
	test.each<[what: string, field: unknown, accounts: object]>([
		['JSON', JSON.stringify(ACCOUNTS), ACCOUNTS],
		['spaces', { ' North & Sons\n': ` ${NORTH} `, 'South Pizza': SOUTH }, ACCOUNTS],
		...[undefined, '', '{}', {}].map((field): [string, unknown, object] => ['none', field, {}]),
	])('is read: %s', (_what, field, accounts) => {
		expect(Object.fromEntries(readAccounts(field))).toEqual(accounts);
	});

	test('a name may be any text', () => {
		const names = ['__proto__', 'constructor', 'a "quoted": name', 'Łódź', '1', 'back\\slash'];
		const field = `{${names.map((name) => `${JSON.stringify(name)}: "${NORTH}"`).join()}}`;
		expect([...readAccounts(field).keys()].sort()).toEqual([...names].sort());
	});

	const KEY = `"${NORTH}"`;
	test.each([
		['a comma left out', `{"A": ${KEY} "B": ${KEY}}`, /is not JSON/],
		['a key alone', KEY, /is not JSON/],
		['a name twice', `{"A": ${KEY}, "B": ${KEY}, "A" : "yk_S3cr3t"}`, /has "A" more than once/],
		['twice after trimming', `{"A": ${KEY}, " A ": ${KEY}}`, /has "A" more than once/],
		['twice, once with a list', `{"A": [{"B": 1}], "A": ${KEY}}`, /has "A" more than once/],
		['a blank name', `{" ": ${KEY}}`, /name .* is blank/],
		['a name that is a key', `{${KEY}: "North"}`, /name comes first/],
		["n8n's mark as a key", '{"A": "***"}', /key of "A" .* is \*\*\*/],
		['a key that is a number', '{"A": 1}', /key of "A" .* text in quotation marks/],
		['another key', '{"A": "sk_S3cr3t"}', /key of "A" .* begin with yk_/],
	])('is refused, and no key is repeated: %s', (_what, field, message) => {
		expect(() => readAccounts(field)).toThrow(message);
		expect(() => readAccounts(field)).not.toThrow(/S3cr3t/);
	});
});

// That secrets stand in no message: promises/keyStaysHome.
test('a request gets the key of its account, and the keys of all accounts are secrets', () => {
	const accounts = readAccounts(ACCOUNTS);
	const chosen = chooseKey({ apiKey: 'yk_own' }, accounts, ' South\u00a0Pizza\n');
	expect(chosen).toEqual({ name: 'South Pizza', apiKey: SOUTH, secrets: [NORTH, SOUTH, 'yk_own'] });
});
