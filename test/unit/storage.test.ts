import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { expect, it, onTestFinished, vi } from 'vitest';

import { Storage, type Saved } from '../../nodes/trigger/storage.ts';

// What the random histories of poll.test.ts do not reach.

const SETUP = 'event';

/** What a poll finds of n8n's data, in a process of n8n. n8n has stored only what is passed on. */
const open = (stored: IDataObject, process = 'one', name = 'Trigger') => {
	const data = structuredClone(stored) as Record<'node' | 'global', IDataObject>;
	const context = {
		getNode: () => ({ name }),
		getWorkflow: () => ({ id: process }),
		getWorkflowStaticData: (type: 'node' | 'global') => data[type],
	} as unknown as IPollFunctions;
	return { storage: new Storage(context), data };
};

const found = (state: string) => ({ setup: SETUP, state, notices: [] });

const stateOf = (recalled: ReturnType<Storage['recall']>) => (recalled as Saved | undefined)?.state;

it('what polls without items found out is known as long as the process lives, though n8n dropped it', () => {
	const { storage, data } = open({ node: {}, global: {} });
	storage.begin(found('begun'));
	for (const state of ['first', 'second']) {
		const next = open(data).storage;
		next.updateWithoutItems(next.recall(SETUP, false) as Saved, found(state));
	}
	expect(stateOf(open(data).storage.recall(SETUP, false))).toBe('second');
	expect(stateOf(open(data, 'another').storage.recall(SETUP, false))).toBe('begun');
});

it('items that n8n is still saving are waited for, for a minute; then they come again', () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	onTestFinished(() => void vi.useRealTimers());
	const { storage, data } = open({ node: {}, global: {} }, 'slow');
	storage.begin(found('begun'));
	vi.advanceTimersByTime(1000);
	open(data, 'slow').storage.addBatch(found('items'));
	expect(open(data, 'slow').storage.recall(SETUP, false)).toBe('outdated');
	vi.advanceTimersByTime(60_000);
	expect(stateOf(open(data, 'slow').storage.recall(SETUP, false))).toBe('begun');
});

const beginnings = ({ data }: ReturnType<typeof open>) => Object.keys(data.global);

it('a beginning goes with the first items after n8n has stored the data of the node', () => {
	const begun = open({ node: {}, global: {} }, 'begins');
	begun.storage.begin(found('begun'));
	// With durable cursors n8n stores what the workflow keeps, and not what the node does.
	const first = open({ node: {}, global: begun.data.global }, 'begins');
	first.storage.addBatch(found('items'));
	expect(beginnings(first)).toHaveLength(1);
	const second = open(first.data, 'begins');
	second.storage.addBatch(found('more items'));
	expect(beginnings(second)).toEqual([]);
	expect(stateOf(open(second.data, 'anew').storage.recall(SETUP, false))).toBe('more items');
});

it('the beginnings of a trigger that is renamed again and again go after a week', () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	onTestFinished(() => void vi.useRealTimers());
	let stored: IDataObject = { node: {}, global: {} };
	for (let day = 1; day <= 30; day++) {
		vi.advanceTimersByTime(24 * 3_600_000);
		const named = open({ ...stored, node: {} }, 'renamed', `Trigger ${day}`);
		named.storage.begin(found('begun'));
		stored = named.data;
		expect(beginnings(named).length).toBeLessThanOrEqual(7);
	}
});
