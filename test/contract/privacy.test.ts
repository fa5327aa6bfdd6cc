// What the nodes keep in n8n's database, as docs/privacy.md says.
import { describe, expect, it } from 'vitest';

import { EVENT_NAMES, EVENTS, stage } from '../support/stage.ts';

/** Fields that are no data of a person. */
const PLAIN = /(^|_)(id|ids|at|date|time|status|type|change|unit|source)$/;

/** The texts of a record that say something about somebody. */
const textsIn = (value: unknown, name = ''): string[] => {
	if (typeof value === 'string') return PLAIN.test(name) || value.length < 4 ? [] : [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([inner, held]) =>
		textsIn(held, Array.isArray(value) ? name : inner),
	);
};

describe('what the trigger keeps', () => {
	it.each(EVENT_NAMES.filter((name) => name !== 'agentChanged'))(
		'%s: nothing that a record says of somebody',
		async (event) => {
			const { parameters, happen } = EVENTS[event]!;
			const given = await stage({ event, parameters });
			await given.poller.activate();
			for (let round = 0; round < 3; round++) {
				await happen(given);
				await given.tick();
			}
			const { items, known } = given.poller;
			expect(items.length).toBeGreaterThan(0);
			expect(textsIn(items).filter((text) => known.includes(text))).toEqual([]);
		},
	);

	it('Agent Changed: the settings of agents in full', async () => {
		const given = await stage({ event: 'agentChanged' });
		const agent = given.store.agents.all()[0]!;
		given.store.agents.change(agent.id, { prompt_instructions: 'Always say hello to Ms Example' });
		await given.poller.activate();
		await given.tick();
		expect(given.poller.known).toContain('Always say hello to Ms Example');
	});
});
