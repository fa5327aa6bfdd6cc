import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect, type Authentication } from '../api/session';
import { accessOf } from '../domain/access';
import { READ_PERMISSION } from '../table/operation';
import { CONCURRENCY, type Outcome, type Watcher } from './event';
import { shorten } from './kinds/window';
import { readSettings, type Settings } from './settings';
import { Storage, type Saved } from './storage';

type Output = INodeExecutionData[][] | null;

/** How long n8n lets a poll run if it does not say (ms). */
const BUDGET = 300_000;

/** How long the first poll after an activation may run (ms). n8n gives it up after 84 s. */
const FIRST_BUDGET = 40_000;

/** Which part of the time goes into reading. The rest is for the requests that still run then. */
const SHARE = 0.6;

/** What to do if the credential is an expression that needs an item. A trigger has none. */
const WITHOUT_ITEM = 'Give the trigger a credential that holds the value itself.';

const STARTED_AGAIN =
	'The trigger started again from now, because the account or the settings changed, or because its stored data was damaged. Earlier records did not start the workflow.';

/** Contexts of polls. Without the scheduler, all polls of one activation share a context. */
const contexts = new WeakSet<IPollFunctions>();

/**
 * One poll: reads what there is, compares it with what is stored, and emits what is new.
 *
 * @returns the items, oldest first, or null if there are none
 * @throws NodeApiError if the API cannot be read; then nothing has changed
 * @throws NodeOperationError if a parameter is wrong, or if the user has to know something
 */
export async function poll(context: IPollFunctions): Promise<Output> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);
	const mode = context.getActivationMode();
	const isFirst = !contexts.has(context);
	contexts.add(context);
	// n8n's scheduler says 'update' with every poll, and gives each a context of its own.
	const isActivation = isFirst && mode === 'activate';
	const isStart = isFirst && (mode === 'init' || mode === 'leadershipChange');
	try {
		return await pollOnce(context, { isFirst, isActivation, isStart });
	} catch (error) {
		// An error of the first poll after n8n's start would switch the trigger off for good.
		if (!isStart) return await Promise.reject(error);
		context.logger.warn(`YK Voice Trigger could not poll when n8n started: ${messageOf(error)}`);
		return null;
	}
}

interface Occasion {
	/** Whether this context has not polled before. */
	isFirst: boolean;
	/** Whether the user has just switched the workflow on. */
	isActivation: boolean;
	/** Whether n8n has just started. */
	isStart: boolean;
}

async function pollOnce(context: IPollFunctions, occasion: Occasion): Promise<Output> {
	const { isFirst, isActivation, isStart } = occasion;
	const settings = readSettings(context);
	const granted = context.getPollBudgetMs?.() ?? BUDGET;
	const budget = isFirst ? Math.min(granted, FIRST_BUDGET) : granted;
	const { watcher, what, account } = await watch(context, settings, budget);
	const storage = new Storage(context);
	if (!storage.takeTurn(`${what} ${account} ${context.getNode().name}`, granted, isActivation))
		return null;
	try {
		const startsFromNow = isActivation && settings.startsFromNow;
		const stored = startsFromNow ? undefined : storage.recall(isActivation);
		if (stored === 'outdated') return null;
		const before = stored?.what === what ? stored : undefined;
		const outcome = await watcher.poll(before?.state);
		if (storage.isOver) return null;
		if (outcome.isBeginning && stored !== undefined) (outcome.later ??= []).push(STARTED_AGAIN);
		const mayFail = !isActivation && !isStart && !outcome.isBeginning;
		return handOver(context, storage, { what, before, outcome, mayFail });
	} finally {
		storage.endTurn();
	}
}

interface Polled {
	what: string;
	before: Saved | undefined;
	outcome: Outcome;
	/** Whether an error is shown to the user. It would undo an activation. */
	mayFail: boolean;
}

/** Stores the state and returns the items. Synchronous, so that n8n saves both or neither. */
function handOver(
	context: IPollFunctions,
	storage: Storage,
	{ what, before, outcome, mayFail }: Polled,
): Output {
	const { state, emit, notices, later = [], error, isBeginning } = outcome;
	const waiting = [...new Set([...(before?.notices ?? []), ...later])];
	const hasItems = emit.length > 0;
	const follows = isBeginning ? undefined : before;
	storage.save({ what, state, notices: hasItems ? [] : waiting }, follows, hasItems);
	if (error !== undefined && (hasItems || !mayFail))
		context.logger.warn(`YK Voice Trigger could not read every record: ${messageOf(error)}`);
	if (hasItems) {
		const told = [...waiting, ...notices].join(' ');
		const notice = told !== '' && { trigger_notice: told };
		return [emit.map((json) => ({ json: { ...json, ...notice } as IDataObject }))];
	}
	if (!mayFail) return null;
	if (error !== undefined) throw error;
	const untold = storage.untold(notices);
	if (untold.length === 0) return null;
	throw new NodeOperationError(context.getNode(), untold.join(' '), {
		description: 'The trigger goes on. This is shown once.',
	});
}

/** The newest record, so that the user can build the workflow with it. Does not touch what is stored. */
async function fetchTestEvent(context: IPollFunctions): Promise<Output> {
	const settings = readSettings(context);
	const { watcher } = await watch(context, settings, FIRST_BUDGET);
	const sample = await watcher.sample();
	if (sample !== undefined) return [[{ json: sample as IDataObject }]];
	throw new NodeOperationError(
		context.getNode(),
		`${settings.event.name}: there is nothing to show yet`,
		{
			description:
				'The account has no matching record. Create one, or remove the filters, and try again.',
		},
	);
}

/** @param budget how long the poll may run (ms) */
async function watch(
	context: IPollFunctions,
	{ name, event, input, limit, lookBack }: Settings,
	budget: number,
): Promise<{ watcher: Watcher; what: string; account: string }> {
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const reading = budget * SHARE;
	const session = await connect(context, authentication, WITHOUT_ITEM, {
		concurrency: CONCURRENCY,
		timeout: reading / 3,
		maxWait: reading / 3,
	});
	const credentials = Object.values(context.getNode().credentials ?? {}).map(({ id }) => id);
	const account = shorten(JSON.stringify([session.baseUrl, credentials]));
	const what = shorten(JSON.stringify([name, event.identity?.(input)]));
	const api = session.api({
		operation: event.name,
		permission: READ_PERMISSION,
		...accessOf(event.request),
	});
	const deadline = Date.now() + reading;
	const watcher = event.watch(input, { api, account, deadline, limit, lookBack });
	return { watcher, what, account };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
