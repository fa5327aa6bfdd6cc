import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import type { Emulator } from '../emulator/index.ts';
import { additionalData, loadPackage, PACKAGE, type Credentials } from './harness.ts';
import { core, workflow as n8n } from './n8n.ts';

/**
 * n8n's ways to poll. `legacy`: cron in memory, the default. `scheduler`: jobs in the database.
 * `durable`: the same with durable cursors.
 */
export const ENGINES = ['legacy', 'scheduler', 'durable'] as const;

export type Engine = (typeof ENGINES)[number];

const require = createRequire(import.meta.url);

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

interface BuiltEngine {
	poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null>;
}

const built = require(`${DIST}nodes/engine.js`) as BuiltEngine;

/** What the trigger keeps in memory it keeps by the workflow's id, so each process of n8n gets another one. */
let processes = 0;

/** How long n8n's scheduler lets a poll take: 45 s less a fifth. */
const SCHEDULED_BUDGET = 36_000;

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

/** The context of a poll, and the objects that n8n keeps with it. */
interface Open {
	context: IPollFunctions;
	staticData: IDataObject;
	/** The durable cursor as this poll sees it. */
	cursor?: IDataObject;
}

/**
 * A workflow with the built trigger. It polls in n8n-core's own context, and keeps the trigger's state
 * as n8n's engines do (see poll-cursor.service, trigger-execution-context.factory and
 * active-workflow-triggers in n8n's sources).
 */
export class Poller {
	/** The items of each execution that was started. */
	readonly executions: IDataObject[][] = [];

	/** The failed executions that n8n showed. */
	readonly errors: Array<Error & { description?: string; failure?: object }> = [];

	readonly warnings: string[] = [];

	/** Some versions of n8n hand over what a poll returns after the workflow was switched off. */
	emitsLate = false;

	parameters: INodeParameters;

	credentials: Credentials;

	credentialId = '1';

	/** What n8n saved in its database, as JSON. */
	saved: { staticData: string; cursor?: string } = { staticData: '{}' };

	/** The legacy engine keeps one context while the workflow is active. */
	private active: Open | undefined;

	private name: string;

	private process: number;

	private readonly options: PollerOptions;

	readonly engine: Engine;

	constructor(options: PollerOptions) {
		const { emulator, engine = 'legacy', parameters = {}, credentials } = options;
		this.options = options;
		this.engine = engine;
		const authentication = 'ykVoiceOAuth2Api' in (credentials ?? {}) ? 'oAuth2' : 'apiKey';
		this.parameters = { authentication, ...parameters };
		this.name = options.name ?? 'YK Voice Trigger';
		this.process = options.beside?.process ?? processes++;
		this.credentials = credentials ?? {
			ykVoiceApi: { apiKey: emulator!.keys.read, baseUrl: emulator!.url },
		};
	}

	get isActive(): boolean {
		return this.active !== undefined;
	}

	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** The IDs of all items, in their order. */
	get ids(): string[] {
		return this.items.map(({ id }) => String(id));
	}

	/**
	 * The workflow is switched on, by its user or (`init`) by a starting n8n; the first poll is part
	 * of it.
	 * @throws what the poll threw: n8n then shows it, and the workflow stays off
	 */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<IDataObject[]> {
		const open = await this.open('trigger', mode);
		this.active = open;
		try {
			const items = await this.poll(open);
			if (items === null) {
				this.saveStaticData(open);
				return [];
			}
			this.emit(open, items);
			this.saveStaticData(open);
			return items;
		} catch (error) {
			this.active = undefined;
			throw error;
		}
	}

	/** What n8n polls with. Without its scheduler, that is one object for each activation. */
	get registration(): object | undefined {
		return this.active;
	}

	/** One poll of the active workflow, or of a registration that another one has replaced. */
	async tick(registration = this.registration): Promise<IDataObject[]> {
		const active = registration as Open | undefined;
		if (active === undefined) throw new Error('The workflow is not active');
		const isLegacy = this.engine === 'legacy';
		const open = isLegacy ? active : await this.open('trigger', 'update');
		let items: IDataObject[] | null;
		try {
			items = await this.poll(open);
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
		if (this.active !== active && !this.emitsLate) return [];
		if (items !== null) this.emit(open, items);
		else if (this.engine === 'durable') this.saveCursor(open);
		return items ?? [];
	}

	/** The error of a poll that must fail. */
	async failingTick() {
		const before = this.errors.length;
		const items = await this.tick();
		const error = this.errors[before];
		if (error === undefined) throw new Error(`The poll did not fail: ${JSON.stringify(items)}`);
		return error;
	}

	/** Switches the workflow off, which clears what is in memory. */
	deactivate(): void {
		this.active = undefined;
	}

	/** Starts n8n again. Its scheduler still has the jobs, so there is no first poll. */
	async restart(): Promise<void> {
		this.deactivate();
		this.process = processes++;
		if (this.engine === 'legacy') await this.activate('init');
		else this.active = await this.open('trigger', 'init');
	}

	/** Renames the node and publishes the workflow. */
	async rename(name: string): Promise<void> {
		this.deactivate();
		this.name = name;
		if (this.engine === 'legacy') await this.activate('update');
		else this.active = await this.open('trigger', 'update');
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

	/** All that the next poll can know, as JSON. */
	get known(): string {
		const { staticData, cursor } = this.saved;
		const memory = this.engine === 'legacy' && this.active?.staticData;
		return JSON.stringify([memory || staticData, cursor]);
	}

	get staticData(): IDataObject {
		return JSON.parse(this.saved.staticData) as IDataObject;
	}

	private async poll({ context }: Open): Promise<IDataObject[] | null> {
		const output = await built.poll(context);
		return output && output.flat().map(({ json }) => json);
	}

	private emit(open: Open, items: IDataObject[]): void {
		this.saveStaticData(open);
		this.saveCursor(open);
		this.executions.push(items);
	}

	private saveStaticData({ staticData }: Open): void {
		if (staticData.__dataChanged === true) this.saved.staticData = JSON.stringify(staticData);
	}

	private saveCursor({ cursor }: Open): void {
		if (cursor !== undefined) this.saved.cursor = JSON.stringify(cursor);
	}

	private async open(mode: 'trigger' | 'manual', activation: WorkflowActivateMode): Promise<Open> {
		const pack = await loadPackage();
		const { budgetMs } = this.options;
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
			id: `workflow-${this.process}`,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: pack.nodeTypes,
			staticData: JSON.parse(this.saved.staticData) as IDataObject,
		});
		const held = workflow.getNode(node.name)!;
		const isDurable = this.engine === 'durable' && mode === 'trigger';
		if (isDurable) this.saved.cursor ??= JSON.stringify(workflow.getStaticData('node', held));
		const cursor = isDurable ? (JSON.parse(this.saved.cursor!) as IDataObject) : undefined;
		const isScheduled = this.engine !== 'legacy' && activation === 'update';
		const budget = budgetMs ?? (isScheduled ? SCHEDULED_BUDGET : undefined);
		const context = new core.PollContext(
			workflow,
			held,
			additionalData(pack, this.credentials, mode),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			() => cursor ?? workflow.getStaticData('node', held),
			budget === undefined ? undefined : () => budget,
		) as unknown as IPollFunctions;
		const warn = (text: string) => void this.warnings.push(text);
		const logger = { warn, error: warn, info: () => {}, debug: () => {} };
		Object.defineProperty(context, 'logger', { value: logger });
		if (budgetMs === null) Object.defineProperty(context, 'getPollBudgetMs', { value: undefined });
		return { context, staticData: workflow.staticData, cursor };
	}
}
