import { AsyncLocalStorage } from 'node:async_hooks';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	HOUR,
	MINUTE,
	SECOND,
	VALUES,
	type Change,
	type Fate,
	type History,
	type PollStep,
	type Setup,
	type Step,
} from './trigger-histories.ts';
import { Broken, promise, promisesOf, type Poll, type Promises } from './trigger-promises.ts';
import { BALANCE_BELOW, MINUTES_BELOW, World, type Requests } from './trigger-world.ts';

/** What is under test, so that a mutant can stand in for it. */
export interface Subject {
	poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null>;
	/** Bounds of the state, to be reached by histories of a bearable length. */
	LIMITS: { done: number; waiting: number };
	BOUNDS: { all: number };
}

export interface Stats {
	polls: number;
	requests: number;
	emitted: number;
	/** Of what is stored, in bytes. */
	largest: number;
}

/** What n8n stores, as JSON: the workflow's data with each node's under its name, and the cursor. */
interface Saved {
	staticData: string;
	cursor?: string;
}

interface Box {
	owns: Record<string, IDataObject>;
	global: IDataObject;
}

/** A poll that has begun and not ended. */
interface Held {
	done: Promise<boolean>;
	release(): void;
}

/** What a poll of its own accord would be: nothing happens to it. */
const CALM = {
	during: [] as PollStep['during'],
	latency: 10,
	fate: 'no' as Fate,
	isStale: false,
	omits: false,
};

type Tick = Omit<PollStep, 'kind' | 'heldAt'> & {
	mode?: string;
	gate?: (index: number) => Promise<void>;
};

const BASE_URL = 'https://api.test/v1';

/** After which an answer that is held fails: a request has a time limit. */
const PATIENCE = MINUTE;

/** Whose request one is: polls of the legacy engine share a context. */
const current = new AsyncLocalStorage<Requests>();

const open = async () => {};

let processes = 0;

const NOTHING = JSON.stringify({ owns: {}, global: {} });

const isValue = (event: string) => (VALUES as readonly string[]).includes(event);

/** Plays a history with the code that production runs, in what n8n's three engines do to it. */
export async function play({ setup, steps }: History, subject: Subject): Promise<Stats> {
	const clock = Date.now;
	const bounds = { ...subject.LIMITS };
	// That a change of all records at once is the API's is tested by itself.
	subject.BOUNDS.all = Infinity;
	Object.assign(subject.LIMITS, { done: setup.done, waiting: setup.waiting });
	const world = new World(setup);
	Date.now = () => world.now + setup.skew;
	try {
		return await new Host(setup, world, subject).run(steps);
	} finally {
		Date.now = clock;
		Object.assign(subject.LIMITS, bounds);
	}
}

/** The workflow, and n8n around it. */
class Host {
	private readonly stats: Stats = { polls: 0, requests: 0, emitted: 0, largest: 0 };

	private readonly promises: Promises;

	private process = (processes += 1);

	private saved: Saved = { staticData: NOTHING };

	/** What the legacy engine holds besides. */
	private memory: Box | undefined;

	/** The process that read the API last. */
	private lastPolled = 0;

	private name = 'one';

	private context: IPollFunctions | undefined;

	/** The last items that were delivered, and whether the node was renamed since. */
	private last: { keys: string[]; wasRenamed: boolean } = { keys: [], wasRenamed: false };

	/** How often n8n registered the node. */
	private registration = 0;

	private hasBegun = false;

	private held: Held[] = [];

	private readonly underWay = new Set<Poll>();

	private readonly setup: Setup;

	private readonly world: World;

	private readonly subject: Subject;

	constructor(setup: Setup, world: World, subject: Subject) {
		this.setup = setup;
		this.world = world;
		this.subject = subject;
		this.promises = promisesOf(setup, world);
	}

	async run(steps: readonly Step[]): Promise<Stats> {
		const { failsAt } = this.setup;
		if (failsAt !== undefined) await this.activate('activate', [[failsAt, { kind: 'fault' }]]);
		if (!this.hasBegun) {
			promise(this.saved.staticData === NOTHING, () => 'A failed activation left something behind');
			const added = { kind: 'add', count: 5, lag: 0, wait: 0, spread: MINUTE } as const;
			if (!isValue(this.setup.event)) this.world.change(added);
			this.world.now += 10 * MINUTE;
			await this.activate('activate');
		}
		for (const one of steps) {
			this.world.now += SECOND;
			await this.take(one);
		}
		await this.releaseAll();
		await this.settle();
		return this.stats;
	}

	private async take(one: Step): Promise<void> {
		const { world } = this;
		if (one.kind === 'wait') {
			if (one.ms > PATIENCE) await this.releaseAll();
			world.now += one.ms;
		} else if (one.kind === 'poll') {
			if (await this.begin(one)) await this.restart();
		} else if (one.kind === 'release') await this.releaseAll();
		else if (one.kind === 'kill') {
			this.process = processes += 1;
			await this.restart();
		} else if (one.kind === 'reactivate') await this.activate('activate');
		else if (one.kind === 'rename') {
			this.name = this.name === 'one' ? 'two' : 'one';
			this.last.wasRenamed = true;
			// A process that has not polled since n8n's start cannot know the last batch.
			if (this.lastPolled !== this.process) this.repeatLast();
			await this.activate('update');
		} else world.change(one as Change);
	}

	/** Polls until nothing more comes, twice: at once, and when all that waits has waited long enough. */
	private async settle(): Promise<void> {
		const { world, stats } = this;
		let settled = 0;
		for (const pause of [MINUTE, 10 * HOUR]) {
			world.now += pause;
			settled ||= world.now;
			for (let quiet = 0, polls = 0; quiet < 3; polls += 1) {
				const before = stats.emitted;
				world.now += MINUTE;
				await this.tick(CALM);
				quiet = stats.emitted === before ? quiet + 1 : 0;
				promise(polls < 5000, () => 'Never comes to rest');
			}
		}
		this.promises.settle(settled);
	}

	/** A workflow is switched on, or n8n starts: its first poll is part of it, except in the scheduler. */
	private async activate(
		mode: 'activate' | 'init' | 'update',
		during = CALM.during,
	): Promise<void> {
		this.context = undefined;
		this.memory = undefined;
		this.registration += 1;
		const isFirstPoll = this.setup.engine === 'legacy' || mode === 'activate' || !this.hasBegun;
		if (isFirstPoll) await this.tick({ ...CALM, mode, during });
	}

	/** Whether n8n dies of it. */
	private async begin(one: PollStep): Promise<boolean> {
		if (one.heldAt === undefined) return await this.tick(one);
		let release = () => {};
		const opened = new Promise<void>((resolve) => (release = resolve));
		let arrive = () => {};
		const arrival = new Promise<void>((resolve) => (arrive = resolve));
		const gate = async (index: number) => {
			if (index !== one.heldAt) return;
			arrive();
			await opened;
		};
		const done = this.tick({ ...one, gate });
		const held = { done, release };
		this.held.push(held);
		const hasArrived = arrival.then(() => undefined);
		const end = await Promise.race([hasArrived, done]);
		if (end !== undefined) this.held = this.held.filter((other) => other !== held);
		return end ?? false;
	}

	private async releaseAll(): Promise<void> {
		const held = this.held.splice(0);
		for (const { release } of held) release();
		const ends = await Promise.all(held.map(async ({ done }) => await done));
		if (ends.includes(true)) await this.restart();
	}

	/** Whether n8n dies of it. */
	private async tick({ fate, mode, gate = open, ...step }: Tick): Promise<boolean> {
		const { world, stats, process, registration, promises, underWay } = this;
		stats.polls += 1;
		const isActivation = mode !== undefined;
		const box = this.boxFor();
		const cursor = this.setup.engine === 'durable' ? this.cursorFor(box) : undefined;
		const seed = JSON.stringify(cursor);
		const requests = world.requests(step, gate);
		const context = this.contextFor(box, cursor, mode ?? 'update');
		const poll: Poll = { began: world.now, requests, isAlone: underWay.size === 0 };
		for (const other of underWay) other.isAlone = false;
		underWay.add(poll);
		let output: INodeExecutionData[][] | null;
		try {
			output = await current.run(requests, async () => await this.subject.poll(context));
		} catch (error) {
			this.listen(error as Error);
			return false;
		} finally {
			underWay.delete(poll);
			stats.requests += requests.count;
		}
		// A process that has died saves nothing.
		if (process !== this.process) return false;
		// n8n drops what a poll hands over after the node was registered again.
		if (registration !== this.registration) {
			this.repeatLast();
			return false;
		}
		const items = (output ?? []).flat().map(({ json }) => json);
		if (!this.hasBegun) {
			promise(items.length === 0, () => 'Emitted by the first activation');
			this.hasBegun = true;
			promises.begun();
		}
		if (requests.count > 0) this.lastPolled = process;
		promise(items.length <= this.setup.limit, () => `${items.length} emitted`);
		for (const { trigger_notice } of items)
			if (typeof trigger_notice === 'string') promises.hear(trigger_notice);
		if (poll.isAlone) world.answered();
		promises.polled(poll);
		const keys = promises.keysOf(items, poll);
		const isChanged = JSON.stringify(cursor) !== seed;
		this.keep({
			box,
			cursor: isChanged ? cursor : undefined,
			keys,
			isNull: output === null,
			isActivation,
			fate,
		});
		const dies = ['lost', 'doubled', 'neither'].includes(fate) && !isActivation;
		if (dies) this.process = processes += 1;
		return dies;
	}

	/** The saving rules of the three engines: what is in the database after a poll. */
	private keep({ box, cursor, keys, isNull, isActivation, fate }: Kept): void {
		const { promises, setup, saved } = this;
		const isDurable = setup.engine === 'durable';
		const json = JSON.stringify(box);
		this.stats.largest = Math.max(this.stats.largest, json.length);
		this.stats.emitted += keys.length;
		if (isNull) {
			if (isActivation) saved.staticData = json;
			else if (cursor !== undefined) this.saveCursor(cursor);
			// With durable cursors an activation stores nothing of the node's own.
			if (isActivation !== isDurable) promises.stored();
		} else if (fate === 'no' || (fate === 'refused' && !isDurable)) {
			saved.staticData = json;
			if (cursor !== undefined) this.saveCursor(cursor);
			promises.deliver(keys, false);
			promises.stored();
			this.last = { keys, wasRenamed: false };
		} else if (isDurable) {
			// The workflow's data may be saved beside the transaction.
			if (fate === 'lost' || (fate === 'refused' && keys.length % 2 > 0)) saved.staticData = json;
			if (fate === 'refused') promises.died();
			// Of the very first items a trigger cannot tell, if it is renamed then.
			if (fate === 'refused' && !this.hasCursor) promises.lose(keys);
		} else if (fate === 'lost') {
			saved.staticData = json;
			promises.lose(keys);
			promises.stored();
			this.last = { keys, wasRenamed: false };
		} else if (fate === 'doubled') promises.deliver(keys, true);
	}

	/** docs/trigger.md: after a rename and a restart, the last batch may come again. */
	private repeatLast(): void {
		if (this.setup.engine !== 'durable' && this.last.wasRenamed)
			this.promises.mayRepeat(this.last.keys);
	}

	private saveCursor(cursor: IDataObject): void {
		this.saved.cursor = JSON.stringify(cursor);
	}

	/** n8n starts again: what it was about is over, and comes to nothing. */
	private get hasCursor(): boolean {
		return this.saved.cursor !== undefined && 'saved' in (JSON.parse(this.saved.cursor) as object);
	}

	private async restart(): Promise<void> {
		await this.releaseAll();
		this.promises.died();
		this.repeatLast();
		await this.activate('init');
	}

	private boxFor(): Box {
		const load = () => JSON.parse(this.saved.staticData) as Box;
		if (this.setup.engine !== 'legacy') return load();
		return (this.memory ??= load());
	}

	private cursorFor(box: Box): IDataObject {
		const { cursor } = this.saved;
		return cursor === undefined
			? structuredClone(box.owns[this.name] ?? {})
			: (JSON.parse(cursor) as IDataObject);
	}

	/** As the user fills in the trigger. */
	private parameters() {
		const { event, limit, filtered } = this.setup;
		const filters: Record<string, object> = {
			newOrder: { status: ['pending'] },
			newCall: { call_status: ['Completed'] },
			callReady: { call_status: ['Completed'] },
			orderStatusChanged: { to: ['completed', 'cancelled'] },
		};
		return {
			authentication: 'apiKey',
			event: event === 'contactByDate' ? 'newContact' : event,
			waitMinutes: 120,
			threshold: BALANCE_BELOW,
			minutesBelow: MINUTES_BELOW,
			options: {
				pollLimit: limit,
				...(event === 'contactByDate' && { dateField: 'created_at' }),
			},
			filters: (filtered && filters[event]) || {},
		};
	}

	private contextFor(box: Box, cursor: IDataObject | undefined, mode: string): IPollFunctions {
		const { setup, process } = this;
		if (setup.engine === 'legacy' && this.context !== undefined) return this.context;
		const own = () => cursor ?? (box.owns[this.name] ??= {});
		const parameters: Record<string, unknown> = this.parameters();
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getNode: () => ({ id: 'node', name: this.name, credentials: { ykVoiceApi: { id: '1' } } }),
			getWorkflow: () => ({ id: `process-${process}` }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? own() : box.global),
			getCredentials: async () => ({ apiKey: 'yk_model', baseUrl: BASE_URL }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => (setup.engine === 'legacy' ? 300_000 : 36_000),
			logger: { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} },
			helpers: { httpRequestWithAuthentication: send },
		} as unknown as IPollFunctions;
		if (setup.engine === 'legacy') this.context = context;
		return context;
	}

	/** What an error of a poll tells its user. */
	private listen(error: Error): void {
		if (error instanceof Broken) throw error;
		const isExpected = /a fault|not enough time|left out|no longer start/.test(error.message);
		if (!isExpected) throw error;
		this.promises.hear(error.message);
	}
}

interface Kept {
	box: Box;
	/** Durable, where the poll changed it: n8n saves no other. */
	cursor: IDataObject | undefined;
	keys: string[];
	isNull: boolean;
	isActivation: boolean;
	fate: Fate;
}

const send: Requests['send'] = async (...request) => await current.getStore()!.send(...request);
