import type { INodeParameters } from 'n8n-workflow';

import { operationsOf } from './description.ts';
import type { Emulator } from '../emulator/index.ts';
import { loadPackage, runNode, type Credentials, type NodeResult } from './harness.ts';
import { samplesFor, type Sample } from './samples.ts';

const { nodeTypes } = await loadPackage();

export const description = nodeTypes.getByNameAndVersion('ykVoice', 1).description;

/** Every operation that the editor offers, as `resource.operation`. */
export const operations = operationsOf(description);

interface SampleRun {
	/** Default: a key that may do everything. */
	apiKey?: string;
	/** An OAuth access token in place of a key. */
	token?: string;
	/** Added to the parameters of each of the sample's runs. */
	parameters?: INodeParameters;
	/** Whether to run the other parameters of the sample too. Default: yes. */
	also?: boolean;
	afterFirst?: (result: NodeResult, sample: Sample) => void;
}

/** Runs an operation's sample in n8n's own engine, then its other parameters. */
export async function runSample(
	emulator: Emulator,
	name: string,
	{ apiKey = emulator.keys.all, token, parameters: over, also = true, afterFirst }: SampleRun = {},
): Promise<NodeResult[]> {
	const sample = samplesFor(emulator)[name];
	if (sample === undefined) throw new Error(`Add a sample of ${name} to test/support/samples.ts`);
	const [resource, operation] = name.split('.') as [string, string];
	const baseUrl = emulator.url;
	const credentials: Credentials = token
		? { ykVoiceOAuth2Api: { baseUrl, oauthTokenData: { access_token: token } } }
		: { ykVoiceApi: { baseUrl, apiKey } };
	const authentication = token ? 'oAuth2' : 'apiKey';
	const results: NodeResult[] = [];
	for (const parameters of [sample.parameters, ...(also ? (sample.also ?? []) : [])]) {
		const result = await runNode({
			parameters: { resource, operation, authentication, ...parameters, ...over },
			credentials,
			items: (sample.items ?? [{}]).map((json) => ({ json })),
		});
		if (results.push(result) === 1) afterFirst?.(result, sample);
	}
	return results;
}
