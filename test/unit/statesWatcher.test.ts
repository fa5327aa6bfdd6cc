import { expect, it } from 'vitest';

import type { Api } from '../../nodes/api/session.ts';
import { statesWatcher } from '../../nodes/watching/statesWatcher.ts';

// What the random histories of poll.test.ts do not reach.

it.each([{ known: 'x' }, { failing: null }, { fields: {} }])(
	'a list that is read as a whole begins again if its state is damaged: %j',
	async (damage) => {
		const states = (state: string) => {
			const data = [{ id: 'r', state }];
			const send = async () => await Promise.resolve({ data, meta: { total_items: 1 } });
			const api = { send, checking: () => ({ send }) } as unknown as Api;
			return statesWatcher(
				{ api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 0 },
				{
					path: '/events',
					stateOf: (record) => String(record.state),
					itemOf: ({ record, ...change }) => ({ ...record, ...change }),
				},
			);
		};
		const { state } = await states('A').poll();
		const found = await states('B').poll({ ...state, ...damage });
		expect(found).toMatchObject({ records: [], isBeginning: true });
	},
);
