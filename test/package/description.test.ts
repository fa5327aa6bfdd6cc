import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { operations } from '../../scripts/docs/parameters.ts';

describe.each(builtNodes)('$className', ({ describe: describeNode }) => {
	const description = describeNode();
	const { properties } = description;

	it('has properties of its own in each instance, as n8n changes them', () => {
		const other = describeNode();
		expect(other.properties).not.toBe(properties);
		expect(other).toEqual(description);
	});

	it('has no parameter twice in one operation', () => {
		const twice = properties.filter((one, index) =>
			properties.slice(0, index).some((other) => one.name === other.name && canMeet(one, other)),
		);
		expect(twice.map((one) => `${operations(one).join()} ${one.name}`)).toEqual([]);
	});

	it('describes every resource and operation', () => {
		const bare = properties
			.filter(({ name }) => name === 'resource' || name === 'operation')
			.flatMap(({ name, options }) =>
				(options as INodePropertyOptions[])
					.filter(({ description }) => !description)
					.map(({ value }) => `${name} ${String(value)}`),
			);
		expect(bare).toEqual([]);
	});
});

/** Whether there is a state of the node in which both parameters are shown. */
function canMeet(one: INodeProperties, other: INodeProperties): boolean {
	const [shown, otherShown] = [one.displayOptions?.show ?? {}, other.displayOptions?.show ?? {}];
	return Object.entries(shown).every(
		([name, values]) =>
			otherShown[name] === undefined ||
			(values ?? []).some((value) => otherShown[name]?.includes(value as never)),
	);
}
