import { describe, expect, it } from 'vitest';

import type { Emulator, Store } from '../../emulator/index.ts';
import { isGoingOn, outputOf, type Execution, type WorkflowJson } from '../n8n.ts';
import { emulator, n8n, renewEmulator } from '../shared.ts';
import { addClients, CLIENTS, messUp } from './account.ts';
import { setUp, written, type Example } from './example.ts';

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

function expectReadable(execution: Execution, { nodes }: WorkflowJson): void {
	for (const { node, fields } of sentIn(execution)) {
		const { type, parameters } = nodes.find(({ name }) => name === node)!;
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

const errorOf = ({ data }: Execution) => data.resultData.error?.message ?? '';

/** An example with the data of a real week, in which each of its triggers starts it. */
export function week(name: string, example: Example): void {
	/** Sets it up in an account that was made so, to be run again and again. */
	async function prepare(start: string, make: (store: Store) => void) {
		await renewEmulator();
		const { store, requests } = emulator;
		make(store);
		endCampaigns(emulator);
		acceptDocuments(emulator);
		const { clients } = await addClients(emulator, CLIENTS);
		const brings = example.starts[start]?.(store);
		const answers = { ...example.answers?.(store), ...(brings && { [start]: brings }) };
		const workflow = setUp(name, { chosen: example.chosen?.(store), answers, clients });
		const saved = await n8n.saveWorkflow(workflow);
		return async () => {
			requests.length = 0;
			const execution = await n8n.execute(saved, start);
			expect(isGoingOn(execution.status)).toBe(false);
			expect(emulator.unknown).toEqual([]);
			expectReadable(execution, workflow);
			return execution;
		};
	}

	describe.each(Object.keys(example.starts))('in a real week, from %s', (start) => {
		it('says nothing wrong of an account without records', async () => {
			const run = await prepare(start, (store) => {
				const { calls, orders, contacts, events, items, transactions } = store;
				for (const table of [calls, orders, contacts, events, items, transactions]) table.clear();
			});
			await run();
		});

		it('works with messy records, and does nothing twice that is to be done once', async () => {
			const run = await prepare(start, messUp);
			expect(errorOf(await run())).toMatch(example.tells?.[start] ?? /^$/);
			if (!example.once || example.starts[start]) return;

			const second = await run();
			const isFree = ({ node }: { node: string }) =>
				!(node in (example.answers?.(emulator.store) ?? {}));
			expect(sentIn(second).filter(isFree)).toEqual([]);
			// What was refused may be tried again.
			expect(written().filter(({ handled }) => handled)).toEqual([]);
		});
	});
}
