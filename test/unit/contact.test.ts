import { expect, it } from 'vitest';

import { readAll } from '../../nodes/api/lists.ts';
import { contactIdOf } from '../../nodes/api/members.ts';
import type { Api, Request } from '../../nodes/api/session.ts';

it.each([
	[{ id: 'c' }, 'c'],
	[{ id: 7 }, '7'],
	[{ id: 'm', contact_id: 'c' }, 'c'],
	[{ id: 'm', contact: { id: 'c' } }, 'c'],
	[{ id: 'c', contact: 'Ann' }, 'c'],
	[
		{ id: 'm', contact: '11111111-2222-4333-8444-555555555555' },
		'11111111-2222-4333-8444-555555555555',
	],
	[{ contact: 'c' }, 'c'],
	[{ id: '', contact_id: null }, undefined],
])('the contact behind %j is %s', (member, expected) => {
	expect(contactIdOf(member)).toBe(expected);
});

it.each([
	{ path: '/contact-lists/1/contacts', entry: (id: string) => ({ contact_id: id, added_at: '' }) },
	{ path: '/contact-lists/1/contacts', entry: (id: string) => ({ contact: { id }, added_at: '' }) },
])('130 memberships without an ID of their own are read as a whole: $path', async (given) => {
	const entries = Array.from({ length: 130 }, () => given.entry(crypto.randomUUID()));
	const api = {
		send: async ({ query: { offset = 0, limit = 50 } = {} }: Request) =>
			await Promise.resolve({
				data: entries.slice(Number(offset), Number(offset) + Number(limit)),
				meta: { total_items: 130 },
			}),
	} as unknown as Api;
	expect(await readAll(api, { method: 'GET', path: given.path })).toEqual(entries);
	await expect(readAll(api, { method: 'GET', path: '/call-history' })).rejects.toThrow(
		'cannot be read to its end',
	);
});
