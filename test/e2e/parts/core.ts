import { expect, it } from 'vitest';

import { operationsOf } from '../../support/description.ts';
import { loadPackage } from '../../support/harness.ts';
import { samplesFor } from '../../support/samples.ts';
import { outputOf } from '../n8n.ts';
import { credential, emulator, n8n, renewEmulator, type Json } from '../shared.ts';
import { chain, manualTrigger, withAnswers, ykVoice } from '../workflows.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

/** What the package is for, in the real n8n. */
export function core(): void {
	it.each(operations)('%s in a saved workflow', async (name) => {
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
}
