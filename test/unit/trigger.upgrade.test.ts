import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { unpacked, stateIn, stateOfLap } from '../../nodes/trigger/reading/state.ts';
import { isNew, known } from '../../nodes/trigger/reading/window.ts';
import { listed, type Dated } from '../../nodes/trigger/reading/record.ts';
import { statusesOf } from '../../nodes/trigger/kinds/statuses.ts';

const START = Date.UTC(2026, 0, 15, 9);
const SECOND = 1000;

/** As version 0.1 called a record. */
const formerKey = (id: string) => createHash('sha256').update(id).digest('base64url').slice(0, 12);

const record = (id: string, at: number) =>
	listed({ id, created_at: new Date(at).toISOString() }) as Dated;

test('a state of version 0.1, in the middle of a lap: what it had done is done, all else is new', () => {
	const f = START + 123;
	const ids = { [formerKey('one')]: f, [formerKey('two')]: f + 90 * SECOND + 5 };
	const former = { v: 1, scope: 'old', f, h: f + 95 * SECOND, r: f + 91 * SECOND, l: f, ids };
	const state = stateOfLap(JSON.parse(JSON.stringify(former)), 'what:account')!;
	expect(stateIn(JSON.parse(JSON.stringify(state)))).toEqual(state);
	const before = known(state);
	const isNewAt = (id: string, at: number) => isNew(record(id, at), before);
	expect(isNewAt('one', f)).toBe(false);
	expect(isNewAt('two', f + 90 * SECOND + 5)).toBe(false);
	// Passed by the floor; late; waiting before the lap's position; and after it.
	expect(isNewAt('passed', f - 1)).toBe(false);
	expect(isNewAt('late', f)).toBe(true);
	expect(isNewAt('waits', f + 30 * SECOND)).toBe(true);
	expect(isNewAt('next', f + 99 * SECOND)).toBe(true);
});

test.each([{ v: 3 }, { f: 'x' }, { f: 1e30 }, { ids: [] }, { ids: null }, { ids: { a: 'x' } }])(
	'a damaged one is none: %j',
	(damage) => {
		expect(stateOfLap({ v: 1, f: START, ids: {}, ...damage }, 's')).toBeUndefined();
	},
);

const MOVES = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	refused: ['cancelled'],
	completed: ['cancelled'],
	cancelled: [],
};

test('the statuses of version 0.1 go on: no move twice, the next from where it stood', () => {
	const list = statusesOf({
		path: '/orders',
		initial: 'pending',
		moves: MOVES,
		span: 14 * 24 * 3600 * SECOND,
		from: [],
		to: [],
		isAfterGap: false,
		shape: (order) => order,
	});
	const statuses = { confirmed: 'confirmed', completed: 'completed', refused: 'refused' };
	const names = Object.entries(statuses).map(([id, status]) => [formerKey(id), status]);
	const former = {
		v: 1,
		at: START,
		since: START - 3600 * SECOND,
		known: Object.fromEntries(names),
	};
	const state = known(list.upgrade!(former, 'what:account')!);
	const movesOf = (id: string, status: string) => {
		const order = { id, status, created_at: new Date(START - 60 * SECOND).toISOString() };
		const events = list.eventsOf!(listed(order) as Dated, state);
		return events
			.filter((event) => isNew(event, state))
			.map((event) => [event.record.previous_status, event.record.new_status]);
	};
	for (const [id, status] of Object.entries(statuses)) expect(movesOf(id, status)).toEqual([]);
	expect(movesOf('pending', 'pending')).toEqual([]);
	expect(movesOf('confirmed', 'completed')).toEqual([['confirmed', 'completed']]);
	expect(movesOf('completed', 'cancelled')).toEqual([['completed', 'cancelled']]);
	expect(movesOf('pending', 'completed')).toEqual([
		['pending', 'confirmed'],
		['confirmed', 'completed'],
	]);
	// An answer that is out of date says nothing.
	expect(movesOf('completed', 'confirmed')).toEqual([]);
	expect(unpacked('').size).toBe(0);
});
