import { AsyncLocalStorage } from 'node:async_hooks';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { poll } from '../../nodes/trigger/poll.ts';
import { HOUR, MINUTE, SECOND } from '../../nodes/time.ts';
import { FakeAccounts, type Expected, type World } from './trigger-accounts.ts';
import { BELOW, FakeApi, type Gate, type Requests } from './trigger-api.ts';
import { BrokenPromise, expectationsOf, expectThat, type Poll } from './trigger-expectations.ts';
import { watchesValue } from './trigger-histories.ts';
import type { Fate, History, PollStep, Setup, Step } from './trigger-histories.ts';

/** n8n's data of a workflow: that of each node under the node's name, and that of the workflow. */
interface StaticData {
	nodes: Record<string, IDataObject>;
	workflow: IDataObject;
}

/** What a poll is given: n8n's data, and with durable cursors another place for the node's own data. */
interface Data {
	staticData: StaticData;
	cursor: IDataObject | undefined;
}

/** A poll to which nothing happens. */
const QUIET = {
	during: [] as PollStep['during'],
	latency: 10,
	fate: 'saved' as Fate,
};

/** `isDown`: the API fails while the workflow is switched on. */
type PollOptions = typeof QUIET & {
	mode?: 'activate' | 'init' | 'update';
	gate?: Gate;
	isDown?: boolean;
};

const BASE_URL = 'https://api.test/v1';

/** A request that has no answer after this time fails. */
const REQUEST_TIMEOUT = MINUTE;

/** The requests of the poll that is running. The legacy engine gives the same context to all polls. */
const running = new AsyncLocalStorage<Requests>();

let processes = 0;

/**
 * Plays a history with the code of the trigger, and checks that the trigger keeps its promises.
 *
 * @returns how many items n8n got
 * @throws BrokenPromise if the trigger does not keep them
 */
export async function play({ setup, steps }: History): Promise<number> {
	const dateNow = Date.now;
	const many = setup.accounts && new FakeAccounts(setup, setup.accounts);
	const one = new FakeApi(setup);
	const world = many ?? one;
	Date.now = () => world.now + setup.skew;
	try {
		return await new FakeN8n(setup, world, many ?? expectationsOf(setup, one)).run(steps);
	} finally {
		Date.now = dateNow;
	}
}

/** n8n with one workflow. It polls, saves, dies and starts again as its three engines do. */
class FakeN8n {
	private readonly setup: Setup;

	private readonly api: World;

	private readonly expectations: Expected;

	/** What is in n8n's database. */
	private readonly saved: { staticData: string; cursor?: string } = {
		staticData: JSON.stringify({ nodes: {}, workflow: {} } satisfies StaticData),
	};

	/** What the legacy engine keeps in memory as long as the workflow is active. */
	private active: { staticData?: StaticData; context?: IPollFunctions } = {};

	private process = (processes += 1);

	/** Whether n8n was killed and has to start again. */
	private isDead = false;

	/** How often the workflow was activated or published. */
	private activations = 0;

	/** Polls that wait for an answer that is held. */
	private held: Array<{ ended: Promise<void>; release(): void }> = [];

	private readonly polls = new Set<Poll>();

	private emitted = 0;

	constructor(setup: Setup, api: World, expectations: Expected) {
		this.setup = setup;
		this.api = api;
		this.expectations = expectations;
	}

	async run(steps: readonly Step[]): Promise<number> {
		await this.activate('activate');
		expectThat(this.emitted === 0, 'The first activation started the workflow');
		for (const step of steps) {
			this.api.now += SECOND;
			await this.take(step);
			if (this.isDead) await this.restart();
		}
		await this.releaseAll();
		if (this.isDead) await this.restart();
		this.api.settle?.();
		await this.pollUntilQuiet();
		return this.emitted;
	}

	private async take(step: Step): Promise<void> {
		switch (step.kind) {
			case 'wait':
				if (step.ms > REQUEST_TIMEOUT) await this.releaseAll();
				this.api.now += step.ms;
				return;
			case 'poll':
				return await (step.heldAt === undefined ? this.poll(step) : this.pollHeld(step));
			case 'release':
				return await this.releaseAll();
			case 'kill':
				return this.die();
			case 'reactivate':
				return await this.activate('activate');
			case 'reactivateWhileDown':
				return await this.activate('activate', true);
			default:
				return this.api.change(step);
		}
	}

	/** Polls until nothing more comes: at once, when all calls have ended, and when nothing has to wait any longer. */
	private async pollUntilQuiet(): Promise<void> {
		const settledAt = this.api.now + MINUTE;
		const first = MINUTE;
		for (const pause of [first, 12 * HOUR, 12 * HOUR]) {
			this.api.now += pause;
			for (let polls = 0, quiet = 0; quiet < 3; polls += 1) {
				expectThat(polls < 5000, 'There is no end of items');
				const before = this.emitted;
				this.api.now += MINUTE;
				await this.poll(QUIET);
				quiet = this.emitted === before ? quiet + 1 : 0;
			}
			if (pause === first) this.expectations.checkOthers(settledAt);
		}
		this.expectations.checkAll(settledAt);
	}

	/** The workflow is switched on or published, or n8n starts. The schedulers poll only at the first. */
	private async activate(mode: 'activate' | 'init' | 'update', isDown = false): Promise<void> {
		this.active = {};
		this.activations += 1;
		if (this.setup.engine !== 'legacy' && mode !== 'activate') return;
		const during: PollStep['during'] = isDown ? [[0, { kind: 'fault' }]] : [];
		await this.poll({ ...QUIET, during, mode, isDown });
	}

	private die(): void {
		this.process = processes += 1;
		this.isDead = true;
	}

	private async restart(): Promise<void> {
		this.isDead = false;
		await this.releaseAll();
		this.expectations.forgotten();
		await this.activate('init');
	}

	/** Starts a poll and goes on when it waits for the answer that is held. */
	private async pollHeld({ heldAt, ...step }: PollStep): Promise<void> {
		let release = () => {};
		let isWaiting = () => {};
		const released = new Promise<void>((resolve) => (release = resolve));
		const waits = new Promise<void>((resolve) => (isWaiting = resolve));
		const gate = async (index: number) => {
			if (index !== heldAt) return;
			isWaiting();
			await released;
		};
		const ended = this.poll({ ...step, gate });
		this.held.push({ ended, release });
		await Promise.race([waits, ended]);
	}

	/** All answers that are held come, and the polls end. */
	private async releaseAll(): Promise<void> {
		const held = this.held.splice(0);
		for (const { release } of held) release();
		await Promise.all(held.map(async ({ ended }) => await ended));
	}

	private async poll({
		fate,
		mode,
		gate = async () => {},
		isDown = false,
		...step
	}: PollOptions): Promise<void> {
		const { api, process, activations, expectations, polls } = this;
		const data = this.dataOfPoll();
		const context = this.contextOf(data, mode ?? 'update');
		const requests = api.requests(step, gate);
		const own: Poll = { began: api.now, requests, isAlone: polls.size === 0 };
		for (const other of polls) other.isAlone = false;
		polls.add(own);
		let output: INodeExecutionData[][] | null;
		try {
			output = await running.run(requests, async () => await poll(context));
		} catch (error) {
			expectThat(!isDown, 'The API was down, and the workflow could not be published');
			this.failed(error as Error, mode !== undefined);
			return expectations.failed?.(error as Error, own);
		} finally {
			polls.delete(own);
		}
		// n8n drops what a poll returns if its process died, or if the workflow was activated meanwhile.
		if (process !== this.process) return;
		if (activations !== this.activations) return;

		if (isDown && output === null) return;
		if (activations === 1 && mode === 'activate') expectations.begun();
		expectations.polled(own);
		if (output === null) this.saveWithoutItems(data, mode !== undefined);
		else this.takeItems(output, own, data, fate);
	}

	private takeItems(output: INodeExecutionData[][], poll: Poll, data: Data, fate: Fate): void {
		const { expectations } = this;
		const items = output.flat().map(({ json }) => json);
		expectThat(items.length <= this.setup.limitPerPoll, `${items.length} items in one poll`);
		const keys = expectations.keysOf(items, poll);
		this.emitted += keys.length;
		this.saveWithItems(data, keys, fate);
		if (['stateOnly', 'itemsOnly', 'nothing'].includes(fate)) this.die();
	}

	/** Only these errors are expected: the API fails or is slow, or the user has to know something. */
	private failed(error: Error, isActivation: boolean): void {
		// An error would undo the activation.
		const mayTell = !isActivation || this.setup.engine !== 'legacy';
		const expected = mayTell
			? /a fault|not enough time|changed the order|left out|no account of this name|started again/
			: /a fault|not enough time|changed the order/;
		const isExpected = expected.test(error.message);
		if (error instanceof BrokenPromise || !isExpected) throw error;
	}

	/** The data that n8n gives to a poll. Only the legacy engine keeps it from poll to poll. */
	private dataOfPoll(): Data {
		const { active, saved } = this;
		const isLegacy = this.setup.engine === 'legacy';
		const inMemory = isLegacy ? active.staticData : undefined;
		const staticData = inMemory ?? (JSON.parse(saved.staticData) as StaticData);
		if (isLegacy) active.staticData = staticData;
		const isDurable = this.setup.engine === 'durable';
		const cursor = isDurable ? (JSON.parse(saved.cursor ?? '{}') as IDataObject) : undefined;
		return { staticData, cursor };
	}

	/** After an activation n8n saves its data, but no cursor. After other polls it saves only a cursor. */
	private saveWithoutItems({ staticData, cursor }: Data, isActivation: boolean): void {
		if (isActivation) this.saved.staticData = JSON.stringify(staticData);
		else if (cursor !== undefined) this.saved.cursor = JSON.stringify(cursor);
		const isStateSaved = cursor === undefined ? isActivation : !isActivation;
		if (isStateSaved) this.expectations.stored();
	}

	/** n8n saves the state and starts the workflow. If it is killed, it did one of the two, or neither. */
	private saveWithItems({ staticData, cursor }: Data, keys: string[], fate: Fate): void {
		const { expectations, saved } = this;
		const isDurable = cursor !== undefined;
		if (isDurable && fate !== 'saved') {
			// A cursor is saved together with the items. The workflow's data may be saved without them.
			if (fate === 'stateOnly') saved.staticData = JSON.stringify(staticData);
			if (fate === 'refused') expectations.forgotten();
			return;
		}
		if (fate === 'nothing') return;
		if (fate === 'itemsOnly') {
			expectations.started(keys);
			return expectations.mayRepeat(keys);
		}
		saved.staticData = JSON.stringify(staticData);
		if (isDurable) saved.cursor = JSON.stringify(cursor);
		if (fate === 'stateOnly') expectations.lost(keys);
		else expectations.started(keys);
		expectations.stored();
	}

	private contextOf(data: Data, mode: string): IPollFunctions {
		const { setup, process, active } = this;
		if (active.context !== undefined) return active.context;
		const { staticData, cursor } = data;
		const own = () => cursor ?? (staticData.nodes.node ??= {});
		const parameters: Record<string, unknown> = parametersOf(setup);
		const credentials = { ykVoiceApi: { id: '1' } };
		const node = { id: 'node', name: 'node', credentials, parameters };
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getNode: () => node,
			// The trigger's memory of a process is kept by the workflow's id.
			getWorkflow: () => ({ id: `process-${process}` }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? own() : staticData.workflow),
			getCredentials: async () => ({ ...this.api.credential, baseUrl: BASE_URL }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => (setup.engine === 'legacy' ? 300_000 : 36_000),
			logger: { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} },
			helpers: { httpRequestWithAuthentication: send },
		} as unknown as IPollFunctions;
		if (setup.engine === 'legacy') active.context = context;
		return context;
	}
}

const send: Requests['send'] = async (...request) => await running.getStore()!.send(...request);

/** The trigger's parameters, as the user fills them in. */
function parametersOf({ event, limitPerPoll, isFiltered, waitAtMost, hasLines }: Setup) {
	const filters: Record<string, object> = {
		newOrder: { status: ['pending'] },
		newCall: { call_status: ['Completed'] },
		callReady: { call_status: ['Completed'] },
		orderStatusChanged: { to: ['completed', 'cancelled'] },
	};
	return {
		authentication: 'apiKey',
		event,
		waitMinutes: waitAtMost / MINUTE,
		threshold: BELOW.lowBalance,
		minutesBelow: BELOW.lowMinutes,
		options: {
			...(!watchesValue(event) && { pollLimit: limitPerPoll }),
			...(['newOrder', 'orderStatusChanged'].includes(event) &&
				hasLines && { include: ['lineItems'] }),
		},
		filters: (isFiltered && filters[event]) || {},
	};
}
