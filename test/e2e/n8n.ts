import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
	copyFileSync,
	createWriteStream,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'flatted';
import type { INodeTypeDescription } from 'n8n-workflow';

import type { Host } from './host.ts';
import type { Pack } from './pack.ts';

export const OWNER = {
	email: 'owner@example.com',
	password: 'Owner-password-1',
	firstName: 'Olivia',
	lastName: 'Owner',
};

const ARTIFACTS = fileURLToPath(new URL('../../artifacts/', import.meta.url));

/** Longer than any test lets n8n wait for its executions (N8N_GRACEFUL_SHUTDOWN_TIMEOUT). */
const HARD_END_MS = 150_000;

/** n8n binds a session's cookie to it. */
const BROWSER_ID = 'e2e';

/** What keeps n8n from calling out, and from showing a person what distracts. */
const QUIET = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	// The second page of a form has this address, and the browser stays with that of the first.
	N8N_HOST: '127.0.0.1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENCRYPTION_KEY: 'e2e',
	N8N_LOG_LEVEL: 'info',
	GENERIC_TIMEZONE: 'UTC',
	NODE_ENV: 'production',
	NO_COLOR: '1',
	// The one connection that n8n 1 has by default mixes transactions that overlap.
	DB_SQLITE_POOL_SIZE: '3',
	// On a busy machine a look at the database takes longer than n8n's own five seconds.
	DB_PING_TIMEOUT_MS: '120000',
};

export interface N8nOptions {
	host: Host;
	pack: Pack;
	env?: NodeJS.ProcessEnv;
	port?: number;
	/** Default `start`. */
	command?: 'start' | 'worker';
}

interface ListedExecution {
	id: string;
	status: string;
}

export interface Execution extends ListedExecution {
	data: RunData;
}

interface NodeRun {
	data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> };
	/** The execution that a run of *Execute Sub-workflow* started. */
	metadata?: { subExecution?: { executionId: string } };
}

/** As much of n8n's own format as the tests read. */
export interface RunData {
	/** What n8n wants at the end of the address of a form. */
	resumeToken?: string;
	resultData: {
		error?: { message: string };
		runData: Record<string, NodeRun[]>;
	};
}

export interface SavedWorkflow {
	id: string;
	name: string;
	versionId: string;
	nodes: WorkflowNode[];
}

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[other: string]: unknown;
}

export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

/** What n8n's REST API answers. */
interface Answer<T> {
	data?: T;
	message?: string;
}

/** Whether an execution of this status is still to come to its end. */
const isGoingOn = (status: string) => ['new', 'running', 'waiting', 'unknown'].includes(status);

/** Test files run in processes of their own: each counts from another number. */
let ports = process.pid * 50;

/**
 * A port that nobody listens on. n8n takes it many seconds later, and again after each restart. So it is
 * none of those that Linux gives to outgoing connections, which begin at 32768.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = 12_000 + (ports++ % 20_000);
		const server = createServer().listen(port);
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (!isFree) continue;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}
}

/** One running n8n, and what a person would do in it, through its own REST API. */
export class N8n {
	private readonly options: N8nOptions;

	private readonly folder = mkdtempSync(join(tmpdir(), 'yk-voice-host-'));

	port = 0;

	private child: ChildProcess | undefined;

	private cookie = '';

	private constructor(options: N8nOptions) {
		this.options = options;
	}

	/** A new n8n with this package, whose owner is signed in; a worker gets the package from its main. */
	static async start(options: N8nOptions): Promise<N8n> {
		const n8n = new N8n(options);
		await n8n.launch();
		if (options.command === 'worker') return n8n;
		// The REST routes are there a moment after n8n calls itself ready.
		await n8n.until(async () => {
			const made = n8n.rest('POST', '/owner/setup', OWNER);
			return await made.then(() => true).catch(() => false);
		});
		// n8n's own installer gets the tarball from the `npm` of the pack.
		const { name, version } = options.pack;
		await n8n.rest('POST', '/community-packages', { name, version });
		return n8n;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	private get logFile(): string {
		return join(this.folder, 'n8n.log');
	}

	get log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	private get isRunning(): boolean {
		return (
			this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
		);
	}

	/** Starts the process, again on the same folder after it was stopped. */
	async launch(): Promise<void> {
		for (let left = 3; ; left--) {
			try {
				return await this.launchOnce();
			} catch (error) {
				// Killed between saving an execution and starting it, n8n 2.41 trips over that execution
				// once; whoever keeps it running starts it again.
				const isKnown = /\(reading 'getTime'\)/.test(String(error));
				if (!isKnown || left === 0) throw error;
			}
		}
	}

	private async launchOnce(): Promise<void> {
		const { host, pack, env, command = 'start' } = this.options;
		this.port ||= this.options.port ?? (await freePort());
		// After a crash n8n waits ten seconds, which only a person has.
		rmSync(join(this.folder, '.n8n/crash.journal'), { force: true });
		const log = createWriteStream(this.logFile, { flags: 'a' });
		const inherited = Object.entries(process.env).filter(
			([key]) => !/^(npm_|VITEST|N8N_|NODE_)/.test(key),
		);
		const child = spawn(host.node, [host.bin, command], {
			cwd: this.folder,
			env: {
				...Object.fromEntries(inherited),
				...QUIET,
				HOME: this.folder,
				N8N_USER_FOLDER: this.folder,
				N8N_PORT: String(this.port),
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
				PATH: [pack.bin, dirname(host.node), process.env.PATH].join(delimiter),
				QUEUE_HEALTH_CHECK_ACTIVE: String(command === 'worker'),
				QUEUE_HEALTH_CHECK_PORT: String(this.port),
				...env,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		// An n8n must not outlive a test run that is broken off.
		const end = () => void child.kill('SIGKILL');
		process.once('exit', end);
		child.once('exit', () => process.off('exit', end));
		child.stdout.pipe(log, { end: false });
		child.stderr.pipe(log, { end: false });
		this.child = child;
		await this.until(async () => {
			if (!this.isRunning) throw new Error(`n8n ended at its start:\n${this.log.slice(-4000)}`);
			const ready = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
			return ready?.status === 200;
		});
	}

	/** Ends n8n for good; of its folder, the log is kept for whoever reads the run. */
	async dispose(logName?: string): Promise<void> {
		await this.stop();
		if (logName !== undefined) {
			mkdirSync(ARTIFACTS, { recursive: true });
			copyFileSync(this.logFile, join(ARTIFACTS, `n8n-${logName}.log`));
		}
		// What n8n started may write for a moment yet.
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	/** Ends n8n as an operator does, or with SIGKILL as a power cut does. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		const { child } = this;
		if (child === undefined || !this.isRunning) return;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.kill(signal);
		const hard = setTimeout(() => child.kill('SIGKILL'), HARD_END_MS);
		await ended;
		clearTimeout(hard);
	}

	/** Polls until the condition holds. On a busy machine that may take minutes: n8n's start needs ten seconds of a core. */
	async until<T>(condition: () => Promise<T> | T, timeout = 900_000, every = 100): Promise<T> {
		const deadline = Date.now() + timeout;
		for (;;) {
			const value = await condition();
			if (value) return value;
			if (Date.now() > deadline) throw new Error(`Not reached within ${timeout / 1000} s`);
			await sleep(every);
		}
	}

	async rest<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.fetch(`/rest${path}`, {
			method,
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
		this.cookie = cookies.find((cookie) => cookie.startsWith('n8n-auth=')) ?? this.cookie;
		const answer = (await response.json().catch(() => undefined)) as Answer<T> | undefined;
		if (!response.ok) {
			const said = answer?.message ?? 'no JSON';
			const { status } = response;
			throw new Error(`${method} ${path}: ${status} ${said}`, { cause: status });
		}
		return answer?.data as T;
	}

	/**
	 * Fetches a path of n8n as the signed-in owner. When n8n's look at its database, every two seconds, takes
	 * too long on a busy machine, it refuses everything until the next one.
	 */
	async fetch(path: string, request: RequestInit = {}): Promise<Response> {
		const headers = {
			'content-type': 'application/json',
			'browser-id': BROWSER_ID,
			...(this.cookie && { cookie: this.cookie }),
		};
		return (await this.until(async () => {
			const response = await fetch(this.url + path, { ...request, headers });
			if (response.status !== 503) return response;
			const isRefused = (await response.clone().text()).includes('Database is not ready');
			return isRefused ? undefined : response;
		})) as Response;
	}

	/**
	 * Every version of each node that the editor knows. n8n 1.123 answers an install before it has written
	 * this file to its end.
	 */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		const { name } = this.options.pack;
		return (await this.until(async () => {
			const read = await this.fetch('/types/nodes.json');
			const types = (await read.json().catch(() => [])) as INodeTypeDescription[];
			return types.some((type) => type.name.startsWith(`${name}.`)) && types;
		})) as INodeTypeDescription[];
	}

	async createCredential(
		data: Record<string, unknown>,
		{ name = 'YK Voice account', type = 'ykVoiceApi' } = {},
	): Promise<{ id: string; name: string; type: string }> {
		const { id } = await this.rest<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	/** A data table with these rows, all of whose columns are texts. Returns the path of the table and its ID. */
	async createTable(name: string, rows: Array<Record<string, string>>, columns: string[]) {
		const project = await this.rest<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${project.id}/data-tables`;
		const made = { name, columns: columns.map((column) => ({ name: column, type: 'string' })) };
		const { id } = await this.rest<{ id: string }>('POST', tables, made);
		const path = `${tables}/${id}`;
		if (rows.length > 0)
			await this.rest('POST', `${path}/insert`, { data: rows, returnType: 'id' });
		return { id, path };
	}

	/** What the editor does at Save, and shows then: n8n's own test of the credential. */
	async testCredential(
		data: Record<string, unknown>,
		type?: string,
	): Promise<{ status: string; message: string }> {
		const credentials = { ...(await this.createCredential(data, { type })), data };
		return await this.rest('POST', '/credentials/test', { credentials });
	}

	/** Saves a workflow. SQLite writes one thing at a time, and a busy n8n may answer 500: three attempts. */
	async saveWorkflow(workflow: WorkflowJson, attempts = 3): Promise<SavedWorkflow> {
		const nodes = workflow.nodes.map((node) => ({ id: crypto.randomUUID(), ...node }));
		const settings = { executionOrder: 'v1', ...workflow.settings };
		const body = { ...workflow, nodes, settings, active: false };
		try {
			return await this.rest('POST', '/workflows', body);
		} catch (error) {
			const isBusy = Number((error as Error).cause) >= 500;
			if (!isBusy || attempts <= 1) throw error;
			await sleep(5_000);
			return await this.saveWorkflow(workflow, attempts - 1);
		}
	}

	/**
	 * Runs a saved workflow to its end, whatever that is, as the button in the editor does.
	 * @param from the name of the trigger that starts it; default: the first
	 */
	async execute(workflow: SavedWorkflow, from?: string): Promise<Execution> {
		const name = from ?? workflow.nodes.find(({ type }) => /trigger$/i.test(type))?.name;
		return await this.finished(await this.start(workflow, name));
	}

	/** Runs a workflow until it waits for a form. @returns the page of the form, as HTML */
	async openForm(workflow: SavedWorkflow, from: string): Promise<string> {
		const id = await this.start(workflow, from);
		const waiting = await this.until(async () => {
			const execution = await this.written(id);
			return execution?.status === 'waiting' ? execution : undefined;
		});
		const page = `${this.url}/form-waiting/${id}?signature=${waiting!.data.resumeToken}`;
		return await (await fetch(page)).text();
	}

	private async start(workflow: SavedWorkflow, name?: string): Promise<string> {
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`/workflows/${workflow.id}/run`,
			{ workflowData: workflow, triggerToStartFrom: { name } },
		);
		return executionId;
	}

	/**
	 * Runs a workflow as `execute` does.
	 * @param fails what it must fail with; default: it must succeed
	 * @throws Error if it ends in anything else
	 */
	async run(workflow: SavedWorkflow, from?: string, fails?: RegExp): Promise<Execution> {
		const execution = await this.execute(workflow, from);
		if (fails === undefined) return succeeded(execution);
		const { data, status } = execution;
		const message = data.resultData.error?.message;
		if (status === 'error' && message && fails.test(message)) return execution;
		throw new Error(`It ended as ${status} with ${message}, not with ${fails}`);
	}

	/** The executions that an execution started, when they have ended. */
	async subExecutions({ data }: Execution): Promise<Execution[]> {
		const runs = Object.values(data.resultData.runData).flat();
		const ids = runs.flatMap(({ metadata }) => metadata?.subExecution?.executionId ?? []);
		return await Promise.all(ids.map(async (id) => await this.finished(id)));
	}

	async finished(executionId: string): Promise<Execution> {
		return (await this.until(async () => {
			const execution = await this.written(executionId);
			return execution && !isGoingOn(execution.status) ? execution : undefined;
		})) as Execution;
	}

	/** An execution, or nothing as long as n8n has not written its data. */
	private async written(id: string): Promise<Execution | undefined> {
		try {
			const { data, ...rest } = await this.rest<ListedExecution & { data?: string }>(
				'GET',
				`/executions/${id}`,
			);
			// n8n 1 sets the status before it saves the data.
			const runData = data === undefined ? undefined : (parse(data) as RunData | undefined);
			return runData && { ...rest, data: runData };
		} catch (error) {
			// So n8n 2.20 answers while there is no data yet.
			if (/reading 'resultData'/.test(String(error))) return undefined;
			throw error;
		}
	}

	/** Every execution of a workflow, oldest first, without those whose data n8n is still writing. */
	async executions(workflowId: string): Promise<Execution[]> {
		const found = await this.listed(workflowId);
		const read = await Promise.all(found.map(async ({ id }) => await this.written(id)));
		return read.filter((execution) => execution !== undefined);
	}

	/** The last hundred executions of a workflow without their data, oldest first. */
	async listed(workflowId: string): Promise<ListedExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/executions?limit=100&filter=${filter}`;
		const { results } = await this.rest<{ results: ListedExecution[] }>('GET', path);
		return results.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** Activates a workflow, again if its first poll did not end in time, as on a busy machine. */
	async activate(workflow: SavedWorkflow): Promise<void> {
		await this.until(async () => {
			const activated = this.setActive(workflow, true).then(() => true);
			return await activated.catch((error: Error) => {
				if (!error.message.includes('timed out')) throw error;
			});
		});
	}

	async deactivate(workflow: SavedWorkflow): Promise<void> {
		await this.setActive(workflow, false);
	}

	private async setActive({ id }: SavedWorkflow, active: boolean): Promise<void> {
		const { versionId } = await this.rest<SavedWorkflow>('GET', `/workflows/${id}`);
		try {
			const [verb, body] = active ? ['activate', { versionId }] : ['deactivate', {}];
			await this.rest('POST', `/workflows/${id}/${verb}`, body);
		} catch (error) {
			// Before version 2 a workflow is activated by saving it.
			if ((error as Error).cause !== 404) throw error;
			await this.rest('PATCH', `/workflows/${id}`, { active, versionId });
		}
	}
}

/**
 * An execution that ended well.
 * @throws Error with what it ended with instead
 */
export function succeeded(execution: Execution): Execution {
	const { data, status } = execution;
	const { error } = data.resultData;
	if (error || status !== 'success') throw new Error(error?.message ?? `It ended as ${status}`);
	return execution;
}

/** The items a node handed on in an execution. */
export function outputOf({ data }: Execution, node: string): Record<string, unknown>[] {
	const runs = data.resultData.runData[node] ?? [];
	return runs.flatMap((run) => (run.data?.main[0] ?? []).map(({ json }) => json));
}
