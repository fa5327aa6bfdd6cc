import type { INodeParameters, INodeTypeDescription, NodeParameterValueType } from 'n8n-workflow';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { workflow as n8nWorkflow } from '../support/n8n.ts';
import { ROOT } from '../support/root.ts';
import { examples } from './demo.ts';
import { hostsToTest, installHost } from './host.ts';
import { startModel, type Model } from './model.ts';
import {
	ARTIFACTS,
	freePort,
	N8n,
	outputOf,
	type Execution,
	type SavedWorkflow,
	type WorkflowJson,
	type WorkflowNode,
} from './n8n.ts';
import {
	locator,
	pinned,
	trigger,
	withCredential,
	withMappings,
	type CredentialRef,
} from './workflows.ts';

const EXAMPLES = examples();

const example = (name: string) => structuredClone(EXAMPLES.get(name)!);

const README = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');

const isSticky = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: WorkflowNode) => type.startsWith('n8n-nodes-yk-voice.');

/** Nodes of other services, which need an account that the user has to have. */
const isApp = ({ type }: WorkflowNode) =>
	/\.(slack|gmail|googleSheets|hubspot|airtable|twilio|chainLlm|agent|lmChat\w+)$/.test(type);

const PROMPT = 'You answer for Trattoria Aurora.\nBe brief and kind.\nAsk for the name.';

const MANUAL = 'When clicking ‘Execute workflow’';

const DAY = 86_400_000;

type Json = Record<string, unknown>;
type Choose = (node: (name: string) => INodeParameters) => void;

let n8n: N8n;
let emulator: Emulator;
let model: Model;
let port: number;
let credential: CredentialRef;
let modelCredential: CredentialRef;
/** Of every node that the real n8n knows, each version. */
let known: INodeTypeDescription[];

async function startHost(name: string): Promise<void> {
	port = await freePort();
	await renewEmulator();
	model = await startModel();
	n8n = await N8n.start({
		host: installHost(name),
		pack: inject('pack'),
	});
	await n8n.installPackage();
	credential = await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
	modelCredential = await n8n.createCredential(
		{ apiKey: 'sk-none', url: model.url },
		{ name: 'Model', type: 'openAiApi' },
	);
	const response = await fetch(`${n8n.url}/types/nodes.json`, { headers: session() });
	known = (await response.json()) as INodeTypeDescription[];
}

async function renewEmulator(data: 'demo' | 'small' = 'small'): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator({ data, port });
}

/**
 * What the user does after importing: the credential, and what else the notes ask for. Beside each
 * node of another service, which is switched off, stands what it would send.
 */
function setUp(name: string, choose: Choose = () => {}): WorkflowJson {
	const workflow = withMappings(withCredential(example(name), credential));
	choose((wanted) => {
		const node = workflow.nodes.find((one) => one.name === wanted);
		if (node === undefined) throw new Error(`${name} has no node ${wanted}`);
		return node.parameters as INodeParameters;
	});
	return workflow;
}

/** What a node of another service would send: its mapped fields, by their names. */
const sent = (execution: Execution, node: string) => outputOf(execution, `${node}: mapped`);

/** Enters a value in an Edit Fields node. */
function enter(parameters: INodeParameters, name: string, value: NodeParameterValueType): void {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	assignments.find((one) => one.name === name)!.value = value;
}

async function begin(workflow: WorkflowJson, start: string): Promise<string> {
	const saved = await n8n.saveWorkflow(workflow);
	const { executionId } = await n8n.rest<{ executionId: string }>(
		'POST',
		`/workflows/${saved.id}/run`,
		{ workflowData: saved, triggerToStartFrom: { name: start } },
	);
	return executionId;
}

/** Runs from one trigger to the end, which must be a good one. */
async function execute(workflow: WorkflowJson, start: string, items?: Json[]): Promise<Execution> {
	const execution = await n8n.finished(
		await begin(items ? pinned(workflow, { [start]: items }) : workflow, start),
		110_000,
	);
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
	// n8n says yes before it has activated; what comes before the first look is not new.
	await n8n.until(() => emulator.requests.length >= 2);
	happen();
	await n8n.until(async () => (await n8n.executions(saved.id)).length > 0, 60_000, 500);
	const polled = emulator.requests.length;
	// Two polls more, which must not start it again.
	await n8n.until(() => emulator.requests.length >= polled + 2, 60_000);
	const executions = await n8n.executions(saved.id);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.finished(id)));
	await n8n.deactivate(saved);
	for (const { status, data } of ended) {
		expect(data.resultData.error).toBeUndefined();
		expect(status).toBe('success');
	}
	return ended;
}

/** The file that a node made, as the editor downloads it. */
async function fileOf(
	{ data }: Execution,
	node: string,
	field = 'data',
): Promise<{ name: string; text: string }> {
	const [item] = data.resultData.runData[node]?.[0]?.data?.main[0] ?? [];
	const { binary } = item as unknown as {
		binary: Record<string, { id?: string; data: string; fileName: string }>;
	};
	const { id, data: content, fileName } = binary[field]!;
	if (id === undefined) {
		return { name: fileName, text: Buffer.from(content, 'base64').toString() };
	}
	const address = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id)}&action=download`;
	const response = await fetch(address, { headers: session() });
	expect(response.status).toBe(200);
	return { name: fileName, text: await response.text() };
}

const session = () => ({
	cookie: `${n8n.session.name}=${n8n.session.value}`,
	'browser-id': 'e2e',
});

const written = () => emulator.requests.filter(({ method }) => method !== 'GET');

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Leaves no calls, so that a test counts its own. */
function withoutCalls(store = emulator.store): void {
	for (const { id } of store.calls.all()) store.removeCall(id);
}

/** A day of this month or, with an offset of -1, of the last. */
const dayOf = (offset: number, day: number) => {
	const now = new Date();
	return new Date(
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day, 12),
	).toISOString();
};

describe.each(hostsToTest())('%s', (hostName) => {
	beforeAll(async () => await startHost(hostName));

	afterAll(async () => {
		await n8n?.dispose(`examples-${hostName}`);
		await model?.close();
		await emulator?.close();
	});

	describe.each([...EXAMPLES.keys()])('%s', theFile);
	describe('what the examples do', whatTheyDo);
});

function theFile(name: string): void {
	const { nodes, connections, settings } = example(name);
	const notes = nodes.filter(isSticky).map(({ parameters }) => String(parameters.content));
	const plain = nodes.filter((node) => !isSticky(node));

	it('holds nothing of an account', () => {
		expect(Object.keys(example(name)).sort()).toEqual(
			['connections', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		expect(example(name).pinData).toEqual({});
		expect(settings).toEqual({ executionOrder: 'v1' });
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		const values = JSON.stringify(nodes.map(({ parameters }) => stripped(parameters)));
		expect(values).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i);
		expect(values).not.toMatch(/yk_|https?:|\bBearer\b/);
	});

	it('is explained by notes: what it saves, the steps of its set-up, what it changes', () => {
		const [first = ''] = notes;
		expect(notes.length).toBeGreaterThanOrEqual(2);
		expect(first).toMatch(/\*\*Saves you\*\* /);
		expect(first).toMatch(/\*\*Set up\*\*\n1\. .*\n2\. /);
		expect(first).toContain('YK Voice API');
		const changes = nodes
			.filter(isOurs)
			.some(
				({ parameters: { operation } }) => operation && !/^(get|count)/.test(String(operation)),
			);
		expect(first).toMatch(changes ? /\*\*It (changes data|costs money)/ : /only reads/);
		const isForAgencies = nodes.some((node) => node.name === 'Clients');
		if (isForAgencies) expect(notes[1]).toMatch(/(\| |`: )NORTH\b[^]*\{\{ \(\{ NORTH: [^]*\$vars/);
		expect(README.includes(`(${name}.json)`), 'named in the README').toBe(true);
	});

	it('ends in real nodes, of which those of other services are switched off', () => {
		const off = nodes.filter((node) => node.disabled).map((node) => node.name);
		expect(off).toEqual(nodes.filter(isApp).map((node) => node.name));
		for (const app of nodes.filter(isApp)) {
			expect(JSON.stringify(app.parameters), app.name).toMatch(/"=|recording|gpt/);
		}
	});

	it('is tidy: names are unique, nodes keep their distance, each in front of one note', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		for (const one of plain) {
			expect(one.position[0] % 220, one.name).toBe(0);
			const near = plain.filter(
				({ position: [x, y] }) =>
					Math.abs(x - one.position[0]) < 220 && Math.abs(y - one.position[1]) < 180,
			);
			expect(near.map((node) => node.name)).toEqual([one.name]);
			const around = nodes.filter(isSticky).filter(({ position: [x, y], parameters }) => {
				const [left, top] = [one.position[0] - x, one.position[1] - y];
				const { width, height } = parameters as { width: number; height: number };
				return left >= 0 && top >= 0 && left + 96 <= width && top + 96 <= height;
			});
			expect(around.length, `notes behind ${one.name}`).toBe(1);
		}
	});

	it('connects nodes that exist, each reached from a trigger', () => {
		const links = Object.entries(connections).flatMap(([from, outputs]) =>
			Object.entries(outputs as Record<string, Array<Array<{ node: string }>>>).flatMap(
				([type, ends]) =>
					// A model or a tool belongs to the node that it serves.
					ends.flat().map(({ node }) => (type === 'main' ? [from, node] : [node, from])),
			),
		);
		const reached = new Set(
			nodes.filter(({ type }) => /trigger$/i.test(type)).map((node) => node.name),
		);
		for (const one of reached) for (const [from, to] of links) if (from === one) reached.add(to!);
		expect([...reached].sort()).toEqual(plain.map((node) => node.name).sort());
	});

	it('uses nodes and parameters that the real n8n knows', () => {
		for (const node of nodes) {
			const description = known.find(
				({ name: type, version }) =>
					type === node.type && [version].flat().includes(node.typeVersion),
			);
			expect(description, `${node.type} ${node.typeVersion}`).toBeDefined();
			expect(node.type).toMatch(/^(n8n-nodes-(base|yk-voice)|@n8n\/n8n-nodes-langchain)\./);
			// What n8n shows of these values is all of them: it leaves out what it does not know.
			const shown = n8nWorkflow.NodeHelpers.getNodeParameters(
				description!.properties,
				node.parameters as INodeParameters,
				true,
				false,
				node as never,
				description!,
			);
			expect(leaves(shown), node.name).toEqual(expect.arrayContaining(leaves(node.parameters)));
			const issues = n8nWorkflow.NodeHelpers.getNodeParametersIssues(
				description!.properties,
				{ ...node, disabled: false, parameters: shown } as never,
				description!,
			);
			// Only what the user must choose or enter is left open.
			const open = Object.entries(node.parameters)
				.filter(([, value]) => value === '' || JSON.stringify(value) === BLANK)
				.map(([parameter]) => parameter);
			expect(Object.keys(issues?.parameters ?? {}), node.name).toEqual(open);
		}
	});

	it('is imported as it is', async () => {
		const saved = await n8n.saveWorkflow(example(name));
		const { nodes: kept, active } = await n8n.rest<SavedWorkflow>('GET', `/workflows/${saved.id}`);
		expect(active).toBe(false);
		expect(kept.map(({ parameters }) => parameters)).toEqual(
			nodes.map(({ parameters }) => parameters),
		);
	});
}

/** A record that the user has to choose. */
const BLANK = JSON.stringify({ __rl: true, mode: 'list', value: '' });

/** Without the ids by which n8n tells one line of a list from the next. */
function stripped(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(stripped);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, entry]) => key !== 'id' || !/^[0-9a-f-]{36}$/.test(String(entry)))
			.map(([key, entry]) => [key, stripped(entry)]),
	);
}

/** Every value with its path. */
function leaves(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [`${path} ${JSON.stringify(value)}`];
	return Object.entries(value).flatMap(([key, entry]) => leaves(entry, `${path}.${key}`));
}

/** An account for each of three clients, and a workflow whose one credential finds the keys by name. */
async function forThreeClients(name: string, columns: Json = {}) {
	const [south, west] = [emulator.addOrganization(), emulator.addOrganization()];
	const stores = { north: emulator.store, south: south.store, west: west.store };
	const keys = { NORTH: emulator.keys.all, SOUTH: south.apiKey, WEST: west.apiKey };
	for (const store of Object.values(stores)) {
		withoutCalls(store);
		for (const { id } of store.transactions.all()) store.transactions.remove(id);
	}
	const named = Object.entries(keys).map(([key_name, key]) => `${key_name}: '${key}'`);
	const found = await n8n.createCredential(
		{ apiKey: `={{ ({ ${named.join(', ')} })[$json.key_name] }}`, baseUrl: emulator.url },
		{ name: 'All clients' },
	);
	const rows = ['North & Sons', 'South', 'West'].map((client, index) => ({
		client,
		key_name: Object.keys(keys)[index],
		email: `${index}@example.com`,
		...columns,
	}));
	const workflow = pinned(withMappings(withCredential(example(name), found)), { Clients: rows });
	return { ...stores, workflow, revoke: south.revoke };
}

/** A data table of n8n with these rows, all of whose columns are texts. */
async function dataTable(name: string, rows: Array<Record<string, string>>) {
	const project = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const columns = Object.keys(rows[0]!).map((column) => ({ name: column, type: 'string' }));
	const { id } = await n8n.rest<{ id: string }>('POST', tables, { name, columns });
	await n8n.rest('POST', `${tables}/${id}/insert`, { data: rows, returnType: 'id' });
	const read = async () => await n8n.rest<{ data: Json[] }>('GET', `${tables}/${id}/rows`);
	return { id, rows: async () => (await read()).data };
}

function whatTheyDo(): void {
	beforeEach(async () => await renewEmulator());

	it('call-export-to-table: as many rows as calls', async () => {
		await renewEmulator('demo');
		const since = Date.now() - 30 * DAY;
		const recent = emulator.store.calls
			.all()
			.filter(({ created_at: date }) => Date.parse(date) > since);

		const execution = await execute(setUp('call-export-to-table'), MANUAL);

		const { name, text } = await fileOf(execution, 'Make a CSV file');
		expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
		expect(text).toContain('Created,Status,Agent,Phone,Seconds,Summary,Call ID');
		expect(recent.length).toBeGreaterThan(1000);
		// A call may leave the thirty days while they are read.
		const missing = recent.filter(({ id }) => !text.includes(id));
		expect(missing.length).toBeLessThanOrEqual(1);
		const rows = sent(execution, 'Rows in Google Sheets');
		expect(rows).toHaveLength(recent.length - missing.length);
		const completed = recent.filter((call) => emulator.store.summaryOf(call)).at(-1)!;
		const row = {
			Created: completed.created_at,
			Status: completed.call_status,
			Agent: completed.agent_name,
			Phone: completed.phone_number,
			Seconds: String(completed.duration_seconds),
			Summary: emulator.store.summaryOf(completed),
			'Call ID': completed.id,
		};
		expect(rows).toContainEqual(row);
		expect(written()).toEqual([]);
	});

	describe('monthly-client-report', () => {
		it('counts the calls of last month alone, beside those of the month before', async () => {
			const { store } = emulator;
			withoutCalls();
			for (const day of [1, 12]) store.addCall({ created_at: dayOf(-1, day) });
			store.addCall({ created_at: dayOf(-1, 12), call_status: 'Busy' });
			store.addCall({ created_at: dayOf(-2, 28) });
			store.addCall({ created_at: dayOf(0, 1) });

			const execution = await execute(setUp('monthly-client-report'), 'Every month');

			const [mail, ...more] = sent(execution, 'Send the report');
			expect(more).toEqual([]);
			expect(mail?.subject).toMatch(/^Calls in \w+ \d{4}$/);
			const { minutes_used: used, minutes_included: included } = store.usage!;
			expect(mail?.message).toContain(
				'Calls: 3 (1 the month before)\n- Completed: 2\n- Busy: 1\n\nMinutes on the phone: ',
			);
			expect(mail?.message).toContain(`billing period: ${used} of ${included}\nBalance: 84.35 EUR`);
			expect(written()).toEqual([]);
		});

		it('reports a month without calls, in an account without a plan', async () => {
			withoutCalls();
			emulator.store.usage = null;
			const execution = await execute(setUp('monthly-client-report'), 'Every month');
			const [mail] = sent(execution, 'Send the report');
			expect(mail?.message).toMatch(/Calls: 0 \(0 .*no active plan\nBalance: 84\.35 EUR/s);
		});
	});

	describe('call-summary-to-crm-contact', () => {
		const at = (phone: string) =>
			emulator.store.contacts.find(({ phone_number: number }) => number === phone);

		it('adds the summary of the newest call to the contact, fetched as a test event', async () => {
			const { store } = emulator;
			const before = { ...store.addContact({ notes: 'Prefers the terrace' }) };
			const call = store.addCall(
				{ phone_number: before.phone_number },
				{ summary: 'Booked & paid, 7 > 5.' },
			);
			const note = `${call.created_at.slice(0, 10)}: Booked & paid, 7 > 5.`;

			const workflow = setUp('call-summary-to-crm-contact');
			const found = [{ id: '501', properties: {} }];
			const execution = await execute(
				pinned(workflow, { 'Find the caller in HubSpot': found }),
				'Call ready',
			);

			const { updated_at: _, ...kept } = before;
			expect(at(before.phone_number)).toMatchObject({
				...kept,
				notes: `Prefers the terrace\n${note}`,
			});
			expect(sent(execution, 'Log the call in HubSpot')).toEqual([
				{ body: note, fromNumber: before.phone_number, contactIds: '501' },
			]);
		});

		it('makes contacts, keeps both notes of one person, and leaves out who has no number', async () => {
			const { store } = emulator;
			const count = store.contacts.size;
			const present = { ...store.contacts.all()[0]! };
			const ready = (phone_number: string | null, summary: string | null) => ({
				created_at: '2026-03-04T05:06:07Z',
				phone_number,
				summary,
			});

			await execute(setUp('call-summary-to-crm-contact'), 'Call ready', [
				ready('+393470004444', 'One.'),
				ready(present.phone_number, 'Two.'),
				ready('anonymous', 'Three.'),
				ready(null, 'Four.'),
				ready('+393470005555', null),
				ready('+393470004444', 'Six.'),
			]);

			expect(at('+393470004444')?.notes).toBe('2026-03-04: One.\n2026-03-04: Six.');
			expect(at(present.phone_number)).toMatchObject({
				email: present.email,
				custom_fields: present.custom_fields,
				notes: [present.notes, '2026-03-04: Two.'].filter(Boolean).join('\n'),
			});
			expect(store.contacts.size).toBe(count + 1);
		});

		it('overwrites no notes where they cannot be read', async () => {
			const { phone_number } = emulator.store.addContact({ notes: 'Prefers the terrace' });
			const match = ({ method }: { method: string }) => method === 'GET';
			emulator.faults.add({ kind: 'status', status: 500, times: Infinity, match });
			const ready = { created_at: '2026-03-04T05:06:07Z', phone_number, summary: 'One.' };
			const run = execute(setUp('call-summary-to-crm-contact'), 'Call ready', [ready]);
			await expect(run).rejects.toThrow();
			emulator.faults.clear();
			expect(written()).toEqual([]);
			expect(at(phone_number)?.notes).toBe('Prefers the terrace');
		});

		it('runs once for a call that comes in, when its summary is there', async () => {
			const phone = '+393470006666';
			const executions = await live(setUp('call-summary-to-crm-contact'), () => {
				emulator.store.addCall(
					{ phone_number: phone },
					{ summaryAt: Date.now() + 7000, summary: 'Late.' },
				);
			});
			expect(executions).toHaveLength(1);
			expect(at(phone)?.notes).toMatch(/^[-0-9]{10}: Late\.$/);
		});
	});

	describe('order-confirm-or-refuse', () => {
		const line = (sku: string, name: string, price: number) => ({
			sku,
			name,
			quantity: 1,
			unit_price: price,
			total_price: price,
		});
		const withRules = (max_total: number | null = 100, out_of_stock = 'x-1, TIRAMISU') =>
			setUp('order-confirm-or-refuse', (node) => {
				if (max_total === null) return;
				enter(node('House rules'), 'max_total', max_total);
				enter(node('House rules'), 'out_of_stock', out_of_stock);
			});
		const add = (...lines: Array<ReturnType<typeof line>>) =>
			emulator.store.addOrder({ line_items: lines });
		const now = (id: string) => emulator.store.orders.get(id)!;

		it('confirms, refuses with a reason, or asks a person', async () => {
			const fine = add(line('PIZZA', 'Pizza', 100));
			const missing = add(line('PIZZA', 'Pizza', 10), line('Tiramisu', 'Tiramisù', 6));
			const large = add(line('PIZZA', 'Pizza', 100.01));
			const decided = add(line('PIZZA', 'Pizza', 10));
			emulator.store.setOrderStatus(decided.id, 'cancelled');
			const rest = emulator.store.orders.all().map((order) => ({ ...order }));

			const execution = await execute(
				withRules(),
				'New order',
				[fine, missing, large, decided].map(({ id }) => ({ id, status: 'pending' })),
			);

			expect(now(fine.id)).toMatchObject({ status: 'confirmed' });
			const status_reason = 'Sorry, we are out of Tiramisù.';
			expect(now(missing.id)).toMatchObject({ status: 'refused', status_reason });
			expect(now(large.id).status).toBe('pending');
			const [asked, ...more] = sent(execution, 'Ask the team in Slack');
			expect(more).toEqual([]);
			expect(asked?.text).toMatch(`Please decide on order ${large.order_number}: 100.01 `);
			const { customer_name: Customer } = missing;
			const rows = sent(execution, 'Orders in Google Sheets');
			expect(rows).toHaveLength(2);
			expect(rows).toContainEqual({
				Order: missing.id,
				Status: 'refused',
				Reason: status_reason,
				Amount: '16',
				Customer,
			});
			const others = rest.filter(({ id }) => ![fine.id, missing.id].includes(id));
			expect(others.map(({ id }) => now(id))).toEqual(others);
			expect(written()).toHaveLength(2);
		});

		it('hands an order that the API refuses to move to the team, and goes on', async () => {
			const [moved, fine] = [add(line('A', 'A', 1)), add(line('B', 'B', 2))];
			let hasMoved = false;
			emulator.before(({ method }) => {
				if (method !== 'PATCH' || hasMoved) return;
				hasMoved = true;
				emulator.store.setOrderStatus(moved.id, 'refused', 'By phone');
			});
			const execution = await execute(withRules(), 'New order', [
				{ id: moved.id },
				{ id: fine.id },
			]);
			expect(now(moved.id).status_reason).toBe('By phone');
			expect(now(fine.id).status).toBe('confirmed');
			expect(sent(execution, 'Ask the team in Slack')).toEqual([
				{ text: expect.stringMatching(/^An order could not be moved.*400/) },
			]);
		});

		const pizza = () => add(line('PIZZA', 'Pizza', 10));
		const totalling = (total_amount: number | null) => () => {
			const order = add();
			emulator.store.orders.change(order.id, { total_amount: total_amount as number });
			return order;
		};
		const delivery = () => add(line('', 'Delivery', 3));

		it.each([
			['before the rules are set', pizza, null, ''],
			['with a total of 0', totalling(0), 100, ''],
			['with a total of 0 before the rules are set', totalling(0), null, ''],
			['without a total', totalling(null), 100, ''],
			['of which a line has no SKU', delivery, 100, 'X-1,'],
		])('hands an order %s to a person', async (_what, make, max_total, out_of_stock) => {
			const { id } = make();
			const workflow = withRules(max_total, out_of_stock);
			const execution = await execute(workflow, 'New order', [{ id }]);
			expect(outputOf(execution, 'Ask the team in Slack').map((one) => one.id)).toEqual([id]);
			expect(written()).toEqual([]);
		});

		it('decides each order that comes in, once', async () => {
			let id = '';
			const executions = await live(withRules(), () => {
				({ id } = pizza());
			});
			expect(executions).toHaveLength(1);
			expect(now(id).status).toBe('confirmed');
			expect(written()).toHaveLength(1);
		});
	});

	describe('nightly-campaign', () => {
		const add = (status: string, counts: object = {}) =>
			emulator.store.addCampaign({ status: status as 'draft', ...counts });
		const chosen = (id: string) =>
			setUp('nightly-campaign', (node) => {
				node('Get campaign').campaign_id = locator(id, 'list');
				node('Get the same campaign').campaign_id = locator(id, 'list');
			});
		const good = { completed: 70, failed: 30 };
		const bad = { completed: 9, failed: 11 };
		const few = { completed: 0, failed: 19 };

		it.each([
			['Every evening', 'draft', {}, 'running', /calls people until 21:00/],
			['Every evening', 'scheduled', {}, 'scheduled', undefined],
			['Every evening', 'paused', {}, 'running', /calls people until 21:00/],
			['Every evening', 'running', {}, 'running', undefined],
			['Every evening', 'stopped', {}, 'stopped', undefined],
			['Every evening', 'completed', {}, 'completed', undefined],
			['Every night', 'running', good, 'paused', /rests: 100 calls so far, 30 % failed/],
			['Every night', 'running', bad, 'stopped', /rests: 20 calls so far, 55 % failed/],
			['Every night', 'running', few, 'paused', /rests: 19 calls/],
			['Every night', 'completed', bad, 'completed', undefined],
			['Every night', 'draft', {}, 'draft', undefined],
		])('%s: %s %j becomes %s', async (start, from, counts, to, said) => {
			const campaign = add(from, counts);
			const execution = await execute(chosen(campaign.id), start);
			expect(emulator.store.campaigns.get(campaign.id)?.status).toBe(to);
			expect(written()).toHaveLength(from === to ? 0 : 1);
			const told = ['calls', 'rests'].flatMap((what) =>
				sent(execution, `Say in Slack that it ${what}`),
			);
			expect(told).toEqual(said ? [{ text: expect.stringMatching(said) as string }] : []);
		});

		it('pauses at night though the statistics cannot be read, or the state has another name', async () => {
			const campaign = add('running', bad);
			const match = ({ path }: { path: string }) => /\/stat\w+$/.test(path);
			emulator.faults.add({ kind: 'status', status: 500, match });
			await execute(chosen(campaign.id), 'Every night');
			expect(emulator.store.campaigns.get(campaign.id)?.status).toBe('paused');

			const other = add('In Progress', good);
			await expect(execute(chosen(other.id), 'Every night')).rejects.toThrow();
			expect(written().at(-1)?.path).toMatch(/pause$/);
		});

		it.each(['Every evening', 'Every night'])(
			'%s: sends nothing before a campaign is chosen',
			async (start) => {
				await expect(execute(setUp('nightly-campaign'), start)).rejects.toThrow();
				expect(emulator.requests).toEqual([]);
			},
		);
	});

	describe('test calls', () => {
		const start = 'On form submission';
		const agentId = () =>
			emulator.store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;
		const chosen = (name: string) =>
			setUp(name, (node) => {
				node('Make test call').agent_id = locator(agentId(), 'list');
			});
		const form = (answer: string) => ({
			'Phone number': '+39 333 123 4567',
			'E-mail': 'anna@example.test',
			'Place a real call?': answer,
			submittedAt: '2026-03-04T05:06:07.000Z',
			formMode: 'test',
		});

		it('test-call-outcome: waits for the end of exactly one call, and mails its summary', async () => {
			emulator.store.testCallCourse = { beginsAfter: 500, endsAfter: 1500, summaryAfter: 2500 };
			const execution = await execute(chosen('test-call-outcome'), start, [form('Yes')]);
			expect(emulator.store.testCalls).toHaveLength(1);
			const made = emulator.store.calls.all().at(-1)!;
			expect(sent(execution, 'Send the outcome')).toEqual([
				{
					sendTo: 'anna@example.test',
					subject: 'Your test call: Completed',
					message: emulator.store.summaryOf(made),
				},
			]);
		});

		it('test-call-outcome: says what is known where two calls could be meant', async () => {
			emulator.before(({ method }) => {
				if (method !== 'POST') return;
				emulator.store.addCall({ agent_id: agentId(), phone_number: '+393331234567' });
			});
			const execution = await execute(chosen('test-call-outcome'), start, [form('Yes')]);
			expect(emulator.store.testCalls).toHaveLength(1);
			const [mail] = sent(execution, 'Send the outcome');
			expect(mail?.subject).toBe('Your test call: its outcome is not known');
			expect(mail?.message).toMatch(/^More than one call matches/);
		});

		it('test-call-from-form: places exactly one call', async () => {
			const execution = await execute(chosen('test-call-from-form'), start, [form('Yes')]);
			const { testCalls } = emulator.store;
			expect(testCalls).toEqual([expect.objectContaining({ phone_number: '+393331234567' })]);
			expect(outputOf(execution, 'Called')).toEqual([
				{ message: 'Calling +39 333 123 4567', task_id: testCalls[0]?.task_id },
			]);
		});

		it.each(['test-call-outcome', 'test-call-from-form'])(
			'%s: places none without a yes, and none before an agent is chosen',
			async (name) => {
				const execution = await execute(chosen(name), start, [form('No')]);
				expect(outputOf(execution, 'Not called')).toEqual([{ message: 'No call was placed' }]);
				await expect(execute(setUp(name), start, [form('Yes')])).rejects.toThrow();
				expect(emulator.requests).toEqual([]);
			},
		);

		it('test-call-from-form: answers the form itself, behind its password', async () => {
			const basic = await n8n.createCredential(
				{ user: 'anna', password: 'secret' },
				{ name: 'Form', type: 'httpBasicAuth' },
			);
			const workflow = chosen('test-call-from-form');
			const form = workflow.nodes.find((node) => node.name === start)!;
			form.credentials = { httpBasicAuth: basic };
			const saved = await n8n.saveWorkflow(workflow);
			await n8n.activate(saved);
			const address = `${n8n.url}/form/${form.webhookId as string}`;
			const authorization = `Basic ${Buffer.from('anna:secret').toString('base64')}`;
			const submit = async (phone: string) => {
				const body = new FormData();
				body.set('field-0', phone);
				body.set('field-1', 'Yes');
				const response = await fetch(address, { method: 'POST', body, headers: { authorization } });
				return await response.text();
			};
			await n8n.until(async () => (await fetch(address)).status === 401, 10_000);
			const refused = await submit('+393339999999');
			expect(emulator.store.testCalls).toEqual([]);
			expect(await submit('+393331234567')).not.toBe(refused);
			expect(emulator.store.testCalls).toHaveLength(1);
			await n8n.deactivate(saved);
			expect(await n8n.statuses(saved.id)).toEqual(['error', 'success']);
		});
	});

	describe('approve-campaign', () => {
		const statusOf = (id: string) => emulator.store.campaigns.get(id)?.status;
		const campaignOf = (status: string) =>
			emulator.store.campaigns.find((one) => one.status === status)!.id;
		const chosen = (id: string) =>
			setUp('approve-campaign', (node) => {
				node('Get campaign').campaign_id = locator(id, 'list');
			});
		const answering = (id: string, approved: boolean) =>
			pinned(chosen(id), { 'Ask in Slack': [{ data: { approved } }] });

		it('starts the campaign with a yes, and says how it ended', async () => {
			const id = campaignOf('draft');
			emulator.before(({ method, path }) => {
				const isAsked = method === 'GET' && path === `/campaigns/${id}`;
				if (isAsked && statusOf(id) === 'running') {
					emulator.store.campaigns.change(id, { status: 'completed' });
				}
			});
			const execution = await execute(answering(id, true), 'Every morning');
			expect(sent(execution, 'Ask in Slack')[0]?.message).toMatch(/^May the campaign ".+" start\?/);
			const [told] = sent(execution, 'Tell it in Slack');
			expect(told?.text).toContain('The campaign has ended: its state is completed.');
		});

		it.each([
			['a no', (id: string) => answering(id, false)],
			['no answer in time, or while the question is switched off', chosen],
		])('starts nothing with %s', async (_what, workflow) => {
			const id = campaignOf('draft');
			const execution = await execute(workflow(id), 'Every morning');
			expect(outputOf(execution, 'Not approved')).toHaveLength(1);
			expect(statusOf(id)).toBe('draft');
			expect(written()).toEqual([]);
		});

		it('asks nobody about a campaign that is not waiting to be started', async () => {
			const execution = await execute(chosen(campaignOf('paused')), 'Every morning');
			expect(execution.data.resultData.runData).not.toHaveProperty('Ask in Slack');
		});
	});

	describe('lead-form-call-back', () => {
		const lead = (answer: string, phone = '+39 (347) 000-1111') => ({
			'First name': 'Anna',
			'Last name': '',
			'E-mail': 'anna@example.test',
			'Phone number': phone,
			'May an AI assistant call you?': answer,
			submittedAt: '2026-03-04T05:06:07.000Z',
			formMode: 'test',
		});
		const submitted = async (...leads: Json[]) => {
			const list = emulator.store.addContactList();
			const campaign = emulator.store.addCampaign({ status: 'paused' });
			const workflow = setUp('lead-form-call-back', (node) => {
				node('Put on the list').contact_list_id = locator(list.id);
				node('Get campaign').campaign_id = locator(campaign.id);
			});
			const execution = await execute(workflow, 'Lead form', leads);
			const members = [...emulator.store.members.get(list.id)!];
			return { execution, status: campaign.status, members };
		};

		it('makes the contact, puts it on the list, and lets the campaign call', async () => {
			const { execution, status, members } = await submitted(lead('Yes'));
			const [contact] = members.map((id) => emulator.store.contacts.get(id));
			expect(contact).toMatchObject({
				first_name: 'Anna',
				email: 'anna@example.test',
				phone_number: '+393470001111',
			});
			expect(status).toBe('running');
			expect(sent(execution, 'Contact in HubSpot')).toMatchObject([
				{ email: 'anna@example.test', firstName: 'Anna', phoneNumber: '+393470001111' },
			]);
			expect(sent(execution, 'Tell the team in Slack')).toEqual([
				{ text: 'New lead, asks for a call: Anna , +393470001111, anna@example.test' },
			]);
		});

		it('calls nobody without a yes, and no number that is none', async () => {
			await submitted(lead('No'), lead('Yes', 'tomorrow'));
			expect(emulator.requests).toEqual([]);
		});
	});

	describe('approve-bookings', () => {
		it.each([
			['approves', { data: { approved: true } }, 'approved'],
			['rejects', { data: { approved: false } }, 'rejected'],
			['leaves without an answer', {}, 'pending'],
			['leaves, while the question is switched off,', undefined, 'pending'],
		])('%s an event as the person says', async (_what, answer, status) => {
			const { events } = emulator.store;
			const add = (status: 'pending' | 'confirmed') => {
				return { ...emulator.store.addEvent({ title: 'Table for two', status }) };
			};
			const [open, other, decided] = [add('pending'), add('pending'), add('confirmed')];
			const workflow = setUp('approve-bookings');
			const execution = await execute(
				answer ? pinned(workflow, { 'Ask in Slack': [answer] }) : workflow,
				'New event',
				[open, other, decided].map((event) => ({ ...event, change: 'new' })),
			);
			const now = [open, other, decided].map(({ id }) => events.get(id)?.status);
			expect(now).toEqual([status, status, 'confirmed']);
			const [{ message } = {}, ...more] = sent(execution, 'Ask in Slack');
			expect(message).toMatch(/^A new booking: Table for two, .+ Approve it\?$/);
			expect(more).toHaveLength(1);
		});
	});

	describe('contacts-hubspot-sync', () => {
		const properties = (phone: string, firstname: string, lastname = '') => ({
			id: phone,
			properties: { phone, firstname, lastname, email: null },
		});
		const fromHubSpot = async (...contacts: Json[]) =>
			await execute(
				pinned(setUp('contacts-hubspot-sync'), { 'Changed last in HubSpot': contacts }),
				'Every 15 minutes',
			);

		it('takes over what is new or differs in HubSpot, and nothing else', async () => {
			const { store } = emulator;
			const [same, other] = ['+393470001111', '+393470002222'].map((phone_number) => ({
				...store.addContact({ phone_number, first_name: 'Anna', last_name: 'Rossi' }),
			}));
			await fromHubSpot(
				properties('+39 347 000-1111', 'Anna'),
				properties('0039 (347) 0002222', 'Bea'),
				properties('+393470003333', 'Carla', 'Bianchi'),
				properties('', 'Dora'),
			);
			expect(store.contacts.get(same!.id)).toEqual(same);
			const { updated_at: _, ...kept } = other!;
			expect(store.contacts.get(other!.id)).toMatchObject({ ...kept, first_name: 'Bea' });
			const added = store.contacts.find((one) => one.phone_number === '+393470003333');
			expect(added).toMatchObject({ first_name: 'Carla', last_name: 'Bianchi' });
			expect(new Set(written().map(({ path }) => path)).size).toBe(2);
		});

		it('writes nothing if a contact cannot be read, or while HubSpot is switched off', async () => {
			await execute(setUp('contacts-hubspot-sync'), 'Every 15 minutes');
			const match = ({ method }: { method: string }) => method === 'GET';
			emulator.faults.add({ kind: 'status', status: 500, times: Infinity, match });
			await expect(fromHubSpot(properties('+393470003333', 'Carla'))).rejects.toThrow();
			expect(written()).toEqual([]);
		});
	});

	it('nightly-agent-test: what changed since last night, and a message if something fails', async () => {
		const { store } = emulator;
		withoutCalls();
		const agent_id = store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;
		const [phone_number] = store.verifiedNumbers;
		const row = (test: string, checks: Record<string, string>) => {
			const all = { must_say: '', must_not_say: '', outcome: '', max_seconds: '' };
			const last = { last_result: '', last_details: '' };
			return { test, agent_id, phone_number: phone_number!, ...all, ...checks, ...last };
		};
		const table = await dataTable('Agent tests', [
			row('Hours', { must_say: 'Until eleven; Sunday', must_not_say: 'I do not know' }),
			row('Length', { outcome: 'completed', max_seconds: '90' }),
		]);
		const workflow = setUp('nightly-agent-test', (node) => {
			for (const name of ['Agent tests', 'Remember the result']) {
				node(name).dataTableId = locator(table.id);
			}
		});
		/** A night on which the agents say this, and take so long. */
		const night = async (text: string, duration_seconds: number) => {
			const stop = emulator.before(({ path }) => {
				if (!path.startsWith('/call-history')) return;
				for (const { id } of store.calls.all()) {
					store.calls.change(id, { duration_seconds });
					store.callTimings.get(id)!.turns = [
						{ role: 'caller', text: 'I do not know when you are open.', at_seconds: 0 },
						{ role: 'agent', text, at_seconds: 4 },
					];
				}
			});
			store.testCallCourse = { beginsAfter: 200, endsAfter: 400 };
			const execution = await execute(workflow, 'Every night');
			stop();
			expect(sent(execution, 'Tell the team in Slack')).toHaveLength(duration_seconds > 90 ? 1 : 0);
			return sent(execution, 'Send the report');
		};

		expect(await night('Until eleven. On SUNDAY we are closed.', 60)).toEqual([
			{ subject: 'Agent tests: 0 of 2 failed', message: 'Passed:\n- Hours\n- Length' },
		]);
		const [hours, length] = [
			'Hours: did not say “Sunday”; said “I do not know”',
			'Length: took 120 seconds, not 90',
		];
		const before = (line: string) => line.replace(':', ' (passed before):');
		expect(await night('I do not know. Until eleven?', 120)).toEqual([
			{
				subject: 'Agent tests: 2 of 2 failed',
				message: `Changed since last night:\n- ${before(hours)}\n- ${before(length)}\n\nFailed:\n- ${hours}\n- ${length}`,
			},
		]);
		expect(await table.rows()).toMatchObject([
			{ test: 'Hours', last_result: 'failed', last_details: hours.replace('Hours: ', '') },
			{ test: 'Length', last_result: 'failed' },
		]);
		expect(store.testCalls).toHaveLength(4);
	});

	describe('with a model', () => {
		beforeEach(() => model.reset());

		/** Switched on, with a model that a test speaks for. */
		const withModel = (name: string): WorkflowJson => {
			const workflow = setUp(name);
			const nodes = workflow.nodes.map((node) => {
				const isOn = /langchain/.test(node.type);
				const isModel = node.type.endsWith('.lmChatOpenAi');
				const credentials = { openAiApi: modelCredential };
				return { ...node, ...(isOn && { disabled: false }), ...(isModel && { credentials }) };
			});
			return { ...workflow, nodes };
		};

		it('transcript-quality-score: a row per call, and a message for a poor one', async () => {
			const ready = (id: string, transcript_text: string) => {
				return { id, created_at: '2026-03-04T05:06:07Z', agent_name: 'Aurora', transcript_text };
			};
			const answer = { score: 4, wish_met: false, polite: true, reason: 'Why.', better: 'So.' };
			model.closing = JSON.stringify({ output: answer });
			const calls = [ready('1', 'Caller: Hello?'), ready('2', ''), ready('3', 'Caller: Hi.')];
			const start = 'Transcript ready';

			const execution = await execute(withModel('transcript-quality-score'), start, calls);

			const row = { Created: '2026-03-04T05:06:07Z', Agent: 'Aurora', Phone: '' };
			const said = {
				Score: '4',
				'Wish met': 'false',
				Polite: 'true',
				Reason: 'Why.',
				Better: 'So.',
			};
			expect(sent(execution, 'Scores in Google Sheets')).toEqual([
				{ 'Call ID': '1', ...row, ...said },
				{ 'Call ID': '3', ...row, ...said },
			]);
			const text = 'A call scored 4 of 10: Aurora with an unknown number.\nWhy.\nBetter: So.';
			expect(sent(execution, 'Tell the team in Slack')).toEqual([{ text }, { text }]);

			const off = await execute(setUp('transcript-quality-score'), start, calls);
			const rows = sent(off, 'Scores in Google Sheets');
			expect(rows.map((one) => [one['Call ID'], one.Score])).toEqual([
				['1', ''],
				['3', ''],
			]);
			expect(sent(off, 'Tell the team in Slack')).toEqual([]);
		});

		it('ask-your-calls: the agent counts, finds and reads calls, and changes nothing', async () => {
			const chat = { sessionId: 'one', action: 'sendMessage', chatInput: 'How many calls?' };
			model.says.push({ From: ago(30 * DAY), Until: ago(0), Group_By: 'none' });
			model.closing = 'So many.';
			const execution = await execute(withModel('ask-your-calls'), 'Chat', [chat]);
			expect(outputOf(execution, 'AI Agent')).toEqual([{ output: 'So many.' }]);
			expect(
				model
					.offered()
					.map(({ name }) => name)
					.sort(),
			).toEqual(['Count_calls', 'Find_calls', 'Read_a_call']);
			expect(model.read().join()).toMatch(/"calls":\d+/);
			expect(written()).toEqual([]);
			await execute(setUp('ask-your-calls'), 'Chat', [chat]);
		});
	});

	describe('what starts with an event of YK Voice, and only reads', () => {
		const text = (said: string | RegExp) => ({ text: expect.stringMatching(said) as string });

		/** What happens, and what is said of it then by the node of this name. */
		const EVENTS: Record<string, (store: Emulator['store']) => Record<string, Json[]>> = {
			'booking-messages': (store) => {
				const moved = store.events.all()[0]!;
				store.addEvent({
					title: 'Table for two',
					date: '2027-03-01',
					start_time: '20:00',
					status: 'pending',
				});
				store.events.change(moved.id, { date: '2027-03-02' });
				const changed = [moved.title, '2027-03-02', moved.start_time, moved.status].join(', ');
				return {
					'Tell the staff in Slack': [
						{ text: 'New: Table for two, 2027-03-01, 20:00, pending' },
						{ text: `Changed: ${changed}` },
					],
				};
			},
			'contacts-hubspot-sync': (store) => {
				const [first_name, phone_number] = ['Anna', '+393470007777'];
				const email = 'anna@example.test';
				store.addContact({ first_name, last_name: null, email, phone_number });
				store.addContact({ email: null });
				const changed = store.contacts.find((one) => Boolean(one.email))!;
				store.contacts.change(changed.id, { last_name: 'Neri' });
				const after = {
					email: changed.email,
					firstName: changed.first_name,
					lastName: 'Neri',
					phoneNumber: changed.phone_number,
				};
				const sent = { email, firstName: first_name, lastName: '', phoneNumber: phone_number };
				return { 'To HubSpot': [sent, after] };
			},
			'escalate-transferred-call': (store) => {
				const transfer_time = new Date().toISOString();
				const phone_number = '+393331234567';
				store.addCall({ transfer_time: null });
				store.addCall({ transfer_time, phone_number }, { summary: 'Wants a refund.' });
				const ticketName = `Call transferred at ${transfer_time}`;
				const said = /^Caller: \+393331234567\nCall: \S+\n\nWants a refund\.$/;
				return {
					'Open a ticket in HubSpot': [{ ticketName, description: text(said).text }],
					'Tell the team in Slack': [text(/\+393331234567\n\nWants a refund\.$/)],
				};
			},
			'low-balance-alert': (store) => {
				store.setBalance(7.5);
				const text = 'The YK Voice balance is 7.5 EUR, below 20. Automatic top-up is on.';
				return { 'Tell the team in Slack': [{ text }] };
			},
			'low-minutes-alert': (store) => {
				store.usage = {
					minutes_included: 1000,
					minutes_used: 900,
					minutes_remaining: 100,
					extra_minutes_used: 0,
					period_start: ago(9 * DAY),
					period_end: '2027-03-01T00:00:00Z',
				};
				const text =
					'YK Voice: 100 of 1000 minutes remain. At this pace they last about 1 days. The billing period ends on 1 March.';
				return { 'Tell the team in Slack': [{ text }], 'Send an e-mail': [{ message: text }] };
			},
			'orders-to-sheet': (store) => {
				const line = (name: string, quantity: number) => {
					return {
						name,
						sku: name.toUpperCase(),
						quantity,
						unit_price: 5,
						total_price: 5 * quantity,
					};
				};
				const order = store.addOrder({ line_items: [line('Pizza', 2), line('Wine', 1)] });
				const row = (Item: string, SKU: string, Quantity: string, Total: string) => ({
					Order: order.order_number,
					Created: order.created_at,
					Status: order.status,
					Customer: order.customer_name,
					Phone: order.customer_phone,
					...{ Item, SKU, Quantity, Price: '5', Total },
					Currency: order.currency,
					Notes: order.notes ?? '',
				});
				const rows = [row('Pizza', 'PIZZA', '2', '10'), row('Wine', 'WINE', '1', '5')];
				return { 'Rows in Google Sheets': rows };
			},
			'missed-call-message': (store) => {
				const add = (call_status: string, phone_number: string, isOurs = false) =>
					store.addCall({
						call_status,
						phone_number,
						direction: isOurs ? 'outbound' : 'inbound',
					});
				add('Busy', '+393470001111');
				add('Rejected', 'anonymous');
				add('Completed', '+393470002222');
				add('Busy', '+393470003333', true);
				return {
					'Tell the team in Slack': [
						text(/^Missed call from \+393470001111 at \d\d:\d\d \(Busy, .+\)$/),
						text(/^Missed call from anonymous at \d\d:\d\d \(Rejected, .+\)$/),
					],
					'Text the caller': [{ to: '+393470001111' }],
				};
			},
		};

		it.each(Object.keys(EVENTS))('%s says what happened, once', async (name) => {
			const { store } = emulator;
			store.usage = { ...store.usage!, minutes_remaining: store.usage!.minutes_included };
			let expected: Record<string, Json[]> = {};
			const executions = await live(setUp(name), () => {
				expected = EVENTS[name]!(store);
			});
			for (const [node, items] of Object.entries(expected)) {
				const said = executions.flatMap((one) => sent(one, node));
				expect(said, node).toHaveLength(items.length);
				expect(said, node).toEqual(expect.arrayContaining(items));
			}
			expect(written()).toEqual([]);
		});
	});

	describe('agent-prompt-rollout', () => {
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
			const execution = await execute(withPrompt(false), MANUAL);
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
			const execution = await execute(withPrompt(true), MANUAL);
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
			const kept = sent(execution, 'Keep the old prompts');
			expect(kept.map(({ Agent }) => Agent)).toEqual(done.map(({ name }) => name));
			for (const { name, before: old, after } of done) {
				expect({ old, after }).toEqual({ old: before.get(name as string) ?? '', after: PROMPT });
			}
		});

		it('changes those with a part of the name only', async () => {
			await execute(withPrompt(true, 'night'), MANUAL);
			expect(written()).toHaveLength(1);
			expect(prompts().get('Aurora Night Line')).toBe(PROMPT);
		});

		it('does nothing without a prompt', async () => {
			const workflow = setUp('agent-prompt-rollout', (node) => {
				enter(node('New prompt'), 'apply', true);
			});
			await execute(workflow, MANUAL);
			expect(written()).toEqual([]);
		});
	});

	it('booking-reminders: an SMS to who comes tomorrow, and the list for the staff', async () => {
		const { store } = emulator;
		for (const { id } of store.events.all()) store.events.remove(id);
		const [phone_number, first_name] = ['+393470001111', 'Anna'];
		const { id: contact_id } = store.addContact({ phone_number, first_name });
		const tomorrow = ago(-DAY).slice(0, 10);
		const add = (title: string, date: string, more: object = {}) =>
			store.addEvent({
				title,
				date,
				start_time: '20:00',
				status: 'confirmed',
				contact_id,
				...more,
			});
		add('Table for two', tomorrow);
		add('Birthday', tomorrow, { contact_id: null, start_time: '12:30' });
		add('Not decided', tomorrow, { status: 'pending' });
		add('Lunch', ago(0).slice(0, 10));

		const execution = await execute(setUp('booking-reminders'), 'Every morning');

		expect(sent(execution, 'Send the SMS')).toEqual([
			{
				to: phone_number,
				message:
					'Hello Anna, we look forward to seeing you tomorrow at 20:00: Table for two. If you cannot come, please call us.',
			},
		]);
		expect(sent(execution, 'Say who gets none')).toEqual([
			{ text: expect.stringMatching(/^No reminder for 12:30 Birthday: /) as string },
		]);
		expect(sent(execution, 'Tell the staff in Slack')).toEqual([
			{ text: 'Tomorrow, 2 bookings:\n- 12:30 Birthday\n- 20:00 Table for two' },
		]);
		expect(written()).toEqual([]);
	});

	it('reports-for-all-clients: a page of each client, and who failed', async () => {
		const { north, west, workflow, revoke } = await forThreeClients('reports-for-all-clients');
		revoke();
		const statuses = ['Completed', 'Completed', 'Voicemail', 'Completed', 'Not Answered', 'Busy'];
		for (let day = 1; day <= 28; day++) {
			const add = (month: number, count: number, duration_seconds: number) => {
				for (let call = 0; call < count; call++) {
					const call_status = statuses[(call * call + day) % statuses.length];
					north.addCall({ created_at: dayOf(month, day), duration_seconds, call_status });
				}
			};
			add(-1, 9 + ((day * 5) % 7) - (day % 7 < 2 ? 6 : 0), 95);
			add(-2, 7 + ((day * 3) % 5) - (day % 7 < 2 ? 5 : 0), 83);
		}
		north.addCall({ created_at: dayOf(0, 1) });
		west.addCall({ created_at: dayOf(-1, 5), duration_seconds: 30 });

		const execution = await execute(workflow, 'Every month');

		const mails = sent(execution, 'Send the report');
		expect(mails.map(({ sendTo }) => sendTo)).toEqual(['0@example.com', '2@example.com']);
		const pages = mails.map(({ message }) => String(message));
		const inMonth = (month: number) => {
			const [from, until] = [dayOf(month, 1), dayOf(month + 1, 1)];
			return north.calls.all().filter(({ created_at: date }) => date >= from && date < until)
				.length;
		};
		const [count, before] = [inMonth(-1), inMonth(-2)];
		expect(pages[0]).toContain('<h1>North &amp; Sons</h1>');
		expect(pages[0]).toContain(`<span>Calls</span><b>${count}</b>`);
		expect(pages[0]).toContain(`▲ ${count - before}<`);
		expect(pages[1]).toContain('<span>Calls</span><b>1</b>');
		for (const page of pages) {
			expect(page).toMatch(/^<!doctype html>/);
			expect(page).toMatch(/<svg [^>]+>.*<rect class="now"/s);
			expect(page).not.toMatch(/<script|https?:|NaN|undefined|\{\{/);
		}
		const { name, text } = await fileOf(execution, 'Page as a file', 'file');
		expect(name).toMatch(/^calls-in-\w+-\d{4}-north-sons\.html$/);
		expect(text).toBe(pages[0]);
		mkdirSync(ARTIFACTS, { recursive: true });
		writeFileSync(`${ARTIFACTS}report.html`, text);

		const [told] = sent(execution, 'Tell the agency in Slack');
		expect(String(told?.text).split('\n')).toEqual([
			'Reports of the month, 1 failed:',
			`✔ North & Sons: ${count} calls`,
			expect.stringMatching(/^✘ South: .*401/),
			'✔ West: 1 calls',
		]);
		expect(written()).toEqual([]);
	});

	it('client-billing: lines with a mark-up for each client, and who failed', async () => {
		const columns = { currency: 'EUR', markup_percent: 20, minute_price: 0.15 };
		const { north, west, workflow, revoke } = await forThreeClients('client-billing', columns);
		revoke();
		for (const amount of [0.1, 0.2, 10]) {
			north.addTransaction({ transaction_type: 'CONSUME', amount, created_at: dayOf(-1, 3) });
		}
		north.addTransaction({ transaction_type: 'ADD', amount: 50, created_at: dayOf(-1, 4) });
		north.addTransaction({ transaction_type: 'CONSUME', amount: 99, created_at: dayOf(0, 1) });
		west.addCall({ created_at: dayOf(-1, 9), duration_seconds: 150 });

		const execution = await execute(workflow, 'Every month');

		const { name, text } = await fileOf(execution, 'Make a CSV file');
		expect(name).toMatch(/^invoice-lines-\d{4}-\d\d\.csv$/);
		const month = dayOf(-1, 1).slice(0, 7);
		const line = (Client: string, Line: string, [Quantity, Price, Amount]: string[]) => {
			return { Client, Month: month, Line, Quantity, Price, Amount, Currency: 'EUR', Check: '' };
		};
		const lines = [
			line('North & Sons', 'Consumption', ['1', '12.36', '12.36']),
			line('West', 'Minutes', ['2.5', '0.15', '0.38']),
		];
		expect(text.split(/\r?\n/)).toEqual(
			expect.arrayContaining(lines.map((one) => Object.values(one).join(','))),
		);
		expect(sent(execution, 'Lines in Google Sheets')).toEqual(lines);
		const failed = sent(execution, 'Tell the agency in Slack');
		expect(failed.map((one) => String(one.text))).toEqual([
			expect.stringMatching(/^No invoice line: South, Consumption: .*401/),
			expect.stringMatching(/^No invoice line: South, Minutes: .*401/),
		]);
		expect(written()).toEqual([]);
	});

	it('missed-call-digest: what each client missed yesterday, and who failed', async () => {
		const { north, west, workflow, revoke } = await forThreeClients('missed-call-digest');
		revoke();
		const yesterday = ago(DAY).slice(0, 10);
		const at = (time: string) => `${yesterday}T${time}:00.000Z`;
		const phone_number = '+393470001234';
		north.addCall({ created_at: at('09:30'), call_status: 'Not Answered', phone_number });
		north.addCall({ created_at: at('08:15'), call_status: 'Voicemail', phone_number });
		north.addCall({ created_at: at('10:00'), call_status: 'Completed' });
		north.addCall({ call_status: 'Busy' });
		west.addCall({ created_at: at('10:00'), call_status: 'Completed' });

		const execution = await execute(workflow, 'Every morning');

		expect(sent(execution, 'Send the digest')).toEqual([
			{
				sendTo: '0@example.com',
				subject: `North & Sons: 2 missed calls on ${yesterday}`,
				message: `Nobody took these calls yesterday:\n\n08:15  ${phone_number}  Voicemail\n09:30  ${phone_number}  Not Answered`,
			},
		]);
		expect(sent(execution, 'Tell the agency in Slack')).toEqual([
			{ text: expect.stringMatching(/^No missed-call digest for South: .*401/) },
		]);
		expect(written()).toEqual([]);
	});

	it('new-calls-of-all-clients: each ended call once, and who failed once a day', async () => {
		const { north, west, workflow, revoke } = await forThreeClients('new-calls-of-all-clients');
		revoke();
		const [first, second] = [north.addCall(), west.addCall()];
		const later = north.addCall({ call_status: 'In Progress' });
		north.addCall({ created_at: ago(3 * DAY) });
		const saved = await n8n.saveWorkflow(workflow);
		const run = async () => {
			const { executionId } = await n8n.rest<{ executionId: string }>(
				'POST',
				`/workflows/${saved.id}/run`,
				{ workflowData: saved, triggerToStartFrom: { name: 'Every 15 minutes' } },
			);
			const execution = await n8n.finished(executionId);
			expect(execution.data.resultData.error).toBeUndefined();
			return {
				rows: sent(execution, 'Calls in Google Sheets').map((row) => [row.Client, row['Call ID']]),
				told: sent(execution, 'Tell the agency in Slack').map(({ text }) => text),
			};
		};

		expect(await run()).toEqual({
			rows: [
				['North & Sons', first.id],
				['West', second.id],
			],
			told: [expect.stringMatching(/^No calls of South: .*401/)],
		});
		north.calls.change(later.id, { call_status: 'Completed' });
		expect(await run()).toEqual({ rows: [['North & Sons', later.id]], told: [] });
		expect(await run()).toEqual({ rows: [], told: [] });
		expect(written()).toEqual([]);
	});

	describe('call-the-missed', () => {
		/** Calls of today, by which two callers were missed and not reached since. */
		function missTwo() {
			const { store } = emulator;
			withoutCalls();
			const missed = ['+393470001111', '+393470005555'];
			const [reached, called, other] = ['+393470002222', '+393470003333', '+393470004444'];
			const calls: Array<[number, string | undefined, string, ('inbound' | 'outbound')?]> = [
				[4, missed[0], 'not answered'],
				[3, missed[0], 'Busy'],
				[3, missed[1], 'Rejected'],
				[3, reached, 'Voicemail'],
				[2, reached, 'Completed'],
				[2, called, 'Not Answered', 'outbound'],
				[1, other, 'Completed'],
			];
			for (const [seconds, phone_number, call_status, direction = 'inbound'] of calls) {
				store.addCall({ created_at: ago(seconds * 1000), phone_number, call_status, direction });
			}
			const list = store.addContactList({}, [store.contacts.all()[0]!.id]);
			const campaign = store.campaigns.find(({ status }) => status === 'draft')!;
			const chosen = (dryRun: boolean) =>
				setUp('call-the-missed', (node) => {
					node('Put them on the list').contact_list_id = locator(list.id);
					node('Put them on the list').options = { auto_create: true, dryRun };
					node('Get campaign').campaign_id = locator(campaign.id);
				});
			return { missed, list, campaign, chosen };
		}

		it('tells who would be called, as long as it is a dry run', async () => {
			const { missed, list, chosen } = missTwo();
			const execution = await execute(chosen(true), 'Every evening');
			expect(outputOf(execution, 'Put them on the list')).toMatchObject([
				{
					dry_run: true,
					kept: 0,
					add: missed,
					remove: [...emulator.store.members.get(list.id)!],
				},
			]);
			expect(written()).toEqual([]);
		});

		it('puts those who were missed and not reached since on the list, and starts the campaign', async () => {
			const { missed, list, campaign, chosen } = missTwo();
			const execution = await execute(chosen(false), 'Every evening');
			const members = [...emulator.store.members.get(list.id)!];
			expect(members.map((id) => emulator.store.contacts.get(id)?.phone_number)).toEqual(missed);
			expect(emulator.store.campaigns.get(campaign.id)?.status).toBe('running');
			expect(sent(execution, 'Say in Slack that it calls')).toEqual([
				{
					text: `The campaign "${campaign.name}" calls back who was missed today: ${missed.join(', ')}`,
				},
			]);
		});
	});

	describe('weekly-orders-digest', () => {
		const digest = async () => {
			const execution = await execute(setUp('weekly-orders-digest'), 'Every Monday');
			return sent(execution, 'Send the digest');
		};

		beforeEach(() => {
			for (const { id } of emulator.store.orders.all()) emulator.store.removeOrder(id);
		});

		it('adds up the orders of the week by status, and never two currencies', async () => {
			const { store } = emulator;
			store.addOrder({ total_amount: 10.5, created_at: ago(DAY) });
			store.addOrder({ total_amount: 4, created_at: ago(6 * DAY) });
			store.addOrder({ total_amount: 5, currency: 'CHF', created_at: ago(DAY) });
			store.addOrder({ total_amount: 99, created_at: ago(9 * DAY) });
			store.addOrder({ total_amount: 7, created_at: ago(2 * DAY), status: 'refused' });

			const [mail, ...more] = await digest();

			expect(more).toEqual([]);
			expect(mail?.subject).toBe('Orders of the last seven days: 4');
			const lines = String(mail?.message).split('\n');
			expect(lines[0]).toBe('Orders of the last seven days:');
			expect(lines.slice(1).sort()).toEqual([
				'- pending: 1, 5.00 CHF',
				'- pending: 2, 14.50 EUR',
				'- refused: 1, 7.00 EUR',
			]);
			expect(written()).toEqual([]);
		});

		it('says so when there was none', async () => {
			expect(await digest()).toEqual([
				{
					subject: 'Orders of the last seven days: 0',
					message: 'No orders in the last seven days.',
				},
			]);
		});
	});
}
