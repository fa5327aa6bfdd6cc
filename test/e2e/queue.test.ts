import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n, outputOf } from './n8n.ts';
import { startPostgres, startRedis, type Service } from './services.ts';
import { chain, trigger, ykVoice, type CredentialRef } from './workflows.ts';

const RUNS = 24;

/** What a worker of n8n runs at the same time, by default. */
const WORKER_CONCURRENCY = 10;

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
			// A job of a worker that was killed is taken over after this lock.
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
			QUEUE_WORKER_STALLED_INTERVAL: '3000',
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

	afterAll(async () => {
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		await main?.stop();
		await Promise.all([postgres?.stop(), redis?.stop(), emulator?.close()]);
	});

	/** A workflow behind a webhook, which answers when the call was taken on. */
	async function webhook(path: string) {
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
		await main.until(async () => {
			const answer = await fetch(`${main.url}/webhook/${path}`, { method: 'POST' });
			return answer.status === 200;
		});
		return saved;
	}

	const done = async (id: string, count: number) =>
		await main.until(async () => {
			const executions = await main.executions(id);
			return executions.filter(({ status }) => status === 'success').length >= count
				? executions
				: undefined;
		}, 90_000);

	const ranOn = (worker: N8n) =>
		new Set(
			[...worker.log.matchAll(/(?:finished|Worker finished) execution (\d+)/gi)].map(
				([, id]) => id,
			),
		);

	it('spreads the executions over both workers', async () => {
		const saved = await webhook('spread');
		await Promise.all(
			Array.from(
				{ length: RUNS },
				async () => await fetch(`${main.url}/webhook/spread`, { method: 'POST' }),
			),
		);
		const executions = (await done(saved.id, RUNS + 1))!;
		expect(executions).toHaveLength(RUNS + 1);
		for (const execution of executions) {
			expect(outputOf(execution, 'YK Voice')).toHaveLength(emulator.store.calls.size);
		}
		const [first, second] = workers.map(ranOn);
		expect(first?.size).toBeGreaterThan(0);
		expect(second?.size).toBeGreaterThan(0);
	});

	it('polls once per poll time, on the main alone', async () => {
		const saved = await main.saveWorkflow(
			chain('Poll', trigger({ event: 'newOrder' }, credential)),
		);
		await main.activate(saved);
		const polls = () => emulator.requests.filter(({ path }) => path.startsWith('/orders'));
		await main.until(() => polls().length >= 2);
		const before = polls().length;
		await new Promise((resolve) => setTimeout(resolve, 20_000));
		// A poll every five seconds; each reads the order list once while it holds few records.
		const count = polls().length - before;
		expect(count).toBeGreaterThanOrEqual(3);
		expect(count).toBeLessThanOrEqual(5);
		const ids = Array.from({ length: 5 }, () => emulator.store.addOrder().id);
		await main.until(async () => (await emitted(saved.id)).length >= ids.length);
		await new Promise((resolve) => setTimeout(resolve, 7000));
		expect((await emitted(saved.id)).sort()).toEqual([...ids].sort());
		await main.deactivate(saved);
	});

	const emitted = async (id: string) =>
		(await main.executions(id)).flatMap((execution) =>
			outputOf(execution, 'YK Voice Trigger').map((item) => String(item.id)),
		);

	/** Runs started through a webhook, one of whose workers ends in the midst of them. */
	async function runsDuring(path: string, end: () => Promise<void>) {
		const saved = await webhook(path);
		emulator.faults.add({ kind: 'latency', ms: 300, times: Infinity } as never);
		await Promise.all(
			Array.from(
				{ length: RUNS },
				async () => await fetch(`${main.url}/webhook/${path}`, { method: 'POST' }),
			),
		);
		await end();
		const executions = (await main.until(async () => {
			const all = await main.executions(saved.id);
			const isGoingOn = all.some(({ status }) => ['new', 'running', 'waiting'].includes(status));
			return all.length === RUNS + 1 && !isGoingOn ? all : undefined;
		}, 120_000))!;
		emulator.faults.clear();
		const done = executions.filter(({ status }) => status === 'success');
		for (const execution of done) {
			expect(outputOf(execution, 'YK Voice')).toHaveLength(emulator.store.calls.size);
		}
		return { done, others: executions.filter(({ status }) => status !== 'success') };
	}

	it('loses nothing when a worker is stopped', async () => {
		const { others } = await runsDuring('stop', async () => await workers[1]!.stop());
		expect(others).toEqual([]);
		await workers[1]!.launch();
	});

	it('shows what a killed worker had begun as failed, and runs the rest', async () => {
		const { others } = await runsDuring('kill', async () => await workers[0]!.kill());
		// n8n repeats nothing that had begun, as a call could be made twice.
		expect(others.length).toBeLessThanOrEqual(WORKER_CONCURRENCY);
		expect(others.map(({ status }) => status)).toEqual(others.map(() => 'error'));
		console.log(`a worker killed: ${others.length} of ${RUNS + 1} executions are shown as failed`);
	});
});
