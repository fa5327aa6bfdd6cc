import { DateTime } from 'luxon';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { always, form, settings, type Parameter } from '../../nodes/table/form.ts';
import * as kinds from '../../nodes/table/kinds.ts';
import { Place, problemsIn, readingOf } from '../../nodes/table/place.ts';
import { id, jsonObject, list, nonBlank, optional, phone } from '../../nodes/table/schema.ts';

/** What a parameter makes of a value in the editor, or what is wrong with it. */
function outcome(
	of: Parameter<unknown>,
	value: unknown,
	how: Parameters<typeof readingOf>[0] = {},
	stored: unknown = value,
): unknown {
	const reading = readingOf(how);
	try {
		return of.read(value, new Place(reading, stored, 'It'));
	} catch {
		return problemsIn(reading);
	}
}

type Case = [given: unknown, result: unknown];

const reads = (of: Parameter<unknown>, ...cases: Case[]) =>
	test.each(cases)('reads %j as %j', (given, result) => {
		expect(outcome(of, given)).toEqual(result);
	});

const refuses = (of: Parameter<unknown>, complaint: string, ...values: unknown[]) =>
	test.each(values.map((value) => [value]))(`refuses %j: ${complaint}`, (value) => {
		expect(outcome(of, value)).toBe(`'It' ${complaint}`);
	});

const LONG = 'x'.repeat(1_000_000);
const NOT_TEXT = [7, true, {}, { a: 1 }, [], ['a'], new Date(0), DateTime.fromMillis(0)];
const luxon = DateTime.fromISO('2026-01-31T09:00:00.123+02:00', { setZone: true });

describe('text', () => {
	const text = kinds.text({ displayName: 'It' }, nonBlank(5));
	reads(text, ['a', 'a'], [' a ', ' a ']);
	refuses(text, 'must not be blank', '', ' ', undefined);
	refuses(text, 'must be text', ...NOT_TEXT);
	refuses(text, 'must have at most 5 characters', LONG, 'abcdef');
	const withDefault = kinds.text({ displayName: 'It', default: 'd' }, nonBlank());
	reads(withDefault, [undefined, 'd']);

	const names = kinds.text({ displayName: 'It' }, list(nonBlank()));
	test('names the entry that is wrong', () => {
		expect(outcome(names, ['a', 7, ''])).toBe(
			"'It → entry 2' must be text; 'It → entry 3' must not be blank",
		);
		expect(outcome(names, 7)).toBe("'It → entry 1' must be text");
	});
});

describe('what narrows a list', () => {
	const phoneNumber = kinds.narrowing(kinds.text({ displayName: 'It' }, phone));
	const names = kinds.narrowing(kinds.text({ displayName: 'It' }, list(nonBlank())));
	const fruits = kinds.narrowing(kinds.several({ pear: 'Pear' }, { displayName: 'It' }));
	const agent = kinds.narrowing(
		kinds.picker({ displayName: 'It', search: '', description: '' }, id),
	);
	reads(phoneNumber, ['+14155550123', '+14155550123'], ['', undefined]);
	reads(names, ['a', ['a']], ['', undefined], [' , ', []], [[], []]);
	reads(fruits, ['Pear', ['pear']], ['', []], [[], []]);
	refuses(
		phoneNumber,
		'must be a phone number with its country code such as +14155550123',
		'x',
		{},
		[],
	);

	test.each<[of: Parameter<unknown>, value: unknown]>([
		[phoneNumber, ' '],
		[names, ' , '],
		[names, []],
		[fruits, ''],
		[fruits, []],
	])('is refused if an expression gave a blank', (filter, value) => {
		const expected = "'It' has no value. Correct its expression, or remove it";
		expect(outcome(filter, value, {}, '={{ $json.it }}')).toBe(expected);
	});

	test('asks for a record that is chosen from a list', () => {
		const blank = { __rl: true, mode: 'list', value: '' };
		expect(outcome(agent, blank)).toBe("'It' is empty: choose an it");
		expect(outcome(agent, { ...blank, value: '' }, {}, { ...blank, value: '={{ 1 }}' })).toBe(
			"'It' is empty: choose an it",
		);
	});
});

describe('a JSON value', () => {
	const json = kinds.json({ displayName: 'It' }, jsonObject);
	reads(json, ['{"a":""}', { a: '' }], [{ a: [] }, { a: [] }], [undefined, {}], ['\ufeff{}', {}]);
	const complaint = 'must be a JSON object such as {"name": "value"}';
	refuses(json, complaint, 'null', '[1]', 7, [1], LONG);
	test.each([
		['{"notes": "He said "hi" to me"}', `after "{"notes": "He said ""`],
		['{"notes": "one\ntwo"}', `after "{"notes": "one"`],
		['{', ''],
		['['.repeat(30_000), ''],
	])('says where a text breaks, and shows the safe form: %j', (text, place) => {
		const said = outcome(json, text) as string;
		expect(said).toMatch(/^'It' is not valid JSON.*comma.*write the whole as one expression/);
		expect(said).toContain(place);
		expect(said).toContain('={{ { notes: $json.t } }}');
		expect(said.length).toBeLessThan(400);
	});
	refuses(json, 'is required', '');
	test('has no blanks if a model wrote it', () => {
		const given = { a: '', b: ' ', c: [], d: { e: '', f: 1 }, g: null, h: 0, i: false, j: [''] };
		const kept = { d: { f: 1 }, h: 0, i: false, j: [''] };
		expect(outcome(json, given, { isTool: true })).toEqual(kept);
		expect(outcome(json, JSON.stringify(given), { isTool: true })).toEqual(kept);
		expect(outcome(json, given)).toEqual(given);
	});
});

describe('yes or no', () => {
	const toggle = kinds.toggle({ displayName: 'It' });
	reads(toggle, [true, true], ['false', false], [' TRUE ', true], [undefined, false]);
	refuses(toggle, 'must be true or false', 0, 1, 'yes', {}, [], [true], LONG);
	refuses(toggle, 'is required', '', ' ');
	reads(kinds.toggle({ displayName: 'It', default: true }), [undefined, true]);
});

describe('a number', () => {
	const number = kinds.number({ displayName: 'It', min: 0, max: 2, default: 1 });
	reads(number, [2, 2], ['1.5', 1.5], [' 2 ', 2], [0, 0], [undefined, 1]);
	refuses(number, 'must be between 0 and 2', -0.001, 2.001, '3', '1e3', Infinity, 1e300);
	refuses(number, 'must be a number', 'x', {}, [1], true, NaN, '1,5', new Date(0), LONG);
	refuses(number, 'is required', '', ' ');
	refuses(kinds.number({ displayName: 'It', min: 1, default: 1 }), 'must be at least 1', 0);
});

describe('a whole number', () => {
	const whole = kinds.wholeNumber({ displayName: 'It', min: 1, max: 9, default: 3 });
	reads(whole, [2, 2], ['9', 9], [undefined, 3]);
	refuses(whole, 'must be a whole number', 1.5, '1.5');
	refuses(whole, 'must be between 1 and 9', 0, 10, -7);
});

describe('a date and time', () => {
	const moment = kinds.moment({ displayName: 'It' });
	const date = '2026-01-31T07:00:00.123Z';
	reads(
		moment,
		[date, date],
		[luxon, date],
		[luxon.toJSDate(), date],
		[luxon.toMillis(), date],
		['2026-01-31', '2026-01-31T00:00:00.000Z'],
	);
	const complaint = 'must be a date and time such as 2026-01-31T09:00:00Z';
	refuses(moment, complaint, 'yesterday', 5, true, [date], {}, { isLuxonDateTime: true }, LONG);
	refuses(moment, complaint, new Date(NaN), DateTime.invalid('why'));

	test('is in the workflow’s time zone if it names none', () => {
		expect(outcome(moment, '2026-01-31T09:00', { zone: 'Europe/Rome' })).toBe(
			'2026-01-31T08:00:00.000Z',
		);
	});

	refuses(moment, 'is required', '', undefined);
});

describe('one of some values', () => {
	const fruit = { pear: 'Green Pear', apple: 'Red Apple' } as const;
	const choice = kinds.choice(fruit, { displayName: 'It', meanings: { pear: 'Soft' } });
	reads(
		choice,
		['apple', 'apple'],
		['red  apple', 'apple'],
		[' PEAR', 'pear'],
		[undefined, 'pear'],
	);
	const names = ['', 'plum', '__proto__', 'constructor', LONG];
	refuses(choice, 'must be one of: pear, apple', ...names, ...NOT_TEXT);
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
		const other = kinds.choice(fruit, { displayName: 'It', default: 'apple' });
		expect(outcome(other, undefined)).toBe('apple');
	});

	const several = kinds.several(fruit, { displayName: 'It' }, 'must name a fruit');
	reads(
		several,
		[
			['pear', 'Red Apple'],
			['pear', 'apple'],
		],
		['["pear"]', ['pear']],
		['pear', ['pear']],
	);
	refuses(several, 'must name a fruit', [], '', undefined, '[]');
	refuses(several, 'must be a list', {}, true, '[pear');
	test('names each that is wrong', () => {
		expect(outcome(several, ['pear', 'x', null])).toBe(
			"'It → entry 2' must be one of: pear, apple; 'It → entry 3' must be one of: pear, apple",
		);
	});
	reads(kinds.several(fruit, { displayName: 'It' }), [undefined, []], ['', []]);
	reads(kinds.several(fruit, { displayName: 'It', default: ['pear'] }), [undefined, ['pear']]);

	const loaded = kinds.severalLoaded(
		{ displayName: 'It', loadOptionsMethod: 'getThings' },
		nonBlank(3),
		'must name a thing',
	);
	reads(loaded, [['a'], ['a']], ['a,b', ['a', 'b']]);
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
		[7, '7'],
		[located('a'), 'a'],
		[located(7, 'id'), '7'],
		[located('+1 415 555 0123', 'phone'), 'by +14155550123'],
		[located('a', 'other'), 'a'],
	);
	refuses(picker, 'is empty: choose an agent', '', undefined, located(''), located(' ', 'phone'));
	refuses(
		picker,
		'must be an ID, not a path or an address. Enter a long number as text',
		'../a',
		located('../a'),
	);
	refuses(
		picker,
		'must be a phone number with its country code such as +14155550123',
		located('a', 'phone'),
	);

	const free = kinds.picker({ ...said, required: false }, optional(id));
	reads(free, ['', undefined], [undefined, undefined], [located(''), undefined], ['a', 'a']);
	const added = kinds.picker({ ...said, required: 'whenAdded' }, id);
	refuses(added, 'is empty: choose an agent', '', located(''));

	test('is shown with its ways to choose', () => {
		expect(picker.shown).toMatchObject({
			displayName: 'Agent',
			required: true,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
		});
		const [byList] = picker.shown.modes!;
		expect(byList).toEqual({
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
	const said = { displayName: 'It', placeholder: 'Add' };

	const options = kinds.collection(said, settings({ name, kind: always(kind) }));
	reads(options, [{ name: 'a' }, { name: 'a', kind: 'b' }], [undefined, { kind: 'b' }]);
	refuses(options, 'must be a group of fields', ...[7, true, [], 'a', '{"name":"a"}']);

	const fields = form({ name, kind });
	const group = kinds.group(said, { name: 'g', displayName: 'G', fields });
	reads(group, [{ g: { name: 'a' } }, { name: 'a', kind: 'b' }]);
	refuses(group, 'is required', {}, undefined, '', { g: null });
	refuses(group, 'must be a group of fields', 7, [], { g: 7 }, { g: [] });
	const entries = kinds.entries(said, { name: 'e', displayName: 'E', fields });
	reads(
		entries,
		[
			{ e: [{ name: 'a' }, { name: 'b', kind: 'a' }] },
			[
				{ name: 'a', kind: 'b' },
				{ name: 'b', kind: 'a' },
			],
		],
		[{}, []],
		[undefined, []],
		[{ e: [] }, []],
	);
	refuses(entries, 'must be a list', 7, 'a', { e: 7 }, { e: {} }, { e: 'a' });
	test('an entry that is wrong is named', () => {
		expect(outcome(entries, { e: [{ name: 'a' }, 7, {}, { name: 'abcd' }] })).toBe(
			"'It → entry 2' must be a group of fields; 'It → entry 3 → Name' must not be blank; 'It → entry 4 → Name' must have at most 3 characters",
		);
	});
	test('an entry that a model left half blank is not set; a blank choice is its default', () => {
		const given = {
			e: [{ name: '' }, { kind: 'a' }, { name: 'a', kind: '' }, { name: 'b', kind: 'a' }],
		};
		expect(outcome(entries, given, { isTool: true })).toEqual([
			{ name: 'a', kind: 'b' },
			{ name: 'b', kind: 'a' },
		]);
		expect(outcome(entries, { e: [7] }, { isTool: true })).toContain("'It → entry 1' must be");
	});

	it('knows what an expression gave, however deep', () => {
		const when = kinds.narrowing(kinds.moment({ displayName: 'When' }));
		const nested = kinds.collection(said, settings({ when }));
		const list = kinds.entries(said, { name: 'e', displayName: 'E', fields: form({ when }) });
		const set = kinds.group(said, { name: 'g', displayName: 'G', fields: form({ when }) });
		const gone = "'It → When' has no value. Correct its expression, or remove it";
		expect(outcome(nested, { when: '' }, {}, { when: '={{ 1 }}' })).toBe(gone);
		expect(outcome(nested, { when: '' }, {}, '={{ 1 }}')).toBe(gone);
		expect(outcome(nested, { when: '' })).toEqual({});
		expect(outcome(set, { g: { when: '' } }, {}, { g: { when: '={{ 1 }}' } })).toBe(gone);
		expect(outcome(set, { g: { when: '' } }, {}, { g: { when: '' } })).toEqual({});
		const stored = { e: [{ when: '' }, { when: '={{ 1 }}' }] };
		expect(outcome(list, { e: [{ when: '' }, { when: '' }] }, {}, stored)).toContain(
			"'It → entry 2 → When' has no value",
		);
		expect(outcome(list, { e: [{ when: '' }] }, {}, stored)).toEqual([{}]);
	});
});

it('words of zod reach nobody', () => {
	const of = kinds.text({ displayName: 'It' }, z.string());
	expect(outcome(of, {})).toBe("'It' must be text");
});
