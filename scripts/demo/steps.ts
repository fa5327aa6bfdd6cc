import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../../test/emulator/index.ts';
import { runNode, type Credentials } from '../../test/support/harness.ts';
import { Poller } from '../../test/support/poller.ts';
import { short, table } from './print.ts';

/** One step of the demo: what it does, and what it shows of that. */
export interface Step {
	title: string;
	run(): Promise<{ items: number; lines: string[] }>;
}

/** The most calls that are read from somebody's own account. */
const REAL_CALLS = 200;

const PROMPT = 'You answer for Trattoria Aurora. Take orders; read each one back.';

const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

type Operate = (
	name: string,
	parameters: INodeParameters,
	items?: IDataObject[],
) => Promise<IDataObject[]>;

/** Runs an operation, over the items that an earlier one put out. */
const operateWith =
	(credentials: Credentials): Operate =>
	async (name, parameters, items = [{}]) => {
		const [resource, operation] = name.split('.');
		const { error, json } = await runNode({
			parameters: { resource, operation, ...parameters } as INodeParameters,
			credentials,
			items: items.map((item) => ({ json: item })),
		});
		if (error) throw error;
		return json;
	};

const listAgents = (operate: Operate): Step => ({
	title: 'List the agents',
	async run() {
		const agents = await operate('agent.getAll', { returnAll: true });
		const rows = agents.slice(0, 12).map(({ name, agent_type, ai_provider, is_active }) => {
			const isActive = is_active === false ? 'no' : 'yes';
			return [short(name, 40), short(agent_type), short(ai_provider) || '-', isActive];
		});
		return { items: agents.length, lines: table(['Name', 'Type', 'Model', 'Active'], rows) };
	},
});

const updatePrompt = (operate: Operate): Step => ({
	title: 'Update the prompt of one of them',
	async run() {
		const filters = { agent_type: 'inbound' };
		const agents = await operate('agent.getAll', { returnAll: true, filters });
		const last = agents.slice(-1);
		const [before] = await operate('agent.get', { agent_id: byId }, last);
		const updateFields = { prompt_instructions: PROMPT };
		const after = await operate('agent.update', { agent_id: byId, updateFields }, last);
		const rows = [
			['Was', short(before?.prompt_instructions)],
			['Is', short(after[0]?.prompt_instructions)],
		];
		return { items: after.length, lines: table(['Agent', short(before?.name)], rows) };
	},
});

const exportCalls = (operate: Operate, title: string, which: INodeParameters): Step => ({
	title,
	async run() {
		const calls = await operate('call.getAll', { ...which, options: { include: ['summary'] } });
		const newest = calls.find(({ summary }) => typeof summary === 'string');
		const said = newest ? [`   Newest: "${short(newest.summary)}"`] : [];
		return { items: calls.length, lines: [...byStatus(calls), ...said] };
	},
});

function byStatus(calls: IDataObject[]): string[] {
	const statusOf = (call: IDataObject) => short(call.call_status ?? call.status) || 'Unknown';
	const row = (name: string, group: IDataObject[]) => {
		const seconds = group.reduce((sum, call) => sum + (Number(call.duration_seconds) || 0), 0);
		const summaries = group.filter(({ summary }) => Boolean(summary)).length;
		return [name, group.length, summaries, Math.round(seconds / 60)];
	};
	const rows = [...new Set(calls.map(statusOf))].sort().map((status) =>
		row(
			status,
			calls.filter((call) => statusOf(call) === status),
		),
	);
	rows.push(row('All', calls));
	return table(['Status', 'Calls', 'Summaries', 'Minutes'], rows);
}

const confirmOrder = (operate: Operate): Step => ({
	title: 'Confirm a pending order',
	async run() {
		const which = { returnAll: false, limit: 1, filters: { status: 'pending' } };
		const pending = await operate('order.getAll', which);
		const updateFields = { status: 'confirmed' };
		const confirmed = await operate('order.update', { order_id: byId, updateFields }, pending);
		return { items: confirmed.length, lines: orderTable(confirmed) };
	},
});

const listOrders = (operate: Operate): Step => ({
	title: 'List the newest orders',
	async run() {
		const which = { returnAll: false, limit: 10, sort: { sort: '-created_at' } };
		const orders = await operate('order.getAll', which);
		return { items: orders.length, lines: orderTable(orders) };
	},
});

function orderTable(orders: IDataObject[]): string[] {
	const rows = orders.map(({ id, order_number, customer_name, total_amount, currency, status }) => {
		const total =
			total_amount === undefined
				? undefined
				: `${Number(total_amount).toFixed(2)} ${short(currency)}`;
		return [short(order_number ?? id, 36), short(customer_name, 30), total, short(status)];
	});
	return table(['Order', 'Customer', 'Total', 'Status'], rows);
}

/** The trigger node, polled as n8n polls it, while calls and orders arrive. */
function watchArrivals(emulator: Emulator, credentials: Credentials): Step {
	const watch = (event: string) =>
		new Poller({ emulator, credentials, parameters: { event, simplify: false } });
	const [calls, orders] = [watch('newCall'), watch('newOrder')];
	const poll = async (when: string) => {
		const [newCalls, newOrders] = [await calls.tick(), await orders.tick()];
		const emitted = [...newCalls, ...newOrders].map((record) =>
			short(record.phone_number ?? record.order_number),
		);
		return [when, newCalls.length, newOrders.length, emitted.join(', ') || '-'];
	};
	return {
		title: 'Wait for new calls and orders with the trigger',
		async run() {
			await calls.activate();
			await orders.activate();
			const rows = [await poll('Activated, nothing new')];
			for (let count = 0; count < 3; count++) emulator.store.addCall();
			emulator.store.addOrder();
			rows.push(await poll('3 calls and an order came'), await poll('Nothing new'));
			const items = calls.items.length + orders.items.length;
			return { items, lines: table(['Poll', 'Calls', 'Orders', 'Emitted'], rows) };
		},
	};
}

/** Everything that the demo shows. */
export function stepsForDemo(emulator: Emulator, credentials: Credentials): Step[] {
	const operate = operateWith(credentials);
	return [
		listAgents(operate),
		updatePrompt(operate),
		exportCalls(operate, 'Export all calls with their summaries', { returnAll: true }),
		confirmOrder(operate),
		watchArrivals(emulator, credentials),
	];
}

/** What only reads. */
export function stepsForOwnAccount(credentials: Credentials): Step[] {
	const operate = operateWith(credentials);
	const which = { returnAll: false, limit: REAL_CALLS };
	const title = `Export up to ${REAL_CALLS} calls with their summaries`;
	return [listAgents(operate), exportCalls(operate, title, which), listOrders(operate)];
}
