import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { objectOfPairs } from '../../nodes/table/pairs.ts';
import {
	id,
	idAsGiven,
	jsonBody,
	list,
	nonBlank,
	number,
	oneOf,
	optional,
	phone,
	phones,
	textUpTo,
	uuid,
} from '../../nodes/table/schema.ts';
import { patch } from '../../nodes/table/updates.ts';
import { keeps, reads, refuses } from '../support/reading.ts';

const UUID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
const OTHER_UUID = UUID.replace('3', '4');
const APP = 'https://app.example';
const EMOJI = '😀';

describe('a UUID', () => {
	keeps(uuid, UUID.toUpperCase());
	reads(
		uuid,
		[`\u202a${UUID}\u202c\n`, UUID],
		[`${APP}/agents/${UUID}/edit?tab=${UUID}#top`, UUID],
		[` ${APP}/#/agents/aurora-${UUID}\n`, UUID],
	);
	refuses(uuid, /an ID such as/, 'x', UUID.slice(1), `${UUID}0`, `{${UUID}}`, 5, {});
	refuses(uuid, /an ID such as/, UUID.replaceAll('-', ''), `${UUID}/..`, `${UUID}\n/x`);
	refuses(uuid, /an ID such as/, `${APP}/agents/7`, `${APP}/agents/x${UUID}`);
	refuses(uuid, /an ID such as/, `${APP}/organizations/${OTHER_UUID}/agents/${UUID}`);
	refuses(uuid, 'is required', '', undefined);
});

describe('an ID', () => {
	keeps(id, UUID.toUpperCase(), 'a/b', '50%?#', '..a', 'ord:https://x/1');
	reads(
		id,
		[7, '7'],
		[0, '0'],
		['\ufeffo\u200brd_1\u00a0', 'ord_1'],
		[`${APP}/orders/${UUID}/?tab=2#top`, UUID],
	);
	refuses(id, /must be an ID/, '.', '../x', 'x/../y', 'x\\..', '%2e%2E', 'a\nb', '\ud800');
	refuses(id, /must be an ID/, 1.5, {}, [], true, { id: 7 }, `${APP}/orders/ORD-7`);
	refuses(id, /must be an ID/, `${APP}/orders/${UUID}/items`, `${APP}/orders?id=${UUID}`);
	refuses(id, /must be an ID/, `${APP}/organizations/${OTHER_UUID}/orders/${UUID}`);
	refuses(id, 'is required', '', '\u200b', undefined, null);
	refuses(id, /Enter a long number as text/, 2 ** 53, -(2 ** 53));
});

describe('IDs in a body', () => {
	keeps(list(idAsGiven), [1046, '1047', 0]);
	reads(list(idAsGiven), ['[1046, 1047]', [1046, 1047]], ['1046, ORD-7 ', ['1046', 'ORD-7']]);
	reads(list(idAsGiven), [1046, [1046]]);
	refuses(list(idAsGiven), /Enter a long number as text/, '[9007199254740993]');
});

describe('a phone number', () => {
	keeps(phone, '+1234567', '+123456789012345');
	reads(
		phone,
		[' +1 (415) 555-0123 ', '+14155550123'],
		['+39.333/123 4567', '+393331234567'],
		['\u202a+39\u00a0333\u2060 123\u20114567\u202c', '+393331234567'],
		// As people have it. The apostrophe is that of this package's CSV.
		['0039 333-1234567', '+393331234567'],
		['tel:+39-333-1234567', '+393331234567'],
		['whatsapp:+393331234567', '+393331234567'],
		['callto:00393331234567', '+393331234567'],
		['393331234567@s.whatsapp.net', '+393331234567'],
		["'+393331234567", '+393331234567'],
	);
	refuses(phone, /the \+ is missing/, '39 (333) 123 4567', 393331234567);
	const complaint = /phone number with its country code/;
	refuses(phone, complaint, '+04155550123', '+123456', '+1234567890123456', '00', "'", 'tel:');
	refuses(phone, complaint, '+1415555O123', '++14155550123', '+1415555012\u0663');
	refuses(phone, /without the \(0\)/, '+44 (0)20 7946 0000');
	reads(phones, ['+14155550123; +393331234567', ['+14155550123', '+393331234567']]);
});

describe('text of up to 3 characters', () => {
	keeps(textUpTo(3), '', 'abc', EMOJI.repeat(3), '  ');
	refuses(textUpTo(3), 'must have at most 3 characters', 'abcd', EMOJI.repeat(4), '    ');
});

describe('text of up to 3 characters that is not blank', () => {
	keeps(nonBlank(3), ' a ', EMOJI.repeat(3));
	const blanks = ['', '\n\t', '\u00a0', '\u0085', '\u001c', '\u2800'];
	refuses(nonBlank(3), 'must not be blank', ...blanks);
});

describe('one of several words', () => {
	const status = oneOf({ in_progress: 'Under Way', busy: 'Engaged', BUSY: 'Very Busy' });
	reads(status, ['In  Progress', 'in_progress'], ['under-way ', 'in_progress'], ['BUSY', 'BUSY']);
	const complaint = 'must be one of: in_progress, busy, BUSY';
	refuses(status, complaint, 'plum', 'Busy', 'inprogress', '-in_progress', 'in.progress');
	refuses(status, complaint, '', '__proto__', 'constructor');
});

describe('a list', () => {
	const words = list(nonBlank(5));
	keeps(words, [], ['a, b']);
	reads(words, [',en, it\n,de,', ['en', 'it', 'de']], ['["en"]', ['en']], ['', []]);
	refuses(words, 'is required', undefined, null);
	refuses(words, 'must be a list', {}, true, '[', '[1');
	refuses(words, /entry 1' must (have at most 5|be text)/, 'abcdef', [5]);
	refuses(words, /entry 2' (must not be blank|is required)/, ['a', ''], ['a', null]);
	reads(list(number()), ['1,2', [1, 2]]);
});

describe('a JSON object or a list', () => {
	keeps(jsonBody, [1]);
	reads(jsonBody, ['{"a":1}', { a: 1 }], ['[1]', [1]]);
	refuses(jsonBody, /must be a JSON object .*, or a list/, '1', 7);
	refuses(jsonBody, /is not valid JSON after "\{"/, '{');
});

test('pairs of names and values become an object, with a list for a name that comes twice', () => {
	const pairs = ['a=1', 'b=2', 'a=3'].map((pair) => pair.split('='));
	const entries = pairs.map(([name = '', value = '']) => ({ name, value }));
	expect(objectOfPairs(entries)).toEqual({ a: ['1', '3'], b: '2' });
});

describe('an optional setting', () => {
	reads(optional(number()), [' \u200b', undefined], [undefined, undefined], ['7', 7]);
});

describe('fields to set and to clear', () => {
	test.each<[set: JsonObject, cleared: string[], result: unknown]>([
		[{ a: '', b: 0 }, ['c', 'c'], { a: '', b: 0, c: null }],
		[{}, [], 'Nothing to update: set or clear at least one field'],
		[{ a: 1, b: 2 }, ['b', 'c'], 'updateFields: b: is both set and cleared'],
	])('set %j and clear %j', (set, cleared, result) => {
		const wrong: string[] = [];
		const body = patch(set, cleared, (words, ...path) => wrong.push([...path, words].join(': ')));
		expect(wrong.length > 0 ? wrong.join() : body).toEqual(result);
	});
});
