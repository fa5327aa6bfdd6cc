import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { always, form, settings, type Parameter } from '../../nodes/table/form.ts';
import * as kinds from '../../nodes/table/kinds.ts';
import { id, jsonObject, list, nonBlank, optional, phone } from '../../nodes/table/schema.ts';
import { entered, outcome, reads, refuses } from '../support/reading.ts';

// What the schemas below the kinds take: schema.test.ts. Which texts are dates: time.test.ts.

const IT = { displayName: 'It' };

describe('text', () => {
	reads(kinds.text({ ...IT, default: 'd' }, nonBlank(5)), [undefined, 'd'], [' a ', ' a ']);
	refuses(kinds.text(IT, nonBlank()), 'must not be blank', '', undefined);
	// The words of zod reach nobody.
	refuses(kinds.text(IT, z.string()), 'must be text', 7, {}, ['a'], new Date(0));

	test('names each entry of a list that is wrong', () => {
		expect(outcome(kinds.text(IT, list(nonBlank())), ['a', 7, ''])).toBe(
			"'It → entry 2' must be text; 'It → entry 3' must not be blank",
		);
	});
});

describe('what narrows a list', () => {
	const phoneNumber = kinds.narrowing(kinds.text(IT, phone));
	const names = kinds.narrowing(kinds.text(IT, list(nonBlank())));
	const fruits = kinds.narrowing(kinds.several({ pear: 'Pear' }, IT));
	reads(phoneNumber, ['+14155550123', '+14155550123'], ['', undefined]);
	reads(names, ['', undefined], [' , ', []], [[], []]);
	reads(fruits, ['', []], [[], []]);
	refuses(phoneNumber, /must be a phone number with its country code/, 'x', {}, []);

	test.each<[what: string, of: Parameter<unknown>, value: unknown]>([
		['a blank text', phoneNumber, ' '],
		['only commas', names, ' , '],
		['an empty list', names, []],
		['a blank for a choice', fruits, ''],
	])('is refused if an expression gave %s', (_what, filter, value) => {
		const expected = "'It' has no value. Correct its expression, or remove it";
		expect(outcome(filter, value, {}, '={{ $json.it }}')).toBe(expected);
	});

	test('asks for a record that is chosen from a list', () => {
		const agent = kinds.narrowing(kinds.picker({ ...IT, search: '' }, id));
		const blank = { __rl: true, mode: 'list', value: '' };
		expect(outcome(agent, blank)).toBe("'It' is empty: choose an it. Get Many Its shows the IDs");
		expect(outcome(agent, blank, {}, { ...blank, value: '={{ 1 }}' })).toBe(
			"'It' has no value. Correct its expression, or remove it",
		);
	});
});

describe('a JSON value', () => {
	const json = kinds.json(IT, jsonObject);
	reads(json, ['{"a":""}', { a: '' }], [{ a: [] }, { a: [] }], [undefined, {}], ['\ufeff{}', {}]);
	refuses(json, 'must be a JSON object such as {"name": "value"}', 'text', '[1]', 7, [1]);
	refuses(json, 'is required', '');

	test.each([
		['at a quotation mark', '{"notes": "He said "hi" to me"}', `after "{"notes": "He said ""`],
		['at a line break', '{"notes": "one\ntwo"}', `after "{"notes": "one"`],
		['at its end', '{', ''],
		['after thousands of brackets', '['.repeat(30_000), ''],
	])('says where a text breaks, and shows the safe form: %s', (_where, text, place) => {
		const said = outcome(json, text) as string;
		expect(said).toMatch(/^'It' is not valid JSON.*comma.*write the whole as one expression/);
		expect(said).toContain(place);
		expect(said).toContain('={{ { notes: $json.t } }}');
		expect(said.length).toBeLessThan(400);
	});

	test('has no blanks if a model wrote it', () => {
		const given = { a: '', b: ' ', c: [], d: { e: '', f: 1 }, g: null, h: 0, i: false, j: [''] };
		const kept = { d: { f: 1 }, h: 0, i: false, j: [''] };
		expect(outcome(json, given, { isTool: true })).toEqual(kept);
		expect(outcome(json, JSON.stringify(given), { isTool: true })).toEqual(kept);
		expect(outcome(json, given)).toEqual(given);
	});
});

describe('yes or no', () => {
	const toggle = kinds.toggle(IT);
	reads(toggle, [true, true], ['false', false], [' TRUE ', true], [undefined, false]);
	refuses(toggle, 'must be true or false', 0, 'yes', [true]);
	refuses(toggle, 'is required', '');
});

describe('a number', () => {
	const number = kinds.number({ ...IT, min: 0, max: 2, default: 1 });
	reads(number, [2, 2], [' 1.5 ', 1.5], [0, 0], [undefined, 1]);
	refuses(number, 'must be between 0 and 2', -0.001, 2.001, '1e3', Infinity);
	refuses(number, 'must be a number, and is "x"', 'x');
	refuses(number, /must be a number, and is/, {}, [1], true, NaN);
	refuses(number, 'must be a number with a point: 1.5', '1,5');
	refuses(number, 'is required', '');
	refuses(kinds.number({ ...IT, min: 1, default: 1 }), 'must be at least 1', 0);
});

describe('a whole number', () => {
	const whole = kinds.wholeNumber({ ...IT, min: 1, max: 9, default: 3 });
	reads(whole, ['9', 9], [undefined, 3]);
	refuses(whole, 'must be a whole number', 1.5);
	refuses(whole, 'must be between 1 and 9', 0, 10);
});

describe('a date and time', () => {
	const moment = kinds.moment(IT);
	const date = '2026-01-31T07:00:00.123Z';
	reads(moment, [date, date], [DateTime.fromISO(date, { zone: 'Europe/Rome' }), date]);
	refuses(moment, 'must be a date and time such as 2026-01-31T09:00:00Z', 'yesterday', [date]);
	refuses(moment, 'is required', '', undefined);

	test('is in the workflow’s time zone if it names none', () => {
		const read = outcome(moment, '2026-01-31T09:00', { zone: 'Europe/Rome' });
		expect(read).toBe('2026-01-31T08:00:00.000Z');
	});
});

describe('one of some values', () => {
	const fruit = { pear: 'Green Pear', apple: 'Red Apple' } as const;
	const choice = kinds.choice(fruit, { ...IT, meanings: { pear: 'Soft' } });
	reads(choice, ['red  apple', 'apple'], [' PEAR', 'pear'], [undefined, 'pear']);
	refuses(choice, 'must be one of: pear, apple', '', 'plum', 7);
	reads(kinds.choice(fruit, { ...IT, default: 'apple' }), [undefined, 'apple']);

	test('lists them by name, and has the first as its default', () => {
		expect(choice.shown).toEqual({
			displayName: 'It',
			type: 'options',
			default: 'pear',
			options: [
				{ name: 'Green Pear', value: 'pear', description: 'Soft' },
				{ name: 'Red Apple', value: 'apple' },
			],
		});
	});
});

describe('several of some values', () => {
	const fruit = { pear: 'Green Pear', apple: 'Red Apple' } as const;
	const several = kinds.several(fruit, IT, 'must name a fruit');
	reads(several, ['pear,Red Apple,pear', ['pear', 'apple']], ['["pear"]', ['pear']]);
	refuses(several, 'must name a fruit', [], '', undefined);
	refuses(several, 'must be a list', {}, '[pear');
	reads(kinds.several(fruit, IT), [undefined, []], ['', []]);
	reads(kinds.several(fruit, { ...IT, default: ['pear'] }), [undefined, ['pear']]);

	test('names each that is wrong', () => {
		expect(outcome(several, ['pear', 'x', null])).toBe(
			"'It → entry 2' must be one of: pear, apple; 'It → entry 3' must be one of: pear, apple",
		);
	});

	const method = { ...IT, loadOptionsMethod: 'getThings' };
	const loaded = kinds.severalLoaded(method, nonBlank(3), 'must name a thing');
	reads(loaded, ['a,b', ['a', 'b']]);
	refuses(loaded, 'must name a thing', [], undefined);
});

describe('a record', () => {
	const said = { displayName: 'Agent', search: 'searchAgents', description: 'An agent' };
	const modes = [
		{
			displayName: 'By Phone',
			name: 'phone',
			placeholder: 'e.g. +14155550123',
			rule: { message: 'must be a number', regex: '\\d+' },
			as: phone.transform((number) => `by ${number}`),
		},
	];
	const picker = kinds.picker({ ...said, modes }, id);
	const located = (value: unknown, mode = 'list') => ({ __rl: true, mode, value });
	reads(
		picker,
		['a', 'a'],
		[located(7, 'id'), '7'],
		[located('+1 415 555 0123', 'phone'), 'by +14155550123'],
		[located('a', 'other'), 'a'],
	);
	const empty = 'is empty: choose an agent. Get Many Agents shows the IDs';
	refuses(picker, empty, '', undefined, located(''), located(' ', 'phone'));
	test('that an expression leaves blank is said to have no value', () => {
		expect(outcome(picker, located('', 'id'), {}, located('={{ $json.agent }}', 'id'))).toMatch(
			/has no value\. Correct its expression/,
		);
	});
	const number = located('+1 415 555 0123', 'id');
	refuses(picker, "is not an ID: choose 'By Phone' instead of 'By ID'", number);
	test('of an AI model may be named in each way, because a model chooses none', () => {
		expect(entered(form({ picker }), { picker: number }, { isTool: true })).toEqual({
			picker: 'by +14155550123',
		});
	});
	refuses(picker, /must be an ID.*\. Get Many Agents shows the IDs$/, '../a', located('../a'));
	refuses(picker, /must be a phone number/, located('a', 'phone'));

	const free = kinds.picker({ ...said, required: false }, optional(id));
	reads(free, ['', undefined], [undefined, undefined], [located(''), undefined], ['a', 'a']);
	refuses(kinds.picker({ ...said, required: 'whenAdded' }, id), empty, '');

	test('is shown with its ways to choose', () => {
		expect(picker.shown).toMatchObject({
			displayName: 'Agent',
			required: true,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
		});
		expect(picker.shown.modes![0]).toEqual({
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: {
				searchListMethod: 'searchAgents',
				searchable: true,
				slowLoadNotice: { message: "Slow? Choose 'By ID'", timeout: 5000 },
			},
		});
	});
});

describe('what holds other parameters', () => {
	const name = kinds.text({ displayName: 'Name' }, nonBlank(3));
	const kind = kinds.choice({ b: 'B', a: 'A' }, { displayName: 'Kind' });
	const said = { ...IT, placeholder: 'Add' };

	const options = kinds.collection(said, settings({ name, kind: always(kind) }));
	reads(options, [{ name: 'a' }, { name: 'a', kind: 'b' }], [undefined, { kind: 'b' }]);
	refuses(options, 'must be a group of fields', 7, [], '{"name":"a"}');

	const fields = form({ name, kind });
	const group = kinds.group(said, { name: 'g', displayName: 'G', fields });
	reads(group, [{ g: { name: 'a' } }, { name: 'a', kind: 'b' }]);
	refuses(group, 'is required', {}, undefined, { g: null });
	refuses(group, 'must be a group of fields', 7, { g: [] });

	const entries = kinds.entries(said, { name: 'e', displayName: 'E', fields });
	const [first, second] = [{ name: 'a' }, { name: 'b', kind: 'a' }];
	reads(entries, [{ e: [first, second] }, [{ ...first, kind: 'b' }, second]]);
	reads(entries, [{}, []], [undefined, []], [{ e: [] }, []]);
	refuses(entries, 'must be a list', 7, { e: {} }, { e: 'a' });

	test('an entry that is wrong is named', () => {
		expect(outcome(entries, { e: [first, 7, {}, { name: 'abcd' }] })).toBe(
			"'It → entry 2' must be a group of fields; 'It → entry 3 → Name' must not be blank; 'It → entry 4 → Name' must have at most 3 characters",
		);
	});

	test('an entry that a model left half blank is not set; a blank choice is its default', () => {
		const given = { e: [{ name: '' }, { kind: 'a' }, { name: 'a', kind: '' }, second] };
		const read = [{ name: 'a', kind: 'b' }, second];
		expect(outcome(entries, given, { isTool: true })).toEqual(read);
		expect(outcome(entries, { e: [7] }, { isTool: true })).toContain("'It → entry 1' must be");
	});

	const when = kinds.narrowing(kinds.moment({ displayName: 'When' }));
	const member = { name: 'in', displayName: 'In', fields: form({ when }) };
	const blank = { when: '' };
	const expression = { when: '={{ 1 }}' };
	test.each<[what: string, of: Parameter<unknown>, value: object, stored: unknown, place: string]>([
		['a setting', kinds.collection(said, settings({ when })), blank, expression, 'It → When'],
		['all settings', kinds.collection(said, settings({ when })), blank, '={{ 1 }}', 'It → When'],
		['a group', kinds.group(said, member), { in: blank }, { in: expression }, 'It → When'],
		[
			'an entry',
			kinds.entries(said, member),
			{ in: [blank, blank] },
			{ in: [blank, expression] },
			'It → entry 2 → When',
		],
	])('a blank is refused if an expression gave it: %s', (_what, of, value, stored, place) => {
		expect(outcome(of, value)).not.toContain('When');
		expect(outcome(of, value, {}, stored)).toBe(
			`'${place}' has no value. Correct its expression, or remove it`,
		);
	});
});
