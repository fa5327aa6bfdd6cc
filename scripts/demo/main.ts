import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startEmulator } from '../../test/emulator/index.ts';
import { runNode } from '../../test/support/harness.ts';
import { Poller } from '../../test/support/poller.ts';
import { locator } from '../../test/support/samples.ts';

// `npm start`: what both nodes do, in n8n's own engine, against the emulator of the API. An account that
// the environment names is only read.

const { YK_VOICE_BASE_URL: baseUrl, YK_VOICE_API_KEY: apiKey } = process.env;
if (Boolean(baseUrl) !== Boolean(apiKey)) {
	console.error(
		'Set both YK_VOICE_BASE_URL and YK_VOICE_API_KEY to read your own account, or neither.',
	);
	process.exit(1);
}

const emulator = await startEmulator({ data: 'demo' });
const demoAccount = { baseUrl: emulator.url, apiKey: emulator.keys.all };
const credentials = { ykVoiceApi: baseUrl && apiKey ? { baseUrl, apiKey } : demoAccount };

/** Runs an operation, over the items that an earlier one put out. */
async function operate(
	name: string,
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const [resource, operation] = name.split('.') as [string, string];
	const { error, json } = await runNode({
		parameters: { resource, operation, ...parameters },
		credentials,
		items: items.map((item) => ({ json: item })),
	});
	if (error) throw error;
	return json;
}

const byId = locator('={{ $json.id }}');

/** Text on one line, cut if it is too long. */
function short(value: unknown, length = 66): string {
	const text = String(value ?? '-').replace(/\s+/g, ' ');
	return text.length > length ? `${text.slice(0, length - 2).trimEnd()} …` : text;
}

/** Rows below their titles, in columns. */
function printTable(titles: string[], rows: unknown[][]): void {
	const lines = [titles, ...rows.map((row) => row.map((cell) => short(cell)))];
	const widths = titles.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
	for (const line of lines)
		console.log(`   ${line.map((cell, at) => cell.padEnd(widths[at]!)).join('   ')}`.trimEnd());
}

async function listAgents(): Promise<void> {
	const agents = await operate('agent.getAll', { returnAll: true });
	printTable(
		['Name', 'Type', 'Model', 'Active'],
		agents.map(({ name, agent_type, ai_provider, is_active }) => [
			name,
			agent_type,
			ai_provider,
			is_active ? 'yes' : 'no',
		]),
	);
}

async function updatePrompt(): Promise<void> {
	const prompt_instructions = 'You answer for Trattoria Aurora. Take orders; read each one back.';
	const filters = { agent_type: 'inbound' };
	const agents = await operate('agent.getAll', { returnAll: false, limit: 1, filters });
	const [before] = await operate('agent.get', { agent_id: byId }, agents);
	const change = { agent_id: byId, updateFields: { prompt_instructions } };
	const [after] = await operate('agent.update', change, agents);
	printTable(
		['Agent', short(before?.name)],
		[
			['Was', before?.prompt_instructions],
			['Is', after?.prompt_instructions],
		],
	);
}

async function exportCalls(which: INodeParameters): Promise<void> {
	const options = { include: ['summary'] };
	const calls = await operate('call.getAll', { ...which, options });
	const row = (name: string, group: IDataObject[]) => {
		const seconds = group.reduce((sum, call) => sum + (Number(call.duration_seconds) || 0), 0);
		const summaries = group.filter(({ summary }) => summary);
		return [name, group.length, summaries.length, Math.round(seconds / 60)];
	};
	const statusOf = ({ call_status, status }: IDataObject) => short(call_status ?? status);
	const statuses = [...new Set(calls.map(statusOf))];
	const rows = statuses.map((status) =>
		row(
			status,
			calls.filter((call) => statusOf(call) === status),
		),
	);
	printTable(['Status', 'Calls', 'Summaries', 'Minutes'], [...rows, row('All', calls)]);
	console.log(`   Newest: "${short(calls.find(({ summary }) => summary)?.summary)}"`);
}

async function confirmOrder(): Promise<void> {
	const which = { returnAll: false, limit: 1, filters: { status: 'pending' } };
	const pending = await operate('order.getAll', which);
	const change = { order_id: byId, updateFields: { status: 'confirmed' } };
	printOrders(await operate('order.update', change, pending));
}

async function listOrders(): Promise<void> {
	const sort = { sort: '-created_at' };
	printOrders(await operate('order.getAll', { returnAll: false, limit: 10, sort }));
}

function printOrders(orders: IDataObject[]): void {
	printTable(
		['Order', 'Customer', 'Total', 'Status'],
		orders.map(({ order_number, customer_name, total_amount, currency, status }) => [
			order_number,
			customer_name,
			total_amount === undefined ? '-' : `${Number(total_amount).toFixed(2)} ${short(currency)}`,
			status,
		]),
	);
}

/** The trigger node, polled as n8n polls it, while calls and orders arrive. */
async function watchArrivals(): Promise<void> {
	const watch = (event: string) =>
		new Poller({ emulator, credentials, parameters: { event, simplify: false } });
	const [calls, orders] = [watch('newCall'), watch('newOrder')];
	const poll = async (when: string) => {
		const [newCalls, newOrders] = [await calls.tick(), await orders.tick()];
		const started = [...newCalls, ...newOrders].map(
			({ phone_number, order_number }) => phone_number ?? order_number,
		);
		return [when, newCalls.length, newOrders.length, started.join(', ') || '-'];
	};
	await calls.activate();
	await orders.activate();
	const rows = [await poll('Activated, nothing new')];
	for (let count = 0; count < 3; count++) emulator.store.addCall();
	emulator.store.addOrder();
	rows.push(await poll('3 calls and an order came'), await poll('Nothing new'));
	printTable(['Poll', 'Calls', 'Orders', 'Started with'], rows);
}

type Step = [title: string, show: () => Promise<void>];

/** What the reference does not show may have another name in a real account, so its cells may be empty. */
const OWN_ACCOUNT: Step[] = [
	['List the agents', listAgents],
	['Export 200 calls with their summaries', () => exportCalls({ returnAll: false, limit: 200 })],
	['List the newest orders', listOrders],
];

const DEMO: Step[] = [
	['List the agents', listAgents],
	['Update the prompt of one of them', updatePrompt],
	['Export all calls with their summaries', () => exportCalls({ returnAll: true })],
	['Confirm a pending order', confirmOrder],
	['Wait for new calls and orders with the trigger', watchArrivals],
];

const { agents, calls, orders } = emulator.store;
console.log("\nYK Voice: the built nodes, run by n8n's own engine");
console.log(
	baseUrl
		? `Account: your own at ${baseUrl}, which is only read\n`
		: `Account: the emulator of the API, with ${agents.size} agents, ${calls.size} calls and ${orders.size} orders\n`,
);
try {
	for (const [at, [title, show]] of (baseUrl ? OWN_ACCOUNT : DEMO).entries()) {
		console.log(`${at + 1}. ${title}`);
		const began = performance.now();
		await show();
		console.log(`   ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
	}
} catch (error) {
	const { message, description } = error as Error & { description?: string | null };
	console.error(['\nThe demo failed.', message, description ?? ''].join('\n'));
	process.exitCode = 1;
} finally {
	await emulator.close();
}
