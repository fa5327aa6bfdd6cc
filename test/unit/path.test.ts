import { expect, test } from 'vitest';
import { pathText, pathTo } from '../../nodes/api/path.ts';

test.each([
	...['/agents/', '/a/b-c_d.e', '/a./.b', '/a:b@c', '/%C3%A9', '/a%20b', '/50%25', '/…'].map(
		(path) => [` ${path} `, path],
	),
	// The Base URL ends in /v1.
	['/v1/contacts', '/contacts'],
	['/external/v1/contacts', '/contacts'],
	['/v1', '/v1'],
	['/v10/a', '/v10/a'],
	['/a/v1/b', '/a/v1/b'],
])('the path %j becomes %s', (entered, path) => {
	expect(pathText.safeParse(entered)).toEqual({ success: true, data: path });
});

test.each([
	'',
	'contacts',
	'//evil.example',
	'//',
	'https://evil.example/v1',
	'/a?b=1',
	'/a#b',
	'/a b',
	'/a\\b',
	'/a\r\nX-Evil: 1',
	'/a//b',
	'/a//',
	'/..',
	'/a/./b',
	'/a/%2e%2E/b',
	'/a/.%2e',
	'/a%',
	'/a%2',
	'/a%zz',
	'/a%2fb',
	'/a%5Cb',
	'/a%3fb',
	'/a%23b',
	'/a%00b',
	'/a%0d%0ab',
])('%j is no path', (path) => {
	expect(pathText.safeParse(path).error?.issues[0]?.message).toMatch(/begins with one slash/);
});

test.each([
	['a/b', 'a%2Fb'],
	[['by-phone', '+1'], 'by-phone/%2B1'],
	[7, '7'],
])('the ID %j of a record becomes %s in a path', (id, segment) => {
	expect(pathTo('/orders/{id}', { id })).toBe(`/orders/${segment}`);
});

test.each([undefined, ' ', '..', 2 ** 60, {}, JSON.parse('{"toString":1}')])(
	'a record whose ID is %j has no path',
	(id) => {
		expect(() => pathTo('/orders/{id}', { id })).toThrow('shows no ID');
	},
);
