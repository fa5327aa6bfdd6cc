import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FetchPage, Page } from '../../nodes/api/pages/index.ts';
import { trustedTotal } from '../../nodes/api/total.ts';

/** A server with so many records; `say` is what its meta tells of a page. */
interface Server {
	count: number;
	cap?: number;
	say?: (count: number, page: number) => Pick<Page, 'total' | 'limit'>;
	ignoresOffset?: boolean;
	/** How many records come before each further request. */
	grows?: number;
}

const right = (count: number) => ({ total: count });

function serving({ count, cap = 100, say = right, ignoresOffset = false, grows = 0 }: Server) {
	let [size, requests] = [count, 0];
	const fetch = async (offset: number, limit: number): Promise<Page> => {
		requests += 1;
		if (requests > 1) size += grows;
		const from = ignoresOffset ? 0 : offset;
		const length = Math.max(0, Math.min(limit, cap, size - from));
		const records = Array.from({ length }, (_, at) => ({ id: String(from + at) }));
		return await Promise.resolve({ records, ...say(size, length) });
	};
	return { fetch, requests: () => requests };
}

const totalOf = async (server: Server) => {
	const { fetch, requests } = serving(server);
	const total = await trustedTotal(fetch);
	return { total, requests: requests() };
};

describe('the total of a list', () => {
	it.each([0, 1, 7, 63])('of %i records in one page takes one request', async (count) => {
		expect(await totalOf({ count })).toEqual({ total: count, requests: 1 });
	});

	it.each([100, 101, 5_000])('of %i records takes two', async (count) => {
		expect(await totalOf({ count })).toEqual({ total: count, requests: 2 });
		expect(await totalOf({ count, cap: 25 })).toEqual({ total: count, requests: 2 });
	});

	it('includes a record that comes between the two requests', async () => {
		expect((await totalOf({ count: 500, grows: 1 })).total).toBe(501);
	});

	it.each<[string, Partial<Server>]>([
		['none', { say: () => ({}) }],
		['the length of the page', { say: (_count, page) => ({ total: page }) }],
		['that of a larger list', { say: (count) => ({ total: count + 300 }) }],
		['an estimate', { say: (count) => ({ total: Math.round(count / 10) * 10 }) }],
		['that of a server that ignores offset', { ignoresOffset: true }],
		['one of a list that shrinks', { grows: -30 }],
		['one of a list that shrinks by one record', { grows: -1 }],
		['one of a list that grows by two records', { grows: 2 }],
		[
			'another one at the end of the list',
			{ say: (count, page) => ({ total: count + (page === 1 ? 9 : 0) }) },
		],
	])('is not trusted if it is %s', async (_what, server) => {
		expect((await totalOf({ count: 503, ...server })).total).toBeUndefined();
	});

	it('takes no second request if it is less than the page, or counts groups', async () => {
		expect(await totalOf({ count: 503, say: () => ({ total: 2 }) })).toEqual({ requests: 1 });
		const { fetch, requests } = serving({ count: 503 });
		const grouped = async (offset: number, limit: number) => ({
			...(await fetch(offset, limit)),
			groups: 7,
		});
		expect(await trustedTotal(grouped as FetchPage)).toBeUndefined();
		expect(requests()).toBe(1);
	});

	it('is not trusted if a server ignores offset, and its wrong total happens to fit', async () => {
		const say = (count: number) => ({ total: 2 * count });
		expect((await totalOf({ count: 1, say, ignoresOffset: true })).total).toBeUndefined();
	});

	it('is right or not trusted, whatever the server says', async () => {
		const saying = fc.constantFrom<NonNullable<Server['say']>>(
			right,
			(count) => ({ total: count, limit: 100 }),
			(count) => ({ total: Math.ceil(count / 10) * 10 }),
			(count) => ({ total: Math.floor(count / 10) * 10 }),
			(count) => ({ total: Math.min(count, 1000) }),
			(count) => ({ total: 2 * count }),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 3000 }),
				fc.constantFrom(3, 5, 25, 100),
				saying,
				fc.boolean(),
				async (count, cap, say, ignoresOffset) => {
					const { total } = await totalOf({ count, cap, say, ignoresOffset });
					expect([undefined, count]).toContain(total);
				},
			),
		);
	});
});
