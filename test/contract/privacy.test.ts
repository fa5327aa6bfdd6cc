// What the nodes keep in n8n's database, as docs/privacy.md says.
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it, test } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
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
		'%s: nothing that a record says of somebody [P210]',
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

	it('Agent Changed: the settings of agents in full [P211]', async () => {
		const given = await stage({ event: 'agentChanged' });
		const agent = given.store.agents.all()[0]!;
		given.store.agents.change(agent.id, { prompt_instructions: 'Always say hello to Ms Example' });
		await given.poller.activate();
		await given.tick();
		expect(given.poller.known).toContain('Always say hello to Ms Example');
	});
});

test('Get New keeps no key and nothing that a record says of somebody [P212]', async () => {
	const api = await startEmulator({ data: 'empty' });
	const run = async (staticData: IDataObject) =>
		await runNode({
			parameters: { resource: 'call', operation: 'getNew' },
			credentials: { ykVoiceApi: { apiKey: api.keys.all, baseUrl: api.url } },
			node: { id: 'one' },
			staticData,
			mode: 'trigger',
		});
	const first = await run({});
	api.store.addCall({ phone_number: '+14155550123', agent_name: 'Agent of Ms Example' });
	const { json, staticData } = await run(first.staticData);
	const known = JSON.stringify(staticData);
	expect(known.length).toBeGreaterThan(50);
	expect(json).toHaveLength(1);
	expect([...textsIn(json), api.keys.all].filter((text) => known.includes(text))).toEqual([]);
	await api.close();
});
