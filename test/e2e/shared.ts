import type { INodeTypeDescription } from 'n8n-workflow';
import { expect, inject } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import type { Data } from '../emulator/seed.ts';
import { installHost, isWeekly, NEWEST } from './host.ts';
import { startModel, type Model } from './model.ts';
import { freePort, N8n, outputOf, succeeded, type Execution, type WorkflowJson } from './n8n.ts';
import {
	changesData,
	every,
	examples,
	pinned,
	withCredential,
	withMappings,
	type CredentialRef,
} from './workflows.ts';

export type Json = Record<string, unknown>;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const HOST = inject('host');

/** Whether everything is tested in this n8n. Otherwise it is what versions may differ in. */
export const isWhole = HOST === NEWEST || isWeekly;

export const EXAMPLES = examples();

export const example = (name: string) => structuredClone(EXAMPLES.get(name)!);

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
	known = (await (await n8n.fetch('/types/nodes.json')).json()) as INodeTypeDescription[];
}

export async function close(): Promise<void> {
	await n8n?.dispose(HOST);
	await model?.close();
	await emulator?.close();
}

/** An account as it is at the start. */
export async function renewEmulator(data: Data = 'small'): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator({ data, port });
}

export const credentialFor = async ({ keys, url }: Emulator): Promise<CredentialRef> =>
	await n8n.createCredential({ apiKey: keys.all, baseUrl: url });

/** A date as a message has it, in the time zone of n8n, which is UTC here. */
export const minuteOf = (date: string) => date.slice(0, 16).replace('T', ' ');

/** The phone numbers of the contacts on a list. */
export const numbersOn = ({ id }: { id: string }, { store } = emulator) =>
	[...store.members.get(id)!].map((member) => store.contacts.get(member)?.phone_number);

/** Makes every request fail that only reads. */
export function failReads(): void {
	const match = ({ method }: { method: string }) => method === 'GET';
	emulator.faults.add({ kind: 'status', status: 500, times: Infinity, match });
}

/** Gives nodes, or the fields of an Edit Fields node, these values. */
export function enter(workflow: WorkflowJson, chosen: Record<string, Json>): WorkflowJson {
	for (const [wanted, values] of Object.entries(chosen)) {
		const { parameters } = workflow.nodes.find(({ name }) => name === wanted)!;
		const { assignments } = parameters as { assignments?: { assignments: Json[] } };
		for (const [name, value] of Object.entries(values)) {
			const field = assignments?.assignments.find((one) => one.name === name);
			if (field) field.value = value;
			else parameters[name] = value;
		}
	}
	return workflow;
}

/** An example as its user sets it up: with a credential, and with these values in its nodes. */
export const setUp = (name: string, chosen: Record<string, Json> = {}, account = credential) =>
	withMappings(withCredential(enter(example(name), chosen), account));

/** An example with the model of the tests, and with the nodes that use it switched on. */
export function withModel(name: string): WorkflowJson {
	const workflow = setUp(name);
	for (const node of workflow.nodes.filter(({ type }) => /langchain/.test(type))) {
		node.disabled = false;
		if (/lmChatOpenAi$/.test(node.type)) node.credentials = { openAiApi: modelCredential };
	}
	return workflow;
}

/** Runs an example from one trigger, with these items or its own. It must fail with this, or succeed. */
export async function execute(
	workflow: WorkflowJson,
	start: string,
	items?: Json[],
	fails?: RegExp,
): Promise<Execution> {
	if (!workflow.nodes.some(({ name }) => name === start)) throw new Error(`There is no ${start}`);
	const ready = items ? pinned(workflow, { [start]: items }) : workflow;
	const execution = await n8n.run(await n8n.saveWorkflow(ready), start, fails);
	expectAllowedRequests(workflow, emulator);
	return execution;
}

/** Activates an example, lets something happen in its account, and waits for what this starts. */
export async function live(
	workflow: WorkflowJson,
	account: Emulator,
	happen: () => void,
): Promise<Execution[]> {
	for (const node of workflow.nodes) {
		if (/ykVoiceTrigger$/.test(node.type)) node.parameters.pollTimes = every(20);
	}
	const saved = await n8n.saveWorkflow(workflow);
	await n8n.activate(saved);
	const { requests } = account;
	// n8n says yes before it has activated; what comes before the first look has ended is not new.
	await n8n.until(() => requests.filter(({ path }) => path === requests[0]!.path).length >= 2);
	happen();
	await n8n.until(async () => (await n8n.listed(saved.id)).length > 0);
	const polled = requests.length;
	// Two polls more, which must not start it again.
	await n8n.until(() => requests.length >= polled + 2);
	const executions = await n8n.listed(saved.id);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.finished(id)));
	await n8n.deactivate(saved);
	expectAllowedRequests(workflow, account);
	return ended.map(succeeded);
}

/** Expects requests that the API's reference knows, and only reads if the example only reads. */
export function expectAllowedRequests(workflow: WorkflowJson, account: Emulator): void {
	if (!changesData(workflow)) expect(written(account)).toEqual([]);
	expect(account.unknown).toEqual([]);
}

/** What a reader sees of a page, in one line. */
export const seen = (html: unknown) =>
	String(html)
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;|\s+/g, ' ')
		.replace(/ +/g, ' ');

/** The requests that changed something. */
export const written = ({ requests }: Emulator = emulator) =>
	requests.filter(({ method }) => method !== 'GET');

/** What a node of another service, which is switched off, would send: its fields by their names. */
export const sent = (execution: Execution, node: string) => outputOf(execution, `${node}: mapped`);

/** Expects of each of these nodes that it would send exactly these items. */
export function expectSent(execution: Execution, expected: Record<string, unknown[]>): void {
	for (const [node, items] of Object.entries(expected)) {
		expect(sent(execution, node), node).toEqual(items);
	}
}

/** A message with this text. */
export const says = (pattern: string | RegExp) => ({
	text: expect.stringMatching(pattern) as string,
});

/** The file of one of the items that a node made, as the editor downloads it. */
export async function fileOf(
	{ data }: Execution,
	node: string,
	{ field = 'data', at = 0 } = {},
): Promise<{ name: string; text: string }> {
	const item = data.resultData.runData[node]?.[0]?.data?.main[0]?.[at];
	const { binary } = item as unknown as {
		binary: Record<string, { id?: string; data: string; fileName: string }>;
	};
	const { id, data: content, fileName: name } = binary[field]!;
	if (id === undefined) return { name, text: Buffer.from(content, 'base64').toString() };
	const file = await n8n.fetch(`/rest/binary-data?id=${encodeURIComponent(id)}&action=download`);
	return { name, text: await file.text() };
}

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Noon of a day of this month or, with an offset of -1, of the last. */
export const dayOf = (offset: number, day: number) => {
	const now = new Date();
	return new Date(
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day, 12),
	).toISOString();
};

/** A data table of n8n with these rows, all of whose columns are texts. Without rows it needs their names. */
export async function dataTable(
	name: string,
	data: Array<Record<string, string>>,
	names = Object.keys(data[0]!),
) {
	const project = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const columns = names.map((column) => ({ name: column, type: 'string' }));
	const { id } = await n8n.rest<{ id: string }>('POST', tables, { name, columns });
	if (data.length > 0) await n8n.rest('POST', `${tables}/${id}/insert`, { data, returnType: 'id' });
	const rows = async () =>
		(await n8n.rest<{ data: unknown[] }>('GET', `${tables}/${id}/rows`)).data;
	return { id, rows };
}
