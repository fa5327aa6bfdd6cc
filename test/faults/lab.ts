import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { operationsOf } from '../description.ts';
import { startEmulator, type Emulator } from '../emulator/index.ts';
import { loadPackage, runNode, type Credentials, type NodeResult, type NodeRun } from '../harness.ts';
import { samplesFor } from '../samples.ts';
import { logged, sent, whereIs } from './watch.ts';

/** Whether everything is tried, or what fits into a minute. */
export const isFull = process.env.FAULTS === 'full';

const { nodeTypes } = await loadPackage();

export const { description } = nodeTypes.getByNameAndVersion('ykVoice', 1);

/** Every operation that the editor offers, as `resource.operation`. */
export const operations = operationsOf(description);

/** What the runs of a test file came to. */
export const tally = { runs: 0, requests: 0 };

export interface LabRun extends Omit<NodeRun, 'credentials' | 'parameters'> {
	parameters: INodeParameters;
	/** Default: the key that may do everything. */
	apiKey?: string;
	/** An OAuth access token in place of a key. */
	token?: string;
	credentials?: Credentials;
	/** Default: the emulator's. */
	baseUrl?: string;
}

/** What no one but the API may get to see. */
export function secretsIn(credentials: Credentials): string[] {
	const { ykVoiceApi, ykVoiceOAuth2Api } = credentials;
	const { access_token: token, refresh_token: refresh } = (ykVoiceOAuth2Api?.oauthTokenData ??
		{}) as Record<string, unknown>;
	const secrets = [ykVoiceApi?.apiKey, token, refresh, ykVoiceOAuth2Api?.clientSecret]
		.filter((secret): secret is string => typeof secret === 'string')
		.map((secret) => secret.trim())
		.filter((secret) => secret !== '');
	return secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
}

/**
 * Runs the action node, as every test of this folder does: whatever it was put through, no secret
 * left it but in the one header, and no request went to another host.
 */
export async function run(emulator: Emulator, options: LabRun): Promise<NodeResult> {
	const { apiKey = emulator.keys.all, token, baseUrl = emulator.url, ...rest } = options;
	const credentials: Credentials =
		options.credentials ??
		(token
			? { ykVoiceOAuth2Api: { baseUrl, oauthTokenData: { access_token: token } } }
			: { ykVoiceApi: { baseUrl, apiKey } });
	const secrets = secretsIn(credentials);
	const authentication = credentials.ykVoiceOAuth2Api ? 'oAuth2' : 'apiKey';
	const result = await runNode({
		...rest,
		parameters: { authentication, ...options.parameters },
		credentials,
	});
	tally.runs += 1;
	assertDiscreet(result, secrets);
	return result;
}

function assertDiscreet(result: NodeResult, secrets: string[]): void {
	const held = {
		run: result.run,
		// What n8n saves, which is not all that an error object holds.
		saved: JSON.stringify(result.run),
		logged,
		urls: sent.map(({ path }) => path),
	};
	const leak = whereIs([...secrets, ...secrets.map(encodeURIComponent)], held);
	assert.equal(leak, undefined, 'a secret is where it must not be');
}

/** A server that no request may ever reach. */
export async function startStranger(): Promise<{
	origin: string;
	met: IncomingMessage[];
	close(): Promise<void>;
}> {
	const met: IncomingMessage[] = [];
	const server: Server = createServer((request, response) => {
		met.push(request);
		response.end('{"ok":true,"data":{"stolen":true},"meta":null,"error":null}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://localhost:${port}`,
		met,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/** The sample of an operation as a run, with request options put over it. */
export function sampleRun(
	emulator: Emulator,
	name: string,
	requestOptions: INodeParameters = {},
): LabRun & { items: INodeExecutionData[] } {
	const sample = samplesFor(emulator)[name];
	assert.ok(sample, `no sample of ${name}`);
	const [resource, operation] = name.split('.') as [string, string];
	return {
		parameters: { resource, operation, ...sample.parameters, requestOptions },
		items: (sample.items ?? [{}]).map((json) => ({ json })),
	};
}

export { startEmulator };
