import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { description } from '../support/runSample.ts';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

function everyEntry(entries: readonly Entry[]): Entry[] {
	return entries.flatMap((entry) => [
		entry,
		...everyEntry('values' in entry ? entry.values : []),
		...everyEntry(isProperty(entry) ? ((entry.options ?? []) as Entry[]) : []),
	]);
}

const entries = everyEntry(description.properties);
const hinted = entries.filter((entry) => entry.builderHint !== undefined);

describe('hints for an AI that builds workflows', () => {
	it('are on options only: n8n does not load a selector that has one', () => {
		expect(hinted.length).toBeGreaterThan(10);
		expect(hinted.filter(isProperty)).toEqual([]);
	});

	it.each(hinted.map((entry) => [String((entry as INodePropertyOptions).action), entry] as const))(
		'%s',
		(_action, entry) => {
			const { propertyHint } = entry.builderHint!;
			expect(propertyHint).not.toMatch(/\{\{|ai_\w+/);
			expect(propertyHint.length).toBeLessThanOrEqual(250);
			// A hint names parameters as a saved workflow does: each must exist.
			const names = new Set(entries.map((known) => ('name' in known ? known.name : '')));
			for (const [named] of propertyHint.matchAll(/\b[a-z]+(?:[A-Z]\w+|_\w+)\b/g)) {
				// A hint may also name a field of the answer, or its value.
				const isKnown =
					names.has(named) || ['operational_access', 'underWay', 'failed_checks'].includes(named);
				expect(isKnown ? named : `${named} is no parameter`).toBe(named);
			}
		},
	);

	it.each([
		'Make test call which costs money',
		'Start campaign which calls people',
		'Resume campaign which calls people',
	])('say what costs money: %s', (action) => {
		const entry = hinted.find((one) => (one as INodePropertyOptions).action === action);
		expect(entry?.builderHint?.propertyHint).toContain('costs money');
	});
});
