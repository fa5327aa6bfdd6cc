import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { isGoingOn, N8n, outputOf } from './n8n.ts';
import { startPostgres, startRedis, type Service } from './services.ts';
import { chain, trigger, ykVoice, type CredentialRef } from './workflows.ts';

/** More than both workers take at once. */
const RUNS = 24;

/** What a worker of n8n runs at the same time, by default. */
const WORKER_CONCURRENCY = 10;

describe('queue mode: one main and two workers', { timeout: 360_000 }, () => {
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
		const host = installHost(NEWEST);
		const env = {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: 'postgres',
			DB_POSTGRESDB_DATABASE: 'postgres',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// The jobs of a worker that was killed end with this lock, which a busy one must renew in time.
			QUEUE_WORKER_LOCK_DURATION: '30000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '120',
			N8N_REINSTALL_MISSING_PACKAGES: 'true',
		};
		const pack = inject('pack');
		main = await N8n.start({ host, pack, env });
		await main.installPackage();
		credential = await main.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
		workers = await Promise.all(
			[1, 2].map(async () => await N8n.start({ host, pack, env, command: 'worker' })),
		);
	});

	// A test must not meet the workers as another left them.
	beforeEach(async () => {
		const ended = workers.filter(({ isRunning }) => !isRunning);
		await Promise.all(ended.map(async (worker) => await worker.launch()));
	}, 150_000);

	afterAll(async () => {
		await Promise.all(
			workers.map(async (worker, at) => await worker.dispose(`queue-worker-${at + 1}`)),
		);
		await main?.dispose('queue-main');
		await Promise.all([postgres?.stop(), redis?.stop(), emulator?.close()]);
	});

	const post = async (path: string) =>
		await fetch(`${main.url}/webhook/${path}`, { method: 'POST' });

	/**
	 * Executions of a workflow that reads all calls, started through a webhook and held at their
	 * first request: each worker has as many as it takes, the rest waits in the queue.
	 */
	async function begun(path: string) {
		const saved = await main.saveWorkflow(
			chain(
				path,
				{
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					position: [0, 0],
					webhookId: crypto.randomUUID(),
					parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
				},
				ykVoice({ resource: 'call', operation: 'getAll', returnAll: true }, credential),
			),
		);
		await main.activate(saved);
		// n8n says yes before the webhook is there.
		await main.until(async () => (await post(path)).ok);
		await main.until(async () => (await main.statuses(saved.id))[0] === 'success');

		let release = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const off = emulator.before(async () => await released);
		const lists = () => emulator.requests.filter(({ path }) => path === '/call-history').length;
		const before = lists();
		const answers = await Promise.all(Array.from({ length: RUNS }, async () => await post(path)));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		await main.until(() => lists() === before + workers.length * WORKER_CONCURRENCY);

		/** Lets the requests pass, and waits for the end of every execution. */
		const end = async () => {
			off();
			release();
			await main.until(async () => {
				const statuses = await main.statuses(saved.id);
				return statuses.length > RUNS && !statuses.some(isGoingOn);
			}, 300_000);
			const executions = await main.executions(saved.id);
			expect(executions).toHaveLength(RUNS + 1);
			const done = executions.filter(({ status }) => status === 'success');
			for (const execution of done) {
				expect(outputOf(execution, 'YK Voice')).toHaveLength(emulator.store.calls.size);
			}
			return executions.filter(({ status }) => status !== 'success');
		};
		return { end };
	}

	it('spreads the executions over both workers', async () => {
		const { end } = await begun('spread');
		expect(await end()).toEqual([]);
		const finished = workers.map(({ log }) => log.match(/Worker finished execution/g) ?? []);
		for (const { length } of finished) expect(length).toBeGreaterThanOrEqual(WORKER_CONCURRENCY);
	});

	it('polls once per poll time, on the main alone', async () => {
		const saved = await main.saveWorkflow(
			chain('Poll', trigger({ event: 'newOrder' }, credential)),
		);
		await main.activate(saved);
		try {
			const polls = () => emulator.requests.filter(({ path }) => path.startsWith('/orders'));
			await main.until(() => polls().length >= 2);
			const before = polls().length;
			const started = performance.now();
			await new Promise((resolve) => setTimeout(resolve, 20_000));
			// Each poll reads the order list once while it holds few records.
			const count = polls().length - before;
			const due = (performance.now() - started) / 5000;
			expect(count).toBeGreaterThanOrEqual(Math.floor(due) - 1);
			expect(count).toBeLessThanOrEqual(Math.ceil(due) + 1);
			const ids = Array.from({ length: 5 }, () => emulator.store.addOrder().id);
			await main.until(async () => (await emitted(saved.id)).length >= ids.length);
			await new Promise((resolve) => setTimeout(resolve, 7000));
			expect((await emitted(saved.id)).sort()).toEqual([...ids].sort());
		} finally {
			await main.deactivate(saved);
		}
	});

	const emitted = async (id: string) =>
		(await main.executions(id)).flatMap((execution) =>
			outputOf(execution, 'YK Voice Trigger').map((item) => String(item.id)),
		);

	it('loses nothing when a worker is stopped', async () => {
		const worker = workers[1]!;
		const { end } = await begun('stop');
		const stopped = worker.stop();
		await main.until(() => /Waiting for 10 active executions/.test(worker.log));
		expect(await end()).toEqual([]);
		await stopped;
	});

	it('shows what a killed worker had begun as failed, and runs the rest', async () => {
		const { end } = await begun('kill');
		await workers[0]!.kill();
		const failed = await end();
		// n8n repeats nothing that had begun, as a call could be made twice.
		expect(failed.map(({ status }) => status)).toEqual(Array(WORKER_CONCURRENCY).fill('error'));
	});
});
