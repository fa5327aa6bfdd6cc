import assert from 'node:assert/strict';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../emulator/index.ts';
import { runNode, type NodeResult, type NodeRun } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';

/** Whether to try everything, or what fits into a few seconds. */
export const isFull = Boolean(process.env.WEEKLY);

/** Runs the action node with a key that may do everything. */
export const run = async (
	{ keys, url }: Pick<Emulator, 'url' | 'keys'>,
	options: Omit<NodeRun, 'credentials'>,
): Promise<NodeResult> =>
	await runNode({
		...options,
		credentials: { ykVoiceApi: { baseUrl: url, apiKey: keys.all } },
	});

/** The sample of an operation as a run, with request options put over it. */
export function sampleRun(
	emulator: Emulator,
	name: string,
	requestOptions: INodeParameters = {},
): { parameters: INodeParameters; items: INodeExecutionData[] } {
	const sample = samplesFor(emulator)[name];
	assert.ok(sample, `no sample of ${name}`);
	const [resource, operation] = name.split('.') as [string, string];
	return {
		parameters: { resource, operation, ...sample.parameters, requestOptions },
		items: (sample.items ?? [{}]).map((json) => ({ json })),
	};
}
