import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { workflow as n8nWorkflow } from '../../support/n8n.ts';
import { agents } from '../examples/agents.ts';
import { calls } from '../examples/calls.ts';
import { clients } from '../examples/clients.ts';
import { customers } from '../examples/customers.ts';
import { EVENTS, events } from '../examples/events.ts';
import { messy } from '../examples/messy.ts';
import { closeRecorder, openRecorder } from '../examples/recorder.ts';
import { tables } from '../examples/tables.ts';
import { isTested, type Tests } from '../examples/tested.ts';
import type { WorkflowJson } from '../n8n.ts';
import { EXAMPLES, known, renewEmulator } from '../shared.ts';

// `package/examples` checks what needs no n8n.

const TESTS: Tests = { ...agents, ...calls, ...clients, ...customers, ...tables };

/** A record that the user has to choose. */
const BLANK = JSON.stringify({ __rl: true, mode: 'list', value: '' });

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
		const issues = n8nWorkflow.NodeHelpers.getNodeParametersIssues(
			description!.properties,
			{ ...node, disabled: false, parameters: shown } as never,
			description!,
		);
		// Only what the user must choose or enter is left open.
		const left = Object.entries(node.parameters)
			.filter(([, value]) => value === '' || JSON.stringify(value) === BLANK)
			.map(([parameter]) => parameter);
		expect(Object.keys(issues?.parameters ?? {}), node.name).toEqual(left);
	}
}

/** Each example: what it does, then in a real week. */
export function examples(): void {
	beforeAll(openRecorder);

	afterAll(closeRecorder);

	it('are all tested', () => {
		expect(Object.keys({ ...TESTS, ...EVENTS }).sort()).toEqual([...EXAMPLES.keys()].sort());
	});

	describe('with an event of YK Voice', events);

	describe.each([...EXAMPLES])('%s', (name, workflow) => {
		beforeEach(async () => await renewEmulator());

		it('uses nodes and parameters that n8n knows', () => expectKnown(workflow));

		if (!isTested(name)) return;
		TESTS[name]?.();
		messy(name);
	});
}
