import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../nodes/json.ts';
import {
	agreeing,
	jsonObject,
	merged,
	phoneIn,
	READ_ONLY,
	recordOf,
	recordShape,
	splitColumn,
} from '../../nodes/table/record.ts';

/** What a rule over a whole record makes of it, and what it has against it. */
function judged<T>(rule: (ctx: z.RefinementCtx) => T): { result: unknown; issues: string[] } {
	let result: unknown;
	const parsed = z
		.unknown()
		.transform((_value, ctx) => void (result = rule(ctx)))
		.safeParse(0);
	const issues = parsed.error?.issues ?? [];
	return { result, issues: issues.map(({ path, message }) => [...path, message].join(': ')) };
}

describe('splitColumn', () => {
	it.each([
		['name', 'name', undefined],
		['custom.size', 'custom', 'size'],
		['custom.a.b', 'custom', 'a.b'],
		['.name', '', 'name'],
	])('%s', (path, name, inner) => expect(splitColumn(path)).toEqual([name, inner]));
});

describe('jsonObject', () => {
	it.each<[unknown, JsonObject]>([
		[{ a: 1 }, { a: 1 }],
		['{"a":{"b":[2]}}', { a: { b: [2] } }],
		['{}', {}],
	])('%j', (given, result) => expect(jsonObject.parse(given)).toEqual(result));

	it.each(['', '{', '[1]', '1', 'null', '"text"', undefined])('refuses %j', (given) => {
		const { success, error } = jsonObject.safeParse(given);
		expect(success).toBe(false);
		expect(error?.issues).not.toEqual([]);
	});

	it('says what it wants of a text that is no JSON', () => {
		expect(jsonObject.safeParse('{"a"').error?.issues[0]?.message).toMatch(
			/^must be a JSON object/,
		);
	});
});

describe('the record that was entered', () => {
	const entered = (values: JsonObject) => {
		const schema = z.object(recordShape).transform(recordOf);
		const parsed = schema.safeParse(values);
		if (parsed.success) return parsed.data;
		return parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
	};

	it('is that of the way that was chosen', () => {
		const both = { record: { name: 'mapped' }, json: '{"name":"json"}' };
		expect(entered({ specifyFields: 'fields', ...both })).toEqual({ name: 'mapped' });
		expect(entered({ specifyFields: 'json', ...both })).toEqual({ name: 'json' });
	});

	it.each([
		[{ specifyFields: 'fields' }, 'record'],
		[{ specifyFields: 'fields', record: {}, json: { a: 1 } }, 'record'],
		[{ specifyFields: 'json', record: { a: 1 } }, 'json'],
		[{ specifyFields: 'json', json: {} }, 'json'],
	])('must have a field: %j', (values, where) => {
		expect(entered(values)).toEqual([`${where}: must have at least one field with a value`]);
	});
});

describe('phoneIn', () => {
	it('takes the separators out, of a number too', () => {
		expect(judged((ctx) => phoneIn('phone_number', '+1 (415) 555-0123', ctx))).toEqual({
			result: '+14155550123',
			issues: [],
		});
	});

	it('names the field that holds no phone number', () => {
		const { result, issues } = judged((ctx) => phoneIn('phone_number', 4155550123, ctx));
		expect(result).toBeUndefined();
		expect(issues).toEqual([
			expect.stringMatching(/^The field phone_number must be a phone number/),
		]);
	});
});

describe('a record that repeats what a parameter says', () => {
	const issuesOf = (record: JsonObject) =>
		judged((ctx) => agreeing(record, 'catalogue_id', 'a', 'Catalogue', ctx)).issues;

	it('agrees with it, or says nothing of it', () => {
		expect(issuesOf({ catalogue_id: 'a' })).toEqual([]);
		expect(issuesOf({ name: 'b' })).toEqual([]);
	});

	it.each([[{ catalogue_id: 'b' }], [{ catalogue_id: undefined }], [{ catalogue_id: null }]])(
		'is refused where they differ: %j',
		(record) => {
			expect(issuesOf(record)).toEqual([
				expect.stringMatching(/^The field catalogue_id and ['"]Catalogue['"] differ: /),
			]);
		},
	);
});

describe('merged', () => {
	it('keeps what is not named, but for what the API sets itself', () => {
		const present = { id: 'a', created_at: 't', item_count: 3, name: 'old', price: 1 };
		expect(merged(present, { name: 'new', sku: 's' })).toEqual({ name: 'new', price: 1, sku: 's' });
	});

	it('takes only whole names for the API’s own', () => {
		const present = { idle: 1, old_id: 2, updated_at_night: 3 };
		expect(merged(present, {})).toEqual(present);
		expect(Object.keys(present).filter((name) => READ_ONLY.test(name))).toEqual([]);
	});

	it('merges nested objects one level deep', () => {
		const present = { custom: { a: 1, deep: { x: 1 } }, list: [1] };
		const changes = { custom: { b: 2, deep: { y: 2 } }, list: [2] };
		expect(merged(present, changes)).toEqual({ custom: { a: 1, b: 2, deep: { y: 2 } }, list: [2] });
	});

	it('puts a single value in an object’s place, and the other way round', () => {
		expect(merged({ a: { x: 1 }, b: 1 }, { a: null, b: { y: 1 } })).toEqual({
			a: null,
			b: { y: 1 },
		});
	});

	it.each([[null], [undefined], [[]], ['text']])('throws where %j was read', (present) => {
		expect(() => merged(present, { a: 1 })).toThrow('nothing was changed');
	});
});
