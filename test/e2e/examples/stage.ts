import type { INodeTypeDescription } from 'n8n-workflow';
import { expect, inject } from 'vitest';

import { startEmulator, type Emulator } from '../../emulator/index.ts';
import type { Data } from '../../emulator/seed.ts';
import { installHost } from '../host.ts';
import { startModel, type Model } from '../model.ts';
import { freePort, N8n, outputOf, succeeded, type Execution, type WorkflowJson } from '../n8n.ts';
import {
	changesData,
	examples,
	OFTEN,
	pinned,
	withCredential,
	withMappings,
	type CredentialRef,
} from '../workflows.ts';

export type Json = Record<string, unknown>;

export const DAY = 86_400_000;

export const EXAMPLES = examples();

export const example = (name: string) => structuredClone(EXAMPLES.get(name)!);

export let n8n: N8n;
export let emulator: Emulator;
export let model: Model;
/** Every version of each node that the real n8n knows. */
export let known: INodeTypeDescription[];

let port: number;
let credential: CredentialRef;
let modelCredential: CredentialRef;

export async function open(hostName: string): Promise<void> {
	port = await freePort();
	await renewEmulator();
	model = await startModel();
	n8n = await N8n.start({ host: installHost(hostName), pack: inject('pack') });
	credential = await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
	modelCredential = await n8n.createCredential(
		{ apiKey: 'sk-none', url: model.url },
		{ name: 'Model', type: 'openAiApi' },
	);
	known = (await (await n8n.fetch('/types/nodes.json')).json()) as INodeTypeDescription[];
}

export async function close(hostName: string): Promise<void> {
	await n8n?.dispose(`examples-${hostName}`);
	await model?.close();
	await emulator?.close();
}

export async function renewEmulator(data: Data = 'small'): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator({ data, port });
}

/** A date as a message has it, in the time zone of n8n, which is UTC here. */
export const minuteOf = (date: string) => date.slice(0, 16).replace('T', ' ');

/** Makes every request fail that only reads. */
export function failReads(): void {
	const match = ({ method }: { method: string }) => method === 'GET';
	emulator.faults.add({ kind: 'status', status: 500, times: Infinity, match });
}

/** Leaves no calls, so that a test counts its own. */
export function withoutCalls(store = emulator.store): void {
	for (const { id } of store.calls.all()) store.removeCall(id);
}

/** An example as its user sets it up: with the credential, and with these values in its nodes. */
export function setUp(name: string, entered: Record<string, Json> = {}): WorkflowJson {
	const workflow = withMappings(withCredential(example(name), credential));
	for (const [wanted, values] of Object.entries(entered)) {
		const node = workflow.nodes.find((one) => one.name === wanted);
		if (node === undefined) throw new Error(`${name} has no node ${wanted}`);
		const { assignments } = node.parameters as { assignments?: { assignments: Json[] } };
		for (const [name, value] of Object.entries(values)) {
			const field = assignments?.assignments.find((one) => one.name === name);
			if (assignments) field!.value = value;
			else node.parameters[name] = value;
		}
	}
	return workflow;
}

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
	const execution = await n8n.run(await n8n.saveWorkflow(ready), start, 110_000, fails);
	expectAllowedRequests(workflow);
	return execution;
}

/** Activates an example, lets something happen, and waits for the executions that this starts. */
export async function live(workflow: WorkflowJson, happen: () => void): Promise<Execution[]> {
	for (const node of workflow.nodes) {
		if (/ykVoiceTrigger$/.test(node.type)) node.parameters.pollTimes = { item: OFTEN };
	}
	const saved = await n8n.saveWorkflow(workflow);
	await n8n.activate(saved);
	// n8n says yes before it has activated; what comes before the first look has ended is not new.
	await n8n.until(
		() => emulator.requests.filter(({ path }) => path === emulator.requests[0]!.path).length >= 2,
	);
	happen();
	await n8n.until(async () => (await n8n.executions(saved.id)).length > 0, 60_000, 500);
	const polled = emulator.requests.length;
	// Two polls more, which must not start it again.
	await n8n.until(() => emulator.requests.length >= polled + 2, 60_000);
	const executions = await n8n.executions(saved.id);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.finished(id)));
	await n8n.deactivate(saved);
	expectAllowedRequests(workflow);
	return ended.map(succeeded);
}

/** Expects requests that the API's reference knows, and only reads if the example only reads. */
export function expectAllowedRequests(workflow: WorkflowJson): void {
	if (!changesData(workflow)) expect(written()).toEqual([]);
	expect(emulator.unknown).toEqual([]);
}

/** What a reader sees of a page, in one line. */
export const seen = (html: unknown) =>
	String(html)
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;|\s+/g, ' ')
		.replace(/ +/g, ' ');

/** The requests that changed something. */
export const written = () => emulator.requests.filter(({ method }) => method !== 'GET');

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
