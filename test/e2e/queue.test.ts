import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import {
	ENGINES,
	isGoingOn,
	N8n,
	outputOf,
	recordsOf,
	succeeded,
	type WorkflowNode,
} from './n8n.ts';
import { startPostgres, startRedis } from './services.ts';
import { chain, trigger, ykVoice } from './workflows.ts';

/** More than both workers take at once. */
const RUNS = 24;

/** What a worker of n8n runs at the same time, by default. */
const WORKER_CONCURRENCY = 10;

const webhook = (path: string, responseMode: string): WorkflowNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	position: [0, 0],
	webhookId: crypto.randomUUID(),
	parameters: { path, httpMethod: 'POST', responseMode },
});

/** One main process of n8n and two workers, with services of their own. */
async function startQueue(name: string, more: NodeJS.ProcessEnv = {}) {
	const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
	const host = await installHost(NEWEST);
	const env = {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: 'postgres',
		DB_POSTGRESDB_DATABASE: 'postgres',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_REINSTALL_MISSING_PACKAGES: 'true',
		...more,
	};
	const pack = inject('pack');
	const main = await N8n.start({ host, pack, env });
	const workers = await Promise.all(
		[1, 2].map(async () => await N8n.start({ host, pack, env, command: 'worker' })),
	);
	const stop = async () => {
		await Promise.all(
			workers.map(async (worker, at) => await worker.dispose(`${name}-worker-${at + 1}`)),
		);
		await main.dispose(`${name}-main`);
		await Promise.all([postgres.stop(), redis.stop()]);
	};
	return { main, workers, stop };
}

it('queue mode: one main and two workers share the executions', async () => {
	const emulator = await startEmulator({ data: 'small' });
	const { main, workers, stop } = await startQueue('queue');
	onTestFinished(async () => {
		await stop();
		await emulator.close();
	});
	const { url: baseUrl, keys } = emulator;
	const credential = await main.createCredential({ apiKey: keys.all, baseUrl });
	const allCalls = { resource: 'call', operation: 'getAll', returnAll: true };
	const saved = await main.saveWorkflow(
		chain('Queue', webhook('calls', 'onReceived'), ykVoice(allCalls, credential)),
	);
	await main.activate(saved);
	const post = async () => await fetch(`${main.url}/webhook/calls`, { method: 'POST' });
	// n8n says yes before the webhook is there.
	await main.until(async () => (await post()).ok);
	const areOver = async (count: number) => {
		const listed = await main.listed(saved.id);
		return listed.length === count && !listed.some(({ status }) => isGoingOn(status));
	};
	await main.until(async () => await areOver(1));
	// No execution ends before both workers have all they take: none of them can do the work alone.
	let waiting = 0;
	let resolve = () => {};
	const allTaken = new Promise<void>((resolved) => (resolve = resolved));
	const endWaiting = emulator.before(async () => {
		if (++waiting === workers.length * WORKER_CONCURRENCY) resolve();
		await allTaken;
	});
	const answers = await Promise.all(Array.from({ length: RUNS }, post));
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
	await main.until(async () => await areOver(RUNS + 1));
	endWaiting();
	for (const execution of await main.executions(saved.id)) {
		expect(outputOf(succeeded(execution), 'YK Voice')).toHaveLength(emulator.store.calls.size);
	}
	const finished = workers.map(({ log }) => log.match(/Worker finished execution/g) ?? []);
	for (const { length } of finished) expect(length).toBeGreaterThanOrEqual(WORKER_CONCURRENCY);
});

/** How many accounts one trigger watches. */
const ACCOUNTS = 20;

/** Milliseconds between a poll's first request and the kill. */
const KILLS = [40, 200];

/** Without durable cursors, what a kill loses was shown so shortly before it (ms): within one poll. */
const LOSS = 10_000;

it.each(Object.entries(ENGINES))(
	`queue mode, %s: one trigger for ${ACCOUNTS} accounts starts the workflow once for each call, through kills of the main process`,
	{ timeout: 1_200_000 },
	async (name, engine) => {
		const isDurable = 'N8N_POLLER_DURABLE_CURSORS_ENABLED' in engine;
		const emulator = await startEmulator({ data: 'empty' });
		const clients = Array.from({ length: ACCOUNTS }, () => emulator.addOrganization());
		const { main, stop } = await startQueue(isDurable ? 'accounts-durable' : 'accounts', engine);
		onTestFinished(async () => {
			await stop();
			await emulator.close();
		});
		const accounts = clients.map(({ apiKey }, at) => [`Client ${at}`, apiKey]);
		const credential = await main.createCredential({
			apiKey: '',
			baseUrl: emulator.url,
			accounts: JSON.stringify(Object.fromEntries(accounts)),
		});
		const saved = await main.saveWorkflow(
			chain('All clients', trigger({ event: 'newCall' }, credential)),
		);
		await main.activate(saved);
		const polled = async (times: number) => {
			const least = emulator.requests.length + times * ACCOUNTS;
			await main.until(() => emulator.requests.length >= least);
		};
		await polled(2);
		const calls: Array<{ key: string; shownAt: number }> = [];
		const handedOver = async () =>
			(await main.executions(saved.id)).flatMap((execution) =>
				recordsOf(execution, 'YK Voice Trigger').map(({ account, id }) => `${account} ${id}`),
			);
		const call = async (count: number) => {
			for (let n = 0; n < count; n += 1) {
				const at = calls.length % ACCOUNTS;
				const { id } = clients[at]!.store.addCall();
				calls.push({ key: `Client ${at} ${id}`, shownAt: Date.now() });
				await sleep(50);
			}
		};
		const kills: number[] = [];
		for (const delay of KILLS) {
			await call(40);
			const from = emulator.requests.length;
			await main.until(() => emulator.requests.length > from, undefined, 2);
			await sleep(delay);
			await main.stop('SIGKILL');
			kills.push(Date.now());
			await main.launch();
			await polled(1);
		}
		await call(40);
		const missing = async () => {
			const came = new Set(await handedOver());
			return calls.filter(({ key }) => !came.has(key));
		};
		const isExcused = ({ shownAt }: { shownAt: number }) =>
			!isDurable && kills.some((at) => shownAt <= at && shownAt > at - LOSS);
		await main.until(async () => (await missing()).every(isExcused), undefined, 1000);
		await polled(2);
		const came = await handedOver();
		console.log(`${name}: ${calls.length} calls, ${(await missing()).length} lost by kills`);
		expect(came.length, 'no call twice').toBe(new Set(came).size);
		const known = new Set(calls.map(({ key }) => key));
		expect(came.filter((key) => !known.has(key))).toEqual([]);
		await main.deactivate(saved);
	},
);
