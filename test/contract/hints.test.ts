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

const entries = builtNodes.flatMap(({ describe: node }) => everyEntry(node().properties));
const hinted = entries.filter((entry) => entry.builderHint !== undefined);
/** Fields of the answer that a hint may name, and their values. */
const ANSWERED = [
	...['operational_access', 'underWay', 'failed_checks', 'transfer_time', 'previous_status'],
	...['new_status', 'changed_fields', 'previous_values', 'new_values'],
];
/** The events of the trigger, which a hint names as a saved workflow does. */
const EVENTS = entries.flatMap((entry) =>
	isProperty(entry) && entry.name === 'event'
		? (entry.options as INodePropertyOptions[]).map(({ value }) => String(value))
		: [],
);

describe('hints for an AI that builds workflows', () => {
	it('are on options only: n8n does not load a selector that has one', () => {
		expect(hinted.length).toBeGreaterThan(10);
		expect(hinted.filter(isProperty)).toEqual([]);
	});

	it('are short, and name only parameters, events and fields of answers', () => {
		// A hint names parameters as a saved workflow does: each must exist.
		const known = new Set([...entries.map((entry) => entry.name), ...EVENTS, ...ANSWERED]);
		for (const { builderHint } of hinted) {
			const { propertyHint } = builderHint!;
			expect(propertyHint).not.toMatch(/\{\{|ai_(?!provider)\w+/);
			expect(propertyHint.length).toBeLessThanOrEqual(250);
			const named = propertyHint.match(/\b[a-z]+(?:[A-Z]\w+|_\w+)\b/g) ?? [];
			const strangers = named.filter((name) => !known.has(name));
			expect(strangers, 'no parameters (an answer has it? Then add it to ANSWERED)').toEqual([]);
		}
	});

	it('are there for every event of the trigger, and for both nodes', () => {
		const hintedValues = hinted.map((entry) => (entry as INodePropertyOptions).value);
		expect(hintedValues).toEqual(expect.arrayContaining(EVENTS));
		const names = builtNodes.map(({ describe: node }) => `n8n-nodes-yk-voice.${node().name}`);
		for (const { describe: node } of builtNodes) {
			const { searchHint, relatedNodes = [] } = node().builderHint!;
			expect(searchHint).toBeTruthy();
			for (const { nodeType } of relatedNodes) expect(names).toContain(nodeType);
		}
	});

	it('say what costs money', () => {
		const dear = hinted
			.filter(({ builderHint }) => builderHint!.propertyHint.includes('costs money'))
			.map((entry) => (entry as INodePropertyOptions).action);
		expect(dear).toEqual(
			expect.arrayContaining([
				...['Make paid test call', 'Start campaign to call people'],
				'Resume campaign to call people',
			]),
		);
	});
});
