import type {
	IAdditionalCredentialOptions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { accountOf, allAccountsOf, CredentialError } from '../api/account';
import type { Account, NodeContext } from '../api/account';
import { explain } from '../api/errors';
import { exchange } from '../api/exchange';
import { TimeLimit } from '../api/timeLimit';
import { accessOf } from '../domain/access';
import { groupedBy } from '../json';
import { Semaphore, Stop } from '../semaphore';
import { SECOND } from '../time';
import { plural, quoted, sentences } from '../words';

/** Every key that may read may read it. */
const PATH = '/agents/';

/** What a status means for somebody who enters a credential. */
const MEANINGS: Readonly<Record<number, string>> = {
	401: 'The API did not accept this key. Copy the whole key, starting with yk_, and check that it was not revoked.',
	403: 'The key may not read data. Give it the permission READ or READ_WRITE. You can save it anyway to use its other permissions.',
	404: "The server has nothing at this address. Check the 'Base URL': it must end in /v1 or /external/v1.",
};

/** How many accounts are read at a time, and how long reading them may take together. */
const [AT_ONCE, TIME_FOR_ALL] = [10, 50 * SECOND];

const WITHOUT_ITEM = 'You can save it anyway.';

/**
 * n8n's test of a credential with keys: it reads one agent, of each account. A declared test would read an
 * answer of any size, and show what the server says with the key in it. Reference: "Authentication" 1 to 4.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const context = contextOf(this, data);
	const stopped = new Stop(AbortSignal.timeout(TIME_FOR_ALL));
	try {
		if (type === 'ykVoiceAccountsApi') return await testAccounts(context, stopped);
		const account = await accountOf(context, 'apiKey', { advice: WITHOUT_ITEM });
		const objection = await objectionTo(context, account, stopped);
		if (objection !== undefined) return { status: 'Error', message: objection };
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: (error as Error).message };
	}
}

/** Says how many accounts were tried, which cannot be used, and which have the same key. */
async function testAccounts(
	context: NodeContext,
	stopped: Stop,
): Promise<INodeCredentialTestResult> {
	const accounts = [...(await allAccountsOf(context, WITHOUT_ITEM))];
	const places = new Semaphore(AT_ONCE);
	const results = await Promise.all(
		accounts.map(async ([name, account]) => {
			if (account instanceof CredentialError) return { name, key: '', why: account.message };
			const leave = await places.take();
			const why = await objectionTo(context, account, stopped).finally(leave);
			return { name, key: account.identity, why };
		}),
	);
	const failed = results.filter(({ why }) => why !== undefined);
	const namesOf = (all: typeof results) => quoted(all.map(({ name }) => name));
	const reasons = [...groupedBy(failed, ({ why }) => why)].map(
		([why, all]) => `${namesOf(all)}: ${why}`,
	);
	const sameKey = [...groupedBy(results, ({ key }) => key)]
		.filter(([key, all]) => key !== '' && all.length > 1)
		.map(([, all]) => `${namesOf(all)} have the same key. Enter the key of each account.`);
	const unusable = failed.length > 0 ? [`${failed.length} of them cannot be used`] : [];
	const objections = [...unusable, ...reasons, ...sameKey];
	return {
		status: objections.length === 0 ? 'OK' : 'Error',
		message: [`${plural(accounts.length, 'account')} tested`, ...objections].reduce(sentences),
	};
}

async function objectionTo(context: NodeContext, account: Account, stopped: Stop) {
	if (stopped.isStopped) return 'There was no time left to read it.';
	const request = { method: 'GET', path: PATH, query: { limit: 1 } } as const;
	const { failure } = await exchange(context, account, request, {
		time: new TimeLimit(30 * SECOND),
		stopping: [stopped],
	});
	if (failure === undefined) return undefined;
	const about = { ...accessOf(`GET ${PATH}`), hints: MEANINGS };
	const { message, description } = explain(failure, { about, isOAuth: false, isRead: true });
	return `${message}. ${description}`;
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
	) => {
		const key = String(credentialsDecrypted!.data!.apiKey);
		return (await helpers.request({
			uri: url,
			headers: { ...headers, Authorization: `Bearer ${key}` },
			timeout,
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		})) as unknown;
	};
	return {
		getCredentials: async () => await Promise.resolve(data),
		getNode: () => ({ name: 'Test', type: 'test', typeVersion: 1, parameters: {} }),
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as NodeContext;
}
