import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { loadPackage, runNode } from '../support/harness.ts';
import { operationsOf } from '../support/description.ts';
import { samplesFor } from '../support/samples.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

describe('every operation, in n8n’s own engine', () => {
	let emulator: Emulator;

	beforeAll(async () => {
		emulator = await startEmulator({ data: 'small' });
	});

	afterAll(async () => await emulator.close());

	it('has exactly one sample, in test/support/samples.ts', () => {
		expect(Object.keys(samplesFor(emulator)).sort()).toEqual([...operations].sort());
	});

	it.each(operations)('%s', async (name) => {
		emulator = await startEmulator({ data: 'small' });
		const sample = samplesFor(emulator)[name]!;
		const [resource, operation] = name.split('.') as [string, string];
		const run = async (parameters: INodeParameters) =>
			await runNode({
				parameters: { resource, operation, ...parameters },
				credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
				items: (sample.items ?? [{}]).map((json) => ({ json })),
			});
		const result = await run(sample.parameters);

		expect(result.error?.message).toBeUndefined();
		sample.check(result.json, emulator);
		for (const { pairedItem } of result.items) expect(pairedItem).toBeDefined();

		for (const parameters of sample.also ?? []) {
			const further = await run(parameters);
			expect(further.error?.message).toBeUndefined();
			expect(further.json.length).toBeGreaterThan(0);
		}
		expect(emulator.unknown).toEqual([]);
	});
});
