import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { WorkflowActivateMode } from 'n8n-workflow';

/**
 * n8n's ways to poll. `legacy`: cron in memory, the default before n8n 2.45. `scheduler`: jobs in the database.
 * `durable`: the same with durable cursors.
 */
export const ENGINES = ['legacy', 'scheduler', 'durable'] as const;

export type Engine = (typeof ENGINES)[number];

/**
 * What n8n does with the items and the state of a poll. In the three cases in the middle it is killed.
 * `refused`: it cannot write to its database and goes on. That happens with durable cursors only.
 */
export type Fate = 'saved' | 'stateOnly' | 'itemsOnly' | 'nothing' | 'refused';

/** What the context of a poll is made of. */
export interface Occasion {
	mode: 'trigger' | 'manual';
	activation: WorkflowActivateMode;
	/** n8n's data of the workflow, as it was saved. */
	staticData: IDataObject;
	/** With durable cursors: what the node keeps in place of its part of that data. */
	cursor?: IDataObject;
	/** How long n8n's scheduler lets the poll take. Undefined: n8n's usual time. */
	budgetMs?: number;
	/** A process of n8n. What the trigger keeps in memory it keeps by the workflow's id, so each has another. */
	process: number;
}

/** The context of a poll, and the objects that n8n keeps with it. */
interface Open {
	context: IPollFunctions;
	staticData: IDataObject;
	cursor?: IDataObject;
}

/** A trigger, and how its context is made. It may change the data that it is given. */
export interface Polled {
	poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null>;
	open(occasion: Occasion): Promise<Omit<Open, 'cursor'>>;
}

/** What a poll returned, and what n8n did with it. */
export interface Outcome {
	items: IDataObject[] | null;
	/** Whether n8n stored the state, so that it outlives the process. */
	isSaved: boolean;
	/** Whether the workflow was started. */
	isStarted: boolean;
}

let processes = 0;

/**
 * A workflow with a polling trigger, as n8n's three engines poll it and keep its state (see poll-cursor.service,
 * trigger-execution-context.factory and active-workflow-triggers in n8n's sources).
 */
export class Polling {
	/** The items of each execution that was started. */
	readonly executions: IDataObject[][] = [];

	/** What n8n saved in its database, as JSON. */
	saved: { staticData: string; cursor?: string } = { staticData: '{}' };

	process = processes++;

	/** The legacy engine keeps one context while the workflow is active. */
	private active: Open | undefined;

	private readonly polled: Polled;

	readonly engine: Engine;

	/** How long n8n's scheduler lets a poll take (ms): N8N_SCHEDULER_POLL_TIMEOUT, usually 45 s, less a fifth. */
	scheduledMs = 36_000;

	constructor(engine: Engine, polled: Polled) {
		this.engine = engine;
		this.polled = polled;
	}

	/** What n8n polls with. Without its scheduler, that is one object for each activation. */
	get registration(): object | undefined {
		return this.active;
	}

	/** All that the next poll can know, as JSON. */
	get known(): string {
		const { staticData, cursor } = this.saved;
		const memory = this.engine === 'legacy' && this.active?.staticData;
		return JSON.stringify([memory || staticData, cursor]);
	}

	/**
	 * The workflow is switched on, by its user or (`init`) by a starting n8n; the first poll is part
	 * of it.
	 * @throws what the poll threw: n8n then shows it, and the workflow stays off
	 */
	async begin(mode: WorkflowActivateMode = 'activate'): Promise<Outcome> {
		const open = await this.open('trigger', mode);
		this.active = open;
		try {
			const items = await this.poll(open);
			return this.keep(open, items, true, 'saved');
		} catch (error) {
			this.active = undefined;
			throw error;
		}
	}

	/**
	 * One poll of the active workflow, or of a registration that another one has replaced. n8n 2.41 drops the items
	 * of such a registration, and earlier ones start the workflow with them: so they count here.
	 * @returns undefined if n8n drops it, because the workflow was switched off or published meanwhile
	 */
	async pollOnce(fate: Fate = 'saved', registration = this.registration) {
		const active = registration as Open | undefined;
		if (active === undefined) throw new Error('The workflow is not active');
		const open = this.engine === 'legacy' ? active : await this.open('trigger', 'update');
		const items = await this.poll(open);
		const isReplaced = this.active !== active && (this.engine !== 'legacy' || items === null);
		return isReplaced ? undefined : this.keep(open, items, false, fate);
	}

	/** Switches the workflow off, which clears what is in memory. */
	deactivate(): void {
		this.active = undefined;
	}

	/** Ends the process. */
	kill(): void {
		this.deactivate();
		this.process = processes++;
	}

	/** The workflow is published while it is active, or n8n starts. Its scheduler has the jobs, and does not poll. */
	async resume(mode: 'init' | 'update'): Promise<Outcome | undefined> {
		this.deactivate();
		if (this.engine === 'legacy') return await this.begin(mode);
		this.active = await this.open('trigger', mode);
		return undefined;
	}

	protected async open(mode: Occasion['mode'], activation: WorkflowActivateMode): Promise<Open> {
		const { engine, process, saved } = this;
		const isDurable = engine === 'durable' && mode === 'trigger';
		const cursor = isDurable ? (JSON.parse(saved.cursor ?? '{}') as IDataObject) : undefined;
		const isScheduled = engine !== 'legacy' && activation === 'update';
		const made = await this.polled.open({
			mode,
			activation,
			process,
			cursor,
			staticData: JSON.parse(saved.staticData) as IDataObject,
			budgetMs: isScheduled ? this.scheduledMs : undefined,
		});
		return { ...made, cursor };
	}

	protected async poll({ context }: Open): Promise<IDataObject[] | null> {
		const output = await this.polled.poll(context);
		return output && output.flat().map(({ json }) => json);
	}

	/**
	 * After an activation n8n saves its data, but no cursor. After a poll without items it saves only a cursor, and
	 * after one with items both.
	 */
	private keep(open: Open, items: Outcome['items'], isActivation: boolean, fate: Fate): Outcome {
		const { cursor, staticData } = open;
		const isDurable = cursor !== undefined;
		const isWritten = fate === 'saved' || (fate === 'refused' && !isDurable);
		const hasItems = items !== null;
		const savesState = hasItems ? isWritten || fate === 'stateOnly' : isActivation;
		if (savesState) this.saved.staticData = JSON.stringify(staticData);
		// A cursor is saved together with the items.
		const savesCursor = isDurable && (hasItems ? isWritten : !isActivation);
		if (savesCursor) this.saved.cursor = JSON.stringify(cursor);
		const isStarted = hasItems && (isWritten || (fate === 'itemsOnly' && !isDurable));
		if (isStarted) this.executions.push(items);
		return { items, isStarted, isSaved: isDurable ? savesCursor : savesState };
	}
}
