import { expect, test } from 'vitest';
import { pathText, segmentOf } from '../../nodes/api/path.ts';

test.each([
	'/contacts',
	'/agents/',
	'/a/b-c_d.e',
	'/a./.b',
	'/a:b@c',
	'/%C3%A9',
	'/a%20b',
	'/50%25',
	'/…',
])('%s is a path', (path) => {
	expect(pathText.safeParse(` ${path} `)).toEqual({ success: true, data: path });
});

test.each([
	['/v1/contacts', '/contacts'],
	['/external/v1/contacts', '/contacts'],
	['/v1', '/v1'],
	['/v10/a', '/v10/a'],
	['/a/v1/b', '/a/v1/b'],
])('%s becomes %s, because the Base URL ends in /v1', (pasted, path) => {
	expect(pathText.parse(pasted)).toBe(path);
});

test.each([
	['', /begins with one slash/],
	['contacts', /begins with one slash/],
	['//evil.example', /begins with one slash/],
	['https://evil.example/v1', /begins with one slash/],
	['/a?b=1', /must not contain \? or #/],
	['/a#b', /must not contain \? or #/],
	['/a b', /must not contain spaces/],
	['/a\\b', /backslashes/],
	['/a\r\nX-Evil: 1', /control characters/],
	['/a//b', /empty segment/],
	['/a//', /empty segment/],
	['/..', /\. or \.\. as a segment/],
	['/a/./b', /\. or \.\. as a segment/],
	['/a/%2e%2E/b', /\. or \.\. as a segment/],
	['/a/.%2e', /\. or \.\. as a segment/],
	['/a/%252e%252e/b', /\. or \.\. as a segment/],
	['/a/..;x=1/b', /\. or \.\. as a segment/],
	...['%2f', '%5C', '%3f', '%23', '%00', '%0d%0a', '%7F', '%252F', '%25252f'].map(
		(code) => [`/a${code}b`, /encoded slash/] as const,
	),
	['/a%', /two hexadecimal digits/],
	['/a%2', /two hexadecimal digits/],
	['/a%zz', /two hexadecimal digits/],
] as const)('%j is no path', (path, reason) => {
	const { error } = pathText.safeParse(path);
	expect(error?.issues[0]?.message).toMatch(reason);
});

test.each([
	['a/b', 'a%2Fb'],
	[7, '7'],
])('the ID %j of a record becomes %s in a path', (id, segment) => {
	expect(segmentOf({ id })).toBe(segment);
});

test.each([undefined, null, '', ' ', 2 ** 60, {}, [1], JSON.parse('{"toString":1}')])(
	'a record whose ID is %j has no path',
	(id) => {
		expect(() => segmentOf({ id })).toThrow('shows no ID');
	},
);
