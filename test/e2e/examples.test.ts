import type { INodeParameters, INodeTypeDescription, NodeParameterValueType } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { workflow as n8nWorkflow } from '../n8n.ts';
import { installHost, NEWEST } from './host.ts';
import {
	freePort,
	N8n,
	outputOf,
	type Execution,
	type SavedWorkflow,
	type WorkflowJson,
	type WorkflowNode,
} from './n8n.ts';
import { locator, trigger, withCredential, type CredentialRef } from './workflows.ts';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));

const NAMES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

const textOf = (name: string) => readFileSync(`${FOLDER}${name}.json`, 'utf8');
const example = (name: string) => JSON.parse(textOf(name)) as WorkflowJson;

const isSticky = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: WorkflowNode) => type.startsWith('n8n-nodes-yk-voice.');

/** A record that the user has to choose. */
const BLANK = { __rl: true, mode: 'list', value: '' };

const PROMPT = 'You answer for Trattoria Aurora.\nBe brief and kind.\nAsk for the name.';

const DAY = 86_400_000;

let n8n: N8n;
let emulator: Emulator;
let port: number;
let credential: CredentialRef;
/** Of every node that the real n8n knows, each version. */
let known: INodeTypeDescription[];

beforeAll(async () => {
	port = await freePort();
	n8n = await N8n.start({ host: installHost(NEWEST), pack: inject('pack') });
	await n8n.installPackage();
	const response = await fetch(`${n8n.url}/types/nodes.json`, { headers: session() });
	known = (await response.json()) as INodeTypeDescription[];
});

afterAll(async () => {
	await n8n?.stop();
	await emulator?.close();
});

async function renewEmulator(data: 'demo' | 'small' = 'small'): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator({ data, port });
	credential ??= await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
}

beforeEach(async () => {
	await renewEmulator();
});

/** What the user does after importing: the credential, and what else the notes ask for. */
function setUp(name: string, choose: (node: (name: string) => INodeParameters) => void = () => {}) {
	const workflow = withCredential(example(name), credential);
	choose((wanted) => {
		const node = workflow.nodes.find((one) => one.name === wanted);
		if (node === undefined) throw new Error(`${name} has no node ${wanted}`);
		return node.parameters as INodeParameters;
	});
	return workflow;
}

/** Enters a value in an Edit Fields node. */
function enter(parameters: INodeParameters, name: string, value: NodeParameterValueType): void {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	assignments.find((one) => one.name === name)!.value = value;
}

/** Runs from one trigger to the end, which must be a good one. */
async function execute(
	workflow: WorkflowJson,
	start: string,
	pinned?: Array<Record<string, unknown>>,
): Promise<Execution> {
	const pinData = pinned && { [start]: pinned.map((json) => ({ json })) };
	const saved = await n8n.saveWorkflow({ ...workflow, ...(pinData && { pinData }) });
	const { executionId } = await n8n.rest<{ executionId: string }>(
		'POST',
		`/workflows/${saved.id}/run`,
		{ workflowData: saved, triggerToStartFrom: { name: start } },
	);
	const execution = await n8n.finished(executionId);
	expect(execution.data.resultData.error).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(emulator.unknown).toEqual([]);
	return execution;
}

/** Activates it, lets something happen, and waits for the execution that this starts. */
async function live(workflow: WorkflowJson, happen: () => void): Promise<Execution[]> {
	for (const node of workflow.nodes) {
		if (/ykVoiceTrigger$/.test(node.type)) {
			node.parameters.pollTimes = trigger({}, credential).parameters.pollTimes;
		}
	}
	const saved: SavedWorkflow = await n8n.saveWorkflow(workflow);
	await n8n.activate(saved);
			const address = `${n8n.url}/form/${form.webhookId as string}`;
			const authorization = `Basic ${Buffer.from('anna:secret').toString('base64')}`;
			const submit = async (phone: string) => {
				const body = new FormData();
				body.set('field-0', phone);
				body.set('field-1', 'Yes');
				const response = await fetch(address, { method: 'POST', body, headers: { authorization } });
				return { status: response.status, text: await response.text() };
			};

			await n8n.until(async () => (await fetch(address)).status !== 404, 10_000);
			expect((await fetch(address)).status).toBe(401);
			const page = await (await fetch(address, { headers: { authorization } })).text();
			expect(page).toContain(question);
			const refused = await submit('+393339999999');
			expect(emulator.store.testCalls).toEqual([]);
			const placed = await submit('+393331234567');
			await n8n.deactivate(saved);

			expect(emulator.store.testCalls).toHaveLength(1);
			expect(placed.status).toBe(200);
			expect(refused.text).not.toBe(placed.text);
			const ends = (await n8n.executions(saved.id)).map(({ status }) => status);
			expect(ends).toEqual(['error', 'success']);
		});
	});

	describe('agent-prompt-rollout', () => {
		const start = 'When clicking ‘Execute workflow’';
		const withPrompt = (apply: boolean, only = '') =>
			setUp('agent-prompt-rollout', (node) => {
				enter(node('New prompt'), 'prompt', PROMPT);
				enter(node('New prompt'), 'only_names_with', only);
				enter(node('New prompt'), 'apply', apply);
			});
		const prompts = () =>
			new Map(emulator.store.agents.all().map((agent) => [agent.name, agent.prompt_instructions]));

		beforeEach(() => {
			const { agents } = emulator.store;
			const named = (name: string) => agents.find((agent) => agent.name === name)!.id;
			agents.change(named('Aurora Live'), { prompt_instructions: `${PROMPT}\n` });
			agents.change(named('Aurora Front Desk'), { prompt_instructions: null });
			agents.change(named('Aurora Night Line'), {
				prompt_instructions: 'You answer for Trattoria Aurora.\nBe witty.',
			});
		});

		it('shows what would change, and changes nothing', async () => {
			const execution = await execute(withPrompt(false), start);
			const shown = outputOf(execution, 'Preview, nothing changed');
			expect(shown.map(({ name }) => name).sort()).toEqual([
				'Aurora Front Desk',
				'Aurora Night Line',
			]);
			expect(shown.find(({ name }) => name === 'Aurora Night Line')).toMatchObject({
				before: 'You answer for Trattoria Aurora.\nBe witty.',
				after: PROMPT,
				lines_removed: ['Be witty.'],
				lines_added: ['Be brief and kind.', 'Ask for the name.'],
			});
			expect(written()).toEqual([]);
		});

		it('changes the agents whose prompt differs, and only their prompt', async () => {
			const before = prompts();
			const execution = await execute(withPrompt(true), start);
			const changed = ['Aurora Front Desk', 'Aurora Night Line'];
			expect(prompts()).toEqual(
				new Map(
					[...before].map(([name, prompt]) => [name, changed.includes(name) ? PROMPT : prompt]),
				),
			);
			expect(written().map(({ body }) => body)).toEqual(
				changed.map(() => ({ prompt_instructions: PROMPT })),
			);
			const done = outputOf(execution, 'Changed');
			expect(done).toHaveLength(2);
			for (const { name, before: old, after } of done) {
				expect({ old, after }).toEqual({ old: before.get(name as string) ?? '', after: PROMPT });
			}
		});

		it('changes those with a part of the name only', async () => {
			await execute(withPrompt(true, 'night'), start);
			expect(written()).toHaveLength(1);
			expect(prompts().get('Aurora Night Line')).toBe(PROMPT);
		});

		it('does nothing without a prompt', async () => {
			const workflow = setUp('agent-prompt-rollout', (node) => {
				enter(node('New prompt'), 'apply', true);
			});
			await execute(workflow, start);
			expect(written()).toEqual([]);
		});
	});

	describe('low-balance-alert', () => {
		it('says what it is about', async () => {
			emulator.store.setBalance(7.5);
			const execution = await execute(setUp('low-balance-alert'), 'Low balance');
			expect(outputOf(execution, 'Replace with your alert')).toEqual([
				{
					message: 'The YK Voice balance is 7.5 EUR, below 20. Automatic top-up is on.',
					balance: 7.5,
				},
			]);
			expect(written()).toEqual([]);
		});

		it('alerts once when the balance falls', async () => {
			const executions = await live(setUp('low-balance-alert'), () => {
				emulator.store.setBalance(19.99);
			});
			expect(executions).toHaveLength(1);
		});
	});

	describe('weekly-orders-digest', () => {
		it('adds up the orders of the week by status', async () => {
			const { store } = emulator;
			for (const { id } of store.orders.all()) store.removeOrder(id);
			const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
			store.addOrder({ total_amount: 10.5, created_at: ago(1) });
			store.addOrder({ total_amount: 4, created_at: ago(6.9) });
			store.addOrder({ total_amount: 99, created_at: ago(7.1) });
			store.addOrder({ total_amount: 7, created_at: ago(2), status: 'refused' });

			const execution = await execute(setUp('weekly-orders-digest'), 'Every Monday');

			const digests = outputOf(execution, 'Replace with your e-mail');
			expect(digests).toHaveLength(1);
			expect(digests[0]?.orders).toBe(3);
			const lines = String(digests[0]?.text).split('\n');
			expect(lines[0]).toBe('Orders of the last seven days:');
			expect(lines.slice(1).sort()).toEqual(['- pending: 2, 14.50', '- refused: 1, 7.00']);
			expect(written()).toEqual([]);
		});

		it('says so when there was none', async () => {
			for (const { id } of emulator.store.orders.all()) emulator.store.removeOrder(id);
			const execution = await execute(setUp('weekly-orders-digest'), 'Every Monday');
			expect(outputOf(execution, 'Replace with your e-mail')).toEqual([
				{ orders: 0, text: 'No orders in the last seven days.' },
			]);
		});
	});
});
