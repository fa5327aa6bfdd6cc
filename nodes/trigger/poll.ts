import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect, type Authentication, type Session } from '../api/session';
import { CONCURRENCY } from './kinds/judging';
import { Memory, type Recollections } from './memory';
import { OverlappingPolls, type PollTurn } from './overlap';
import { OutOfTimeError } from './reading/pages';
import { shorten } from './reading/record';
import { Registrations } from './registrations';
import { formerFilters, readSettings, type Settings } from './settings';
import { Telling } from './telling';
import type { PollResult, Watcher, Watching } from './watcher';

type Output = INodeExecutionData[][] | null;

/** What n8n grants a poll, in ms, where it does not say. */
const BUDGET = 300_000;

/** An activation is given up after 84 s. */
const ACTIVATION_BUDGET = 40_000;

/** What to do where the credential needs an item: a trigger has none. */
const WITHOUT_ITEM = 'Give the trigger a credential that holds the value itself.';

/** How much of the budget may go into reading; the rest is for what is under way by then. */
const SHARE = 0.6;

const STARTED_ANEW =
	'The trigger began anew, because it watches another account, or something else in it: what happened before counts as seen. Where that was not meant, undo the change.';

const registrations = new Registrations();

const turns = new OverlappingPolls();

const recollections: Recollections = new Map();

const telling = new Telling();

/** Nodes whose last poll ran out of time while it read. */
const outOfTime = new Set<string>();

/**
 * One poll. Correct whatever n8n saves of it, as long as the state is saved with the items it was
 * returned with: an emitted record is in the state, and one that is not comes again.
 *
 * @returns the new items, oldest first; null where there are none
 * @throws NodeApiError where nothing could be read; the state is then unchanged
 * @throws NodeOperationError where there is nothing to emit, and something to tell
 */
export async function poll(context: IPollFunctions): Promise<Output> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);

	const activation = context.getActivationMode();
	const isFirst = registrations.isFirst(keyOf(context), context, activation);
	const isStart = isFirst && (activation === 'init' || activation === 'leadershipChange');
	const began = Date.now();
	const budget = isFirst ? ACTIVATION_BUDGET : budgetOf(context);
	return await pollOnce(context, {
		deadline: began + budget * SHARE,
		isFirst,
		isActivation: isFirst && activation === 'activate',
		isHandedOver: isFirst && activation === 'leadershipChange',
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
	/** Whether n8n registers the node with it, as far as can be told. */
	isFirst: boolean;
	/** Whether the user has just switched the workflow on. */
	isActivation: boolean;
	/** Whether another process of n8n polled before. */
	isHandedOver: boolean;
}

async function pollOnce(context: IPollFunctions, occasion: Occasion): Promise<Output> {
	const settings = readSettings(context);
	const key = keyOf(context);
	const memory = new Memory(
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global'),
		context.getNode(),
		recollections,
		key,
	);
	const isAfterGap = !memory.begin(occasion.isFirst, occasion.isHandedOver);
	const { watcher, scope } = await watch(context, settings, {
		deadline: occasion.deadline,
		isAfterGap,
		isAfterShort: outOfTime.has(key),
	});
	const restarts = occasion.isActivation && settings.startsFromNow;
	const recall = () => (restarts ? undefined : memory.recall((raw) => watcher.guard(raw)));
	const before = recall();
	const turn = turns.begin(key, {
		now: Date.now(),
		budget: budgetOf(context),
		scope,
		isFirst: occasion.isFirst,
		isAnew: before === undefined,
	});
	if (turn === undefined) return null;
	const isLost = before === undefined && !restarts && !memory.isEmpty();
	const given = { context, key, occasion, turn, watcher, memory, before, recall, isLost };
	return await takeTurn(given).finally(turn.end);
}

/** A poll that has its turn. */
interface Given {
	context: IPollFunctions;
	/** Stands for the workflow and the node. */
	key: string;
	occasion: Occasion;
	turn: PollTurn;
	watcher: Watcher<unknown>;
	memory: Memory;
	/** What is stored as the poll begins; undefined where it begins anew. */
	before: unknown;
	/** What is stored at this moment. */
	recall(): unknown;
	/** Whether it does so though something is stored. */
	isLost: boolean;
}

async function takeTurn(given: Given): Promise<Output> {
	const { context, key, turn, watcher, memory, before } = given;
	const isOver = () => turn.isOver(memory.handed(), Date.now());
	if (isOver()) return null;

	const polled = before === undefined ? undefined : await watcher.poll(before);
	const found = polled ?? (await watcher.begin());
	const isForeign = before !== undefined && polled === undefined;

	if (isOver()) return null;
	const live = given.recall();
	const { state, emit, notices: own = [] } = found.commit(live);
	const fresh = isForeign || given.isLost ? [STARTED_ANEW, ...own] : own;
	if (found.error instanceof OutOfTimeError) outOfTime.add(key);
	else outOfTime.delete(key);
	const isShort = telling.isShortAgain(key, found.isShort === true);
	const notices = [...memory.notices(), ...new Set([...fresh, ...isShort])];
	if (state !== undefined) {
		// What a beginning has to tell waits for the first items: an activation must not fail for it.
		const beginnings = polled === undefined ? fresh : [];
		const untold = emit.length > 0 ? [] : [...memory.notices(), ...beginnings];
		memory.store(state, live === undefined || isForeign, emit.length > 0, untold);
	}
	if (emit.length > 0) turn.handOver(memory.handed(), Date.now());
	if (emit.length === 0) assertNothingToTell(given, found, polled === undefined ? [] : notices);
	if (found.error !== undefined) {
		context.logger.warn(
			`YK Voice Trigger read a part, the rest comes next: ${messageOf(found.error)}`,
		);
	}
	if (emit.length === 0) return null;
	const told = notices.length > 0 && { trigger_notice: notices.join(' ') };
	return [emit.map((json) => ({ json: { ...json, ...told } as IDataObject }))];
}

/** Where no item can carry it, an error of the poll does: once, as the polls that follow may go well. */
function assertNothingToTell(
	{ context, key, occasion }: Given,
	found: PollResult<unknown>,
	notices: string[],
) {
	if (found.error !== undefined && !(found.error instanceof OutOfTimeError)) throw found.error;
	if (occasion.isFirst) return;
	const untold = telling.untold(key, notices);
	if (untold.length === 0) return;
	throw new NodeOperationError(context.getNode(), untold.join(' '), {
		description: 'The trigger goes on. This is shown once.',
	});
}

/** The newest record, so that a workflow can be built on it. Reads and writes no state. */
async function fetchTestEvent(context: IPollFunctions): Promise<Output> {
	const settings = readSettings(context);
	// Somebody waits at the button.
	const deadline = Date.now() + ACTIVATION_BUDGET;
	const { watcher } = await watch(context, settings, {
		deadline,
		isAfterGap: false,
		isAfterShort: false,
	});
	const sample = await watcher.sample();
	if (sample === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`${settings.event.name}: there is nothing to show yet`,
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
	occasion: Pick<Watching, 'deadline' | 'isAfterGap' | 'isAfterShort'>,
): Promise<{ watcher: Watcher<unknown>; scope: string }> {
	const { event, input, limit, lookBack } = settings;
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const left = occasion.deadline - Date.now();
	const session = await connect(context, authentication, WITHOUT_ITEM, {
		concurrency: CONCURRENCY,
		// Both together are what SHARE leaves for a request that is sent at the last moment.
		timeout: Math.max(1000, left / 3),
		maxWait: left / 3,
	});
	const api = session.api({ operation: event.name, permission: 'READ or READ_WRITE' });
	const scopes = scopesOf(context, settings, session);
	const watching = { api, ...scopes, ...occasion, limit, lookBack };
	return { watcher: event.watch(input, watching), scope: scopes.scope };
}

/** What is watched and in which account, in short, today and in version 0.1. */
function scopesOf(context: IPollFunctions, settings: Settings, { baseUrl }: Session) {
	const { name, event, input, values } = settings;
	const credentials = Object.values(context.getNode().credentials ?? {}).map(({ id }) => id);
	// In which order the values of a filter were chosen says nothing.
	const sorted = (_name: string, value: unknown) =>
		Array.isArray(value) ? value.toSorted() : value;
	const textOf = (...parts: unknown[]) => JSON.stringify(parts, sorted);
	const threshold = name === 'lowBalance' ? Number(values.threshold ?? 10) : null;
	const former = textOf(name, baseUrl, credentials, formerFilters(settings), threshold);
	const what = shorten(textOf(name, event.identity?.(input)));
	return {
		scope: `${what}:${shorten(textOf(baseUrl, credentials))}`,
		formerScope: createHash('sha256').update(former).digest('base64url').slice(0, 12),
	};
}

/** Stands for the workflow and the node. */
const keyOf = (context: IPollFunctions) => `${context.getWorkflow().id}:${context.getNode().id}`;

/** Older n8n versions do not tell. */
const budgetOf = (context: IPollFunctions) => context.getPollBudgetMs?.() ?? BUDGET;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
