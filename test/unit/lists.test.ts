import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readAll, trustedTotal } from '../../nodes/api/lists.ts';
import type { Api } from '../../nodes/api/session.ts';

/** A server with so many records. */
interface Server {
	count: number;
	/** The most records of a page. */
	cap?: number;
	/** The total that it names, of the records and of those on the page. */
	say?: (count: number, page: number) => number | undefined;
	/** How many records come before the second request. */
	grows?: number;
}

async function totalOf({ count, cap = 100, grows = 0, ...server }: Server) {
	const { say = (all: number) => all } = server;
	let [size, requests] = [count, 0];
	const send = async ({ query }: { query: { offset: number; limit: number } }) => {
		requests += 1;
		if (requests === 2) size += grows;
		const length = Math.max(0, Math.min(query.limit, cap, size - query.offset));
		const data = Array.from({ length }, (_, at) => ({ id: query.offset + at }));
		return await Promise.resolve({ data, meta: { total_items: say(size, length), limit: cap } });
	};
	const request = { method: 'GET', path: '/' } as const;
	const total = await trustedTotal({ send } as unknown as Api, request);
	return { total, requests };
}

test.each([0, 1, 7, 63])('a list of %i records is counted with one request', async (count) => {
	expect(await totalOf({ count })).toEqual({ total: count, requests: 1 });
});

test.each([100, 101, 5_000])('a list of %i records is counted with two', async (count) => {
	expect(await totalOf({ count })).toEqual({ total: count, requests: 2 });
	expect(await totalOf({ count, cap: 25 })).toEqual({ total: count, requests: 2 });
});

test('a first page without records is an error if the total names some', async () => {
	const api = {
		send: async () => await Promise.resolve({ data: [], meta: { total_items: 4000 } }),
		malformed: (what: string) => new Error(what),
	} as unknown as Api;
	const request = { method: 'GET', path: '/contacts' } as const;
	const reading = trustedTotal(api, request);
	await expect(reading).rejects.toThrow('it holds no record, and says that there are 4000');
	// With a filter, the total may be that of all records.
	expect(await trustedTotal(api, { ...request, query: { search: 'x' } })).toBe(0);
});

test.each<[string, Omit<Server, 'count'>]>([
	['is missing', { say: () => undefined }],
	['is that of the page', { say: (_count, page) => page }],
	['is that of a larger list', { say: (count) => count + 300 }],
	['is an estimate', { say: (count) => Math.round(count / 10) * 10 }],
	['changes while it is checked', { grows: 1 }],
	['is one of a list that shrinks', { grows: -30 }],
	['is another one at the end', { say: (count, page) => count + (page === 1 ? 9 : 0) }],
])('a total that %s is not trusted', async (_what, server) => {
	expect((await totalOf({ count: 503, ...server })).total).toBeUndefined();
});

test('a count is right or unknown, whatever the server says', async () => {
	const server = fc.record({
		count: fc.integer({ min: 0, max: 3000 }),
		cap: fc.constantFrom(3, 5, 25, 100),
		say: fc.constantFrom<NonNullable<Server['say']>>(
			(count) => count,
			(count) => Math.ceil(count / 10) * 10,
			(count) => Math.floor(count / 10) * 10,
			(count) => Math.min(count, 1000),
			(count) => 2 * count,
		),
	});
	await fc.assert(
		fc.asyncProperty(server, async (given) => {
			expect([undefined, given.count]).toContain((await totalOf(given)).total);
		}),
		{ examples: [[{ count: 1, cap: 100, say: (count) => 2 * count }]] },
	);
});

test.each([
	(contact_id: string) => ({ contact_id, added_at: '' }),
	(id: string) => ({ contact: { id }, added_at: '' }),
])('130 memberships without an ID of their own are read as a whole', async (entry) => {
	const entries = Array.from({ length: 130 }, (_, at) => entry(`c${at}`));
	const send = async ({ query }: { query: { offset: number; limit: number } }) => {
		const data = entries.slice(query.offset, query.offset + query.limit);
		return await Promise.resolve({ data, meta: { total_items: 130 } });
	};
	const api = { send } as unknown as Api;
	const path = '/contact-lists/1/contacts';
	expect(await readAll(api, { method: 'GET', path })).toEqual(entries);
	const reading = readAll(api, { method: 'GET', path: '/call-history' });
	await expect(reading).rejects.toThrow('cannot be read to its end');
});
