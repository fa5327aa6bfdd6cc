import assert from 'node:assert/strict';
import {
	createServer,
	connect as dial,
	type AddressInfo,
	type Server,
	type Socket,
} from 'node:net';
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

/** The sample of an operation as a run, with options put over it. */
export function sampleRun(
	emulator: Emulator,
	name: string,
	options: INodeParameters = {},
): { parameters: INodeParameters; items: INodeExecutionData[] } {
	const sample = samplesFor(emulator)[name];
	assert.ok(sample, `no sample of ${name}`);
	const [resource, operation] = name.split('.') as [string, string];
	return {
		parameters: {
			...{ resource, operation, ...sample.parameters },
			options: { ...(sample.parameters.options as INodeParameters), ...options },
		},
		items: (sample.items ?? [{}]).map((json) => ({ json })),
	};
}

/** A server between the node and the emulator that breaks some connections, counted from 0. */
export async function startRelay(
	emulator: Emulator,
	breaks: 'reset on accept' | 'reset on request',
	isBroken: (connection: number) => boolean,
): Promise<{ url: string; close(): Promise<void> }> {
	const { port: target } = new URL(emulator.url);
	const sockets = new Set<Socket>();
	let connections = 0;
	const server: Server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
		if (isBroken(connections++)) {
			if (breaks === 'reset on accept') socket.resetAndDestroy();
			else socket.once('data', () => socket.resetAndDestroy());
			return;
		}
		const far = dial(Number(target), '127.0.0.1').on('error', () => socket.destroy());
		socket.pipe(far).pipe(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
