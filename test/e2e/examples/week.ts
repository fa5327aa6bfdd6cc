import { describe, expect, it } from 'vitest';

import type { Emulator, Store } from '../../emulator/index.ts';
import { outputOf, type Execution, type WorkflowJson } from '../n8n.ts';
import { emulator, n8n, renewEmulator } from '../shared.ts';
import { addClients, CLIENTS, messUp } from './account.ts';
import { setUp, type Example } from './example.ts';

// Each example once more, with the data of a real week: an empty account, and one full of awkward records.

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

/** What the nodes of other services, and of tables, would send in a run. */
const sentIn = (execution: Execution) =>
	Object.keys(execution.data.resultData.runData)
		.filter((name) => name.endsWith(': mapped'))
		.flatMap((name) =>
			outputOf(execution, name).map((fields) => ({ node: name.replace(': mapped', ''), fields })),
		);

/** What *Send and Wait* shows of a text: n8n decodes its entities once (1.123 to 2.41). */
const decoded = (text: string) =>
	text.replace(/&(amp|lt|gt);/g, (_all, name: 'amp' | 'lt' | 'gt') => {
		return { amp: '&', lt: '<', gt: '>' }[name];
	});

function expectReadable(execution: Execution, { nodes }: WorkflowJson): void {
	for (const { node, fields } of sentIn(execution)) {
		const { type, parameters } = nodes.find(({ name }) => name === node)!;
		const isAsked = parameters.operation === 'sendAndWait';
		const isPage = parameters.emailType === 'html' || isAsked;
		for (const [field, value] of Object.entries(fields)) {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			const where = `${node}: ${field}: ${text.slice(0, 300)}`;
			expect(text, where).not.toMatch(/undefined|NaN|\[object Object\]|Invalid DateTime|\bnull\b/);
			const shown = isAsked ? decoded(text) : text;
			if (/slack$/.test(type)) expect(shown, where).not.toMatch(/<!channel>|<https?:/);
			if (/gmail$/.test(type) && isPage && field === 'message')
				expect(shown, where).not.toMatch(/<script/);
			expect(text, where).not.toMatch(/\b1 (calls|bookings|orders|tests)\b/);
		}
	}
}

/** An example with the data of a real week, in which each of its triggers starts it. */
export function week(name: string, example: Example): void {
	/** Runs it in an account that was made so. @returns the error in which it ended */
	async function run(start: string, make: (store: Store) => void): Promise<string> {
		await renewEmulator();
		const { store } = emulator;
		make(store);
		endCampaigns(emulator);
		acceptDocuments(emulator);
		const { clients } = await addClients(emulator, CLIENTS);
		const brings = example.starts[start]?.(store);
		const answers = { ...example.answers?.(store), ...(brings && { [start]: brings }) };
		const workflow = setUp(name, { chosen: example.chosen?.(store), answers, clients });
		const execution = await n8n.execute(await n8n.saveWorkflow(workflow), start);
		const executions = [execution, ...(await n8n.subExecutions(execution))];
		expect(emulator.unknown).toEqual([]);
		for (const one of executions) expectReadable(one, workflow);
		return executions.flatMap(({ data }) => data.resultData.error?.message ?? []).join('; ');
	}

	describe.each(Object.keys(example.starts))('in a real week, from %s', (start) => {
		it('says nothing wrong of an account without records', async () => {
			await run(start, (store) => {
				const { calls, orders, contacts, events, items, transactions } = store;
				for (const table of [calls, orders, contacts, events, items, transactions]) table.clear();
			});
		});

		it('works with messy records', async () => {
			expect(await run(start, messUp)).toMatch(example.tells?.[start] ?? /^$/);
		});
	});
}
