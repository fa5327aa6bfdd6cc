import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { workflow as n8nWorkflow } from '../../support/n8n.ts';
import { EVENT_NAMES } from '../../support/stage.ts';
import { startEmulator } from '../../emulator/index.ts';
import { aboutAgents } from '../examples/agents.ts';
import { aboutCalls } from '../examples/calls.ts';
import { forClients } from '../examples/clients.ts';
import { aboutCustomers } from '../examples/customers.ts';
import {
	execute,
	expectSent,
	live,
	sent,
	setUp,
	type Example,
	type Examples,
	type Given,
	type Run,
	type SetUp,
} from '../examples/example.ts';
import { intoTables } from '../examples/tables.ts';
import { week } from '../examples/week.ts';
import type { WorkflowJson } from '../n8n.ts';
import {
	credentialFor,
	emulator,
	EXAMPLES,
	isWhole,
	known,
	model,
	renewEmulator,
} from '../shared.ts';

// `package/examples` checks what needs no n8n.

const ALL: Examples = {
	...aboutAgents,
	...aboutCalls,
	...aboutCustomers,
	...forClients,
	...intoTables,
};

/** Every value with its path. */
function leaves(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [`${path} ${JSON.stringify(value)}`];
	return Object.entries(value).flatMap(([key, entry]) => leaves(entry, `${path}.${key}`));
}

function expectKnown({ nodes }: WorkflowJson): void {
	for (const node of nodes) {
		// What these forms do is not for everybody.
		if (node.name === 'On form submission')
			expect(node.parameters.authentication).toBe('basicAuth');
		const description = known.find(
			({ name: type, version }) =>
				type === node.type && [version].flat().includes(node.typeVersion),
		);
		expect(description, `${node.type} ${node.typeVersion}`).toBeDefined();
		// What n8n shows of these values is all of them: it leaves out what it does not know.
		const shown = n8nWorkflow.NodeHelpers.getNodeParameters(
			description!.properties,
			node.parameters as INodeParameters,
			true,
			false,
			node as never,
			description!,
		);
		expect(leaves(shown), node.name).toEqual(expect.arrayContaining(leaves(node.parameters)));
	}
}

/** Whether its first trigger is one of YK Voice, which polls. */
const isWatching = ([name, { starts }]: [string, Example]) =>
	EXAMPLES.get(name)!.nodes.some(
		(node) => node.name === Object.keys(starts)[0] && /ykVoiceTrigger$/.test(node.type),
	);

/** Examples that start with an event of YK Voice. They wait for their polls at the same time. */
function events(watching: Array<[string, Example]>): void {
	const cases = watching.flatMap(([name, { does, sends, chosen }]) =>
		sends ? [{ name, does, sends, chosen }] : [],
	);
	it.concurrent.for(cases)('$name, once: $does', async ({ name, sends, chosen }) => {
		const account = await startEmulator({ data: 'small' });
		const { store } = account;
		store.usage = { ...store.usage!, minutes_remaining: store.usage!.minutes_included };
		const given = { chosen: chosen?.(store) };
		const workflow = setUp(name, given, await credentialFor(account));
		let expected: Record<string, unknown[]> = {};
		const executions = await live(workflow, account, () => {
			expected = sends(store);
		});
		await account.close();
		for (const [node, items] of Object.entries(expected)) {
			const said = executions.flatMap((one) => sent(one, node));
			expect(said, node).toHaveLength(items.length);
			expect(said, node).toEqual(expect.arrayContaining(items));
		}
	});
}

/** Each example: what it does, then in a real week. */
export function examples(): void {
	it('are all tested', () => {
		expect(Object.keys(ALL).sort()).toEqual([...EXAMPLES.keys()].sort());
		for (const { sends, test, tests } of Object.values(ALL))
			expect(sends ?? test ?? tests).toBeDefined();
		const watched = JSON.stringify([...EXAMPLES.values()]);
		for (const event of EVENT_NAMES) expect(watched).toContain(`"event":"${event}"`);
	});

	// All of them in each n8n: together they watch all events.
	describe('with an event of YK Voice', () => events(Object.entries(ALL).filter(isWatching)));

	const names = [...EXAMPLES.keys()];
	describe.each([...EXAMPLES])('%s', (name, workflow) => {
		beforeEach(async () => {
			await renewEmulator();
			model.reset();
		});

		it('uses nodes and parameters that n8n knows', () => expectKnown(workflow));

		// In an older n8n, each fourth of them.
		if (!isWhole && names.indexOf(name) % 4 > 0) return;
		const example = ALL[name]!;

		const { does = '', sends, test, tests, chosen, starts } = example;
		const withChoices = (given: Given = {}) => ({
			...given,
			chosen: { ...chosen?.(emulator.store), ...given.chosen },
		});

		const run: Run = async (start, given) => await execute(name, start, withChoices(given));
		const prepare: SetUp = (given) => setUp(name, withChoices(given));
		if (sends && !isWatching([name, example]))
			it(does, async () => {
				const expected = sends(emulator.store);
				expectSent(await run(Object.keys(starts)[0]!), expected);
			});
		if (test) it(does, async () => await test(run, prepare));
		tests?.(run, prepare);
		week(name, example);
	});
}
