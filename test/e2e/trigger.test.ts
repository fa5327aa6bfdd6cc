import { setTimeout as sleep } from 'node:timers/promises';
import { inject, it } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n, outputOf, succeeded, type Execution } from './n8n.ts';
import { startPostgres, startRedis } from './services.ts';
import { chain, locator, trigger, ykVoice } from './workflows.ts';

/** How many accounts one trigger watches. */
const ACCOUNTS = 20;

/** When n8n is killed: as a poll has read all accounts, and as its workflow reads the first call. */
const KILLS = [{ lists: ACCOUNTS }, { gets: 1 }];

/** How often one poll sends a request that does not come through. */
const MOST_TRIES = 4;

/** Lets n8n save the cursor and the executions of a poll together. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// Faster than by default, so that a test sees many polls.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '2',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '5',
};

/**
 * n8n alone, or in queue mode: one main process and two workers, with services of their own.
 * @param onTestFinished that of the test, because Vitest's own does not know which of several at once it is
 */
async function startN8n(
	name: string,
	isQueue: boolean,
	engine: NodeJS.ProcessEnv,
	onTestFinished: (end: () => Promise<void>) => void,
) {
	const services = isQueue ? await Promise.all([startPostgres(), startRedis()]) : [];
	const [postgres, redis] = services.map(({ port }) => String(port));
	const queue = {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: postgres,
		DB_POSTGRESDB_USER: 'postgres',
		DB_POSTGRESDB_DATABASE: 'postgres',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: redis,
		N8N_REINSTALL_MISSING_PACKAGES: 'true',
	};
	const env = { ...engine, ...(isQueue && queue) };
	const options = { host: await installHost(NEWEST), pack: inject('pack'), env };
	const main = await N8n.start(options);
	const workers = await Promise.all(
		(isQueue ? [1, 2] : []).map(() => N8n.start({ ...options, command: 'worker' })),
	);
	onTestFinished(async () => {
		for (const [at, n8n] of [...workers, main].entries()) await n8n.dispose(`${name}-${at}`);
		await Promise.all(services.map(async ({ stop }) => await stop()));
	});
	return { main, workers };
}

type Items = Array<{ json: Record<string, unknown> }>;

/** An execution with what n8n kept of a node that it never came to run. */
type Cut = Execution['data'] & {
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: { main: Array<Items | null> } }>;
	};
};

/** The calls that the trigger handed over, also to an execution that was cut off before it began. */
function callsOf(execution: Execution): string[] {
	const ran = outputOf(execution, 'YK Voice Trigger');
	const waiting = ((execution.data as Cut).executionData?.nodeExecutionStack ?? [])
		.filter(({ node }) => node.name === 'YK Voice Trigger')
		.flatMap(({ data }) => data.main[0] ?? []);
	// The execution of a failed poll holds an item without a call. So does that of a trigger that ran before
	// a kill: n8n 2.41 does not keep its output, but its calls are among what waits.
	return [...ran, ...waiting.map(({ json }) => json)]
		.filter(({ id }) => id !== undefined)
		.map(({ account, id }) => `${account} ${id}`);
}

// All at once: each mostly waits for the next minute, in which n8n polls.
it.concurrent.for([
	['n8n', false, {}],
	['n8n with durable cursors', false, DURABLE_CURSORS],
	['n8n in queue mode', true, {}],
	['n8n in queue mode with durable cursors', true, DURABLE_CURSORS],
] as const)(
	`%s starts the workflow of a trigger for ${ACCOUNTS} accounts once for each call, through a restart, an API that is down and kills`,
	async ([name, isQueue, engine], { expect, onTestFinished }) => {
		const emulator = await startEmulator({ data: 'small' });
		onTestFinished(async () => await emulator.close());
		const clients = Array.from({ length: ACCOUNTS }, () => emulator.addOrganization());
		const { main, workers } = await startN8n(
			name.replaceAll(' ', '-'),
			isQueue,
			engine,
			onTestFinished,
		);
		const keys = clients.map(({ apiKey }, at) => [`Client ${at}`, apiKey]);
		const accounts = JSON.stringify(Object.fromEntries(keys));
		const credential = await main.createCredential(
			{ baseUrl: emulator.url, accounts },
			{ type: 'ykVoiceAccountsApi' },
		);
		const get = { resource: 'call', operation: 'get', call_id: locator('={{ $json.id }}') };
		const saved = await main.saveWorkflow(
			chain(
				'All clients',
				trigger({ event: 'newCall' }, credential),
				ykVoice({ ...get, account: locator('={{ $json.account }}', 'name') }, credential),
			),
		);
		await main.activate(saved);
		const sent = (path: RegExp) => emulator.requests.filter((one) => path.test(one.path)).length;
		const asked = () => sent(/^\/call-history$/);
		const read = () => sent(/^\/call-history\/./);
		const polled = async (times: number) => {
			const least = asked() + times * ACCOUNTS;
			await main.until(() => asked() >= least);
		};
		// The first poll is part of activating: with the second, that is done.
		await polled(2);
		const calls: string[] = [];
		const call = async () => {
			for (let count = 0; count < 40; count++) {
				const at = calls.length % ACCOUNTS;
				const { id } = clients[at]!.store.addCall();
				calls.push(`Client ${at} ${id}`);
				await sleep(50);
			}
		};

		await call();
		await main.stop();
		emulator.faults.add({ kind: 'reset-before', times: Infinity });
		const least = asked() + ACCOUNTS * MOST_TRIES;
		await main.launch();
		// At least one poll has failed.
		await main.until(() => asked() > least);
		emulator.faults.clear();
		await polled(1);

		/** Without durable cursors, a kill may lose what came since the poll before it. */
		const mayBeLost = new Set<string>();
		for (const { lists = 0, gets = 0 } of KILLS) {
			const known = calls.length;
			await call();
			const [asks, reads] = [asked() + lists, read() + gets];
			await main.until(() => asked() >= asks && read() >= reads, undefined, 2);
			await main.stop('SIGKILL');
			if (engine !== DURABLE_CURSORS) for (const key of calls.slice(known)) mayBeLost.add(key);
			await main.launch();
			await polled(1);
		}
		await call();
		const handedOver = async () => (await main.executions(saved.id)).flatMap(callsOf);
		const missing = async () => {
			const came = new Set(await handedOver());
			return calls.filter((key) => !came.has(key));
		};
		await main.until(
			async () => (await missing()).every((key) => mayBeLost.has(key)),
			undefined,
			1000,
		);
		await polled(2);

		const came = await handedOver();
		console.log(`${name}: ${calls.length} calls, ${(await missing()).length} lost by kills`);
		expect(came.length, 'no call twice').toBe(new Set(came).size);
		expect(
			came.filter((key) => !calls.includes(key)),
			'no call from before the activation',
		).toEqual([]);
		await main.deactivate(saved);
		// The next node reads each call with the key of its account.
		const last = await main.finished((await main.listed(saved.id)).at(-1)!.id);
		const ids = (node: string) => outputOf(succeeded(last), node).map(({ id }) => id);
		expect(ids('YK Voice')).toEqual(ids('YK Voice Trigger'));
		if (isQueue) {
			const log = workers.map((worker) => worker.log).join('');
			expect(log).toContain('Worker finished execution');
		}
	},
);
