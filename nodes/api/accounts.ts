import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import {
	accountOf,
	CredentialError,
	credentialTypeOf,
	readCredential,
	type Account,
	type Authentication,
} from './account';
import { Semaphore } from '../semaphore';

/** How many credentials are resolved in parallel. n8n looks into its database for each. */
const RESOLVED_AT_ONCE = 10;

/**
 * The account of each item, or why it has none. The fields of a credential may be expressions, so items
 * may have different accounts, but not as a tool. Items of one account share the same object.
 *
 * @throws NodeOperationError if the node has no credential, or if an OAuth2 credential differs from
 *   item to item
 */
export async function accountsOf(
	context: IExecuteFunctions,
	authentication: Authentication,
): Promise<Array<Account | CredentialError>> {
	return isTool(context.getNode())
		? await withoutItems(context, async () => await readAccounts(context, authentication))
		: await readAccounts(context, authentication);
}

/**
 * Whether the node runs as a tool of an AI agent. n8n then gives the node type this ending.
 * `isToolExecution` does not cover agents whose tools n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * Works while the items are empty. The item of a tool is what a model has written, with fields that nobody
 * offered it. A credential that reads one of them would let the model choose the account.
 */
async function withoutItems<T>(context: IExecuteFunctions, work: () => Promise<T>): Promise<T> {
	const items = context.getInputData();
	const held = items.map(({ json }) => json);
	for (const item of items) item.json = {};
	try {
		return await work();
	} finally {
		items.forEach((item, at) => (item.json = held[at]!));
	}
}

async function readAccounts(
	context: IExecuteFunctions,
	authentication: Authentication,
): Promise<Array<Account | CredentialError>> {
	if (authentication === 'oAuth2') return await oneForAll(context);
	const accounts = new Map<string, Account>();
	return await forEachItem(context, async (itemIndex) => {
		const use = { itemIndex, isTool: isTool(context.getNode()) };
		const account = await accountOf(context, authentication, use).catch(orUnusable);
		if (account instanceof CredentialError) return account;
		const known = accounts.get(account.identity) ?? account;
		accounts.set(account.identity, known);
		return known;
	});
}

function orUnusable(error: unknown): CredentialError {
	if (error instanceof CredentialError) return error;
	throw error;
}

/** n8n resolves an OAuth2 credential once, for the first item, and uses it for all. */
async function oneForAll(context: IExecuteFunctions): Promise<Account[]> {
	const type = credentialTypeOf('oAuth2');
	const all = await forEachItem(
		context,
		async (itemIndex) => await readCredential(context, type, { itemIndex }),
	);
	const isSame = (name: string) =>
		all.every((fields) => JSON.stringify(fields[name]) === JSON.stringify(all[0]?.[name]));
	// n8n may renew the tokens meanwhile, so they do not count.
	const names = new Set(all.flatMap((fields) => Object.keys(fields)));
	const differing = [...names].filter((name) => name !== 'oauthTokenData' && !isSame(name));
	if (differing.length > 0) {
		const shown = context.getCredentialsProperties(type);
		const labels = differing.map(
			(name) => shown.find((one) => one.name === name)?.displayName ?? name,
		);
		throw new NodeOperationError(
			context.getNode(),
			`The OAuth2 credential has an expression that differs from item to item (${labels.join(', ')}), but n8n uses one OAuth2 credential for all items of a node`,
			{
				description:
					'Nothing was sent. Use an API key credential, which may differ from item to item, or one node for each account.',
			},
		);
	}
	const account = await accountOf(context, 'oAuth2', { itemIndex: 0 });
	return all.map(() => account);
}

async function forEachItem<T>(
	context: IExecuteFunctions,
	work: (itemIndex: number) => Promise<T>,
): Promise<T[]> {
	const places = new Semaphore(RESOLVED_AT_ONCE);
	return await Promise.all(
		context.getInputData().map(async (_, itemIndex) => {
			const leave = await places.take();
			return await work(itemIndex).finally(leave);
		}),
	);
}
