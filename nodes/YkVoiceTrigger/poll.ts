import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect, type Authentication, type Session } from '../YkVoice/core/transport';
import { EVENTS } from './events';
import { watchList } from './lists';
import { Memory } from './memory';
import { watchBalance, watchStatuses } from './others';
import { CONCURRENCY, readSettings, type Settings } from './settings';
import { Spent } from './sweep';
import type { Found, Watcher } from './watcher';

type Output = INodeExecutionData[][] | null;

/** What n8n grants a poll, in ms, where it does not say. */
const BUDGET = 300_000;

/** An activation is given up after 84 s. */
const ACTIVATION_BUDGET = 40_000;

/** How much of the budget may go into reading; the rest is for what is under way by then. */
const SHARE = 0.6;

/** Contexts that have polled: n8n makes a new one for each activation, and keeps it (legacy engine). */
const known = new WeakSet<IPollFunctions>();

/** The newest poll under way, by workflow and node. n8n starts the next one all the same. */
const underWay = new Map<string, { began: number }>();

/**
 * What polls handed over last, by workflow and node. n8n's scheduler gives each poll a copy of the
 * state from its beginning, and saves the one it leaves behind without a look at the others: a poll
 * whose copy is older than this would emit the same records once more.
 */
const handedOver = new Map<string, { count: number; at: number }>();

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
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const began = Date.now();
	const budget = isFirst ? ACTIVATION_BUDGET : budgetOf(context);
	// A first poll takes stock, and what it would wait for belongs to an activation that is over.
	if (isFirst) handedOver.delete(key);
	else if (began - (underWay.get(key)?.began ?? -Infinity) < budgetOf(context)) return null;
	const turn = { began };
	underWay.set(key, turn);
	return await pollOnce(context, {
		key,
		deadline: began + budget * SHARE,
		isActivation: isFirst && activation === 'activate',
		isSuperseded: () => underWay.get(key) !== turn,
	})
		.catch(async (error: unknown) => {
			// Thrown at n8n's start, an error would switch the trigger off for good.
			if (!isStart) return await Promise.reject(error);
			context.logger.warn(`YK Voice Trigger could not poll at the start: ${messageOf(error)}`);
			return null;
		})
		.finally(() => {
			if (underWay.get(key) === turn) underWay.delete(key);
		});
}

interface Turn {
	/** Of the workflow and the node. */
	key: string;
	/** When to stop reading, in ms. */
	deadline: number;
	/** Whether the user has just switched the workflow on. */
	isActivation: boolean;
	/** Whether a newer poll has taken over; this one then hands over nothing. */
	isSuperseded: () => boolean;
}

async function pollOnce(
	context: IPollFunctions,
	{ key, deadline, isActivation, isSuperseded }: Turn,
): Promise<Output> {
	const settings = readSettings(context);
	const watcher = await watch(context, settings, deadline);
	const memory = new Memory(
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global'),
		context.getNode().id,
	);

	// After that long the state was not saved, and neither was the execution: both must come again.
	const patience = 2 * budgetOf(context);
	const isOldCopy = () => {
		const last = handedOver.get(key);
		return last !== undefined && memory.handed() < last.count && Date.now() - last.at < patience;
	};
	if (isOldCopy()) return null;

	const restarts = isActivation && settings.startsFromNow;
	const recall = () => (restarts ? undefined : memory.recall(watcher.guard));
	const before = recall();
	const found: Found<unknown> =
		before === undefined ? await watcher.begin() : await watcher.poll(before);

	if (isSuperseded() || isOldCopy()) return null;
	const live = recall();
	const { state, emit, warning } = found.commit(live);
	if (state !== undefined) memory.store(state, live === undefined, emit.length > 0);
	if (emit.length > 0) handedOver.set(key, { count: memory.handed(), at: Date.now() });
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
	const watcher = await watch(context, settings, Date.now() + ACTIVATION_BUDGET);
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
): Promise<Watcher<unknown>> {
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const left = deadline - Date.now();
	const session = await connect(context, authentication, {
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
			return watchStatuses(settings, scope, api);
		case 'lowBalance':
			return watchBalance(settings, scope, api);
		default:
			return watchList(settings.event, settings, scope, api, deadline);
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
	return createHash('sha256')
		.update(JSON.stringify(parts, sorted))
		.digest('base64url')
		.slice(0, 12);
}

/** Older n8n versions do not tell. */
const budgetOf = (context: IPollFunctions) => context.getPollBudgetMs?.() ?? BUDGET;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
