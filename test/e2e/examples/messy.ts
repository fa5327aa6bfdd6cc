import { describe, expect, it } from 'vitest';

import type { Emulator, Store } from '../../emulator/index.ts';
import { isGoingOn, type Execution, type WorkflowJson } from '../n8n.ts';
import {
	credential,
	emulator,
	enter,
	example as exampleOf,
	n8n,
	renewEmulator,
} from '../shared.ts';
import { pinned, withCredential } from '../workflows.ts';
import { addClients, messUp, withAccounts } from './account.ts';
import { isReplaced, recorder, withRecorder, type Sent } from './recorder.ts';
import { CLIENTS, WEEK } from './week.ts';

/** What an example did in one run. */
interface Run {
	execution: Execution;
	sent: Sent[];
	/** What was changed in the account: `PATCH /orders/7`. */
	written: Array<{ path: string; handled: boolean }>;
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

/** An example that its user has set up, in an account that was made so, to be run again and again. */
async function prepare(name: string, start: string, make: (store: Store) => void) {
	await renewEmulator();
	make(emulator.store);
	endCampaigns(emulator);
	acceptDocuments(emulator);
	const week = WEEK[name]!;
	const example = enter(exampleOf(name), week.chosen?.(emulator.store) ?? {});
	const brought = week.starts[start]?.(emulator.store);
	const pages = Object.entries(week.answered ?? {}).map(([page, answer]) => [page, [answer]]);
	const recorded = pinned(withRecorder(example, recorder.url), Object.fromEntries(pages));
	const clients = await addClients(emulator, CLIENTS);
	const ready = withAccounts(
		withCredential(
			brought === undefined ? recorded : pinned(recorded, { [start]: brought }),
			credential,
		),
		clients.credential,
	);
	recorder.answers = week.answers?.(emulator.store) ?? {};
	const saved = await n8n.saveWorkflow(ready);
	const run = async (): Promise<Run> => {
		recorder.sent.length = 0;
		emulator.requests.length = 0;
		const execution = await n8n.execute(saved, start);
		expect(isGoingOn(execution.status)).toBe(false);
		expect(emulator.unknown).toEqual([]);
		const written = emulator.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ method, path, handled }) => ({ handled, path: `${method} ${path}` }));
		return { execution, sent: [...recorder.sent], written };
	};
	return { example, week, run };
}

const errorOf = ({ execution }: Run) => execution.data.resultData.error?.message ?? '';

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

/** An example with the data of a real week, where a recorder stands for all other services. */
export function messy(name: string): void {
	describe.each(Object.keys(WEEK[name]!.starts))('in a real week, from %s', (start) => {
		it('says nothing wrong of an account without records', async () => {
			const empty = ({ calls, orders, contacts, events, items, transactions }: Store) => {
				for (const table of [calls, orders, contacts, events, items, transactions]) table.clear();
			};
			const { example, run } = await prepare(name, start, empty);
			expectReadable(await run(), example);
		});

		it('works with messy records, and does nothing twice that is to be done once', async () => {
			const { example, week, run } = await prepare(name, start, messUp);
			const first = await run();
			expectReadable(first, example);
			expect(errorOf(first)).toMatch(week.tells?.[start] ?? /^$/);
			if (!week.once || week.starts[start]) return;

			const second = await run();
			const isWritten = ({ node }: Sent) =>
				example.nodes.some((one) => one.name === node && isReplaced(one)) &&
				!(node in recorder.answers);
			expect(second.sent.filter(isWritten)).toEqual([]);
			// What was refused may be tried again.
			expect(second.written.filter(({ handled }) => handled)).toEqual([]);
		});
	});
}
