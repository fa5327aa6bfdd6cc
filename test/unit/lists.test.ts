import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readAll, trustedTotal } from '../../nodes/api/lists.ts';
import type { Api } from '../../nodes/api/session.ts';
import { groupedBy } from '../../nodes/json.ts';
import { numbered, PagedList } from '../support/pagedList.ts';

const request = { method: 'GET', path: '/contacts' } as const;

/** What a server says of the total, by the records of the list and of the page. */
type Total = (count: number, page: number) => number | undefined;

/** @param grows how many records come before the second request */
async function totalOf(count: number, total?: Total, cap = 100, grows = 0) {
	const list = new PagedList(numbered(count), {
		caps: [cap],
		tellsCap: true,
		total,
		before: (at) => void (at === 1 && (list.records = numbered(count + grows))),
	});
	return { total: await trustedTotal(list.api, request), requests: list.requests };
}

describe('counting a list', () => {
	test.each([
		[0, 1],
		[63, 1],
		[100, 2],
		[5_000, 2],
	])('of %i records takes %i requests', async (count, requests) => {
		expect(await totalOf(count)).toEqual({ total: count, requests });
	});

	test('takes two requests if pages are shorter than asked for', async () => {
		expect(await totalOf(100, undefined, 25)).toEqual({ total: 100, requests: 2 });
	});

	test('ends with an error if the first page is empty and the total names some', async () => {
		const { api } = new PagedList([], { total: () => 4000 });
		const reading = trustedTotal(api, request);
		await expect(reading).rejects.toThrow('it holds no record, and says that there are 4000');
		// With a filter, the total may be that of all records.
		expect(await trustedTotal(api, { ...request, query: { search: 'x' } })).toBe(0);
	});

	const right: Total = (count) => count;
	const rounded: Total = (count) => Math.round(count / 10) * 10;
	test.each<[string, total: Total, grows?: number]>([
		['is missing', () => undefined],
		['is that of the page', (_count, page) => page],
		['is that of a larger list', (count) => count + 300],
		['is an estimate', rounded],
		['changes while it is checked', right, 1],
		['is one of a list that shrinks', right, -30],
		['is another one at the end', (count, page) => count + (page === 1 ? 9 : 0)],
	])('does not trust a total that %s', async (_what, total, grows) => {
		expect((await totalOf(503, total, 100, grows)).total).toBeUndefined();
	});

	test('is right or unknown, whatever the server says', async () => {
		const half: Total = (count) => Math.floor(count / 2);
		const double: Total = (count) => 2 * count;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 3000 }),
				fc.constantFrom(right, rounded, half, double, () => 1000),
				fc.constantFrom(3, 5, 25, 100),
				async (count, total, cap) => {
					expect([undefined, count]).toContain((await totalOf(count, total, cap)).total);
				},
			),
			{ examples: [[1, double, 100]] },
		);
	});
});

test.each<[what: string, path: string, entry: (at: number) => object]>([
	['memberships', '/contact-lists/1/contacts', (at) => ({ contact_id: `c${at}`, added_at: '' })],
	['nested memberships', '/contact-lists/1/contacts', (at) => ({ contact: { id: `c${at}` } })],
	[
		'events that stand under several dates',
		'/events',
		(at) => ({ id: at % 50 === 20 ? 'weekly' : `e${at}`, date: `day ${Math.floor(at / 10)}` }),
	],
])('130 %s without an ID of their own are read as a whole', async (_what, path, entry) => {
	const entries = Array.from({ length: 130 }, (_, at) => ({ ...entry(at) }));
	for (const cap of [25, 100]) {
		const { api } = new PagedList(entries, { caps: [cap] });
		expect(await readAll(api, { ...request, path })).toEqual(entries);
	}
	const reading = readAll(new PagedList(entries).api, { ...request, path: '/call-history' });
	await expect(reading).rejects.toThrow('cannot be read to its end');
});

test('a list in groups, whose total counts the groups, is read to its end', async () => {
	const events = [1, 1, 2, 3, 3].map((day, id) => ({ id, date: `2026-01-0${day}` }));
	const { api } = new PagedList(events, { caps: [3], total: () => 3 });
	const grouped: Api['send'] = async (asked) => {
		const { data, meta } = await api.send(asked);
		const days = groupedBy(data as typeof events, ({ date }) => date);
		return { data: Object.fromEntries(days), meta };
	};
	const records = (groups: unknown) => Object.values(groups as object).flat();
	const inGroups = { ...api, send: grouped };
	expect(await readAll(inGroups, { ...request, path: '/events' }, { records })).toEqual(events);
});
