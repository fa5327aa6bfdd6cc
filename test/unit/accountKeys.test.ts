import { describe, expect, test } from 'vitest';

import { chooseKey, readKeys } from '../../nodes/api/accountKeys.ts';

const NORTH = 'yk_north_S3cr3t';
const SOUTH = 'yk_south_S3cr3t';
const ACCOUNTS = { 'North & Sons': NORTH, 'South Pizza': SOUTH };

const keysIn = (field: unknown) =>
	Object.fromEntries([...readKeys(field)].map(([name, { apiKey }]) => [name, apiKey]));

describe('the field Accounts', () => {
	test.each<[what: string, field: unknown]>([
		['JSON', JSON.stringify(ACCOUNTS)],
		['spaces', { ' North  & Sons\n': ` ${NORTH} `, 'South\u00a0Pizza': SOUTH }],
	])('is read: %s', (_what, field) => {
		expect(keysIn(field)).toEqual(ACCOUNTS);
	});

	test('a name may be any text', () => {
		const names = ['__proto__', 'constructor', 'a "quoted": name', 'Łódź', '1', 'back\\slash'];
		const field = `{${names.map((name) => `${JSON.stringify(name)}: "${NORTH}"`).join()}}`;
		expect([...readKeys(field).keys()].sort()).toEqual([...names].sort());
	});

	const KEY = `"${NORTH}"`;
	test.each([
		['a comma left out', `{"A": ${KEY} "B": ${KEY}}`],
		['a key alone', KEY],
		...[undefined, '', '{}', {}, '[]'].map((field): [string, unknown] => ['nothing', field]),
	])('is refused: %s', (_what, field) => {
		expect(() => readKeys(field)).toThrow(/is not JSON/);
		expect(() => readKeys(field)).not.toThrow(/S3cr3t/);
	});

	test.each([
		['a name twice', `"A": ${KEY}, "A" : "yk_S3cr3t"`, 'A', /has "A" more than once/],
		['twice after trimming', `"A": ${KEY}, " A ": ${KEY}`, 'A', /has "A" more than once/],
		['twice, once with a list', `"A": [{"B": 1}], "A": ${KEY}`, 'A', /has "A" more than once/],
		['a blank name', `" ": ${KEY}`, 'entry 2', /name .* is blank/],
		['a name that is a key', `${KEY}: "North"`, 'entry 2', /name comes first/],
		["n8n's mark as a name", `"***": ${KEY}`, 'entry 2', /Enter the name/],
		["n8n's mark as a key", '"A": "***"', 'A', /key of "A" .* is \*\*\*/],
		['a key that is a number', '"A": 1', 'A', /key of "A" .* text in quotation marks/],
		['another key', '"A": "sk_S3cr3t"', 'A', /key of "A" .* begin with yk_/],
	])('a wrong entry leaves the others alone, and repeats no key: %s', (_what, entry, name, why) => {
		const keys = readKeys(`{ "Good": ${KEY}, ${entry} }`);
		expect([...keys.keys()]).toEqual(['Good', name]);
		expect(keys.get('Good')).toEqual({ apiKey: NORTH });
		expect(keys.get(name)?.problem).toMatch(why);
		expect(keys.get(name)?.problem).not.toMatch(/S3cr3t/);
		expect(() => chooseKey(keys, name)).toThrow(why);
	});
});

test('a request gets the key of its account', () => {
	const chosen = chooseKey(readKeys(ACCOUNTS), ' South\u00a0 Pizza\n');
	expect(chosen).toEqual({ name: 'South Pizza', apiKey: SOUTH });
});
