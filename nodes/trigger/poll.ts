import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { connect } from '../api/session';
import { accessOf, isWithoutId } from '../domain/access';
import { shorten } from '../watching/fingerprint';
import { CONCURRENCY, type PollResult, type Watcher } from '../watching/watcher';
import { readSettings, type Settings } from './settings';
import { Storage, type Saved } from './storage';

type Output = INodeExecutionData[][] | null;

/** How long a poll may run if n8n does not say (ms). */
const BUDGET = 300_000;

/** How long the first poll after an activation may run (ms). n8n gives it up after 84 s. */
const FIRST_BUDGET = 40_000;

/** The share of the time for starting requests. The rest is for those that are still under way then. */
const READING_SHARE = 0.6;

/** What to do if the credential needs an item. A trigger has none. */
const WITHOUT_ITEM = 'Give the trigger a credential that holds the value itself.';

const STARTED_AGAIN =
	'The trigger started again from now, because the account or the settings changed, or because its stored data was damaged. Earlier records did not start the workflow.';

/** Contexts that have polled. Without n8n's scheduler, all polls of an activation share one. */
const contexts = new WeakSet<IPollFunctions>();

/** Notices that a failed poll has shown. Each is shown once until n8n is started again. */
const shownNotices = new Set<string>();

/**
 * One poll: reads the records, compares them with what is stored, and returns the new ones as items.
 *
 * @returns the items, oldest first, or null if there are none
 * @throws NodeApiError if the API cannot be read. The records that were not read come with a later poll
 * @throws NodeOperationError if a parameter is wrong, or if the user has to know something
 */
export async function poll(context: IPollFunctions): Promise<Output> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);
	const granted = context.getPollBudgetMs?.() ?? BUDGET;
	if (contexts.has(context)) return await pollOnce(context, POLL_TIME, granted);
	contexts.add(context);
	const mode = context.getActivationMode();
	// n8n's scheduler always says 'update', and grants less time. Otherwise this poll is part of starting
	// the workflow.
	const isScheduled = mode === 'update' && granted < BUDGET;
	const occasion = isScheduled ? POLL_TIME : { isActivation: mode === 'activate', mayFail: false };
	return await pollOnce(context, occasion, Math.min(granted, FIRST_BUDGET)).catch(
		async (error: unknown) => {
			// An error of the first poll after n8n's start would switch the trigger off for good.
			if (mode !== 'init' && mode !== 'leadershipChange') return await Promise.reject(error);
			context.logger.warn(`YK Voice Trigger could not poll when n8n started: ${messageOf(error)}`);
			return null;
		},
	);
}

/** Why n8n polls. */
interface Occasion {
	/** The user has just switched the workflow on. */
	isActivation: boolean;
	/** A notice may fail the poll. While a workflow starts, an error would undo that. */
	mayFail: boolean;
}

const POLL_TIME: Occasion = { isActivation: false, mayFail: true };

/** @param budget how long the poll may run (ms) */
async function pollOnce(
	context: IPollFunctions,
	{ isActivation, mayFail }: Occasion,
	budget: number,
): Promise<Output> {
	const settings = readSettings(context);
	const { watcher, what, account } = await watch(context, settings, budget);
	const storage = new Storage(context);
	const subject = `${what} ${account} ${context.getNode().name}`;
	if (!storage.takeTurn(subject, isActivation)) return null;
	try {
		const startsFromNow = isActivation && settings.startsFromNow;
		const stored = startsFromNow ? undefined : storage.recall(isActivation);
		if (stored === 'outdated') return null;
		const before = stored?.what === what ? stored : undefined;
		const result = presented(await watcher.poll(before?.state), settings);
		if (storage.isOver) return null;
		const { isBeginning = false } = result;
		if (isBeginning && stored !== undefined) (result.quietNotices ??= []).push(STARTED_AGAIN);
		return handOver(context, storage, before, { ...result, what, mayFail });
	} finally {
		storage.endTurn();
	}
}

/** The result with items instead of records. An event may make several items of one record. */
function presented(result: PollResult, { present }: Settings): PollResult {
	const { items, notice } = present(result.emit);
	const notices = notice === undefined ? result.notices : [...result.notices, notice];
	return { ...result, emit: items, notices };
}

/** Stores the state and returns the items. Synchronous, so that n8n saves both or neither. */
function handOver(
	context: IPollFunctions,
	storage: Storage,
	before: Saved | undefined,
	result: PollResult & { what: string; mayFail: boolean },
): Output {
	const { state, emit, notices, quietNotices = [], error, isBeginning, what, mayFail } = result;
	const hasItems = emit.length > 0;
	const waiting = latestOf([...(before?.notices ?? []), ...quietNotices]);
	const saved = { what, state, notices: hasItems ? [] : waiting };
	storage.save(saved, isBeginning ? undefined : before, hasItems);
	if (hasItems || isBeginning || !mayFail) {
		if (error !== undefined)
			context.logger.warn(`YK Voice Trigger could not read every record: ${messageOf(error)}`);
		const text = latestOf([...waiting, ...notices]).join(' ');
		const notice = text !== '' && { trigger_notice: text };
		const items = emit.map((json) => ({ json: { ...json, ...notice } as IDataObject }));
		return hasItems ? [items] : null;
	}
	if (error !== undefined) throw error;
	const gist = [context.getWorkflow().id, context.getNode().id, ...notices.map(gistOf)].join(' ');
	if (notices.length === 0 || shownNotices.has(gist)) return null;
	shownNotices.add(gist);
	throw new NodeOperationError(context.getNode(), notices.join(' '), {
		description: 'The trigger goes on. This is shown once.',
	});
}

/** The newest record, so that the user can build the workflow with it. Does not touch what is stored. */
async function fetchTestEvent(context: IPollFunctions): Promise<Output> {
	const settings = readSettings(context);
	const { watcher } = await watch(context, settings, FIRST_BUDGET);
	const sample = await watcher.sample();
	if (sample !== undefined) {
		const { items, notice } = settings.present([sample]);
		const extra = notice !== undefined && { trigger_notice: notice };
		return [items.map((json) => ({ json: { ...json, ...extra } as IDataObject }))];
	}
	throw new NodeOperationError(
		context.getNode(),
		`${settings.event.name}: there is nothing to show yet`,
		{
			description:
				'The account has no matching record. Create one, or remove the filters, and try again.',
		},
	);
}

/**
 * Connects to the account and makes the watcher of the event.
 *
 * @param budget how long the poll may run (ms)
 * @returns `what` stands for the event and those of its parameters that make it start again. `account`
 *   stands for the base URL and the credential
 */
async function watch(
	context: IPollFunctions,
	{ name, event, authentication, input, limit, lookBack }: Settings,
	budget: number,
): Promise<{ watcher: Watcher; what: string; account: string }> {
	const reading = budget * READING_SHARE;
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
		...accessOf(event.request),
		isWithoutId: isWithoutId(event.request),
		...(event.hints && { hints: event.hints }),
	});
	const deadline = Date.now() + reading;
	const watcher = event.watch(input, { api, account, deadline, limit, lookBack });
	return { watcher, what, account };
}

/** A notice up to its example, and without its numbers: both may differ from poll to poll. */
const gistOf = (notice: string) => notice.replaceAll(/\{.*|\d+/gs, '');

const latestOf = (notices: string[]) => [
	...new Map(notices.map((notice) => [gistOf(notice), notice])).values(),
];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
