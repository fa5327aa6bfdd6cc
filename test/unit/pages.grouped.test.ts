import { describe, expect, test } from 'vitest';
import { readPages, type Page } from '../../nodes/api/pages/index.ts';

describe('a list in groups', () => {
	/** Five events on each of 60 days. */
	const days = Array.from({ length: 60 }, (_, day) =>
		Array.from({ length: 5 }, (_, at) => ({ id: day * 5 + at, day })),
	);
	const events = days.flat();

	/** A server whose limit counts events, or days with all their events. */
	const served = (counts: 'events' | 'groups', cap: number, hasTotal: boolean) => {
		return async (offset: number, limit: number): Promise<Page> => {
			const used = Math.min(cap, limit);
			const records =
				counts === 'events'
					? events.slice(offset, offset + used)
					: days.slice(offset, offset + used).flat();
			const total = counts === 'events' ? events.length : days.length;
			return {
				records,
				groups: new Set(records.map(({ day }) => day)).size,
				...(hasTotal && { total }),
			};
		};
	};

	describe.each(['events', 'groups'] as const)('whose limit counts %s', (counts) => {
		test.each([
			[100, true],
			[100, false],
			[25, true],
			[25, false],
			[7, true],
			[60, true],
		])('and is at most %i, with a total: %s', async (cap, hasTotal) => {
			const fetch = served(counts, cap, hasTotal);
			expect(await readPages(fetch)).toEqual(events);
			expect(await readPages(fetch, 80)).toEqual(events.slice(0, 80));
		});
	});

	describe.each(['events', 'groups'] as const)('of one date, whose limit counts %s', (counts) => {
		test.each([
			[1, 100],
			[2, 100],
			[30, 100],
			[250, 100],
			[30, 20],
		])('and with %i events, up to %i at a time', async (size, cap) => {
			const own = Array.from({ length: size }, (_, id) => ({ id }));
			let requests = 0;
			const fetch = async (offset: number, limit: number): Promise<Page> => {
				requests += 1;
				const used = Math.min(cap, limit);
				const ofGroups = offset === 0 ? own : [];
				const records = counts === 'events' ? own.slice(offset, offset + used) : ofGroups;
				const isGrouped = records.length > 1;
				return { records, ...(isGrouped && { groups: 1 }), total: counts === 'events' ? size : 1 };
			};
			expect(await readPages(fetch)).toEqual(own);
			expect(requests).toBeLessThan(7);
		});
	});

	test('can be without IDs if it is one page, and is an error if it is more', async () => {
		const page = (from: number) => ({ records: [{ day: from }, { day: from }], groups: 1 });
		const one = async (offset: number) => (offset === 0 ? page(0) : { records: [], groups: 0 });
		expect(await readPages(one)).toHaveLength(2);
		await expect(readPages(async (offset) => page(offset))).rejects.toThrow(/have no ID/);
	});
});
