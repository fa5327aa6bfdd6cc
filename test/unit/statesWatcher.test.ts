import { expect, it } from 'vitest';

import { statesWatcher, type WatchedStates } from '../../nodes/watching/statesWatcher.ts';
import { PagedList } from '../support/pagedList.ts';

// What the random histories of poll.test.ts do not reach.

const watch = (list: PagedList, more: Partial<WatchedStates> = {}) =>
	statesWatcher(
		{ api: list.api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 0 },
		{
			path: '/events',
			stateOf: (record) => String(record.state),
			added: ({ before, state }) => ({ before, state }),
			...more,
		},
	);

it('a change that is not wanted starts nothing, and counts as seen', async () => {
	const list = new PagedList([{ id: 'r', state: 'A' }]);
	const watcher = watch(list, {
		isWanted: ({ before, state, record }) => `${before}${state}${String(record.id)}` === 'BCr',
	});
	let { state } = await watcher.poll();
	const found: unknown[] = [];
	for (const next of ['B', 'C', 'D']) {
		list.records = [{ id: 'r', state: next }];
		const poll = await watcher.poll(state);
		found.push(...poll.records.map(({ whole }) => whole));
		({ state } = poll);
	}
	expect(found).toMatchObject([{ id: 'r', before: 'B', state: 'C' }]);
});

it.each([{ known: 'x' }, { failing: null }, { fields: {} }])(
	'a list that is read as a whole begins again if its state is damaged: %j',
	async (damage) => {
		const list = new PagedList([{ id: 'r', state: 'A' }]);
		const watcher = watch(list);
		const { state } = await watcher.poll();
		list.records = [{ id: 'r', state: 'B' }];
		const found = await watcher.poll({ ...state, ...damage });
		expect(found).toMatchObject({ records: [], isBeginning: true });
	},
);
