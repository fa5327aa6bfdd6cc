import { describe, expect, it } from 'vitest';

import { operationsOf } from '../../support/description.ts';
import { loadPackage } from '../../support/harness.ts';
import { placesOf } from '../../support/places.ts';
import { samplesFor } from '../../support/samples.ts';
import { outputOf, type WorkflowNode } from '../n8n.ts';
import { credential, emulator, isWhole, n8n, renewEmulator, type Json } from '../shared.ts';
import { chain, locator, manualTrigger, withAnswers, ykVoice, type Links } from '../workflows.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

/** The operations that are tested in this n8n: all, or the first with each kind of parameter. */
function testedOperations(): string[] {
	const kinds = new Set<string>();
	return operations.filter((name) => {
		const before = kinds.size;
		for (const { property } of placesOf(name)) kinds.add(property.type);
		return isWhole || kinds.size > before;
	});
}

/** What the package is for, in the real n8n. */
export function core(): void {
	describe('every operation, in a saved workflow', () => {
		it.each(testedOperations())('%s', async (name) => {
			await renewEmulator();
			const sample = samplesFor(emulator)[name]!;
			const [resource, operation] = name.split('.');
			const node = ykVoice({ resource, operation, ...sample.parameters }, credential);
			const workflow = chain(name, manualTrigger(), node);
			const items = (sample.items ?? [{}]) as Json[];
			const saved = await n8n.saveWorkflow(withAnswers(workflow, { Start: items }));
			const execution = await n8n.run(saved);
			sample.check(outputOf(execution, 'YK Voice') as never, emulator);
			expect(emulator.unknown).toEqual([]);
		});
	});

	it('hands what failed to expressions that read several items', async () => {
		await renewEmulator();
		const contact = locator('={{ $json.id }}');
		const node = ykVoice({ resource: 'contact', operation: 'get', contact }, credential);
		const all = '={{ $input.all().map(({ json }) => json.status + json.error).join() }}';
		const text = { id: 'text', name: 'text', type: 'string', value: all };
		const set: WorkflowNode = {
			...{ name: 'Failed', type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [440, 0] },
			parameters: { assignments: { assignments: [text] }, options: {} },
		};
		const workflow = chain(
			'Failed',
			manualTrigger(),
			{ ...node, onError: 'continueErrorOutput' },
			set,
		);
		const [link] = (workflow.connections as Links)['YK Voice']!.main!;
		(workflow.connections as Links)['YK Voice'] = { main: [[], link!] };
		const gone = '00000000-0000-4000-8000-000000000000';
		const ids = [gone, emulator.store.contacts.all()[0]!.id, gone];
		const ready = withAnswers(workflow, { Start: ids.map((id) => ({ id })) });
		const execution = await n8n.run(await n8n.saveWorkflow(ready));
		const [failed] = outputOf(execution, 'Failed');
		expect(failed?.text).toMatch(/^404There is no such .*,404There is no such /);
	});
}
