import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { isGoingOn, N8n, outputOf, succeeded, type WorkflowNode } from './n8n.ts';
import { startPostgres, startRedis, type Service } from './services.ts';
import { chain, trigger, ykVoice, type CredentialRef } from './workflows.ts';

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

describe('queue mode: one main and two workers', () => {
	let emulator: Emulator;
	let postgres: Service;
	let redis: Service;
	let main: N8n;
	let workers: N8n[] = [];
	let credential: CredentialRef;

	beforeAll(async () => {
		[emulator, postgres, redis] = await Promise.all([
			startEmulator({ data: 'small' }),
			startPostgres(),
			startRedis(),
		]);
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
		};
		const pack = inject('pack');
		main = await N8n.start({ host, pack, env });
		credential = await main.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
		workers = await Promise.all(
			[1, 2].map(async () => await N8n.start({ host, pack, env, command: 'worker' })),
		);
	});

	afterAll(async () => {
		await Promise.all(
			workers.map(async (worker, at) => await worker.dispose(`queue-worker-${at + 1}`)),
		);
		await main?.dispose('queue-main');
		await Promise.all([postgres?.stop(), redis?.stop(), emulator?.close()]);
	});

	it('runs executions on both workers', async () => {
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
		const stop = emulator.before(async () => {
			if (++waiting === workers.length * WORKER_CONCURRENCY) resolve();
			await allTaken;
		});
		const answers = await Promise.all(Array.from({ length: RUNS }, post));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		await main.until(async () => await areOver(RUNS + 1));
		stop();
		for (const execution of await main.executions(saved.id)) {
			expect(outputOf(succeeded(execution), 'YK Voice')).toHaveLength(emulator.store.calls.size);
		}
		const finished = workers.map(({ log }) => log.match(/Worker finished execution/g) ?? []);
		for (const { length } of finished) expect(length).toBeGreaterThanOrEqual(WORKER_CONCURRENCY);
	});

	it('starts one execution for each new record', async () => {
		const saved = await main.saveWorkflow(
			chain('Poll', trigger({ event: 'newOrder' }, credential)),
		);
		await main.activate(saved);
		// Each poll reads the order list once while it holds few records.
		const polls = () => emulator.requests.filter(({ path }) => path.startsWith('/orders')).length;
		await main.until(() => polls() >= 2);
		const ids = Array.from({ length: 5 }, () => emulator.store.addOrder().id);
		const emitted = async () =>
			(await main.executions(saved.id)).flatMap((execution) =>
				outputOf(execution, 'YK Voice Trigger').map((item) => String(item.id)),
			);
		await main.until(async () => (await emitted()).length >= ids.length);
		const then = polls();
		// Two polls more, which must bring none of them again.
		await main.until(() => polls() >= then + 2);
		expect((await emitted()).sort()).toEqual(ids.sort());
		await main.deactivate(saved);
	});
});
