import { expect, it } from 'vitest';

import { Memory } from '../../nodes/YkVoiceTrigger/memory.ts';

const KEY = 'ykVoiceTrigger:node';

const anyState = (raw: unknown) => raw as string | undefined;

it('an own copy that is older than its mirror tells its own age, and is the one that counts', () => {
	const own = { saved: { life: 1, handed: 3, state: 'old' } };
	const global = { [KEY]: { life: 1, handed: 4, state: 'new' } };
	const memory = new Memory(own, global, 'node');
	expect(memory.handed()).toBe(3);
	expect(memory.recall(anyState)).toBe('old');
});

it('a mirror of a later life counts, because a rename leaves the own behind', () => {
	const own = { saved: { life: 1, handed: 3, state: 'old' } };
	const global = { [KEY]: { life: 2, handed: 5, state: 'new' } };
	const memory = new Memory(own, global, 'node');
	expect(memory.handed()).toBe(5);
	expect(memory.recall(anyState)).toBe('new');
});

it('counts on from the greatest number in either place', () => {
	const own: Record<string, never> = {};
	const global = { [KEY]: { life: 2, handed: 5, state: 'new' } };
	const memory = new Memory(own, global, 'node');
	memory.store('newer', false, true);
	expect(memory.handed()).toBe(6);
	memory.store('newest', false, false);
	expect(memory.handed()).toBe(6);
});
