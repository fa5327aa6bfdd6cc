import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { accountOf, type NodeContext } from '../api/account';
import { normalizeApiKey } from '../api/baseUrl';
import { explain } from '../api/errors';
import { exchange } from '../api/exchange';
import { accessOf } from '../domain/access';
import { SECOND } from '../time';

/** What is read: every key that may read may read it. */
const PATH = '/agents/';

const TIMEOUT = 30 * SECOND;

/** What a status means for somebody who enters a credential. */
const MEANINGS: Readonly<Record<number, string>> = {
	401: 'The API did not accept this key. Copy the whole key, starting with yk_, and check that it was not revoked.',
	403: 'The key may not read data. Give it the permission READ or READ_WRITE. You can save it anyway to use its other permissions.',
	404: "The server has nothing at this address. Check the 'Base URL': it must end in /v1 or /external/v1.",
};

/**
 * n8n's test of an API key: it reads one agent. A declared test would read an answer of any size, and show
 * what the server says with the key in it. Reference: "Authentication" 1 to 4.
 */
export async function testApiKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const context = contextOf(this, data);
		const account = await accountOf(context, 'apiKey', {
			advice: 'You can save it anyway.',
		});
		const request = { method: 'GET', path: PATH, query: { limit: 1 } } as const;
		const limits = { timeout: TIMEOUT, stopping: [] };
		const { failure } = await exchange(context, account, request, limits);
		if (failure === undefined) return { status: 'OK', message: 'Connection successful!' };
		const about = { ...accessOf(`GET ${PATH}`), hints: MEANINGS };
		const { message, description } = explain(failure, { about, isOAuth: false, isRead: true });
		return { status: 'Error', message: `${message}. ${description}` };
	} catch (error) {
		return { status: 'Error', message: (error as Error).message };
	}
}

/** Here n8n has only its older helper for requests, and no credential of a node. */
function contextOf(
	{ helpers }: ICredentialTestFunctions,
	data: NonNullable<ICredentialsDecrypted['data']>,
): NodeContext {
	const send = async (_type: string, { url, headers, timeout }: IHttpRequestOptions) =>
		(await helpers.request({
			uri: url,
			headers: { ...headers, Authorization: `Bearer ${normalizeApiKey(data.apiKey)}` },
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
