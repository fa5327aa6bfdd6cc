import { expect, it } from 'vitest';

import { OverlappingPolls } from '../../nodes/trigger/overlap.ts';

const BUDGET = 300_000;

/** Begins a poll of node `k`, as part of an activation or not. */
function stage() {
	const turns = new OverlappingPolls();
	return (now: number, { isFirst = false, isAnew = false, key = 'k', scope = 's' } = {}) =>
		turns.begin(key, { now, budget: BUDGET, scope, isFirst, isAnew });
}

/** The same, after a poll that was the fourth to hand over items. */
function afterItems() {
	const begin = stage();
	const last = begin(0)!;
	last.handOver(4, 0);
	last.end();
	return begin;
}

it('of two polls at once, the first has the turn', () => {
	const begin = stage();
	const first = begin(0)!;
	expect(begin(BUDGET - 1)).toBeUndefined();
	expect(first.isOver(0, BUDGET - 1)).toBe(false);
	first.end();
	expect(begin(BUDGET - 1)).toBeDefined();
});

it('nodes do not wait for each other', () => {
	const begin = stage();
	begin(0)!.handOver(1, 0);
	const other = begin(0, { key: 'other' })!;
	expect(other.isOver(0, 0)).toBe(false);
});

it('a poll that hangs beyond its time is overtaken, and its end is not that of the other', () => {
	const begin = stage();
	const hanging = begin(0)!;
	const next = begin(BUDGET)!;
	expect(hanging.isOver(0, BUDGET)).toBe(true);
	hanging.end();
	expect(next.isOver(0, BUDGET)).toBe(false);
	expect(begin(BUDGET + 1)).toBeUndefined();
});

it('an activation overtakes at once, and what it overtook stays so', () => {
	const begin = stage();
	const before = begin(0)!;
	const activation = begin(1, { isFirst: true })!;
	expect(activation.isOver(0, 1)).toBe(false);
	activation.end();
	expect(before.isOver(0, 2)).toBe(true);
});

it('an old copy hands over nothing, a new one does', () => {
	const begin = afterItems();
	const turn = begin(1)!;
	expect(turn.isOver(3, 1)).toBe(true);
	expect(turn.isOver(4, 1)).toBe(false);
});

it('what n8n did not save comes again after twice the budget', () => {
	const begin = afterItems();
	const turn = begin(BUDGET)!;
	expect(turn.isOver(3, 2 * BUDGET - 1)).toBe(true);
	expect(turn.isOver(3, 2 * BUDGET)).toBe(false);
});

it('an activation does not wait for what was handed over before it', () => {
	const begin = afterItems();
	expect(begin(1, { isFirst: true })!.isOver(3, 1)).toBe(false);
});

it('a new beginning overtakes the poll of what was watched before, and not another beginning', () => {
	const begin = stage();
	const before = begin(0)!;
	expect(begin(1, { scope: 'other' })).toBeUndefined();
	const anew = begin(1, { scope: 'other', isAnew: true })!;
	expect(before.isOver(0, 1)).toBe(true);
	expect(begin(2, { scope: 'other', isAnew: true })).toBeUndefined();
	expect(anew.isOver(0, 2)).toBe(false);
});

it('what was handed over of another scope makes no copy old', () => {
	const begin = afterItems();
	expect(begin(1, { scope: 'other', isAnew: true })!.isOver(0, 1)).toBe(false);
});
