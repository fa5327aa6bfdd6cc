import type { INodeTypeDescription } from 'n8n-workflow';
import { inject } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import type { Data } from '../emulator/seed.ts';
import { installHost, isWeekly, NEWEST } from './host.ts';
import { startModel, type Model } from './model.ts';
import { freePort, N8n, type WorkflowJson } from './n8n.ts';
import { examples, locator, type CredentialRef } from './workflows.ts';

export type Json = Record<string, unknown>;

export const HOST = inject('host');

/** Whether everything is tested in this n8n. Otherwise it is what versions may differ in. */
export const isWhole = HOST === NEWEST || isWeekly;

export const EXAMPLES = examples();

/** The n8n that all tests of a file share. */
export let n8n: N8n;
export let emulator: Emulator;
export let model: Model;
/** Every version of each node that the real n8n knows. */
export let known: INodeTypeDescription[];
/** Finds the emulator also after it was renewed. */
export let credential: CredentialRef;
export let modelCredential: CredentialRef;

let port: number;

const ENV = {
	// Whatever n8n might say of the key.
	N8N_LOG_LEVEL: 'debug',
	// On a busy machine it takes minutes to activate many workflows at the same time.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '600',
};

export async function open(): Promise<void> {
	port = await freePort();
	await renewEmulator();
	model = await startModel();
	const host = await installHost(HOST);
	n8n = await N8n.start({ host, pack: inject('pack'), env: ENV });
	credential = await credentialFor(emulator);
	modelCredential = await n8n.createCredential(
		{ apiKey: 'sk-none', url: model.url },
		{ name: 'Model', type: 'openAiApi' },
	);
	known = await n8n.nodeTypes();
}

export async function close(): Promise<void> {
	await n8n?.dispose(HOST);
	model?.close();
	await emulator?.close();
}

/** An account as it is at the start. */
export async function renewEmulator(data: Data = 'small'): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator({ data, port });
}

export const credentialFor = async ({ keys, url }: Emulator): Promise<CredentialRef> =>
	await n8n.createCredential({ apiKey: keys.all, baseUrl: url });

/** Whether a value is a group of options, of which a user enters some. */
const isGroup = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !('__rl' in value);

/** Gives nodes, or the fields of an Edit Fields node, these values. */
export function enter(workflow: WorkflowJson, chosen: Record<string, Json>): WorkflowJson {
	for (const [wanted, values] of Object.entries(chosen)) {
		const { parameters } = workflow.nodes.find(({ name }) => name === wanted)!;
		const { assignments } = parameters as { assignments?: { assignments: Json[] } };
		for (const [name, value] of Object.entries(values)) {
			const field = assignments?.assignments.find((one) => one.name === name);
			if (field) field.value = value;
			else parameters[name] = isGroup(value) ? { ...(parameters[name] as Json), ...value } : value;
		}
	}
	return workflow;
}

/** A data table of n8n with these rows, all of whose columns are texts. Without rows it needs their names. */
export async function dataTable(
	data: Array<Record<string, string>>,
	names = Object.keys(data[0]!),
) {
	const { id, path } = await n8n.createTable(crypto.randomUUID(), data, names);
	return {
		/** What a node has whose user chose this table. */
		chosen: { dataTableId: locator(id) },
		rows: async () => (await n8n.rest<{ data: Json[] }>('GET', `${path}/rows`)).data,
	};
}
