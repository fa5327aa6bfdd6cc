import { setTimeout as sleep } from 'node:timers/promises';
import { inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, isWeekly, NEWEST } from './host.ts';
import { ENGINES, N8n, recordsOf, type SavedWorkflow } from './n8n.ts';
import { chain, trigger } from './workflows.ts';

/** Killed while it activates, n8n activates anew only after this lease, by default two minutes. */
const LEASE = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

/** Milliseconds between a poll's first request and the kill: while it reads, hands over, or has saved. */
const KILLS = isWeekly ? [5, 60, 150, 300, 600] : [60, 300];

/** How often one poll sends a request that does not come through. */
const MOST_TRIES = 4;

/** Calls and orders that come in all the time, some late, some in the same moment. */
function openBusiness({ store }: Emulator) {
	const calls: Array<{ id: string; shownAt: number }> = [];
	const orders: typeof calls = [];
	let isOpen = true;
	const run = async () => {
		for (let count = 0; isOpen; count++) {
			const now = Date.now();
			const isLate = count % 5 === 4;
			const created_at = new Date(isLate ? now - 90_000 : now - (now % 2000)).toISOString();
			const shownAt = isLate ? now + 3000 : now;
			calls.push({ id: store.addCall({ created_at }, { visibleAt: shownAt }).id, shownAt });
			if (count % 2 === 0) orders.push({ id: store.addOrder().id, shownAt: now });
			await sleep(800);
		}
	};
	const done = run();
	const close = async () => {
		isOpen = false;
		await done;
	};
	return { calls, orders, close };
}

// Both at once: each of them mostly waits.
it.concurrent.for(Object.entries(ENGINES))(
	'the trigger under %s starts exactly one execution for each record, through a restart, an API that is down and kills',
	{ timeout: 3_600_000 },
	async ([name, env], { expect, onTestFinished }) => {
		const isDurable = 'N8N_POLLER_DURABLE_CURSORS_ENABLED' in env;
		const emulator = await startEmulator({ data: 'small' });
		onTestFinished(async () => await emulator.close());
		const host = await installHost(NEWEST);
		const n8n = await N8n.start({ host, pack: inject('pack'), env: { ...LEASE, ...env } });
		onTestFinished(async () => await n8n.dispose(`trigger-${isDurable ? 'durable' : 'default'}`));
		const { url: baseUrl, keys } = emulator;
		const credential = await n8n.createCredential({ apiKey: keys.all, baseUrl });
		const known = new Set(
			[...emulator.store.calls.all(), ...emulator.store.orders.all()].map(({ id }) => id),
		);
		const watch = async (event: string): Promise<SavedWorkflow> => {
			const saved = await n8n.saveWorkflow(chain(event, trigger({ event }, credential)));
			await n8n.activate(saved);
			return saved;
		};
		const calls = await watch('newCall');
		const orders = await watch('newOrder');

		// n8n activates in its own time, and what there is at that moment counts as known.
		// The first poll, one request, is part of activating: with the second, that is done.
		/** Waits until both workflows have asked for their list more often than so many times since then. */
		const polled = async (times: number, from = 0) => {
			await n8n.until(() => {
				const paths = emulator.requests.slice(from).map(({ path }) => path);
				const countOf = (wanted: string) => paths.filter((path) => path === wanted).length;
				return ['/call-history', '/orders'].every((path) => countOf(path) > times);
			});
		};
		await polled(1);
		const business = openBusiness(emulator);
		const emitted = async (workflow: SavedWorkflow) =>
			(await n8n.executions(workflow.id)).map((execution) => ({
				execution,
				ids: recordsOf(execution, 'YK Voice Trigger').map(({ id }) => String(id)),
			}));
		const progress = async () => {
			const count = async () => (await emitted(calls)).filter(({ ids }) => ids.length > 0).length;
			const before = await count();
			await n8n.until(async () => (await count()) > before, undefined, 500);
		};

		await progress();
		await n8n.stop();
		emulator.faults.add({ kind: 'reset-before', times: Infinity });
		const answered = emulator.requests.length;
		await n8n.launch();
		// One more than the two workflows try in a poll each: at least one poll has failed.
		await n8n.until(() => emulator.requests.length - answered > 2 * MOST_TRIES);
		emulator.faults.clear();
		await progress();

		const kills: number[] = [];
		for (const delay of KILLS) {
			const from = emulator.requests.length;
			await n8n.until(() => emulator.requests.length > from, undefined, 2);
			await sleep(delay);
			await n8n.stop('SIGKILL');
			kills.push(Date.now());
			await n8n.launch();
			await progress();
		}
		await business.close();
		const isComplete = async () => {
			const found = new Set(
				(await Promise.all([calls, orders].map(emitted))).flat().flatMap(({ ids }) => ids),
			);
			return [...business.calls, ...business.orders].every(({ id }) => found.has(id));
		};
		// With durable cursors, a batch that was being saved when n8n was killed comes after the lease's end.
		if (isDurable) await n8n.until(isComplete, undefined, 3000).catch(() => undefined);
		await polled(3, emulator.requests.length);

		for (const [workflow, records] of [
			[calls, business.calls],
			[orders, business.orders],
		] as const) {
			const found = await emitted(workflow);
			const ids = found.flatMap((entry) => entry.ids);
			const missing = records.filter(({ id }) => !ids.includes(id));
			const batches = found.filter((entry) => entry.ids.length > 0);
			console.log(
				`${name}, ${workflow.name}: ${records.length} records in ${batches.length} executions, ${missing.length} missing`,
			);
			expect(
				ids.filter((id) => known.has(id)),
				'older than the activation',
			).toEqual([]);
			expect(ids.length, 'no record twice').toBe(new Set(ids).size);
			if (isDurable) {
				expect(missing, 'no record missed').toEqual([]);
				continue;
			}
			// Of each kill, the one batch whose cursor was saved and whose execution was not.
			const lost = kills.map((to) => {
				const earlier = batches.filter(({ execution }) => Date.parse(execution.startedAt) < to);
				const known = new Set(earlier.flatMap((entry) => entry.ids));
				const shown = records.filter(({ id }) => known.has(id)).map(({ shownAt }) => shownAt);
				return { from: Math.max(0, ...shown), to };
			});
			const unexcused = missing.filter(
				({ shownAt }) => !lost.some(({ from, to }) => shownAt >= from && shownAt <= to),
			);
			expect(unexcused, 'no record missed but by a kill').toEqual([]);
			expect(batches.length).toBeGreaterThan(KILLS.length);
		}
	},
);
