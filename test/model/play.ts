import { AsyncLocalStorage } from 'node:async_hooks';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { poll } from '../../nodes/trigger/poll.ts';
import { HOUR, MINUTE, SECOND } from '../../nodes/time.ts';
import { Polling, type Fate, type Occasion, type Outcome } from '../support/polling.ts';
import { Accounts, type Gate, type Poll } from './accounts.ts';
import { BrokenPromise, expectThat } from './expectations.ts';
import { type Happening, type History, type PollStep, type Setup, type Step } from './history.ts';

// Plays a history: lets its steps happen to the accounts and to n8n, and polls with the trigger's own code.

/** A poll to which nothing happens. */
const QUIET: Happening = { during: [], latency: 10 };

/** A request that has no answer after this time fails. */
const REQUEST_TIMEOUT = MINUTE;

/** The poll that is running. The legacy engine gives the same context to all polls. */
const running = new AsyncLocalStorage<Poll>();

/**
 * Plays a history with the code of the trigger, and checks that the trigger keeps its promises.
 *
 * @returns how many items n8n got
 * @throws BrokenPromise if the trigger does not keep them
 */
export async function play({ setup, steps }: History): Promise<number> {
	const dateNow = Date.now;
	const performanceNow = performance.now;
	const { timeout } = AbortSignal;
	const accounts = await Accounts.open(setup);
	Date.now = () => accounts.now + setup.skew;
	performance.now = () => accounts.now;
	AbortSignal.timeout = (ms) => accounts.timeout(ms);
	try {
		return await new Player(setup, accounts).run(steps);
	} finally {
		Date.now = dateNow;
		performance.now = performanceNow;
		AbortSignal.timeout = timeout;
		await accounts.close();
	}
}

/** A workflow in n8n, which is killed, starts again and is switched off and on. */
class Player {
	private readonly setup: Setup;

	private readonly accounts: Accounts;

	private readonly polling: Polling;

	/** Polls that wait for an answer that is held. */
	private held: Array<{ ended: Promise<void>; release(): void }> = [];

	private emitted = 0;

	/** Whether n8n was killed and has to start again. */
	private isDead = false;

	constructor(setup: Setup, accounts: Accounts) {
		this.setup = setup;
		this.accounts = accounts;
		this.polling = new Polling(setup.engine, {
			poll,
			open: async (occasion) => await Promise.resolve(contextOf(setup, accounts, occasion)),
		});
	}

	async run(steps: readonly Step[]): Promise<number> {
		await this.activate(true);
		expectThat(this.emitted === 0, 'The first activation started the workflow');
		for (const step of steps) {
			this.accounts.now += SECOND;
			await this.take(step);
			await this.restartIfDead();
		}
		await this.releaseAll();
		await this.restartIfDead();
		this.accounts.settle();
		await this.pollUntilQuiet();
		return this.emitted;
	}

	private async take(step: Step): Promise<void> {
		switch (step.kind) {
			case 'wait':
				if (step.ms > REQUEST_TIMEOUT) await this.releaseAll();
				this.accounts.now += step.ms;
				return;
			case 'poll':
				return await (step.heldAt === undefined ? this.poll(step) : this.pollHeld(step));
			case 'release':
				return await this.releaseAll();
			case 'kill':
				return this.kill();
			case 'reactivate':
				return await this.activate();
			default:
				return this.accounts.change(step);
		}
	}

	/** Polls until nothing more comes: at once, when all calls have ended, and when nothing has to wait any longer. */
	private async pollUntilQuiet(): Promise<void> {
		const settledAt = this.accounts.now + MINUTE;
		const first = MINUTE;
		for (const pause of [first, 12 * HOUR, 12 * HOUR]) {
			this.accounts.now += pause;
			for (let polls = 0, quiet = 0; quiet < 3 + this.accounts.inProgress(); polls += 1) {
				expectThat(polls < 5000, 'There is no end of items');
				const before = this.emitted;
				this.accounts.now += MINUTE;
				await this.poll();
				quiet = this.emitted === before ? quiet + 1 : 0;
			}
			if (pause === first) this.accounts.check(settledAt, false);
		}
		this.accounts.check(settledAt, true);
	}

	private async activate(isFirst = false): Promise<void> {
		this.polling.deactivate();
		await this.watch(QUIET, async () => await this.polling.begin(), {
			isFirst,
			isActivation: true,
		});
	}

	private kill(): void {
		this.polling.kill();
		this.isDead = true;
	}

	private async restartIfDead(): Promise<void> {
		if (!this.isDead) return;
		this.isDead = false;
		await this.releaseAll();
		this.accounts.forgotten();
		const resume = async () => await this.polling.resume('init');
		// n8n's scheduler starts without a poll.
		if (this.setup.engine !== 'legacy') await resume();
		else await this.watch(QUIET, resume, { isActivation: true });
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
		const ended = this.poll(step, gate);
		this.held.push({ ended, release });
		await Promise.race([waits, ended]);
	}

	/** All answers that are held come, and the polls end. */
	private async releaseAll(): Promise<void> {
		const held = this.held.splice(0);
		for (const { release } of held) release();
		await Promise.all(held.map(async ({ ended }) => await ended));
	}

	/** One poll. A workflow that could not be switched on is switched on again instead. */
	private async poll(step: Happening & { fate?: Fate } = QUIET, gate?: Gate): Promise<void> {
		if (this.polling.registration === undefined) return await this.activate();
		const { fate = 'saved' } = step;
		const outcome = await this.watch(step, async () => await this.polling.pollOnce(fate), {
			fate,
			gate,
		});
		const isKilled = ['stateOnly', 'itemsOnly', 'nothing'].includes(fate);
		if (isKilled && outcome?.items) this.kill();
	}

	/** Watches a poll, and tells the accounts what came of it. */
	private async watch(
		step: Happening,
		work: () => Promise<Outcome | undefined>,
		how: {
			isFirst?: boolean;
			isActivation?: boolean;
			fate?: Fate;
			gate?: Gate;
		},
	): Promise<Outcome | undefined> {
		const { accounts } = this;
		const { isFirst = false, isActivation = false, gate = async () => {} } = how;
		const own = accounts.poll(step, gate, how.gate === undefined && this.held.length === 0);
		let outcome: Outcome | undefined;
		try {
			outcome = await running.run(own, work);
		} catch (error) {
			this.failed(error as Error, isActivation);
			accounts.failed(error as Error);
			if (!isActivation) accounts.told(own, error as Error);
		}
		if (outcome === undefined) return outcome;
		if (!isActivation && own.isUndisturbed) accounts.told(own, undefined);
		accounts.polled(own, { isFirst, isActivation });
		const items = outcome.items ?? [];
		expectThat(items.length <= this.setup.limitPerPoll, `${items.length} items in one poll`);
		const keys = accounts.keysOf(items, own);
		this.emitted += keys.length;
		if (outcome.isStarted) accounts.tell(outcome.isSaved ? 'started' : 'mayRepeat', keys);
		else if (outcome.isSaved) accounts.tell('lost', keys);
		if (outcome.isSaved) accounts.stored(own);
		else if (how.fate === 'refused' && outcome.items) accounts.forgotten();
		return outcome;
	}

	/** Only these errors are expected: the API fails or is slow, or the user has to know something. */
	private failed(error: Error, isActivation: boolean): void {
		const expected = ['a fault', 'not enough time', 'changed the order', 'timed out'];
		// An error would undo the activation.
		const told = ['no account of this name', 'started again'];
		const { message, description = '' } = error as Error & { description?: string };
		const isExpected = [...expected, ...(isActivation ? [] : told)].some((words) =>
			`${message} ${description}`.includes(words),
		);
		if (error instanceof BrokenPromise || !isExpected) throw error;
	}
}

/** n8n's data of a workflow: that of each node, and that of the workflow. */
interface StaticData {
	node?: IDataObject;
	global?: IDataObject;
}

/** A context like that of n8n-core, which takes long to load. */
function contextOf(setup: Setup, accounts: Accounts, occasion: Occasion) {
	const { activation, process, cursor, budgetMs, staticData } = occasion;
	const data = staticData as StaticData;
	const parameters: Record<string, unknown> = parametersOf(setup);
	const node = { id: 'node', name: 'node', credentials: { ykVoiceApi: { id: '1' } }, parameters };
	const own = () => cursor ?? (data.node ??= {});
	const send: Poll['send'] = async (...request) => await running.getStore()!.send(...request);
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => activation,
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getNode: () => node,
		getWorkflow: () => ({ id: `process-${process}` }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? own() : (data.global ??= {})),
		getCredentials: async () => await Promise.resolve(accounts.credential),
		getTimezone: () => 'UTC',
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
		logger: { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} },
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as IPollFunctions;
	return { context, staticData };
}

/** The trigger's parameters, as the user fills them in. */
function parametersOf({ event, limitPerPoll, waitAtMost, hasLines, accounts }: Setup) {
	const isOfOrders = ['newOrder', 'orderStatusChanged'].includes(event);
	return {
		authentication: accounts ? 'accounts' : 'apiKey',
		event,
		waitMinutes: waitAtMost / MINUTE,
		options: {
			...(event !== 'lowBalance' && { pollLimit: limitPerPoll }),
			...(isOfOrders && hasLines && { include: ['lineItems'] }),
		},
		filters: {},
		threshold: 10,
	};
}
