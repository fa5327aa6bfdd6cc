import assert from 'node:assert/strict';
import {
	createServer,
	connect as dial,
	type AddressInfo,
	type Server,
	type Socket,
} from 'node:net';
import type {
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import type { Credentials, NodeResult, NodeRun } from '../support/harness.ts';
import { description, operations } from '../support/runSample.ts';
import { samplesFor } from '../support/samples.ts';
import { logged, sent, whereIs } from './watch.ts';

/** Whether to try everything, or what fits into a minute. */
export const isFull = process.env.FAULTS === 'full';

/** The name that the editor shows for a value of one of these parameters. */
const shownName = (properties: INodeProperties[], value: string) =>
	properties
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.find((option) => option.value === value)?.name;

/** How an operation's errors begin, such as "Contact: Get: ". */
export function labelOf(name: string): string {
	const [resource, operation] = name.split('.') as [string, string];
	const isOf = ({ displayOptions }: INodeProperties) =>
		displayOptions?.show?.resource?.includes(resource);
	const { properties } = description;
	const resources = properties.filter((property) => property.name === 'resource');
	const its = properties.filter((property) => property.name === 'operation' && isOf(property));
	return `${shownName(resources, resource)}: ${shownName(its, operation)}: `;
}

/** How much the tests of a file did. */
export const tally = { runs: 0, requests: 0 };

interface LabRun extends Omit<NodeRun, 'credentials'> {
	/** Default: the key that may do everything, at the emulator's base URL. */
	credentials?: Credentials;
	/** Called as soon as the node is done, before the search for secrets. */
	onDone?: () => void;
}

/** If there are more items than this, each is searched as JSON, which is faster. */
const MANY = 2000;

export const byKey = (baseUrl: string, apiKey: string): Credentials => ({
	ykVoiceApi: { baseUrl, apiKey },
});

export const byToken = (baseUrl: string, token: string): Credentials => ({
	ykVoiceOAuth2Api: { baseUrl, oauthTokenData: { access_token: token, token_type: 'Bearer' } },
});

const secrets = new Set<string>();
const hosts = new Set<string>();
const checked = { sent: 0, logged: 0 };
let underWay = 0;

/** What this process sent and logged for other tests is not looked at. */
function begin(): void {
	if (underWay++ === 0) Object.assign(checked, { sent: sent.length, logged: logged.length });
}

/** From now on this text may only be in an Authorization header. */
export function keepSecret(text: unknown): void {
	if (typeof text !== 'string' || text.trim() === '') return;
	const secret = text.trim();
	for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
		secrets.add(form);
	}
}

/** From now on no secret of these credentials may show, and requests may go to their hosts. */
function guard(credentials: Credentials): void {
	for (const data of Object.values(credentials)) {
		const tokens = (data.oauthTokenData ?? {}) as Record<string, unknown>;
		[data.apiKey, data.clientSecret, tokens.access_token, tokens.refresh_token].forEach(keepSecret);
		for (const address of [data.baseUrl, data.accessTokenUrl].map(String)) {
			if (URL.canParse(address)) hosts.add(new URL(address).host);
		}
	}
}

/**
 * Runs the action node. All tests of this folder use this, because it also checks that no secret is
 * anywhere but in one header, and that requests go to the hosts of the credentials only.
 */
export async function run(
	emulator: Pick<Emulator, 'url' | 'keys'>,
	options: LabRun,
): Promise<NodeResult> {
	const {
		credentials = byKey(emulator.url, emulator.keys.all),
		parameters,
		onDone,
		...rest
	} = options;
	guard(credentials);
	const authentication = credentials.ykVoiceOAuth2Api ? 'oAuth2' : 'apiKey';
	begin();
	const result = await runNode({
		...rest,
		parameters: { authentication, ...parameters },
		credentials,
	}).finally(() => (underWay -= 1));
	onDone?.();
	tally.runs += 1;
	const { run: whole, outputs, error, hints } = result;
	const items = outputs.flat();
	// What n8n saves of an error is not the same as what the run holds.
	if (items.length <= MANY) assertDiscreet({ whole, saved: JSON.stringify(whole) });
	else {
		assertDiscreet({ error, hints });
		for (const item of items) {
			const saved = JSON.stringify(item);
			assert.ok(![...secrets].some((secret) => saved.includes(secret)), 'a secret is in an item');
		}
	}
	return result;
}

function assertDiscreet(held: unknown): void {
	const requests = sent.slice(checked.sent);
	const lines = logged.slice(checked.logged);
	checked.sent = sent.length;
	checked.logged = logged.length;
	tally.requests += requests.length;
	for (const { host, method, path } of requests) {
		assert.ok(hosts.has(host), `${method} ${path} went to ${host}`);
	}
	const leak = whereIs([...secrets], { held, requests, lines });
	assert.equal(leak, undefined, 'a secret is where it must not be');
}

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

export interface Relay {
	url: string;
	close(): Promise<void>;
}

/** A server between the node and the emulator that breaks some connections, counted from 0. */
export async function startRelay(
	emulator: Emulator,
	breaks: 'reset on accept' | 'reset on request',
	isBroken: (connection: number) => boolean,
	port = 0,
): Promise<Relay> {
	const { port: target, host } = new URL(emulator.url);
	// Files are fetched from the emulator itself, because the API gives their addresses.
	hosts.add(host);
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
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${address.port}/v1`,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export { operations, startEmulator, type Emulator };
