import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator, type Store } from '../emulator/index.ts';
import { installHost, hostsToTest, NEWEST } from './host.ts';
import { isGoingOn, N8n, type Execution, type WorkflowJson } from './n8n.ts';
import { inject } from 'vitest';
import { addClients, messUp } from './week/account.ts';
import { WEEK, type Week } from './week/examples.ts';
import {
	isLookUp,
	isReplaced,
	REFUSED,
	sendsAtOnce,
	startRecorder,
	withRecorder,
	type Recorder,
	type Sent,
} from './week/recorder.ts';
import { examples, pinned, withCredential } from './workflows.ts';

// Each example in the real n8n, with the data of a real week. What a single example does stands in examples/.

type Json = Record<string, unknown>;

const EXAMPLES = examples();

it('has a week for each example', () => {
	expect(Object.keys(WEEK).sort()).toEqual([...EXAMPLES.keys()].sort());
});

let n8n: N8n;
let recorder: Recorder;
let emulator: Emulator;

/** What an example did in one run. */
interface Run {
	execution: Execution;
	sent: Sent[];
	/** What was changed in the account: `PATCH /orders/7`. */
	written: Array<{ route: string; path: string; handled: boolean }>;
	/** Details that were read: `GET /orders/7`. */
	read: Array<{ route: string; path: string }>;
}

/** What each example calls its account. */
async function credentialFor(workflow: WorkflowJson) {
	const isAgency = workflow.nodes.some(({ name }) => name === 'Clients');
	const keys = isAgency ? addClients(emulator) : {};
	const named = Object.entries(keys).map(([name, key]) => `${name}: '${key}'`);
	const apiKey = isAgency
		? `={{ ({ ${named.join(', ')} })[$json.key_name] ?? '${emulator.keys.all}' }}`
		: emulator.keys.all;
	return await n8n.createCredential({ apiKey, baseUrl: emulator.url });
}

/** Gives nodes, or the fields of an Edit Fields node, these values. */
function enter(workflow: WorkflowJson, chosen: Record<string, Json>): void {
	for (const [wanted, values] of Object.entries(chosen)) {
		const node = workflow.nodes.find(({ name }) => name === wanted)!;
		const { assignments } = node.parameters as { assignments?: { assignments: Json[] } };
		for (const [name, value] of Object.entries(values)) {
			const field = assignments?.assignments.find((one) => one.name === name);
			if (field) field.value = value;
			else node.parameters[name] = value;
		}
	}
}

/** The reference does not show where documents go. */
function acceptDocuments({ faults }: Emulator): void {
	const match = ({ path }: { path: string }) => path === '/documents';
	const body = { ok: true, data: {}, error: null, meta: null };
	faults.add({ kind: 'status', status: 200, body, times: Infinity, match });
}

/** A campaign that was started has called everybody when it is asked for again. */
function endCampaigns({ store: { campaigns }, before }: Emulator): void {
	before(({ method, path }) => {
		const id = path.split('/')[2] ?? '';
		const isAsked = method === 'GET' && path === `/campaigns/${id}`;
		if (isAsked && campaigns.get(id)?.status === 'running')
			campaigns.change(id, { status: 'completed' });
	});
}

/** An example that its user has set up, in an account of its own, to be run again and again. */
async function setUp(name: string, start: string, { store }: { store: (store: Store) => void }) {
	await emulator?.close();
	emulator = await startEmulator();
	store(emulator.store);
	endCampaigns(emulator);
	const week: Week = WEEK[name]!;
	const example = structuredClone(EXAMPLES.get(name)!);
	enter(example, week.chosen?.(emulator.store) ?? {});
	acceptDocuments(emulator);
	const brought = week.starts[start]?.(emulator.store);
	const recorded = withRecorder(example, recorder.url);
	const ready = withCredential(
		brought === undefined ? recorded : pinned(recorded, { [start]: brought }),
		await credentialFor(example),
	);
	recorder.answers = week.answers?.(emulator.store) ?? {};
	const saved = await n8n.saveWorkflow(ready);
	const run = async (): Promise<Run> => {
		recorder.sent.length = 0;
		emulator.requests.length = 0;
		const { executionId } = await n8n.rest<{ executionId: string }>(
			'POST',
			`/workflows/${saved.id}/run`,
			{ workflowData: saved, triggerToStartFrom: { name: start } },
		);
		const execution = await n8n.finished(executionId, 110_000);
		expect(isGoingOn(execution.status)).toBe(false);
		expect(emulator.unknown).toEqual([]);
		const requests = emulator.requests.map(({ method, route = '', path, handled }) => ({
			...{ method, handled, route: `${method} ${route}`, path: `${method} ${path}` },
		}));
		return {
			execution,
			sent: [...recorder.sent],
			written: requests.filter(({ method }) => method !== 'GET'),
			read: requests.filter(({ method, route }) => method === 'GET' && route.includes(':')),
		};
	};
	return { example, week, run };
}

const RUNS = Object.entries(WEEK).flatMap(([name, { starts }]) =>
	Object.keys(starts).map((start) => [name, start] as const),
);

const errorOf = ({ execution }: Run) => execution.data.resultData.error?.message ?? '';

/** The words of a refusal. The HTTP Request node hands on an object, where other nodes have a text. */
const TOLD = new RegExp(`${REFUSED}|\\[object Object\\]`);

/** Everything that a run told somebody: its error, and the texts that it sent. */
const told = (run: Run) =>
	[errorOf(run), ...run.sent.map(({ fields }) => JSON.stringify(fields))].join('\n');

/** What a person may call the records of a path by. */
function namesIn(store: Store, path: string): string[] {
	const { agents, calls, campaigns, contactLists, contacts, events, items, orders } = store;
	const all = [agents, calls, campaigns, contactLists, contacts, events, items, orders];
	const records = all.flatMap((table) => table.all() as object[] as Json[]);
	return records
		.filter(({ id }) => path.split('/').includes(String(id)))
		.flatMap(({ id, name, title, sku, order_number, phone_number, start_time }) => [
			...[id, name, title, sku, order_number, phone_number, start_time],
		])
		.filter((one): one is string => typeof one === 'string');
}

/** A text without its quotes, escapes and marks. */
const lettersOf = (text: string) => text.replace(/&\w+;|\W/g, '');

function expectReadable({ sent }: Run, example: WorkflowJson): void {
	for (const { node, fields } of sent) {
		const { type, parameters } = example.nodes.find(({ name }) => name === node)!;
		const isPage = parameters.emailType === 'html' || parameters.operation === 'sendAndWait';
		for (const [field, value] of Object.entries(fields)) {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			const where = `${node}: ${field}: ${text.slice(0, 300)}`;
			expect(text, where).not.toMatch(/undefined|NaN|\[object Object\]|Invalid DateTime|\bnull\b/);
			if (/slack$/.test(type)) expect(text, where).not.toMatch(/<!channel>|<https?:/);
			if (/gmail$/.test(type) && isPage && field === 'message')
				expect(text, where).not.toMatch(/<script/);
			expect(text, where).not.toMatch(/\b1 (calls|bookings|orders|tests)\b/);
		}
	}
}

const groups = <T>(rows: T[], key: (row: T) => string) => {
	const found = new Map<string, T[]>();
	for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
	return found;
};

describe.each(hostsToTest())('%s', (hostName) => {
	beforeAll(async () => {
		recorder = await startRecorder();
		n8n = await N8n.start({ host: installHost(hostName), pack: inject('pack') });
	});

	afterAll(async () => {
		await n8n?.dispose(`week-${hostName}`);
		await recorder?.close();
		await emulator?.close();
	});

	describe.each(RUNS)('%s, from %s', (name, start) => {
		it('says nothing wrong of an account without records', async () => {
			const empty = (store: Store) => {
				for (const { id } of store.calls.all()) store.removeCall(id);
				for (const { id } of store.orders.all()) store.removeOrder(id);
				for (const { id } of store.contacts.all()) store.removeContact(id);
				for (const { id } of store.events.all()) store.events.remove(id);
				for (const { id } of store.items.all()) store.items.remove(id);
				for (const { id } of store.transactions.all()) store.transactions.remove(id);
			};
			const { example, run } = await setUp(name, start, { store: empty });
			expectReadable(await run(), example);
		});

		it('works with messy records, and a second run sends nothing twice', async () => {
			const { example, week, run } = await setUp(name, start, { store: messUp });
			const first = await run();
			expectReadable(first, example);
			expect(errorOf(first)).toMatch(week.tells?.[start] ?? /^$/);
			if (week.starts[start]) return;

			const second = await run();
			const tables = example.nodes.filter(isReplaced).map((node) => node.name);
			const again = second.sent.filter(
				({ node }) => tables.includes(node) && !(week.sendsAgain ?? []).includes(node),
			);
			const isReading = ({ node }: Sent) => node in (recorder.answers ?? {});
			expect(again.filter((one) => !isReading(one))).toEqual([]);
			// What was refused may be tried again.
			const twice = second.written.filter(
				({ path, handled }) => handled && !week.writesAgain?.test(path),
			);
			expect(twice).toEqual([]);
		});

		it.runIf(hostName === NEWEST)('goes on after what is refused, and says so', async () => {
			const { run } = await setUp(name, start, { store: messUp });
			const whole = await run();
			const services = [...groups(whole.sent, ({ node }) => node)].filter(
				([, items]) => items.length > 1,
			);
			for (const [node, items] of services) {
				const { example, run: again } = await setUp(name, start, { store: messUp });
				const { [0]: failing } = example.nodes.filter((one) => one.name === node);
				if (sendsAtOnce(failing!) || isLookUp(failing!)) continue;
				recorder.refusing.add(node);
				const partly = await again();
				expect(recorder.refusing.size, `${node} was asked`).toBe(0);
				const left = partly.sent.filter((one) => one.node === node);
				expect(left.length, `${node} goes on`).toBeGreaterThanOrEqual(items.length - 1);
				expect(told(partly), `${node} is told`).toMatch(TOLD);
			}
			const routes = [...groups([...whole.written, ...whole.read], ({ route }) => route)].filter(
				([, requests]) => requests.length > 1,
			);
			for (const [route, requests] of routes) {
				const { run: again } = await setUp(name, start, { store: messUp });
				const match = ({ method, route: seen = '' }: { method: string; route?: string }) =>
					`${method} ${seen}` === route;
				emulator.faults.clear();
				emulator.faults.add({ kind: 'status', status: 404, message: REFUSED, match });
				acceptDocuments(emulator);
				const partly = await again();
				const left = [...partly.written, ...partly.read].filter((one) => one.route === route);
				expect(left.length, `${route} goes on`).toBeGreaterThanOrEqual(requests.length);
				expect(told(partly), `${route} is told`).toContain(REFUSED);
				const names = namesIn(emulator.store, left[0]!.path);
				if (names.length === 0) continue;
				const isNamed = names.some((one) => lettersOf(told(partly)).includes(lettersOf(one)));
				expect(isNamed, `${route}: it is told which of ${names.join(', ')} failed`).toBe(true);
			}
		});
	});
});
