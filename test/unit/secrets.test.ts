import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { concealing } from '../../nodes/api/secrets.ts';

const KEY = 'yk_live_S3cr3t/K"ey+0123456789-abcdefghij';
const conceal = concealing([KEY]);

const inHex = Buffer.from(KEY).toString('hex');
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

describe('a key is removed from a text', () => {
	it.each<[form: string, text: string]>([
		['plain', KEY],
		['in capitals', KEY.toUpperCase()],
		['in a web address', encodeURIComponent(KEY)],
		['with each letter encoded for the web', inHex.replace(/../g, '%$&')],
		['in hex', inHex.toUpperCase()],
		['in JSON of PHP', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
		['in JSON of escapes', inHex.replace(/../g, '\\u00$&')],
		['in a web address of Python', encodeURIComponent(KEY).replaceAll('%2F', '/')],
		['in JSON inside a text', JSON.stringify(KEY).slice(1, -1)],
	])('%s', (_form, written) => {
		expect(conceal(`before ${written} after`)).toBe('before [secret] after');
		expect(conceal(written + written)).toBe('[secret][secret]');
	});

	it.each(['', 'B', 'Be', 'Bea', 'Bearer '])('in Base64 after %j', (before) => {
		const told = conceal(`<${inBase64(before + KEY)}>`);
		expect(told).toMatch(/^<[\w+/]{0,11}\[secret\][\w+/=]{0,3}>$/);
	});

	it('in Base64 for web addresses', () => {
		const key = 'yk_live_???>>>???>>>???>>>0123456789';
		const told = concealing([key])(Buffer.from(key).toString('base64url'));
		expect(told).toMatch(/^\[secret\][\w-]{0,3}$/);
	});

	it('in every piece of 12 characters or more, wherever it stands [P17]', () => {
		fc.assert(
			fc.property(
				fc.nat(KEY.length - 12),
				fc.integer({ min: 12, max: KEY.length }),
				fc.stringMatching(/^[ .,;]{0,30}$/),
				fc.stringMatching(/^[ .,;]{0,30}$/),
				(from, length, before, after) => {
					const piece = KEY.slice(from, from + length);
					expect(conceal(before + piece + after)).toBe(`${before}[secret]${after}`);
				},
			),
		);
	});

	it('and no other text is changed', () => {
		const others = [
			'',
			'yk_',
			'A key begins with yk_live_S3',
			KEY.slice(0, 11),
			KEY.split('').join(' '),
			'3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
		];
		for (const text of others) expect(conceal(text)).toBe(text);
	});
});

test('a key is removed from every place of an answer: texts, lists, names of fields [P17]', () => {
	const answer = {
		statusCode: 200,
		headers: { 'x-echo': KEY },
		body: { ok: true, data: [KEY, { [`Bearer ${KEY}`]: { a: [[`${KEY}!`]] } }, null, 1, false] },
	};
	expect(conceal(answer)).toEqual({
		statusCode: 200,
		headers: { 'x-echo': '[secret]' },
		body: {
			ok: true,
			data: ['[secret]', { 'Bearer [secret]': { a: [['[secret]!']] } }, null, 1, false],
		},
	});
});

test('an answer without the key stays as it is, with the order of its fields', () => {
	const text = JSON.stringify({ b: 'x', a: ['y', { d: 'z', c: null }], n: 1 });
	expect(JSON.stringify(conceal(JSON.parse(text)))).toBe(text);
});

test('an answer may be nested a hundred thousand deep', () => {
	const depth = 100_000;
	const answer = JSON.parse(
		`${'['.repeat(depth)}${JSON.stringify(KEY)}${']'.repeat(depth)}`,
	) as unknown;
	let inner = conceal(answer);
	while (Array.isArray(inner)) inner = inner[0] as unknown;
	expect(inner).toBe('[secret]');
});

describe('a secret with less than 12 characters', () => {
	it('is removed as a whole', () => {
		expect(concealing(['yk_a1'])('the key yk_a1')).toBe('the key [secret]');
	});

	it('is not taken for the name of a field if it may be a word', () => {
		const answer = { name: 'name', yk_a1: 1 };
		expect(concealing(['name', 'yk_a1'])(answer)).toEqual({ name: '[secret]', '[secret]': 1 });
	});
});

test('without a secret, nothing is changed', () => {
	expect(concealing([''])('a text')).toBe('a text');
	expect(concealing([])({ a: 'b' })).toEqual({ a: 'b' });
});

test.each(['\u00ad', '\u200b', '\u0085', '\n', '\u{e0001}'])(
	'a secret is found in pieces with %j between them: what cleans a name later would join them',
	(unseen) => {
		const pieces = KEY.match(/.{1,8}/g)!.join(unseen);
		expect(concealing([KEY])({ name: `a ${pieces} b` })).toEqual({ name: 'a [secret] b' });
		const plain = `a${unseen}text${unseen}`;
		expect(concealing([KEY])({ name: plain })).toEqual({ name: plain });
	},
);
