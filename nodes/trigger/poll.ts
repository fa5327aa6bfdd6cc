import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect, type Authentication, type Session } from '../api/session';
import { shorten } from './reading/cursor';
import { EVENTS } from './events';
import { watchList } from './lists';
import { Memory } from './memory';
import { watchBalance, watchStatuses } from './others';
import { CONCURRENCY, readSettings, type Settings } from './settings';
import { Spent } from './reading/sweep';
import { Turns, type Turn } from './overlap';
import type { Found, Watcher } from './watcher';

type Output = INodeExecutionData[][] | null;

/** What n8n grants a poll, in ms, where it does not say. */
const BUDGET = 300_000;

/** An activation is given up after 84 s. */
const ACTIVATION_BUDGET = 40_000;

/** What to do where the credential needs an item: a trigger has none. */
const WITHOUT_ITEM = 'Give the trigger a credential that holds the value itself.';

/** How much of the budget may go into reading; the rest is for what is under way by then. */
const SHARE = 0.6;

/** Contexts that have polled: n8n makes a new one for each activation, and keeps it (legacy engine). */
const known = new WeakSet<IPollFunctions>();

const turns = new Turns();

/**
 * One poll. Correct whatever n8n saves of it, as long as the state is saved with the items it was
 * returned with: an emitted record is in the state, and one that is not comes again.
 *
 * @returns the new items, oldest first; null where there are none
 * @throws NodeApiError where nothing could be read; the state is then unchanged
 */
export async function poll(context: IPollFunctions): Promise<Output> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);

	const activation = context.getActivationMode();
	// n8n's scheduler makes a new context for each poll, and says `update` each time.
	const isFirst = !known.has(context) && activation !== 'update';
	known.add(context);
	const isStart = isFirst && (activation === 'init' || activation === 'leadershipChange');
	const began = Date.now();
	const budget = isFirst ? ACTIVATION_BUDGET : budgetOf(context);
	return await pollOnce(context, {
		deadline: began + budget * SHARE,
		isFirst,
		isActivation: isFirst && activation === 'activate',
	}).catch(async (error: unknown) => {
		// Thrown at n8n's start, an error would switch the trigger off for good.
		if (!isStart) return await Promise.reject(error);
		context.logger.warn(`YK Voice Trigger could not poll at the start: ${messageOf(error)}`);
		return null;
	});
}

interface Occasion {
	/** When to stop reading, in ms. */
	deadline: number;
	/** Whether the poll is part of an activation, as far as n8n tells. */
	isFirst: boolean;
	/** Whether the user has just switched the workflow on. */
	isActivation: boolean;
}

async function pollOnce(context: IPollFunctions, occasion: Occasion): Promise<Output> {
	const settings = readSettings(context);
	const { watcher, scope } = await watch(context, settings, occasion.deadline);
	const memory = new Memory(
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global'),
		context.getNode().id,
	);
	const restarts = occasion.isActivation && settings.startsFromNow;
	const recall = () => (restarts ? undefined : memory.recall(watcher.guard));
	const before = recall();
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const turn = turns.begin(key, {
		now: Date.now(),
		budget: budgetOf(context),
		scope,
		isFirst: occasion.isFirst,
		isAnew: before === undefined,
	});
	if (turn === undefined) return null;
	return await takeTurn(context, turn, watcher, memory, before, recall).finally(turn.end);
}

async function takeTurn(
	context: IPollFunctions,
	turn: Turn,
	watcher: Watcher<unknown>,
	memory: Memory,
	before: unknown,
	recall: () => unknown,
): Promise<Output> {
	const isOver = () => turn.isOver(memory.handed(), Date.now());
	if (isOver()) return null;

	const found: Found<unknown> =
		before === undefined ? await watcher.begin() : await watcher.poll(before);

	if (isOver()) return null;
	const live = recall();
	const { state, emit, warning } = found.commit(live);
	if (state !== undefined) memory.store(state, live === undefined, emit.length > 0);
	if (emit.length > 0) turn.handOver(memory.handed(), Date.now());
	if (warning !== undefined) context.logger.warn(`YK Voice Trigger: ${warning}`);
	if (found.error !== undefined) {
		if (emit.length === 0 && !(found.error instanceof Spent)) throw found.error;
		context.logger.warn(
			`YK Voice Trigger read a part, the rest comes next: ${messageOf(found.error)}`,
		);
	}
	return emit.length > 0 ? [emit.map((json) => ({ json: json as IDataObject }))] : null;
}

/** The newest record, so that a workflow can be built on it. Reads and writes no state. */
async function fetchTestEvent(context: IPollFunctions): Promise<Output> {
	const settings = readSettings(context);
	// Somebody waits at the button.
	const { watcher } = await watch(context, settings, Date.now() + ACTIVATION_BUDGET);
	const sample = await watcher.sample();
	if (sample === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`${EVENTS[settings.event]}: there is nothing to show yet`,
			{
				description:
					'The account has no matching record. Create one, or remove the filters, and try again.',
			},
		);
	}
	return [[{ json: sample as IDataObject }]];
}

async function watch(
	context: IPollFunctions,
	settings: Settings,
	deadline: number,
): Promise<{ watcher: Watcher<unknown>; scope: string }> {
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const left = deadline - Date.now();
	const session = await connect(context, authentication, WITHOUT_ITEM, {
		concurrency: CONCURRENCY,
		// Both together are what SHARE leaves for a request that is sent at the last moment.
		timeout: Math.max(1000, left / 3),
		maxWait: left / 3,
	});
	const api = session.api({
		operation: EVENTS[settings.event],
		permission: 'READ or READ_WRITE',
	});
	const scope = scopeOf(context, settings, session);
	switch (settings.event) {
		case 'orderStatusChanged':
			return { scope, watcher: watchStatuses(settings, scope, api) };
		case 'lowBalance':
			return { scope, watcher: watchBalance(settings, scope, api) };
		default:
			return { scope, watcher: watchList(settings.event, settings, scope, api, deadline) };
	}
}

/** What is watched, in short: another account or another thing starts anew. */
function scopeOf(context: IPollFunctions, settings: Settings, { baseUrl }: Session): string {
	const { credentials = {} } = context.getNode();
	const parts = [
		settings.event,
		baseUrl,
		Object.values(credentials).map(({ id }) => id),
		settings.filters,
		settings.event === 'lowBalance' ? settings.threshold : null,
	];
	// In which order the values of a filter were chosen says nothing.
	const sorted = (_name: string, value: unknown) =>
		Array.isArray(value) ? value.toSorted() : value;
	return shorten(JSON.stringify(parts, sorted));
}

/** Older n8n versions do not tell. */
const budgetOf = (context: IPollFunctions) => context.getPollBudgetMs?.() ?? BUDGET;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
