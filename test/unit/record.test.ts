import { createRequire } from 'node:module';
import { describe, expect, it, test, vi } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import type { Refuse } from '../../nodes/table/form.ts';
import {
	agreeing,
	completeChanges,
	mergeRecord,
	recordForm,
	valueAt,
	withPhones,
	type RecordHow,
} from '../../nodes/table/record.ts';
import { entered } from '../support/reading.ts';

// n8n-workflow's ES modules do not load in Node; the built nodes use the CommonJS ones too.
vi.mock('n8n-workflow', () => createRequire(import.meta.url)('n8n-workflow') as object);

/** The record that was entered, or what is wrong with it. */
function recordIn(specifyFields: 'fields' | 'json', values: JsonObject, how?: RecordHow): unknown {
	const form = recordForm('mapThing', { clearable: 'getThings', ...how });
	const record = { mappingMode: 'defineBelow', value: values.record };
	const read = entered(form, { specifyFields, ...values, record });
	return typeof read === 'string' ? read : (read as { record: JsonObject }).record;
}
const mapped = (record: JsonObject) => recordIn('fields', { record });
const written = (json: JsonObject, how?: RecordHow) => recordIn('json', { json }, how);

/** What a rule over a whole record makes of it, or what it has against it. */
function judged(rule: (refuse: Refuse) => unknown): unknown {
	const issues: string[] = [];
	const result = rule((words) => void issues.push(words));
	return issues.length > 0 ? issues.join('; ') : result;
}

describe('the record that was entered', () => {
	it('is the mapped one or the JSON, whichever the user chose', () => {
		const both = { record: { name: 'mapped' }, json: '{"name":"json"}' };
		expect(recordIn('fields', both)).toEqual({ name: 'mapped' });
		expect(recordIn('json', both)).toEqual({ name: 'json' });
	});

	it.each<[what: string, label: string, way: 'fields' | 'json', values: JsonObject, RecordHow?]>([
		['nothing is mapped', 'Fields', 'fields', {}],
		[
			'what is mapped is blank, beside JSON',
			'Fields',
			'fields',
			{ record: { a: '' }, json: { a: 1 } },
		],
		['the JSON is empty, beside what is mapped', 'JSON', 'json', { record: { a: 1 }, json: {} }],
		['an existing record has only its ID', 'JSON', 'json', { json: { id: 'a' } }, { exists: true }],
	])('must have a field: refused if %s', (_what, label, way, values, how) => {
		expect(recordIn(way, values, how)).toBe(`'${label}' must have at least one field with a value`);
	});

	describe('mapped automatically', () => {
		const SCHEMA = ['name', 'price', 'extras.guests'].map((id) => ({ id, type: 'string' }));
		const from = (item: JsonObject, schema: object[] = SCHEMA) => {
			const record = { mappingMode: 'autoMapInputData', schema };
			const given = { specifyFields: 'fields', record };
			const read = entered(recordForm('mapThing'), given, { item });
			return typeof read === 'string' ? read : (read as { record: JsonObject }).record;
		};

		it('has the fields of the item with the same names', () => {
			expect(from({ name: 'Tea', other: 1 })).toEqual({ name: 'Tea' });
		});

		it.each([
			[{ name: 'Tea', Price: 3 }, /"Price" is "price". Rename these fields/],
			[
				{ title: 'Tea' },
				/none of the fields of the input item \("title"\). It takes "name", "price"/,
			],
		])('is refused if %j would be left out without a word', (item, complaint) => {
			expect(from(item)).toMatch(complaint);
		});

		it('is refused if a number has a comma', () => {
			const schema = [{ id: 'price', type: 'number' }];
			expect(from({ price: '8,50' }, schema)).toMatch(
				/'price' must be a number with a point: 8.50/,
			);
			expect(from({ price: '8.50' }, schema)).toEqual({ price: 8.5 });
		});
	});

	it('has no mapped field without a value, such as an empty cell of a sheet', () => {
		expect(mapped({ price: '', sku: ' \u200b', name: 'Tea' })).toEqual({ name: 'Tea' });
		const extras = { guests: 3, note: '', seat: null };
		expect(mapped({ name: 'Tea', extras })).toEqual({ name: 'Tea', extras: { guests: 3 } });
		expect(mapped({ name: 'Tea', extras: { note: '' } })).toEqual({ name: 'Tea' });
	});

	it('keeps null of JSON, and no empty text', () => {
		expect(written({ sku: '', price: null, name: 'Tea' })).toEqual({ price: null, name: 'Tea' });
	});

	it('leaves out what the API sets itself, if the record exists already', () => {
		const given = { id: 'a', created_at: 't', name: 'new', custom: { id: 1 } };
		expect(written(given, { exists: true })).toEqual({ name: 'new', custom: { id: 1 } });
		expect(written(given)).toEqual(given);
	});

	const [a, b] = ['a', 'b'].map((key, at) => ({ key, value: at + 1 }));
	it.each<[what: string, JsonObject, JsonObject]>([
		[
			'an object',
			{ 'extras.a': 2, 'extras.b': 3, extras: { note: 'x' } },
			{ extras: { note: 'x', a: 2, b: 3 } },
		],
		[
			'an object as text',
			{ extras: '{"note":"x"}', 'extras.a': 2 },
			{ extras: { note: 'x', a: 2 } },
		],
		['nothing', { 'fields[key].tier': 'gold' }, { fields: [{ key: 'tier', value: 'gold' }] }],
		[
			'a list of names and values',
			{ 'fields[key].b': 3, fields: [a, { ...b, type: 'n' }] },
			{ fields: [a, { ...b, value: 3, type: 'n' }] },
		],
	])('joins a field with the fields inside it: %s', (_what, columns, record) => {
		expect(mapped(columns)).toEqual(record);
	});

	it('is refused if a field has a value and fields inside it', () => {
		expect(mapped({ 'extras.guests': 2, extras: 'text' })).toBe(
			"'Fields' has both extras and extras.guests: map only one",
		);
	});
});

describe('fields to clear', () => {
	const cleared = (record: JsonObject, clearFields: unknown) =>
		recordIn('fields', { record, clearFields }, { exists: true });

	it('become null, also inside an object or a list of names and values', () => {
		expect(cleared({ 'extras.a': 1 }, 'extras.b, notes')).toEqual({
			extras: { a: 1, b: null },
			notes: null,
		});
		expect(cleared({}, ['notes'])).toEqual({ notes: null });
		expect(cleared({ 'fields[key].a': 1 }, ['fields[key].b'])).toEqual({
			fields: [
				{ key: 'a', value: 1 },
				{ key: 'b', value: null },
			],
		});
	});

	it.each([
		['id', 'cannot be changed'],
		['name', 'is set as well'],
		['extras.a', 'is set as well'],
	])('are refused: %s', (field, why) => {
		expect(cleared({ name: 'n', extras: { a: 1 } }, [field])).toBe(
			`'Clear Field Names or IDs' names a field that ${why}: ${field}`,
		);
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

	it.each(['tier', 'Loyalty tier'])('find an entry of a list by each of its names: %s', (name) => {
		const entry = { key: 'tier', name: 'Loyalty tier', value: 'gold' };
		expect(completeChanges({ fields: [entry] }, { fields: { [name]: 'silver' } })).toEqual({
			fields: [{ ...entry, value: 'silver' }],
		});
	});
});

test('phone numbers of a record lose their separators, and a wrong one is named', () => {
	const read = (phone: unknown) =>
		judged((refuse) =>
			withPhones({ phone, other: 'x', none: null }, (name) => /^(phone|none)$/.test(name), refuse),
		);
	const phone = '+14155550123';
	expect(read('+1 (415) 555-0123')).toEqual({ phone, other: 'x', none: null });
	expect(read(4155550123)).toMatch(/^The field phone has no country code: the \+ is missing/);
});

test.each<[what: string, record: JsonObject, complaint: RegExp]>([
	['says the same', { catalogue_id: 'a' }, /^agrees$/],
	['says nothing of it', { name: 'b' }, /^agrees$/],
	[
		'says something else',
		{ catalogue_id: 'b' },
		/^The field catalogue_id and .Catalogue. differ\. /,
	],
	['says null', { catalogue_id: null }, /differ/],
])('a record beside the parameter Catalogue: it %s', (_what, record, complaint) => {
	const judge = (refuse: Refuse) => {
		agreeing(record, 'catalogue_id', 'a', 'Catalogue', refuse);
		return 'agrees';
	};
	expect(judged(judge)).toMatch(complaint);
});

describe('merged', () => {
	it('keeps what is not named, but for what the API sets itself', () => {
		const present = { id: 'a', created_at: 't', item_count: 3, name: 'old', price: 1 };
		const merged = { name: 'new', price: 1, sku: 's' };
		expect(mergeRecord(present, { name: 'new', sku: 's' })).toEqual(merged);
	});

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
	const off = [{ ...vip, value: false }];

	it.each<[form: string, before: unknown, given: unknown, after: unknown]>([
		['a list', [vip, note], [{ name: 'vip', value: false }], [...off, note]],
		['a list, with a new name and more in an entry', [note], [typed, vip], [typed, vip]],
		['a list with another field for the name', keyed('n'), [{ ...note, value: 'm' }], keyed('m')],
		['a list with other texts', labelled(2), [{ label: 'A note', value: 3 }], labelled(3)],
		['an object', { vip: true, note: 'n' }, off, { vip: false, note: 'n' }],
		['an empty list', [], [vip], [vip]],
		['nothing', null, [vip], [vip]],
		['a list that is emptied', [vip, note], [], []],
		['a list of something else', [1, 2], [vip], [vip]],
	])('custom fields that are given as a list change %s', (_form, before, given, after) => {
		const merged = { custom: after, other: 1 };
		expect(mergeRecord({ custom: before, other: 1 }, { custom: given })).toEqual(merged);
	});

	it.each<[string, unknown, unknown]>([
		['a name comes twice in them', [vip, vip, note], [note]],
		['a name is given twice', [vip, note], [note, note]],
		['one has no value', [vip, { name: 'c' }], [note]],
		['one has no value, and the changes are an object', [vip, { name: 'c' }], { vip: 'x' }],
	])('custom fields stay as they are, with an error, if %s', (_why, before, given) => {
		expect(() => mergeRecord({ custom: before }, { custom: given })).toThrow(
			'the entries of "custom" cannot be told apart',
		);
	});
});

it('a list of names and values has the last value of a name', () => {
	const custom_fields = [1, 2].map((value) => ({ name: 'a', value }));
	expect(valueAt({ custom_fields }, 'custom_fields[name].a')).toBe(2);
	expect(valueAt({ custom_fields }, 'custom_fields[name].b')).toBeUndefined();
});
