import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import {
	accountOf,
	CredentialError,
	credentialTypeOf,
	readCredential,
	type Account,
	type Authentication,
} from './account';
import { Places } from './places';

/** How many credentials are resolved in parallel. n8n looks into its database for each. */
const RESOLVED_AT_ONCE = 10;

/**
 * The account of each item, or why it has none. The fields of a credential may be expressions, so items
 * may have different accounts. Items of one account share the same object.
 *
 * @throws NodeOperationError if the node has no credential, or if an OAuth2 credential differs from
 *   item to item
 */
export async function accountsOf(
	context: IExecuteFunctions,
	authentication: Authentication,
): Promise<Array<Account | CredentialError>> {
	if (authentication === 'oAuth2') return await oneForAll(context);
	const accounts = new Map<string, Account>();
	return await forEachItem(context, async (itemIndex) => {
		const account = await accountOf(context, authentication, { itemIndex }).catch(orUnusable);
		if (account instanceof CredentialError) return account;
		const known = accounts.get(account.identity) ?? account;
		accounts.set(account.identity, known);
		return known;
	});
}

const orUnusable = async (error: unknown) =>
	error instanceof CredentialError ? error : await Promise.reject(error as Error);

/** n8n resolves an OAuth2 credential once, for the first item, and uses it for all. */
async function oneForAll(context: IExecuteFunctions): Promise<Account[]> {
	const type = credentialTypeOf('oAuth2');
	const read = async (itemIndex: number) => await readCredential(context, type, { itemIndex });
	const differing = new Set<string>();
	let first: ICredentialDataDecryptedObject | undefined;
	await forEachItem(context, async (itemIndex) => {
		const fields = await read(itemIndex);
		first ??= fields;
		for (const name of differences(first, fields)) differing.add(name);
	});
	if (differing.size > 0) {
		const labels = new Map(
			context.getCredentialsProperties(type).map(({ name, displayName }) => [name, displayName]),
		);
		const names = [...differing].map((name) => labels.get(name) ?? name).join(', ');
		throw new NodeOperationError(
			context.getNode(),
			`The OAuth2 credential has an expression that differs from item to item (${names}), but n8n uses one OAuth2 credential for all items of a node`,
			{
				description:
					'Nothing was sent. Use an API key credential, which may differ from item to item, or one node for each account.',
			},
		);
	}
	const account = accountOf(context, 'oAuth2', { itemIndex: 0 });
	return await forEachItem(context, async () => await account);
}

/** The names of the fields that differ. The tokens do not count, because n8n renews them meanwhile. */
function differences(
	{ oauthTokenData: _one, ...one }: ICredentialDataDecryptedObject,
	{ oauthTokenData: _other, ...other }: ICredentialDataDecryptedObject,
): string[] {
	const names = Object.keys({ ...one, ...other });
	return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

async function forEachItem<T>(
	context: IExecuteFunctions,
	work: (itemIndex: number) => Promise<T>,
): Promise<T[]> {
	const places = new Places(RESOLVED_AT_ONCE);
	const inPlace = async (itemIndex: number) => {
		const leave = await places.take();
		return await work(itemIndex).finally(leave);
	};
	return await Promise.all(
		context.getInputData().map(async (_, itemIndex) => await inPlace(itemIndex)),
	);
}
