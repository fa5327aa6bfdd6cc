import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/harness.ts';
import type { Account } from './account.ts';
import { watchArrivals } from './arrivals.ts';
import { progress, seconds, short, table } from './print.ts';
import type { Traffic } from './traffic.ts';

/** One link of the chain: what it does, and what it has to show for it. */
export interface Step {
	title: string;
	run(): Promise<{ items: number; lines: string[] }>;
}

/** The most calls read from somebody's own account. */
const REAL_CALLS = 200;

const PROMPT = 'You answer for Trattoria Aurora. Take orders; read each one back.';

/** What the demo runs: on the emulator everything, on somebody's own account only what reads. */
export function stepsFor(account: Account, traffic: Traffic): Step[] {
	/** Runs one operation, over the items that an earlier one put out. */
	const operate = async (
		name: string,
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
	): Promise<IDataObject[]> => {
		const [resource, operation] = name.split('.');
		const { error, json } = await runNode({
			parameters: { resource, operation, ...parameters } as INodeParameters,
			credentials: account.credentials,
			items: items.map((item) => ({ json: item })),
		});
		if (error) throw error;
		return json;
	};

	let agents: IDataObject[] = [];

	const listAgents: Step = {
		title: 'List the agents',
		run: async () => {
			agents = await operate('agent.getAll', { returnAll: true });
			const rows = agents
				.slice(0, 12)
				.map((agent) => [
					short(agent.name, 40),
					short(agent.agent_type),
					short(agent.ai_provider) || '-',
					agent.is_active === false ? 'no' : 'yes',
				]);
			return {
				items: agents.length,
				lines: table(['Name', 'Type', 'Model', 'Active'], rows),
			};
		},
	};

	const updatePrompt: Step = {
		title: 'Update the prompt of one of them',
		run: async () => {
			const inbound = agents.filter((agent) => agent.agent_type === 'inbound').slice(-1);
			const [before] = await operate('agent.get', { agent_id: byId }, inbound);
			const after = await operate(
				'agent.update',
				{ agent_id: byId, updateFields: { prompt_instructions: PROMPT } },
				inbound,
			);
			return {
				items: after.length,
				lines: table(
					['Agent', short(before?.name)],
					[
						['Was', short(before?.prompt_instructions)],
						['Is', short(after[0]?.prompt_instructions)],
					],
				),
			};
		},
	};

	const exportCalls: Step = {
		title: account.isReal
			? `Export up to ${REAL_CALLS} calls with their summaries`
			: 'Export all calls with their summaries',
		run: async () => {
			const [started, before] = [performance.now(), traffic.summaries];
			const total = account.calls ? ` of ${account.calls.toLocaleString('en')}` : '';
			const end = progress(
				() =>
					`${(traffic.summaries - before).toLocaleString('en')}${total} summaries asked for, ${seconds(performance.now() - started)}`,
			);
			try {
				const calls = await operate('call.getAll', {
					...(account.isReal ? { returnAll: false, limit: REAL_CALLS } : { returnAll: true }),
					options: { include: ['summary'] },
				});
				return { items: calls.length, lines: byStatus(calls) };
			} finally {
				end();
			}
		},
	};

	const confirmOrder: Step = {
		title: 'Confirm a pending order',
		run: async () => {
			const pending = await operate('order.getAll', {
				returnAll: false,
				limit: 1,
				filters: { status: 'pending' },
			});
			const confirmed = await operate(
				'order.update',
				{ order_id: byId, updateFields: { status: 'confirmed' } },
				pending,
			);
			return { items: confirmed.length, lines: orderTable(confirmed, pending) };
		},
	};

	const listOrders: Step = {
		title: 'List the newest orders',
		run: async () => {
			const orders = await operate('order.getAll', {
				returnAll: false,
				limit: 10,
				sort: { sort: '-created_at' },
			});
			return { items: orders.length, lines: orderTable(orders) };
		},
	};

	return account.emulator === undefined
		? [listAgents, exportCalls, listOrders]
		: [listAgents, updatePrompt, exportCalls, confirmOrder, watchArrivals(account.emulator)];
}

const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

function byStatus(calls: IDataObject[]): string[] {
	const statusOf = (call: IDataObject) => short(call.call_status ?? call.status) || 'Unknown';
	const statuses = [...new Set(calls.map(statusOf))].sort((one, other) => one.localeCompare(other));
	const row = (name: string, group: IDataObject[]) => [
		name,
		group.length,
		group.filter(({ summary }) => Boolean(summary)).length,
		Math.round(group.reduce((sum, call) => sum + (Number(call.duration_seconds) || 0), 0) / 60),
	];
	const newest = calls.find(({ summary }) => typeof summary === 'string');
	return [
		...table(
			['Status', 'Calls', 'Summaries', 'Minutes'],
			[
				...statuses.map((name) =>
					row(
						name,
						calls.filter((call) => statusOf(call) === name),
					),
				),
				row('All', calls),
			],
		),
		...(newest ? [`   Newest: "${short(newest.summary)}"`] : []),
	];
}

/** @param before the same orders as they were, where they were changed */
function orderTable(orders: IDataObject[], before: IDataObject[] = []): string[] {
	return table(
		['Order', 'Customer', 'Total', 'Was', before.length > 0 ? 'Is' : 'Status'],
		orders.map((order, index) => [
			short(order.order_number ?? order.id, 36),
			short(order.customer_name, 30),
			order.total_amount === undefined
				? undefined
				: `${Number(order.total_amount).toFixed(2)} ${short(order.currency)}`,
			short(before[index]?.status),
			short(order.status),
		]),
	);
}
