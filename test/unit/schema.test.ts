import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../nodes/json.ts';
import type { Refuse } from '../../nodes/table/form.ts';
import { objectOfPairs } from '../../nodes/table/pairs.ts';
import { patch } from '../../nodes/table/updates.ts';
import * as schema from '../../nodes/table/schema.ts';

const {
	nonBlank,
	id,
	idAsGiven,
	jsonBody,
	list,
	number,
	oneOf,
	optional,
	phone,
	textUpTo,
	phones,
	uuid,
} = schema;

const UUID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
const OTHER_UUID = UUID.replace('3', '4');
const EMOJI = '😀';

/** What the schema makes of a value, or what it has against it. */
function outcome(type: z.ZodTypeAny, value: unknown): unknown {
	const parsed = type.safeParse(value);
	return parsed.success
		? parsed.data
		: parsed.error.issues.map(({ message }) => message).join('; ');
}

const keeps = (type: z.ZodTypeAny, ...values: unknown[]) =>
	test.each(values.map((value) => [value]))('keeps %j', (value) => {
		expect(type.safeParse(value)).toEqual({ success: true, data: value });
	});

const reads = (type: z.ZodTypeAny, cases: Array<[given: unknown, result: unknown]>) =>
	test.each(cases)('reads %j as %j', (given, result) => {
		expect(type.safeParse(given)).toEqual({ success: true, data: result });
	});

const refuses = (type: z.ZodTypeAny, complaint: RegExp, ...values: unknown[]) =>
	test.each(values.map((value) => [value]))(`refuses %j: ${complaint}`, (value) => {
		expect(type.safeParse(value).success).toBe(false);
		expect(outcome(type, value)).toMatch(complaint);
	});

describe('a UUID', () => {
	keeps(uuid, UUID, UUID.toUpperCase());
	reads(uuid, [
		[` ${UUID}\n`, UUID],
		[`\u202a${UUID}\u202c`, UUID],
		[`https://app.example/agents/${UUID}`, UUID],
		[`http://app.example/agents/${UUID}/edit?tab=${UUID}#top`, UUID],
		[` https://app.example/#/agents/aurora-${UUID}\n`, UUID],
	]);
	refuses(
		uuid,
		/an ID such as/,
		'x',
		UUID.slice(1),
		`${UUID}0`,
		`{${UUID}}`,
		UUID.replaceAll('-', ''),
	);
	refuses(uuid, /an ID such as/, `${UUID}/..`, `${UUID}\n/x`, 5, {});
	refuses(uuid, /is required/, '', ' ', undefined, null);
	refuses(
		uuid,
		/an ID such as/,
		'https://app.example/agents/7',
		`https://app.example/organizations/${OTHER_UUID}/agents/${UUID}`,
		`https://app.example/agents/x${UUID}`,
	);
});

describe('an ID', () => {
	keeps(id, UUID, UUID.toUpperCase(), 'a/b', '50%?#', '..a', 'ord:https://x/1');
	reads(id, [
		[' ORD-7 ', 'ORD-7'],
		[7, '7'],
		[0, '0'],
		['\ufeffo\u200brd_1\u00a0', 'ord_1'],
		[`https://app.example/orders/${UUID}/?tab=2#top`, UUID],
	]);
	reads(list(id), [[7, ['7']]]);
	refuses(id, /must be an ID/, '.', '..', '../x', 'x/../y', 'x\\..', '%2e%2E');
	refuses(id, /must be an ID/, 'a\nb', 'a\0', '\ud800');
	refuses(id, /must be an ID/, 1.5, NaN, {}, [], false, true, { id: 7 });
	refuses(id, /is required/, '', ' ', '\u200b', undefined, null);
	refuses(id, /Enter a long number as text/, 2 ** 53, -(2 ** 53), 1e21);
	refuses(
		id,
		/must be an ID/,
		'https://app.example/orders/ORD-7',
		`https://app.example/orders/${UUID}/items`,
		`https://app.example/organizations/${UUID}/orders/7`,
		`https://app.example/organizations/${OTHER_UUID}/orders/${UUID}`,
		`https://app.example/orders?id=${UUID}`,
	);
});

describe('IDs in a body', () => {
	keeps(list(idAsGiven), [1046, '1047', 0]);
	reads(list(idAsGiven), [
		['[1046, 1047]', [1046, 1047]],
		['1046, ORD-7 ', ['1046', 'ORD-7']],
		[1046, [1046]],
	]);
	refuses(list(idAsGiven), /Enter a long number as text/, 2 ** 53, '[9007199254740993]');
});

describe('a phone number', () => {
	keeps(phone, '+14155550123', '+1234567', '+123456789012345');
	reads(phone, [
		[' +1 (415) 555-0123 ', '+14155550123'],
		['+39.333/123 4567', '+393331234567'],
		['\u202a+39\u00a0333\u2060 123\u20114567\u202c', '+393331234567'],
		// As people have it. The apostrophe is that of this package's CSV.
		['0039 333-1234567', '+393331234567'],
		['tel:+39-333-1234567', '+393331234567'],
		["'+393331234567", '+393331234567'],
	]);
	refuses(phone, /the \+ is missing/, '4155550123', '39 (333) 123 4567', 393331234567);
	const complaint = /phone number with its country code/;
	refuses(phone, complaint, '+04155550123', '+123456', '00', "'", 'tel:');
	refuses(phone, complaint, '+1234567890123456', '+1415555O123', '++14155550123');
	refuses(phone, complaint, '+1415555012\u0663');
	refuses(phone, /without the \(0\)/, '+44 (0)20 7946 0000');
	reads(phones, [['+14155550123; +393331234567', ['+14155550123', '+393331234567']]]);
});

describe('text of up to 3 characters', () => {
	keeps(textUpTo(3), '', 'abc', EMOJI.repeat(3), '  ');
	refuses(textUpTo(3), /at most 3 characters/, 'abcd', EMOJI.repeat(4), '    ');
});

describe('text of up to 3 characters that is not blank', () => {
	keeps(nonBlank(3), 'a', ' a ', EMOJI.repeat(3));
	refuses(
		nonBlank(3),
		/must not be blank/,
		'',
		' ',
		'\n\t',
		'\u00a0',
		'\u0085',
		'\u001c',
		'\u2800',
	);
	refuses(nonBlank(3), /at most 3 characters/, 'abcd', EMOJI.repeat(4));
});

describe('one of several words', () => {
	const fruit = oneOf({ apple: 'Apple', pear: 'Pear' });
	keeps(fruit, 'apple', 'pear');
	reads(fruit, [[' Apple', 'apple']]);
	const complaint = /must be one of: apple, pear/;
	refuses(fruit, complaint, 'plum', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '');
	const status = oneOf({ in_progress: 'Under Way', busy: 'Engaged', BUSY: 'Very Busy' });
	reads(status, [
		['In  Progress', 'in_progress'],
		['under-way', 'in_progress'],
		['BUSY', 'BUSY'],
	]);
	refuses(status, /must be one of/, 'Busy', 'inprogress', '-in_progress', 'in.progress');
});

describe('a list', () => {
	const words = list(nonBlank(5));
	keeps(words, [], ['a, b']);
	reads(words, [
		['en, it ,de', ['en', 'it', 'de']],
		['en', ['en']],
		[',en,,', ['en']],
		['en\nit', ['en', 'it']],
		['["en"]', ['en']],
		['', []],
	]);
	refuses(words, /^is required$/, undefined, null);
	refuses(words, /^must be a list$/, {}, true, '[', '[1');
	refuses(words, /at most 5|blank|must be text|is required/, 'abcdef', ['a', ''], [5], [null]);
	reads(list(number()), [
		['1,2', [1, 2]],
		[
			[1, '2'],
			[1, 2],
		],
	]);
});

describe('a JSON object or a list', () => {
	keeps(jsonBody, { a: 1 }, [1]);
	reads(jsonBody, [
		['{"a":1}', { a: 1 }],
		['[1]', [1]],
	]);
	refuses(jsonBody, /must be a JSON object .*, or a list/, '1', 7);
	refuses(jsonBody, /is not valid JSON after "\{"/, '{');
});

test('pairs of names and values become an object, with a list for a name that comes twice', () => {
	const pairs = ['a=1', 'b=2', 'a=3'].map((pair) => pair.split('='));
	const entries = pairs.map(([name = '', value = '']) => ({ name, value }));
	expect(objectOfPairs(entries)).toEqual({ a: ['1', '3'], b: '2' });
});

describe('an optional setting', () => {
	reads(optional(number()), [
		['', undefined],
		[' \u200b', undefined],
		[undefined, undefined],
		['7', 7],
	]);
});

describe('fields to set and to clear', () => {
	test.each<[set: object, cleared: string[], result: unknown]>([
		[{ a: 1 }, [], { a: 1 }],
		[{}, ['a'], { a: null }],
		[{ a: '' }, ['b'], { a: '', b: null }],
		[{ a: false, b: 0 }, ['c', 'c'], { a: false, b: 0, c: null }],
		[{}, [], ['Nothing to update: set or clear at least one field']],
		[
			{ a: 1, b: 2 },
			['b', 'a'],
			['updateFields: b: is both set and cleared', 'updateFields: a: is both set and cleared'],
		],
	])('set %j and clear %j', (set, cleared, result) => {
		const wrong: string[] = [];
		const refuse: Refuse = (words, ...path) => void wrong.push([...path, words].join(': '));
		const body = patch(set as JsonObject, cleared, refuse);
		expect(wrong.length > 0 ? wrong : body).toEqual(result);
	});
});
