import type { IPollFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Api } from '../../nodes/api/session.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { statusChanges } from '../../nodes/trigger/events/comparing.ts';
import type { PollResult, Watcher, Watching } from '../../nodes/watching/watcher.ts';
import { listWatcher } from '../../nodes/watching/listWatcher.ts';
import { statesWatcher } from '../../nodes/watching/statesWatcher.ts';
import { progressFrom, isNew, listed } from '../../nodes/watching/progress.ts';
import { Storage } from '../../nodes/trigger/storage.ts';

// What the random histories of trigger.model.test.ts do not reach.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 15, 9);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

/** An account whose one list holds these records; `at` is the date of its answers. */
function watching(records: JsonObject[], at?: number): Watching {
	const send = async ({ query = {} }: { query?: JsonObject }) => {
		const from = Date.parse(String(query.created_after ?? 0)) || 0;
		const data = records.filter(
			({ created_at }) => Date.parse(String(created_at ?? '')) >= from || !created_at,
		);
		const [offset, limit] = [Number(query.offset), Number(query.limit)];
		return { data: data.slice(offset, offset + limit), meta: { total_items: data.length }, at };
	};
	const checking = (check: () => void) => ({ send: (request: object) => (check(), send(request)) });
	const api = { send, checking } as unknown as Api;
	return { api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 3 * HOUR };
}

const list = (records: JsonObject[], at?: number) =>
	listWatcher(watching(records, at), { path: '/orders', judge: (item) => ({ item }) });

const order = (id: number, at: number) => ({ id, created_at: new Date(at).toISOString() });

const idsOf = ({ records }: PollResult) => records.map(({ id }) => id);

/** What another poll of the same account emits. */
const next = async (watcher: Watcher, { state }: PollResult) =>
	await watcher.poll(JSON.parse(JSON.stringify(state)));

describe('another key in the same credential', () => {
	const byState = { path: '/orders', ...statusChanges(['state'], (one) => one) };
	const watchers = {
		list: (records: JsonObject[], key: string) =>
			listWatcher(
				{ ...watching(records, NOW), key },
				{ path: '/orders', judge: (item) => ({ item }) },
			),
		states: (records: JsonObject[], key: string) =>
			statesWatcher({ ...watching(records), key }, byState),
	};
	const orders = (...ids: number[]) =>
		ids.map((id) => ({ ...order(id, NOW - HOUR + id * MINUTE), state: 'pending' }));

	it.each(['list', 'states'] as const)(
		'of another account starts nothing for its old records (%s)',
		async (kind) => {
			const begun = await watchers[kind](orders(1, 2), 'one').poll();
			const other = await next(watchers[kind](orders(7, 8), 'other'), begun);
			expect(other).toMatchObject({ isBeginning: true, records: [] });
			expect(idsOf(await next(watchers[kind](orders(7, 8, 9), 'other'), other))).toEqual([9]);
		},
	);

	it.each(['list', 'states'] as const)('of the same account loses nothing (%s)', async (kind) => {
		const begun = await watchers[kind](orders(1), 'one').poll();
		expect(idsOf(await next(watchers[kind](orders(1, 2), 'other'), begun))).toEqual([2]);
		const empty = await watchers[kind]([], 'one').poll();
		expect(idsOf(await next(watchers[kind](orders(1), 'other'), empty))).toEqual([1]);
	});
});

describe('a list', () => {
	it('still emits a record that is three hours late after one that is dated ten minutes ahead', async () => {
		const records = [order(1, NOW)];
		const begun = await list(records, NOW).poll();
		records.push(order(2, NOW + 10 * MINUTE));
		const future = await next(list(records, NOW), begun);
		records.push(order(3, NOW - 3 * HOUR));
		expect(idsOf(await next(list(records, NOW), future))).toEqual([3]);
	});

	it('a record just below the floor is old, though the API is asked for it too', () => {
		const at = (date: number) => isNew(listed(order(1, date), ['created_at'])!, progressFrom(NOW));
		expect([at(NOW - 1), at(NOW)]).toEqual([false, true]);
	});

	it.each([{ floor: 'x' }, { done: 7 }, { done: { aaaaaaaaaa: 'zz' } }, { pending: null }])(
		'begins again if its state is damaged: %j',
		async (damage) => {
			const records = [order(1, NOW)];
			const { state } = await list(records, NOW).poll();
			records.push(order(2, NOW));
			const found = await list(records, NOW).poll({ ...state, ...damage });
			expect(found).toMatchObject({ records: [], isBeginning: true });
		},
	);
});

describe('a list that is read as a whole', () => {
	const states = (records: JsonObject[]) =>
		statesWatcher(watching(records), {
			path: '/events',
			stateOf: ({ state }) => String(state),
			itemOf: ({ record, ...change }) => ({ ...record, ...change }),
		});
	const records = (state: string, count = 1) =>
		Array.from({ length: count }, (_, id) => ({ id: `r${id}`, state }));

	it.each([{ known: 'x' }, { failing: null }, { fields: {} }])(
		'begins again if its state is damaged: %j',
		async (damage) => {
			const { state } = await states(records('A')).poll();
			const found = await states(records('B')).poll({ ...state, ...damage });
			expect(found).toMatchObject({ records: [], isBeginning: true });
		},
	);
});

const contextWith = (workflow: string, own: object, shared: object) =>
	({
		getNode: () => ({ id: 'node', name: 'Trigger' }),
		getWorkflow: () => ({ id: workflow }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? own : shared),
	}) as unknown as IPollFunctions;

const stored = (setup: string) => ({ setup, state: {}, notices: [] });

it('the newer beginning counts after an activation with durable cursors: n8n drops the data of the node', () => {
	const [own, shared] = [{}, {}];
	new Storage(contextWith('durable', own, shared)).begin(stored('calls'));
	new Storage(contextWith('durable', {}, shared)).begin(stored('orders'));
	const recalled = new Storage(contextWith('another process', own, shared)).recall('orders', false);
	expect(recalled).toMatchObject({ setup: 'orders' });
});

it.each([{ at: 'x' }, { notices: 'x' }])(
	'the beginning counts if n8n’s data of the node is damaged: %j',
	(damage) => {
		const [own, shared] = [{} as Record<string, object>, {}];
		const storage = () =>
			new Storage(contextWith(`damaged-${JSON.stringify(damage)}`, own, shared));
		storage().begin(stored('calls'));
		own.saved = { ...own.saved, ...damage };
		expect(storage().recall('calls', false)).toMatchObject({ setup: 'calls' });
	},
);
