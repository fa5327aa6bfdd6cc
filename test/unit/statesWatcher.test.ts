import { expect, it } from 'vitest';

import { statesWatcher } from '../../nodes/watching/statesWatcher.ts';
import { PagedList } from '../support/pagedList.ts';

// What the random histories of poll.test.ts do not reach.

it.each([{ known: 'x' }, { failing: null }, { fields: {} }])(
	'a list that is read as a whole begins again if its state is damaged: %j',
	async (damage) => {
		const list = new PagedList([{ id: 'r', state: 'A' }]);
		const watcher = statesWatcher(
			{ api: list.api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 0 },
			{
				path: '/events',
				stateOf: (record) => String(record.state),
				itemOf: ({ record, ...change }) => ({ ...record, ...change }),
			},
		);
		const { state } = await watcher.poll();
		list.records = [{ id: 'r', state: 'B' }];
		const found = await watcher.poll({ ...state, ...damage });
		expect(found).toMatchObject({ records: [], isBeginning: true });
	},
);
