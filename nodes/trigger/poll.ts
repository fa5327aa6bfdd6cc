import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { accountOf, allAccountsOf, CredentialError, type Account } from '../api/account';
import { plainName } from '../api/accountKeys';
import { Session } from '../api/session';
import { accessOf } from '../domain/access';
import type { JsonObject } from '../json';
import { digest } from '../digest';
import { Stop } from '../semaphore';
import { withShortTexts } from '../words';
import { CONCURRENCY, failOnMissing, mayPass } from '../watching/watcher';
import type { Watcher } from '../watching/watcher';
import { accountsWatcher } from './accounts';
import { readSettings, type Settings } from './settings';
import { registers, Storage } from './storage';

type Output = INodeExecutionData[][] | null;

/** How long a poll may run if n8n's scheduler does not run it (ms). n8n 2.36 and later say so, earlier ones nothing. */
const BUDGET = 300_000;

/** How long the first poll after an activation may run (ms). n8n gives it up after 84 s. */
const FIRST_BUDGET = 40_000;

/** How long one of several accounts may take (ms), and how long it may leave a request without an answer. */
const ACCOUNT_SPAN = 30_000;

/** The shares of the time after which no request is started, and after which those under way are stopped. */
const [READING_SHARE, ENDING_SHARE] = [0.6, 0.95];

/** What to do if the credential needs an item. A trigger has none. */
const WITHOUT_ITEM = 'Give the trigger a credential that holds the value itself.';

const STARTED_AGAIN =
	'The trigger started again from now, because the account or a setting changed (also if a setting is an expression that changes), or its stored data could not be read. Earlier records did not start the workflow.';

const SHOWN_ONCE =
	'The trigger continues, and new records come with the next poll. This is shown once.';

/**
 * One poll: reads the records, compares them with what is stored, and returns the new ones as items.
 *
 * @returns the items, oldest first, or null if there are none
 * @throws NodeApiError if the API cannot be read. The records that were not read come with a later poll
 * @throws NodeOperationError if a parameter is wrong, or if the user has to know something
 */
export async function poll(context: IPollFunctions): Promise<Output> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);
	const occasion = occasionOf(context);
	return await pollOnce(context, occasion).catch((thrown: unknown) => {
		const error = withShortTexts(thrown);
		// An error of the first poll after n8n's start would switch the trigger off for good.
		if (occasion.starts !== 'init' && occasion.starts !== 'leadershipChange') throw error;
		context.logger.warn(`YK Voice Trigger could not poll when n8n started: ${messageOf(error)}`);
		return null;
	});
}

/** How long n8n lets the poll run (ms), and how n8n starts the workflow if the poll is part of that. */
function occasionOf(context: IPollFunctions): { budget: number; starts?: WorkflowActivateMode } {
	const budget = context.getPollBudgetMs?.() ?? BUDGET;
	const starts = context.getActivationMode();
	// n8n's scheduler always says 'update'. Its own setting says how long a poll may take.
	if ((starts === 'update' && budget !== BUDGET) || !registers(context)) return { budget };
	return { budget: Math.min(budget, FIRST_BUDGET), starts };
}

async function pollOnce(
	context: IPollFunctions,
	{ budget, starts }: ReturnType<typeof occasionOf>,
): Promise<Output> {
	const isStarting = starts !== undefined;
	const isActivation = starts === 'activate';
	const settings = readSettings(context);
	const { watcher, setup, names } = await connect(context, settings, budget, isStarting);
	const storage = new Storage(context);
	return await storage.takeTurn(isStarting, async (hasTurn) => {
		const isFromNow = isActivation && settings.startsFromNow;
		const stored = isFromNow ? undefined : storage.recall(setup, isActivation);
		if (stored === 'outdated') return null;
		const before = stored?.setup === setup ? stored : undefined;
		const found = await watcher.poll(before?.state).catch((error: unknown) => {
			// The trigger has its state, so nothing is lost if the next poll begins where this one did.
			if (!isStarting || before === undefined || !mayPass(error)) throw error;
			context.logger.warn(`YK Voice Trigger starts with its next poll: ${messageOf(error)}`);
			return undefined;
		});
		if (found === undefined) return null;
		const { items, notice } = settings.present(found.records, names);
		// Nothing may be waited for between this and the return, so that n8n saves both or neither.
		if (!hasTurn()) return null;
		const again = found.isBeginning && stored !== undefined ? STARTED_AGAIN : undefined;
		const fresh = [...found.notices, notice, again].filter((text) => text !== undefined);
		const notices = [...new Set([...(before?.notices ?? []), ...fresh])];
		const { state, error, failed } = found;
		if (error !== undefined && (items.length > 0 || isStarting))
			context.logger.warn(`YK Voice Trigger could not read every record: ${messageOf(error)}`);
		if (before === undefined || found.isBeginning) {
			storage.begin({ setup, state, notices });
			return null;
		}
		if (items.length > 0) {
			storage.addBatch({ setup, state, notices: [] });
			return [itemsWith(items, notices.join(' '))];
		}
		storage.updateWithoutItems(before, { setup, state, notices });
		if (isStarting) return null;
		if (error !== undefined) throw error as Error;
		// Notices go out with the next item. Without items they also fail the poll.
		const text = failed ?? fresh.join(' ');
		if (text === '' || (failed === undefined && !storage.isFirstShown(text))) return null;
		throw new NodeOperationError(context.getNode(), text, { description: SHOWN_ONCE });
	});
}

const itemsWith = (items: JsonObject[], notice = ''): INodeExecutionData[] =>
	items.map((json) => ({
		json: { ...json, ...(notice !== '' && { trigger_notice: notice }) } as IDataObject,
	}));

/** The newest record, so that the user can build the workflow with it. Does not touch what is stored. */
async function fetchTestEvent(context: IPollFunctions): Promise<Output> {
	const settings = readSettings(context);
	const { watcher, names } = await connect(context, settings, FIRST_BUDGET);
	const sample = await watcher.sample();
	if (sample === undefined) {
		const message = `${settings.event.name}: there is nothing to show yet`;
		throw new NodeOperationError(context.getNode(), message, { description: NOTHING_FOUND });
	}
	const { items, notice } = settings.present([sample], names);
	return [itemsWith(items, notice)];
}

const NOTHING_FOUND =
	'No matching record was found. Of calls, orders and transactions, only the newest 100 were looked at. Create a record that matches, or remove the filters, and try again.';

/** Makes the watcher. `setup` stands for the event and those of its parameters that make it start again. */
async function connect(
	context: IPollFunctions,
	settings: Settings,
	budget: number,
	isStarting = false,
) {
	const { name, event, authentication, input, limit, lookBack } = settings;
	const reading = budget * READING_SHARE;
	const deadline = Date.now() + reading;
	const credentials = Object.values(context.getNode().credentials ?? {}).map(({ id }) => id);
	const stopping = new Stop(AbortSignal.timeout(Math.ceil(budget * ENDING_SHARE)));
	// 24 bits tell two keys apart, and tell nothing of the key.
	const keyOf = (account: Account | CredentialError) =>
		account instanceof CredentialError ? '' : digest(account.identity).slice(0, 4);
	/** @param span how long the account may be read (ms) */
	const watcherOf = (account: Account, most: number, span = reading): Watcher => {
		const longest = Math.min(span, reading / 3);
		const session = new Session(context, account, {
			concurrency: CONCURRENCY,
			isFirst: true,
			timeout: longest,
			maxWait: longest,
			countsRequests: true,
			stopping,
		});
		return event.watch(input, {
			api: failOnMissing(session.api({ ...accessOf(event.request), hints: event.hints })),
			account: digest(JSON.stringify([account.baseUrl, credentials])),
			key: keyOf(account),
			deadline: Math.min(deadline, Date.now() + span),
			limit: most,
			lookBack,
		});
	};
	const setup = digest(JSON.stringify([name, event.stateKey?.(input)]));
	if (authentication !== 'accounts') {
		const account = await accountOf(context, authentication, { advice: WITHOUT_ITEM });
		return { watcher: watcherOf(account, limit), setup, names: account.names };
	}
	const known = await allAccountsOf(context, WITHOUT_ITEM);
	const chosen =
		settings.accounts.length > 0 ? settings.accounts.map(plainName) : [...known.keys()];
	assertAccounts(context, settings, chosen, known);
	// All accounts of a credential call things alike.
	const all = [...known.values()];
	const { names } = usable(all.find((one) => !(one instanceof CredentialError)) ?? all[0]!);
	const span = Math.min(reading / 3, ACCOUNT_SPAN);
	const watcher = accountsWatcher({
		chosen,
		known,
		limit,
		deadline,
		isStarting,
		keyOf: (account) => keyOf(known.get(account)!),
		watch: (account, most) => watcherOf(usable(known.get(account)!), most, span),
	});
	return { watcher, setup, names };
}

/** @throws CredentialError if this account cannot be used. The others go on */
function usable(account: Account | CredentialError): Account {
	if (account instanceof CredentialError) throw account;
	return account;
}

/** @throws NodeOperationError if none of these accounts can be watched, or too many of them */
function assertAccounts(
	context: IPollFunctions,
	{ event: { name, ofOneAccount } }: Settings,
	chosen: string[],
	known: ReadonlyMap<string, unknown>,
): void {
	const refuse = (problem: string, description: string) => {
		throw new NodeOperationError(context.getNode(), `${name}: ${problem}`, { description });
	};
	if (!chosen.some((account) => known.has(account)))
		refuse(
			"the credential has none of the accounts under 'Account Names or IDs'",
			UNKNOWN_ACCOUNTS,
		);
	if (ofOneAccount !== undefined && chosen.length > 1)
		refuse(`a ${ofOneAccount} belongs to one account`, ONE_ACCOUNT);
}

const UNKNOWN_ACCOUNTS =
	"The names must be written exactly as in 'Accounts' of the credential. Correct them, or add the accounts there.";

const ONE_ACCOUNT = "Choose it under 'Account Names or IDs', and no other account.";

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
