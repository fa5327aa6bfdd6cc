import type {
	IAdditionalCredentialOptions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { accountOf, namedAccountsOf, type Account, type NodeContext } from '../api/account';
import { explain } from '../api/errors';
import { exchange } from '../api/exchange';
import { ownKeyOf } from '../api/namedAccounts';
import { accessOf } from '../domain/access';
import { groupedBy } from '../json';
import { Semaphore } from '../semaphore';
import { SECOND } from '../time';
import { plural, quoted } from '../words';

/** What is read: every key that may read may read it. */
const PATH = '/agents/';

const TIMEOUT = 30 * SECOND;

/** What a status means for somebody who enters a credential. */
const MEANINGS: Readonly<Record<number, string>> = {
	401: 'The API did not accept this key. Copy the whole key, starting with yk_, and check that it was not revoked.',
	403: 'The key may not read data. Give it the permission READ or READ_WRITE. You can save it anyway to use its other permissions.',
	404: "The server has nothing at this address. Check the 'Base URL': it must end in /v1 or /external/v1.",
};

/** How many accounts are read at a time, and how long reading them may take together. */
const [AT_ONCE, TIME_FOR_ALL] = [10, 50 * SECOND];

/** What to do if the credential needs an item. */
const WITHOUT_ITEM = 'You can save it anyway.';

/**
 * n8n's test of an API key: it reads one agent, of each account. A declared test would read an answer of any
 * size, and show what the server says with the key in it. Reference: "Authentication" 1 to 4.
 */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const context = contextOf(this, data);
		const named = await namedAccountsOf(context, WITHOUT_ITEM);
		const isAlone = named.size === 0;
		const accounts = isAlone
			? [await accountOf(context, 'apiKey', { advice: WITHOUT_ITEM })]
			: [...named.values()];
		const stopped = AbortSignal.timeout(TIME_FOR_ALL);
		const places = new Semaphore(AT_ONCE);
		const results = await Promise.all(
			accounts.map(async (account) => {
				const leave = await places.take();
				return await objectionTo(context, account, stopped).finally(leave);
			}),
		);
		if (isAlone) return resultOf(results[0]);
		return resultOf(summaryOf(accounts, results), plural(named.size, 'account'));
	} catch (error) {
		return resultOf((error as Error).message);
	}
}

const resultOf = (objection: string | undefined, count = ''): INodeCredentialTestResult =>
	objection === undefined
		? { status: 'OK', message: `Connection successful! ${count}`.trim() }
		: { status: 'Error', message: objection };

/** Why an account cannot be read, as a sentence. Undefined if it can. */
async function objectionTo(
	context: NodeContext,
	account: Account,
	stopped: AbortSignal,
): Promise<string | undefined> {
	if (stopped.aborted) return 'There was no time left to read it.';
	const request = { method: 'GET', path: PATH, query: { limit: 1 } } as const;
	const { failure } = await exchange(context, account, request, {
		timeout: TIMEOUT,
		stopping: [stopped],
	});
	if (failure === undefined) return undefined;
	const about = { ...accessOf(`GET ${PATH}`), hints: MEANINGS };
	const { message, description } = explain(failure, { about, isOAuth: false, isRead: true });
	return `${message}. ${description}`;
}

/** Which accounts could not be read, and why. Those with the same reason stand together. */
function summaryOf(accounts: Account[], results: Array<string | undefined>): string | undefined {
	const failed = accounts.flatMap(({ name = '' }, at) => {
		const reason = results[at];
		return reason === undefined ? [] : [{ name, reason }];
	});
	if (failed.length === 0) return undefined;
	const count = plural(accounts.length, 'account');
	const reasons = [...groupedBy(failed, ({ reason }) => reason).values()].map(
		(all) => `${quoted(all.map(({ name }) => name))}: ${all[0]!.reason}`,
	);
	return [`${failed.length} of ${count} could not be read.`, ...reasons].join(' ');
}

/** Here n8n has only its older helper for requests, and no credential of a node. */
function contextOf(
	{ helpers }: ICredentialTestFunctions,
	data: NonNullable<ICredentialsDecrypted['data']>,
): NodeContext {
	const send = async (
		_type: string,
		{ url, headers, timeout }: IHttpRequestOptions,
		{ credentialsDecrypted }: IAdditionalCredentialOptions,
	) =>
		(await helpers.request({
			uri: url,
			headers: {
				...headers,
				Authorization: `Bearer ${ownKeyOf(credentialsDecrypted!.data!)}`,
			},
			timeout,
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		})) as unknown;
	const node = { name: 'Test', type: 'test', typeVersion: 1, parameters: {} } as unknown as INode;
	return {
		getCredentials: async () => await Promise.resolve(data),
		getNode: () => node,
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as NodeContext;
}
