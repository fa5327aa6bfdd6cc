import type { INodeParameters, INodeTypeDescription, NodeParameterValueType } from 'n8n-workflow';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { workflow as n8nWorkflow } from '../support/n8n.ts';
import { installHost, NEWEST } from './host.ts';
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
	await n8n?.dispose('examples');
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

/** The rows of a CSV file by the names in its first line. */
function rowsOf(text: string): Array<Record<string, string>> {
	const lines: string[][] = [[]];
	for (const [, quoted, plain, end] of text
		.replace(/^\uFEFF/, '')
		.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
		if (end === '' && quoted === undefined && plain === '' && lines.at(-1)!.length === 0) break;
		lines.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
		if (end === '') break;
		if (end !== ',') lines.push([]);
	}
	const [names = [], ...rows] = lines.filter((line) => line.length > 0);
	return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]!])));
}

const session = () => ({
	cookie: `${n8n.session.name}=${n8n.session.value}`,
	'browser-id': 'e2e',
});

const written = () => emulator.requests.filter(({ method }) => method !== 'GET');

describe.each(NAMES)('%s', (name) => {
	const { nodes, connections, settings } = example(name);

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

	it('is explained by notes, which ask for the credential and name what it changes', () => {
		const notes = nodes.filter(isSticky).map(({ parameters }) => String(parameters.content));
		expect(notes.length).toBeGreaterThanOrEqual(2);
		const all = notes.join('\n');
		expect(all).toContain('YK Voice API');
		const changes = nodes
			.filter(isOurs)
			.some(({ parameters: { operation } }) => operation && !String(operation).startsWith('get'));
		expect(all).toMatch(changes ? /\*\*It (changes data|costs money)/ : /only reads/);
	});

	it('is tidy: names are unique, nodes keep their distance, each in front of one note', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const plain = nodes.filter((node) => !isSticky(node));
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
		const names = new Set(nodes.map((node) => node.name));
		const links = Object.entries(connections).flatMap(([from, outputs]) =>
			(outputs as { main: Array<Array<{ node: string }>> }).main
				.flat()
				.map(({ node }): [string, string] => [from, node]),
		);
		for (const end of links.flat()) expect(names).toContain(end);
		const reached = new Set(
			nodes.filter(({ type }) => /trigger$/i.test(type)).map((node) => node.name),
		);
		for (const one of reached) for (const [from, to] of links) if (from === one) reached.add(to);
		const plain = nodes.filter((node) => !isSticky(node)).map((node) => node.name);
		expect([...reached].sort()).toEqual(plain.sort());
	});

	it('uses nodes and parameters that the real n8n knows', () => {
		for (const node of nodes) {
			const description = known.find(
				({ name: type, version }) =>
					type === node.type && [version].flat().includes(node.typeVersion),
			);
			expect(description, `${node.type} ${node.typeVersion}`).toBeDefined();
			expect(node.type).toMatch(/^n8n-nodes-(base|yk-voice)\./);
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
				{ ...node, parameters: shown } as never,
				description!,
			);
			// Only what the user must choose is left open.
			const open = Object.entries(node.parameters)
				.filter(([, value]) => JSON.stringify(value) === JSON.stringify(BLANK))
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

	it('is named in the README', () => {
		expect(readFileSync(`${FOLDER}README.md`, 'utf8')).toContain(`(${name}.json)`);
	});
});

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
async function forThreeClients(name: string, columns: Record<string, unknown> = {}) {
	const [south, west] = [emulator.addOrganization(), emulator.addOrganization()];
	const stores = { north: emulator.store, south: south.store, west: west.store };
	const keys = { NORTH: emulator.keys.all, SOUTH: south.apiKey, WEST: west.apiKey };
	for (const store of Object.values(stores)) {
		for (const { id } of store.calls.all()) store.removeCall(id);
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
	const workflow = {
		...withCredential(example(name), found),
		pinData: { Clients: rows.map((json) => ({ json })) },
	};
	return { ...stores, workflow, revoke: south.revoke };
}

/** A day of this month or, with an offset of -1, of the last. */
const dayOf = (offset: number, day: number) => {
	const now = new Date();
	return new Date(
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day, 12),
	).toISOString();
};

describe('what the examples do', () => {
	it('call-export-to-table: as many rows as calls', async () => {
		await renewEmulator('demo');
		const since = Date.now() - 30 * DAY;
		const recent = emulator.store.calls
			.all()
			.filter(({ created_at: date }) => Date.parse(date) > since);

		const execution = await execute(
			setUp('call-export-to-table'),
			'When clicking ‘Execute workflow’',
		);

		const { name, text } = await fileOf(execution, 'Make a CSV file');
		expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
		const rows = rowsOf(text);
		expect(recent.length).toBeGreaterThan(1000);
		// A call may leave the thirty days while they are read.
		expect(Math.abs(rows.length - recent.length)).toBeLessThanOrEqual(1);
		const byId = new Map(rows.map((row) => [row['Call ID'], row]));
		expect(byId.size).toBe(rows.length);
		const completed = recent.filter((call) => emulator.store.summaryOf(call)).at(-1)!;
		expect(byId.get(completed.id)).toEqual({
			Created: completed.created_at,
			Status: completed.call_status,
			Agent: completed.agent_name,
			Phone: completed.phone_number,
			Seconds: String(completed.duration_seconds),
			Summary: emulator.store.summaryOf(completed),
			'Call ID': completed.id,
		});
		expect(outputOf(execution, 'Replace with your table')).toHaveLength(rows.length);
		expect(written()).toEqual([]);
	});

	describe('monthly-client-report', () => {
		const now = new Date();
		const ofMonth = (offset: number, day: number) =>
			new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day)).toISOString();

		it('counts the calls of last month alone, and reports in one item', async () => {
			const { store } = emulator;
			for (const { id } of store.calls.all()) store.removeCall(id);
			const first = ofMonth(-1, 1);
			store.addCall({ created_at: first });
			store.addCall({ created_at: ofMonth(-1, 12) });
			store.addCall({ created_at: ofMonth(-1, 12), call_status: 'Busy' });
			store.addCall({ created_at: new Date(Date.parse(first) - 1).toISOString() });
			store.addCall({ created_at: ofMonth(0, 1) });

			const execution = await execute(setUp('monthly-client-report'), 'Every month');

			const reports = outputOf(execution, 'Replace with your e-mail');
			expect(reports).toHaveLength(1);
			expect(reports[0]).toMatchObject({
				calls: 3,
				calls_by_status: { Completed: 2, Busy: 1 },
				minutes_used: store.usage?.minutes_used,
				minutes_included: store.usage?.minutes_included,
				balance: 84.35,
				currency: 'EUR',
			});
			expect(reports[0]?.text).toMatch(
				/Calls: 3\n- (Completed: 2\n- Busy: 1|Busy: 1\n- Completed: 2)/,
			);
			expect(written()).toEqual([]);
		});

		it.each([
			['no call at all', () => undefined],
			['calls of other months only', () => void emulator.store.addCall()],
		])('reports a month with %s, in an account without a plan', async (_what, add) => {
			const { store } = emulator;
			for (const { id } of store.calls.all()) store.removeCall(id);
			store.usage = null;
			add();

			const execution = await execute(setUp('monthly-client-report'), 'Every month');

			const reports = outputOf(execution, 'Replace with your e-mail');
			expect(reports).toHaveLength(1);
			expect(reports[0]).toMatchObject({ calls: 0, calls_by_status: {}, balance: 84.35 });
			expect(reports[0]?.text).toContain('no active plan');
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

			await execute(setUp('call-summary-to-crm-contact'), 'Call ready');

			const { updated_at: _, ...kept } = before;
			expect(at(before.phone_number)).toMatchObject({
				...kept,
				notes: `Prefers the terrace\n${call.created_at.slice(0, 10)}: Booked & paid, 7 > 5.`,
			});
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

			const execution = await execute(setUp('call-summary-to-crm-contact'), 'Call ready', [
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
			expect(outputOf(execution, 'Replace with your CRM')).toHaveLength(3);
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
		const withRules = () =>
			setUp('order-confirm-or-refuse', (node) => {
				enter(node('House rules'), 'max_total', 100);
				enter(node('House rules'), 'out_of_stock', 'x-1, TIRAMISU');
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
			expect(now(missing.id)).toMatchObject({
				status: 'refused',
				status_reason: 'Sorry, we are out of Tiramisù.',
			});
			expect(now(large.id).status).toBe('pending');
			const byHand = outputOf(execution, 'Replace with a message to your team');
			expect(byHand.map(({ id }) => id)).toEqual([large.id]);
			const done = outputOf(execution, 'Replace with your shop system');
			expect(done.map(({ id }) => id).sort()).toEqual([fine.id, missing.id].sort());
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
			expect(outputOf(execution, 'Replace with a message to your team')).toEqual([
				expect.objectContaining({ error: expect.stringContaining('400') }),
			]);
		});

		it('changes nothing before the rules are set, with the newest order as a test event', async () => {
			const order = add(line('PIZZA', 'Pizza', 10));
			const execution = await execute(setUp('order-confirm-or-refuse'), 'New order');
			expect(outputOf(execution, 'Get order').map(({ id }) => id)).toEqual([order.id]);
			expect(written()).toEqual([]);
		});

		it.each([0, null])('hands an order whose total is %j to a person', async (total_amount) => {
			const order = emulator.store.addOrder({ line_items: [] });
			emulator.store.orders.change(order.id, { total_amount: total_amount as number });
			for (const workflow of [setUp('order-confirm-or-refuse'), withRules()]) {
				const execution = await execute(workflow, 'New order', [{ id: order.id }]);
				const byHand = outputOf(execution, 'Replace with a message to your team');
				expect(byHand.map(({ id }) => id)).toEqual([order.id]);
			}
			expect(written()).toEqual([]);
		});

		it.each([
			['a line without a SKU', '', 0],
			['a line without a SKU', 'X-1,', 100],
		])('hands an order with %s to a person: %j, %d', async (_what, out_of_stock, max_total) => {
			const order = add(line('', 'Delivery', 3));
			const workflow = setUp('order-confirm-or-refuse', (node) => {
				enter(node('House rules'), 'max_total', max_total);
				enter(node('House rules'), 'out_of_stock', out_of_stock);
			});
			const execution = await execute(workflow, 'New order', [{ id: order.id }]);
			const byHand = outputOf(execution, 'Replace with a message to your team');
			expect(byHand.map(({ id }) => id)).toEqual([order.id]);
			expect(written()).toEqual([]);
		});

		it('decides each order that comes in, once', async () => {
			let id = '';
			const executions = await live(withRules(), () => {
				id = add(line('PIZZA', 'Pizza', 10)).id;
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
			['Every evening', 'draft', {}, 'running'],
			['Every evening', 'scheduled', {}, 'scheduled'],
			['Every evening', 'paused', {}, 'running'],
			['Every evening', 'running', {}, 'running'],
			['Every evening', 'stopped', {}, 'stopped'],
			['Every evening', 'completed', {}, 'completed'],
			['Every night', 'running', good, 'paused'],
			['Every night', 'running', bad, 'stopped'],
			['Every night', 'running', few, 'paused'],
			['Every night', 'completed', bad, 'completed'],
			['Every night', 'draft', {}, 'draft'],
		])('%s: %s %j becomes %s', async (start, from, counts, to) => {
			const campaign = add(from, counts);
			await execute(chosen(campaign.id), start);
			expect(emulator.store.campaigns.get(campaign.id)?.status).toBe(to);
			expect(written()).toHaveLength(from === to ? 0 : 1);
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

	describe('test-call-outcome', () => {
		const start = 'On form submission';
		const chosen = () => {
			const agent = emulator.store.agents.find(({ agent_type: type }) => type === 'outbound')!;
			return setUp('test-call-outcome', (node) => {
				node('Make test call').agent_id = locator(agent.id, 'list');
			});
		};
		const sent = (answer: string) => ({
			'Phone number': '+39 333 123 4567',
			'E-mail': 'anna@example.test',
			'Place a real call?': answer,
			submittedAt: '2026-03-04T05:06:07.000Z',
			formMode: 'test',
		});

		it('waits for the end of exactly one call, and tells its summary', async () => {
			emulator.store.testCallCourse = { beginsAfter: 500, endsAfter: 1500, summaryAfter: 2500 };
			const execution = await execute(chosen(), start, [sent('Yes')]);
			expect(emulator.store.testCalls).toHaveLength(1);
			const made = emulator.store.calls.all().at(-1)!;
			expect(outputOf(execution, 'Replace with your e-mail')).toEqual([
				{
					to: 'anna@example.test',
					subject: 'Your test call: Completed',
					text: emulator.store.summaryOf(made),
				},
			]);
		});

		it('tells what is known where two calls could be meant', async () => {
			const workflow = chosen();
			const { agent_id: agent } = workflow.nodes.find(({ name }) => name === 'Make test call')!
				.parameters as { agent_id: { value: string } };
			const stop = emulator.before(({ method }) => {
				if (method !== 'POST') return;
				emulator.store.addCall({ agent_id: agent.value, phone_number: '+393331234567' });
			});
			const execution = await execute(workflow, start, [sent('Yes')]);
			stop();
			expect(emulator.store.testCalls).toHaveLength(1);
			const [mail] = outputOf(execution, 'Replace with your e-mail');
			expect(mail?.subject).toBe('Your test call: its outcome is not known');
			expect(mail?.text).toMatch(/^More than one call could be meant/);
		});

		it('places none without a yes', async () => {
			const execution = await execute(chosen(), start, [sent('No')]);
			expect(outputOf(execution, 'Not called')).toEqual([{ message: 'No call was placed' }]);
			expect(emulator.requests).toEqual([]);
		});
	});

	describe('approve-campaign', () => {
		const statusOf = (id: string) => emulator.store.campaigns.get(id)?.status;
		const campaignOf = (status: string) =>
			emulator.store.campaigns.find((one) => one.status === status)!.id;

		/** Runs it to the question, and answers that. */
		async function answered(id: string, answer: string): Promise<Execution> {
			const basic = await n8n.createCredential(
				{ user: 'anna', password: 'secret' },
				{ name: 'Answer', type: 'httpBasicAuth' },
			);
			const workflow = setUp('approve-campaign', (node) => {
				node('Get campaign').campaign_id = locator(id, 'list');
			});
			const form = workflow.nodes.find(({ name }) => name === 'Wait for the answer')!;
			form.credentials = { httpBasicAuth: basic };
			const saved = await n8n.saveWorkflow(workflow);
			const { executionId } = await n8n.rest<{ executionId: string }>(
				'POST',
				`/workflows/${saved.id}/run`,
				{ workflowData: saved, triggerToStartFrom: { name: 'Every morning' } },
			);
			const asked = await n8n.waiting(executionId);
			const [{ message } = {}] = outputOf(asked, 'Replace with a message to the person');
			expect(statusOf(id)).toBe('draft');
			const address = /http\S+/.exec(String(message))![0];
			expect((await fetch(address)).status).toBe(401);
			const authorization = `Basic ${Buffer.from('anna:secret').toString('base64')}`;
			const body = new FormData();
			body.set('field-0', answer);
			const response = await fetch(address, { method: 'POST', body, headers: { authorization } });
			expect(response.status).toBe(200);
			return await n8n.finished(executionId);
		}

		it('starts the campaign with a yes, and tells how it ended', async () => {
			const id = campaignOf('draft');
			emulator.before(({ method, path }) => {
				const isAsked = method === 'GET' && path === `/campaigns/${id}`;
				if (isAsked && statusOf(id) === 'running') {
					emulator.store.campaigns.change(id, { status: 'completed' });
				}
			});
			const execution = await answered(id, 'Yes');
			expect(execution.status).toBe('success');
			const [told] = outputOf(execution, 'Replace with a message: it is over');
			expect(told?.message).toContain('The campaign has ended: its state is completed.');
		});

		it('starts nothing with a no', async () => {
			const id = campaignOf('draft');
			const execution = await answered(id, 'No');
			expect(outputOf(execution, 'Not approved')).toHaveLength(1);
			expect(statusOf(id)).toBe('draft');
			expect(written()).toEqual([]);
		});

		it('asks nobody about a campaign that is not waiting to be started', async () => {
			const id = campaignOf('paused');
			const workflow = setUp('approve-campaign', (node) => {
				node('Get campaign').campaign_id = locator(id, 'list');
			});
			const execution = await execute(workflow, 'Every morning');
			expect(execution.data.resultData.runData).not.toHaveProperty('Ask');
		});
	});

	it('escalate-transferred-call', async () => {
		const moment = new Date().toISOString();
		const executions = await live(setUp('escalate-transferred-call'), () => {
			emulator.store.addCall({ call_status: 'Completed', transfer_time: null });
			emulator.store.addCall({
				call_status: 'Completed',
				transfer_time: moment,
				phone_number: '+393331234567',
			});
		});
		const tickets = executions.flatMap((one) => outputOf(one, 'Replace with your ticket system'));
		expect(tickets).toEqual([
			expect.objectContaining({
				title: `Call transferred at ${moment}`,
				caller: '+393331234567',
				text: expect.any(String) as string,
			}),
		]);
	});

	describe('test-call-from-form', () => {
		const [start, question] = ['On form submission', 'Place a real call?'];
		const chosen = () => {
			const agent = emulator.store.agents.find(({ agent_type: type }) => type === 'outbound')!;
			return setUp('test-call-from-form', (node) => {
				node('Make test call').agent_id = locator(agent.id, 'list');
			});
		};
		const sent = (answer: string) => ({
			'Phone number': '+39 333 123 4567',
			[question]: answer,
			submittedAt: '2026-03-04T05:06:07.000Z',
			formMode: 'test',
		});

		it('places exactly one call', async () => {
			const execution = await execute(chosen(), start, [sent('Yes')]);
			const { testCalls } = emulator.store;
			expect(testCalls).toEqual([expect.objectContaining({ phone_number: '+393331234567' })]);
			expect(outputOf(execution, 'Called')).toEqual([
				{ message: 'Calling +39 333 123 4567', task_id: testCalls[0]?.task_id },
			]);
		});

		it('places none without a yes', async () => {
			const execution = await execute(chosen(), start, [sent('No')]);
			expect(emulator.store.testCalls).toEqual([]);
			expect(outputOf(execution, 'Not called')).toEqual([{ message: 'No call was placed' }]);
			expect(emulator.requests).toEqual([]);
		});

		it('places none before an agent is chosen', async () => {
			const workflow = setUp('test-call-from-form');
			await expect(execute(workflow, start, [sent('Yes')])).rejects.toThrow();
			expect(emulator.requests).toEqual([]);
		});

		it('answers the form itself, behind its password', async () => {
			const basic = await n8n.createCredential(
				{ user: 'anna', password: 'secret' },
				{ name: 'Form', type: 'httpBasicAuth' },
			);
			const workflow = chosen();
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

	it('booking-messages', async () => {
		const moved = emulator.store.events.all()[0]!;
		const executions = await live(setUp('booking-messages'), () => {
			emulator.store.addEvent({
				title: 'Table for two',
				date: '2027-03-01',
				start_time: '20:00',
				status: 'pending',
			});
			emulator.store.events.change(moved.id, { date: '2027-03-02' });
		});
		const told = executions.flatMap((one) => outputOf(one, 'Replace with your chat or calendar'));
		expect(told.map(({ message }) => message).toSorted()).toEqual([
			`Changed: ${moved.title}, 2027-03-02, ${moved.start_time}, ${moved.status}`,
			'New: Table for two, 2027-03-01, 20:00, pending',
		]);
		expect(written()).toEqual([]);
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

	describe('reports-for-all-clients', () => {
		it('makes a page of each client, and tells the agency of the one whose key fails', async () => {
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

			const mails = outputOf(execution, 'Replace with your e-mail');
			expect(mails.map(({ to }) => to)).toEqual(['0@example.com', '2@example.com']);
			const pages = mails.map(({ html }) => String(html));
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

			const [summary] = outputOf(execution, 'Replace with a message to the agency');
			expect(summary).toMatchObject({ failed: 1 });
			expect(String(summary?.text).split('\n')).toEqual([
				`✔ North & Sons: ${count} calls`,
				expect.stringMatching(/^✘ South: .*401/),
				'✔ West: 1 calls',
			]);
			expect(written()).toEqual([]);
		});
	});

	describe('client-billing', () => {
		it('makes lines with a mark-up for each client, and tells of the one whose key fails', async () => {
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
			expect(rowsOf(text)).toEqual([
				line('North & Sons', 'Consumption', ['1', '12.36', '12.36']),
				line('West', 'Minutes', ['2.5', '0.15', '0.38']),
			]);
			const failed = outputOf(execution, 'Replace with a message to the agency');
			expect(failed.map((one) => String(one.text))).toEqual([
				expect.stringMatching(/^South, Consumption: .*401/),
				expect.stringMatching(/^South, Minutes: .*401/),
			]);
			expect(written()).toEqual([]);
		});
	});

	describe('missed-call-digest', () => {
		it('lists what each client missed yesterday, and tells of the one whose key fails', async () => {
			const { north, west, workflow, revoke } = await forThreeClients('missed-call-digest');
			revoke();
			const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);
			const at = (time: string) => `${yesterday}T${time}:00.000Z`;
			const phone_number = '+393470001234';
			north.addCall({ created_at: at('09:30'), call_status: 'Not Answered', phone_number });
			north.addCall({ created_at: at('08:15'), call_status: 'Voicemail', phone_number });
			north.addCall({ created_at: at('10:00'), call_status: 'Completed' });
			north.addCall({ call_status: 'Busy' });
			west.addCall({ created_at: at('10:00'), call_status: 'Completed' });

			const execution = await execute(workflow, 'Every morning');

			expect(outputOf(execution, 'Replace with your e-mail')).toEqual([
				{
					to: '0@example.com',
					subject: `North & Sons: 2 missed calls on ${yesterday}`,
					text: `08:15  ${phone_number}  Voicemail\n09:30  ${phone_number}  Not Answered`,
				},
			]);
			expect(outputOf(execution, 'Replace with a message to the agency')).toEqual([
				{ text: expect.stringMatching(/^South: .*401/) },
			]);
			expect(written()).toEqual([]);
		});
	});

	describe('call-the-missed', () => {
		/** Calls of today, of which only one caller was missed and not reached since. */
		function missOne() {
			const { store } = emulator;
			for (const { id } of store.calls.all()) store.removeCall(id);
			const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
			const [missed, reached, called, other] = [
				'+393470001111',
				'+393470002222',
				'+393470003333',
				'+393470004444',
			];
			const inbound = { direction: 'inbound' as const };
			store.addCall({
				...inbound,
				created_at: ago(4),
				call_status: 'Not Answered',
				phone_number: missed,
			});
			store.addCall({ ...inbound, created_at: ago(3), call_status: 'Busy', phone_number: missed });
			store.addCall({
				...inbound,
				created_at: ago(3),
				call_status: 'Voicemail',
				phone_number: reached,
			});
			store.addCall({
				...inbound,
				created_at: ago(2),
				call_status: 'Completed',
				phone_number: reached,
			});
			store.addCall({
				direction: 'outbound',
				created_at: ago(2),
				call_status: 'Not Answered',
				phone_number: called,
			});
			store.addCall({
				...inbound,
				created_at: ago(1),
				call_status: 'Completed',
				phone_number: other,
			});
			const list = store.addContactList({}, [store.contacts.all()[0]!.id]);
			const campaign = store.campaigns.find(({ status }) => status === 'draft')!;
			return { missed: missed!, list, campaign };
		}

		const chosen = (
			{ list, campaign }: Pick<ReturnType<typeof missOne>, 'list' | 'campaign'>,
			dryRun: boolean,
		) =>
			setUp('call-the-missed', (node) => {
				node('Put them on the list').contact_list_id = locator(list.id);
				node('Put them on the list').options = { auto_create: true, dryRun };
				node('Get campaign').campaign_id = locator(campaign.id);
			});

		it('tells who would be called, as long as it is a dry run', async () => {
			const { missed, ...found } = missOne();
			const execution = await execute(chosen(found, true), 'Every evening');
			expect(outputOf(execution, 'Put them on the list')).toMatchObject([
				{
					dry_run: true,
					kept: 0,
					add: [missed],
					remove: [...emulator.store.members.get(found.list.id)!],
				},
			]);
			expect(written()).toEqual([]);
		});

		it('puts those who were missed and not reached since on the list, and starts the campaign', async () => {
			const { missed, ...found } = missOne();
			await execute(chosen(found, false), 'Every evening');
			const members = [...emulator.store.members.get(found.list.id)!];
			expect(members.map((id) => emulator.store.contacts.get(id)?.phone_number)).toEqual([missed]);
			expect(emulator.store.campaigns.get(found.campaign.id)?.status).toBe('running');
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
