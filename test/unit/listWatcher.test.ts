import { expect, it } from 'vitest';

import { FullRecord } from '../../nodes/domain/simplify.ts';
import { HOUR } from '../../nodes/time.ts';
import { isNew, listed, listWatcher, progressFrom } from '../../nodes/watching/listWatcher.ts';
import { PagedList } from '../support/pagedList.ts';

// What the random histories of poll.test.ts do not reach.

const order = (id: number, at: number) => ({ id, created_at: new Date(at).toISOString() });

it('a record just before the window is old, though the API is asked for it too', () => {
	const now = Date.UTC(2026, 0, 15, 9);
	const at = (date: number) => isNew(listed(order(1, date), ['created_at'])!, progressFrom(now));
	expect([at(now - 1), at(now)]).toEqual([false, true]);
});

it.each(['id', 'created_at'])('a record without %s is left out', (name) => {
	expect(listed({ ...order(1, 0), [name]: null }, ['created_at'])).toBeUndefined();
});

it.each([{ windowStart: 'x' }, { done: 7 }, { pending: null }, { open: {} }])(
	'a list begins again if its state is damaged: %j',
	async (damage) => {
		const list = new PagedList([order(1, Date.now())]);
		const { api } = list;
		const watcher = listWatcher(
			{ api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 3 * HOUR },
			{ path: '/orders', judge: (order) => ({ item: new FullRecord(order) }) },
		);
		const { state } = await watcher.poll();
		list.records = [order(2, Date.now())];
		const found = await watcher.poll({ ...state, ...damage });
		expect(found).toMatchObject({ records: [], isBeginning: true });
	},
);
