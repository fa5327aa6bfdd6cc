import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { IDataObject, INode, INodeParameters, IPollFunctions } from 'n8n-workflow';
import type { WorkflowActivateMode } from 'n8n-workflow';

import type { Emulator } from '../emulator/index.ts';
import { additionalData, authenticationOf, loadPackage, PACKAGE } from './harness.ts';
import type { Credentials } from './harness.ts';
import { core, workflow as n8n } from './n8n.ts';
import { Polling, type Engine, type Occasion, type Polled } from './polling.ts';

export { ENGINES } from './polling.ts';

const require = createRequire(import.meta.url);

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

const built = require(`${DIST}nodes/engine.js`) as Pick<Polled, 'poll'>;

export interface PollerOptions {
	emulator?: Pick<Emulator, 'keys' | 'url'>;
	engine?: Engine;
	/** As the user fills in the trigger. */
	parameters?: INodeParameters;
	/** Default: a key of the emulator that may read. */
	credentials?: Credentials;
	/** How long a poll may take. Null: a version of n8n that does not say so (before 2.36). */
	budgetMs?: number | null;
	name?: string;
	/** Another trigger of the same workflow. Both have the same node ID. */
	beside?: Poller;
}

/** A workflow with the built trigger. It polls in n8n-core's own context. */
export class Poller extends Polling {
	/** The failed executions that n8n showed. */
	readonly errors: Array<Error & { description?: string; failure?: object }> = [];

	readonly warnings: string[] = [];

	parameters: INodeParameters;

	credentials: Credentials;

	credentialId = '1';

	private name: string;

	private readonly budgetMs: number | null | undefined;

	constructor(options: PollerOptions) {
		const { emulator, engine = 'legacy', parameters = {}, credentials } = options;
		super(engine, { poll: built.poll, open: async (occasion) => await this.makeContext(occasion) });
		this.budgetMs = options.budgetMs;
		this.parameters = { authentication: authenticationOf(credentials), ...parameters };
		this.name = options.name ?? 'YK Voice Trigger';
		this.process = options.beside?.process ?? this.process;
		this.credentials = credentials ?? {
			ykVoiceApi: { apiKey: emulator!.keys.read, baseUrl: emulator!.url },
		};
	}

	get isActive(): boolean {
		return this.registration !== undefined;
	}

	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** The IDs of all items, in their order. */
	get ids(): string[] {
		return this.items.map(({ id }) => String(id));
	}

	/** Switches the workflow on, and returns the items of its first poll. */
	async activate(mode?: WorkflowActivateMode): Promise<IDataObject[]> {
		return (await this.begin(mode)).items ?? [];
	}

	/** One poll, of which n8n shows the error. */
	async tick(registration?: object): Promise<IDataObject[]> {
		try {
			return (await this.pollOnce('saved', registration))?.items ?? [];
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	/** The error of a poll that must fail. */
	async failingTick() {
		const before = this.errors.length;
		const items = await this.tick();
		const error = this.errors[before];
		if (error === undefined) throw new Error(`The poll did not fail: ${JSON.stringify(items)}`);
		return error;
	}

	/** Starts n8n again. */
	async restart(): Promise<void> {
		this.kill();
		await this.resume('init');
	}

	/** Renames the node and publishes the workflow. */
	async rename(name: string): Promise<void> {
		this.name = name;
		await this.resume('update');
	}

	/** Fetches a test event, as the editor's button does. It must not read the static data. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const open = await this.open('manual', 'manual');
		const refuse = () => {
			throw new Error('A test event touches the static data');
		};
		Object.defineProperty(open.context, 'getWorkflowStaticData', { value: refuse });
		return (await this.poll(open)) ?? [];
	}

	private async makeContext({
		mode,
		activation,
		staticData,
		cursor,
		process,
		...occasion
	}: Occasion) {
		const pack = await loadPackage();
		const node: INode = {
			id: 'node-1',
			name: this.name,
			type: `${PACKAGE}.ykVoiceTrigger`,
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
			credentials: Object.fromEntries(
				Object.keys(this.credentials).map((name) => [name, { id: this.credentialId, name }]),
			),
		};
		const workflow = new n8n.Workflow({
			id: `workflow-${process}`,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: pack.nodeTypes,
			staticData,
		});
		const polled = workflow.getNode(node.name)!;
		const budget = this.budgetMs ?? occasion.budgetMs;
		const context = new core.PollContext(
			workflow,
			polled,
			additionalData(pack, this.credentials, mode),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			() => cursor ?? workflow.getStaticData('node', polled),
			budget === undefined ? undefined : () => budget,
		) as unknown as IPollFunctions;
		const warn = (text: string) => void this.warnings.push(text);
		const logger = { warn, error: warn, info: () => {}, debug: () => {} };
		Object.defineProperty(context, 'logger', { value: logger });
		if (this.budgetMs === null)
			Object.defineProperty(context, 'getPollBudgetMs', { value: undefined });
		return { context, staticData: workflow.staticData };
	}
}
