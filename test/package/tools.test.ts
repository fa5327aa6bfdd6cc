import { describe, expect, it } from 'vitest';

import { workflow as n8n } from '../support/n8n.ts';
import { filledByModel, tools } from '../../scripts/docs/tools.ts';

/** What a model reads of one tool costs tokens with each of its turns. */
const SIZE_LIMIT = 5_000;

/** What a person has to know before a model may do it. */
const WARNINGS: Readonly<Record<string, RegExp>> = {
	'playground.makeTestCall': /paid/,
	'campaign.start': /to call people/,
	'campaign.resume': /to call people/,
	'order.update': /notify customer/,
};

describe.each(tools().map((tool) => [tool.operation, tool] as const))('%s', (operation, tool) => {
	it('says what it does, and what that costs or destroys', () => {
		expect(tool.description).toMatch(/^[A-Z].+ in YK Voice$/);
		expect(tool.description).toMatch(WARNINGS[operation] ?? /./);
		if (operation.endsWith('.delete')) expect(tool.description).toMatch(/^Delete /);
	});

	it('describes what a model fills in, in few words', () => {
		const bare = tool.arguments.filter(({ description }) => description === '');
		expect(bare.map(({ name }) => name)).toEqual([]);
	});

	it('is a schema that n8n can make', () => {
		const found: Parameters<typeof n8n.generateZodSchema>[0][] = [];
		n8n.traverseNodeParameters(filledByModel(tool), found);
		expect(found.map(({ key }) => key)).toEqual(tool.arguments.map(({ name }) => name));
		for (const argument of found) {
			expect(argument.key).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
			expect(n8n.generateZodSchema(argument).description).toBeTruthy();
		}
		expect(JSON.stringify([tool.description, found]).length).toBeLessThan(SIZE_LIMIT);
	});
});
