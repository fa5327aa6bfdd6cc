import { createRequire } from 'node:module';
import { describe, expect, it, test, vi } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import {
	agreeing,
	completeChanges,
	mergeRecord,
	recordForm,
	valueAt,
	withPhones,
} from '../../nodes/table/record.ts';
import { type Refuse, readForm } from '../../nodes/table/form.ts';

// n8n-workflow's ES modules do not load in Node; the built nodes use the CommonJS ones too.
vi.mock('n8n-workflow', () => createRequire(import.meta.url)('n8n-workflow') as object);

const LABELS: Record<string, string> = { record: 'Fields', json: 'JSON' };

/** What a rule over a whole record makes of it, and what it has against it. */
function judged<T>(rule: (refuse: Refuse) => T): { result: unknown; issues: string[] } {
	const issues: string[] = [];
	const result = rule((words, ...path) => void issues.push([...path, words].join(': ')));
	return { result, issues };
}

type Rules = Parameters<typeof recordForm>[1];

/** The record that was entered, or what is wrong with it. */
function entered(values: JsonObject, rules?: Rules) {
	const form = recordForm('mapThing', { clearable: 'getThings', ...rules });
	const record = { mappingMode: 'defineBelow', value: values.record };
	const given: JsonObject = { ...values, record };
	const stored = Object.fromEntries(Object.keys(given).map((name) => [name, undefined]));
	const { input, problems } = readForm(form, stored, (name) => given[name], {});
	return problems === undefined ? input.record : problems.split('; ');
}
const mapped = (record: JsonObject, rules?: Rules) =>
	entered({ specifyFields: 'fields', record }, rules);
const written = (json: JsonObject, rules?: Rules) =>
	entered({ specifyFields: 'json', json }, rules);

describe('the record that was entered', () => {
	it('is the mapped one or the JSON, whichever the user chose', () => {
		const both = { record: { name: 'mapped' }, json: '{"name":"json"}' };
		expect(entered({ specifyFields: 'fields', ...both })).toEqual({ name: 'mapped' });
		expect(entered({ specifyFields: 'json', ...both })).toEqual({ name: 'json' });
	});

	it.each([
		[{ specifyFields: 'fields' }, 'record'],
		[{ specifyFields: 'fields', record: {}, json: { a: 1 } }, 'record'],
		[{ specifyFields: 'json', record: { a: 1 } }, 'json'],
		[{ specifyFields: 'fields', record: { price: '' } }, 'record'],
		[{ specifyFields: 'json', json: {} }, 'json'],
	])('must have a field: %j', (values, where) => {
		expect(entered(values)).toEqual([
			`'${LABELS[where]}' must have at least one field with a value`,
		]);
	});

	it('has no mapped field without a value, such as an empty cell of a sheet', () => {
		expect(mapped({ price: '', sku: ' \u200b', name: 'Tea' })).toEqual({ name: 'Tea' });
		const extras = { guests: 3, note: '', seat: null };
		expect(mapped({ name: 'Tea', extras })).toEqual({ name: 'Tea', extras: { guests: 3 } });
		expect(mapped({ name: 'Tea', extras: { note: '' } })).toEqual({ name: 'Tea' });
	});

	it('keeps null of JSON, and no empty text', () => {
		const given = { sku: '', price: null, description: '', category: null };
		expect(written(given)).toEqual({ price: null, category: null });
	});

	it('leaves out what the API sets itself, if the record exists already', () => {
		const given = { id: 'a', created_at: 't', name: 'new', custom: { id: 1 } };
		expect(written(given, { exists: true })).toEqual({ name: 'new', custom: { id: 1 } });
		expect(written(given)).toEqual(given);
		expect(written({ id: 'a' }, { exists: true })).toEqual([
			"'JSON' must have at least one field with a value",
		]);
	});

	const [a, b] = [
		{ key: 'a', value: 1 },
		{ key: 'b', value: 2 },
	];
	it.each<[JsonObject, JsonObject]>([
		[{ 'extras.guests': 2, extras: { note: 'x' } }, { extras: { note: 'x', guests: 2 } }],
		[{ extras: '{"note":"x"}', 'extras.guests': 2 }, { extras: { note: 'x', guests: 2 } }],
		[{ 'extras.a': 1, 'extras.b': 2 }, { extras: { a: 1, b: 2 } }],
		[{ 'fields[key].tier': 'gold' }, { fields: [{ key: 'tier', value: 'gold' }] }],
		[
			{ 'fields[key].b': 3, fields: [a, { ...b, type: 'n' }] },
			{ fields: [a, { ...b, value: 3, type: 'n' }] },
		],
	])('joins a field with the fields inside it: %j', (columns, record) => {
		expect(mapped(columns)).toEqual(record);
	});

	it('is refused if a field has a value and fields inside it', () => {
		expect(mapped({ 'extras.guests': 2, extras: 'text' })).toEqual([
			"'Fields' has both extras and extras.guests: map only one",
		]);
	});
});

describe('fields to clear', () => {
	const cleared = (values: JsonObject) => entered(values, { exists: true });

	const [a, b] = [
		{ key: 'a', value: 1 },
		{ key: 'b', value: null },
	];
	it.each<[JsonObject, JsonObject]>([
		[{ record: {}, clearFields: ['notes'] }, { notes: null }],
		[
			{ record: { 'extras.a': 1 }, clearFields: 'extras.b, notes' },
			{ extras: { a: 1, b: null }, notes: null },
		],
		[{ record: { 'fields[key].a': 1 }, clearFields: ['fields[key].b'] }, { fields: [a, b] }],
	])('become null: %j', (values, record) => {
		expect(cleared({ specifyFields: 'fields', ...values })).toEqual(record);
	});

	it.each([
		[['id'], "'Clear Field Names or IDs' names a field that cannot be changed: id"],
		[['name'], "'Clear Field Names or IDs' names a field that is set as well: name"],
		[['extras.a'], "'Clear Field Names or IDs' names a field that is set as well: extras.a"],
	])('are refused: %j', (clearFields, issue) => {
		const json = { name: 'n', extras: { a: 1 } };
		expect(cleared({ specifyFields: 'json', json, clearFields })).toEqual([issue]);
	});
});

describe('the changes of a PATCH', () => {
	it('have their objects whole, and nothing else of the record', () => {
		const present = { id: 'a', title: 't', extras: { a: 1, deep: { x: 1 } }, list: [1] };
		const changes = { extras: { b: null, deep: { y: 2 } }, list: [2] };
		expect(completeChanges(present, changes)).toEqual({
			extras: { a: 1, b: null, deep: { x: 1, y: 2 } },
			list: [2],
		});
	});

	it('find an entry of a list by each of its names', () => {
		const present = { fields: [{ key: 'tier', name: 'Loyalty tier', value: 'gold' }] };
		for (const name of ['tier', 'Loyalty tier']) {
			expect(completeChanges(present, { fields: { [name]: 'silver' } })).toEqual({
				fields: [{ key: 'tier', name: 'Loyalty tier', value: 'silver' }],
			});
		}
	});
});

test('phone numbers of a record lose their separators, and a wrong one is named', () => {
	const read = (phone: unknown) =>
		judged((refuse) =>
			withPhones({ phone, other: 'x', none: null }, (name) => /^(phone|none)$/.test(name), refuse),
		);
	expect(read('+1 (415) 555-0123')).toEqual({
		result: { phone: '+14155550123', other: 'x', none: null },
		issues: [],
	});
	expect(read(4155550123).issues).toEqual([
		expect.stringMatching(/^The field phone has no country code: the \+ is missing/),
	]);
});

describe('a record that repeats what a parameter says', () => {
	const issuesOf = (record: JsonObject) =>
		judged((refuse) => agreeing(record, 'catalogue_id', 'a', 'Catalogue', refuse)).issues;

	it('agrees with it, or says nothing of it', () => {
		expect(issuesOf({ catalogue_id: 'a' })).toEqual([]);
		expect(issuesOf({ name: 'b' })).toEqual([]);
	});

	it.each([[{ catalogue_id: 'b' }], [{ catalogue_id: undefined }], [{ catalogue_id: null }]])(
		'is refused where they differ: %j',
		(record) => {
			expect(issuesOf(record)).toEqual([
				expect.stringMatching(/^The field catalogue_id and ['"]Catalogue['"] differ\. /),
			]);
		},
	);
});

describe('merged', () => {
	it('keeps what is not named, but for what the API sets itself', () => {
		const present = { id: 'a', created_at: 't', item_count: 3, name: 'old', price: 1 };
		expect(mergeRecord(present, { name: 'new', sku: 's' })).toEqual({
			name: 'new',
			price: 1,
			sku: 's',
		});
	});

	it('merges nested objects, and replaces lists', () => {
		const present = { custom: { a: 1, deep: { x: 1 } }, list: [1] };
		const changes = { custom: { b: 2, deep: { y: 2 } }, list: [2] };
		expect(mergeRecord(present, changes)).toEqual({
			custom: { a: 1, b: 2, deep: { x: 1, y: 2 } },
			list: [2],
		});
	});

	describe('custom fields that are given as a list', () => {
		const vip = { name: 'vip', value: true, type: 'flag' };
		const note = { name: 'note', value: 'n' };
		const keyed = (value: string) => [
			{ key: 'vip', value: true },
			{ key: 'note', value },
		];
		const labelled = (value: number) => [
			{ key: 'vip', label: 'Regular', value: 1 },
			{ key: 'note', label: 'A note', value },
		];
		const typed = { name: 'note', value: 'm', type: 'text' };

		it.each<[form: string, before: unknown, given: unknown, after: unknown]>([
			['a list', [vip, note], [{ name: 'vip', value: false }], [{ ...vip, value: false }, note]],
			['a list, with a new name and more in an entry', [note], [typed, vip], [typed, vip]],
			[
				'a list with another field for the name',
				keyed('n'),
				[{ name: 'note', value: 'm' }],
				keyed('m'),
			],
			['a list with other texts', labelled(2), [{ label: 'A note', value: 3 }], labelled(3)],
			[
				'an object',
				{ vip: true, note: 'n' },
				[{ ...vip, value: false }],
				{ vip: false, note: 'n' },
			],
			['an empty list', [], [vip], [vip]],
			['nothing', null, [vip], [vip]],
			['a list that is emptied', [vip, note], [], []],
			['a list of something else', [1, 2], [vip], [vip]],
		])('change %s', (_form, before, given, after) => {
			expect(mergeRecord({ custom: before, other: 1 }, { custom: given })).toEqual({
				custom: after,
				other: 1,
			});
		});

		it.each<[string, unknown, unknown]>([
			['a name comes twice in them', [vip, vip, note], [note]],
			['a name is given twice', [vip, note], [note, note]],
			['one has no value', [vip, { name: 'c' }], [note]],
			['one has no value, and the changes are an object', [vip, { name: 'c' }], { vip: 'x' }],
		])('stay as they are, with an error, if %s', (_why, before, given) => {
			expect(() => mergeRecord({ custom: before }, { custom: given })).toThrow(
				'the entries of "custom" cannot be told apart',
			);
		});
	});
});

it('a list of names and values has the last value of a name', () => {
	const custom_fields = [
		{ name: 'a', value: 1 },
		{ name: 'a', value: 2 },
	];
	expect(valueAt({ custom_fields }, 'custom_fields[name].a')).toBe(2);
	expect(valueAt({ custom_fields }, 'custom_fields[name].b')).toBeUndefined();
});
