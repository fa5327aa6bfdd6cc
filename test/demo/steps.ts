import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import { watchArrivals } from './arrivals.ts';
import { short, table } from './print.ts';

/** One link of the chain: what it does, and what it has to show for it. */
export interface Step {
	title: string;
	run(): Promise<{ items: number; lines: string[] }>;
}

const PROMPT = 'You answer for Trattoria Aurora. Take orders; read each one back.';

/** What the demo runs. */
export function stepsFor(emulator: Emulator): Step[] {
	const credentials = { ykVoiceApi: { baseUrl: emulator.url, apiKey: emulator.keys.all } };
	/** Runs one operation, over the items that an earlier one put out. */
	const operate = async (
		name: string,
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
	): Promise<IDataObject[]> => {
		const [resource, operation] = name.split('.');
		const { error, json } = await runNode({
			parameters: { resource, operation, ...parameters } as INodeParameters,
			credentials,
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
		title: 'Export all calls with their summaries',
		run: async () => {
			const calls = await operate('call.getAll', {
				returnAll: true,
				options: { include: ['summary'] },
			});
			return { items: calls.length, lines: byStatus(calls) };
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

	return [listAgents, updatePrompt, exportCalls, confirmOrder, watchArrivals(emulator)];
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

/** @param before the same orders as they were */
function orderTable(orders: IDataObject[], before: IDataObject[]): string[] {
	return table(
		['Order', 'Customer', 'Total', 'Was', 'Is'],
		orders.map((order, index) => [
			short(order.order_number),
			short(order.customer_name, 30),
			`${Number(order.total_amount).toFixed(2)} ${short(order.currency)}`,
			short(before[index]?.status),
			short(order.status),
		]),
	);
}
