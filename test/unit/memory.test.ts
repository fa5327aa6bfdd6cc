import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { Memory, type Recollections } from '../../nodes/trigger/memory.ts';

const NODE = { id: 'node', name: 'One' };
const KEY = 'ykVoiceTrigger:node';

const anyState = (raw: unknown) => raw as string | undefined;
/** As of a scope. */
const only = (wanted: string) => (raw: unknown) => (raw === wanted ? wanted : undefined);

it('an own copy that is older than its mirror tells its own age, and is the one that counts', () => {
	const own = { saved: { life: 1, handed: 3, state: 'old' } };
	const global = { [KEY]: { life: 1, handed: 4, state: 'new' } };
	const memory = new Memory(own, global, NODE);
	expect(memory.handed()).toBe(3);
	expect(memory.recall(anyState)).toBe('old');
});

it('a mirror of a later life counts, because a rename leaves the own behind', () => {
	const own = { saved: { life: 1, handed: 3, state: 'old' } };
	const global = { [KEY]: { life: 2, handed: 5, state: 'new' } };
	const memory = new Memory(own, global, NODE);
	expect(memory.handed()).toBe(5);
	expect(memory.recall(anyState)).toBe('new');
});

it('counts on from the greatest number in either place', () => {
	const own: Record<string, never> = {};
	const global = { [KEY]: { life: 2, handed: 5, state: 'new' } };
	const memory = new Memory(own, global, NODE);
	memory.store('newer', false, true);
	expect(memory.handed()).toBe(6);
	memory.store('newest', false, false);
	expect(memory.handed()).toBe(6);
});

it('the mirror stands in where the own is missing, damaged or not to be used', () => {
	const global = { [KEY]: { life: 1, handed: 3, state: 'mirror' } };
	const recall = (own: IDataObject) => new Memory(own, global, NODE).recall(only('mirror'));
	for (const saved of [undefined, null, [], 'x', {}, { life: '1', handed: 3, state: 'mirror' }])
		expect(recall({ saved } as IDataObject)).toBe('mirror');
	expect(recall({ saved: { life: 1, handed: 3, state: 'of another scope' } })).toBe('mirror');
	expect(new Memory({}, global, NODE).recall(only('another'))).toBeUndefined();
	expect(new Memory({}, global, { id: 'another', name: 'One' }).recall(anyState)).toBeUndefined();
});

it('what comes back under an old name does not count', () => {
	const global = {};
	const [one, two] = [{}, {}];
	new Memory(one, global, NODE).store('first', true, false);
	expect(new Memory(two, global, NODE).recall(anyState)).toBe('first');
	new Memory(two, global, NODE).store('renamed', false, true);
	new Memory(two, global, NODE).store('later', false, true);
	const back = new Memory(one, global, NODE);
	expect(back.recall(anyState)).toBe('later');
	expect(back.handed()).toBe(2);
});

it('a new beginning counts although n8n dropped the own of it', () => {
	const own = {};
	const global = {};
	new Memory(own, global, NODE).store('old', true, false);
	new Memory({ ...own }, global, NODE).store('anew', true, false);
	const memory = new Memory(own, global, NODE);
	expect(memory.recall(anyState)).toBe('anew');
	expect(memory.recall(only('old'))).toBeUndefined();
});

it('the own counts, whether n8n saved the mirror with it or not', () => {
	const own = {};
	const global = {};
	new Memory(own, global, NODE).store('first', true, false);
	const [before, mirror] = [structuredClone(own), structuredClone(global)];
	new Memory(own, global, NODE).store('second', false, true);
	expect(new Memory(own, mirror, NODE).recall(anyState)).toBe('second');
	expect(new Memory(before, global, NODE).recall(anyState)).toBe('first');
});

it('the items that came with a mirror whose own was never saved come again', () => {
	const global: IDataObject = {};
	new Memory({}, global, NODE).store('beginning', true, false);
	new Memory({}, global, NODE).store('with items', false, true);
	expect(new Memory({}, global, NODE).recall(anyState)).toBe('beginning');
	expect(new Memory({}, global, { ...NODE, name: 'Two' }).recall(anyState)).toBe('with items');
	const own: IDataObject = {};
	new Memory(own, global, NODE).store('with items again', false, true);
	expect(new Memory(own, global, NODE).recall(anyState)).toBe('with items again');
});

it('what was handed over and never seen to be stored is forgotten with a new registration', () => {
	const recollections: Recollections = new Map();
	const stored = { own: {} as IDataObject, global: {} as IDataObject };
	const copy = () => structuredClone(stored);
	const of = ({ own, global }: typeof stored) => new Memory(own, global, NODE, recollections);
	of(stored).store('first', true, true);
	const dropped = copy();
	of(dropped).store('dropped', false, true);
	const later = of(copy());
	later.begin(false, false);
	expect(later.recall(anyState)).toBe('dropped');
	later.begin(true, false);
	expect(later.recall(anyState)).toBe('first');
});

it('what was seen to be stored outlives a new registration, but not another process', () => {
	const recollections: Recollections = new Map();
	const [own, global]: IDataObject[] = [{}, {}];
	const memory = (name = 'One') => new Memory(own!, global!, { ...NODE, name }, recollections);
	memory().store('first', true, true);
	const old = structuredClone([own, global]) as [IDataObject, IDataObject];
	memory().store('second', false, true);
	memory().begin(false, false);
	const putBack = new Memory(...old, NODE, recollections);
	putBack.begin(true, false);
	expect(putBack.recall(anyState)).toBe('second');
	putBack.begin(true, true);
	expect(putBack.recall(anyState)).toBe('first');
});
