import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

function everyEntry(entries: readonly Entry[]): Entry[] {
	return entries.flatMap((entry) => [
		entry,
		...everyEntry('values' in entry ? entry.values : []),
		...everyEntry(isProperty(entry) ? ((entry.options ?? []) as Entry[]) : []),
	]);
}

const nodes = builtNodes.map(({ describe }) => describe());
const entries = nodes.flatMap(({ properties }) => everyEntry(properties));
const hinted = entries.filter((entry) => entry.builderHint !== undefined);

describe('hints for an AI that builds workflows', () => {
	it('are on options only: n8n does not load a selector that has one', () => {
		expect(hinted.length).toBeGreaterThan(10);
		expect(hinted.filter(isProperty)).toEqual([]);
	});

	it('are there for every event of the trigger, and for both nodes', () => {
		const event = entries.find(({ name }) => name === 'event') as INodeProperties;
		for (const option of event.options as INodePropertyOptions[]) expect(hinted).toContain(option);
		for (const { builderHint } of nodes) expect(builderHint!.searchHint).toBeTruthy();
	});

	it('say what costs money', () => {
		const dear = hinted.filter(({ builderHint }) => /costs money/.test(builderHint!.propertyHint));
		const actions = dear.map((entry) => (entry as INodePropertyOptions).action);
		const calls = ['Make paid test call', 'Start campaign to call people'];
		expect(actions).toEqual(expect.arrayContaining([...calls, 'Resume campaign to call people']));
	});
});
