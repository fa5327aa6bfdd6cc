import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject, textIn, without } from '../json';
import { Semaphore } from '../semaphore';
import { chooseKey, readKeys, type AccountKey } from './accountKeys';
import { assertAllowed, normalizeApiKey, normalizeBaseUrl } from './baseUrl';
import type { Names } from './names';
import { namesIn } from './readNames';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export type Authentication = 'apiKey' | 'accounts' | 'oAuth2';

function credentialTypeOf(authentication: Authentication): string {
	if (authentication === 'oAuth2') return 'ykVoiceOAuth2Api';
	return authentication === 'accounts' ? 'ykVoiceAccountsApi' : 'ykVoiceApi';
}

/** Where a credential is used. Without an item, the advice is a sentence for whoever's expression needs one. */
export type CredentialUse = ({ itemIndex: number } | { advice: string }) & {
	/** What the node has in Account, if its credential has several. */
	account?: unknown;
};

export interface Account {
	/** Its name in the credential, if that has several. */
	name?: string;
	authentication: Authentication;
	credentialType: string;
	/** n8n can fetch a new token if the API refuses this one. */
	mayRenewToken: boolean;
	/** In the form of `normalizeBaseUrl`. */
	baseUrl: string;
	/** What the account calls things. It is no part of its identity, which the trigger remembers. */
	names: Names;
	/**
	 * The credential for this item, with the key of this account alone. n8n's request helper would otherwise
	 * use that of the first item. Undefined for OAuth2, where it always does.
	 */
	credential?: IAdditionalCredentialOptions;
	/** Equal for the same account, whatever its name. It holds the key, so it is only for comparing. */
	identity: string;
	/** The text of an error without the account's secrets. */
	conceal(text: string): string;
	/** Reads the secrets again, because n8n may have fetched a new token. Never fails. */
	readSecrets(): Promise<void>;
}

export class CredentialError extends NodeOperationError {}

/**
 * n8n looks into its database for each item. With PostgreSQL it has few connections, and gives up a look-up
 * that waits for one longer than DB_POSTGRESDB_CONNECTION_TIMEOUT.
 */
const RESOLVED_AT_ONCE = 10;

/**
 * Whether the node runs as a tool of an AI agent. n8n then gives the node type this ending.
 * `isToolExecution` does not cover agents whose tools n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * Hides the items of a tool from expressions. n8n resolves them for the item (`itemIndex || 0` in
 * `node-execution-context.js`), and a model has written it, with fields that nobody offered (`mergedJson` in
 * `requests-response.js`, n8n-core 2.41). So an expression could let the model choose the account.
 */
export function hideItems(context: IExecuteFunctions): () => void {
	const items = context.getInputData();
	const jsons = items.map(({ json }) => json);
	for (const item of items) item.json = {};
	return () => items.forEach((item, at) => (item.json = jsons[at]!));
}

/** @throws CredentialError, or NodeOperationError if the node has no credential */
export async function accountOf(
	context: NodeContext,
	authentication: Authentication,
	use: CredentialUse,
): Promise<Account> {
	const fields = await readFields(context, authentication, use);
	return accountWith(context, authentication, fields, use);
}

/**
 * All accounts in the field Accounts of the node's credential, by name, or why one cannot be used.
 *
 * @throws CredentialError, or NodeOperationError if the node has no credential
 */
export async function allAccountsOf(
	context: NodeContext,
	advice: string,
): Promise<Map<string, Account | CredentialError>> {
	const fields = await readFields(context, 'accounts', { advice });
	return asCredential(context, { advice }, () => {
		sharedIn(fields, 'accounts', { advice });
		const keys = readKeys(fields.accounts);
		const read = (account: string) => {
			try {
				return accountWith(context, 'accounts', fields, { advice, account }, () => keys);
			} catch (error) {
				return orUnusable(error);
			}
		};
		return new Map([...keys.keys()].map((name) => [name, read(name)]));
	});
}

/**
 * The account of each item, or why it has none. Each item may name an account, and the fields of a credential
 * may be expressions, but not as a tool. Items of one account share the same object.
 *
 * @throws NodeOperationError if no item can have one
 */
export async function accountsOf(
	context: IExecuteFunctions,
	authentication: Authentication,
	nameOf: (itemIndex: number) => unknown,
): Promise<Array<Account | CredentialError>> {
	const items = context.getInputData();
	const showItems = isTool(context.getNode()) ? hideItems(context) : undefined;
	const places = new Semaphore(RESOLVED_AT_ONCE);
	const reading = items.map(async (_, itemIndex) => {
		const leave = await places.take();
		const fields = readFields(context, authentication, { itemIndex });
		return await fields.catch(orUnusable).finally(leave);
	});
	const all = await Promise.all(reading).finally(showItems);
	if (authentication === 'oAuth2') assertOneForAll(context, all);
	const accounts = new Map<string, Account>();
	const shared = (key: string, read: () => Account): Account => {
		const account = accounts.get(key) ?? read();
		accounts.set(key, account);
		return account;
	};
	// Reading 200 accounts takes a millisecond, and most items have the same.
	const known = new Map<unknown, Map<string, AccountKey>>();
	const readOnce = (field: unknown) => {
		const found = known.get(field) ?? readKeys(field);
		known.set(field, found);
		return found;
	};
	return all.map((fields, itemIndex) => {
		if (fields instanceof CredentialError) return fields;
		try {
			const account =
				authentication === 'accounts'
					? asCredential(context, { itemIndex }, () => nameOf(itemIndex))
					: undefined;
			return shared(JSON.stringify([fields, account]), () => {
				const use = { itemIndex, account };
				const found = accountWith(context, authentication, fields, use, readOnce);
				// Items of one key may still differ in the names that their expressions give.
				return shared(JSON.stringify([found.identity, found.name, found.names]), () => found);
			});
		} catch (error) {
			return orUnusable(error);
		}
	});
}

function orUnusable(error: unknown): CredentialError {
	if (error instanceof CredentialError) return error;
	throw error;
}

/** n8n resolves an OAuth2 credential once, for the first item, and uses it for all. */
function assertOneForAll(
	context: IExecuteFunctions,
	all: Array<ICredentialDataDecryptedObject | CredentialError>,
): void {
	// n8n may renew the tokens meanwhile, so they do not count.
	const texts = all.map((fields) =>
		JSON.stringify(without(fields as object, 'oauthTokenData' as never)),
	);
	if (new Set(texts).size < 2) return;
	throw new NodeOperationError(
		context.getNode(),
		'The OAuth2 credential has an expression that differs from item to item, but n8n uses one OAuth2 credential for all items of a node',
		{
			description:
				'Nothing was sent. Use an API key credential, which may differ from item to item, or one node for each account.',
		},
	);
}

function accountWith(
	context: NodeContext,
	authentication: Authentication,
	fields: ICredentialDataDecryptedObject,
	use: CredentialUse,
	keysIn = readKeys,
): Account {
	return asCredential(context, use, () => {
		const shared = sharedIn(fields, authentication, use);
		const { baseUrl } = shared;
		if (authentication === 'oAuth2') {
			const read = async () => await readFields(context, authentication, use);
			return { ...shared, identity: baseUrl, ...tokenOf(fields, read) };
		}
		const keys = authentication === 'accounts' ? keysIn(fields.accounts) : undefined;
		const { apiKey, ...named } = keys
			? chooseKey(keys, use.account)
			: { apiKey: normalizeApiKey(fields.apiKey) };
		const type = shared.credentialType;
		const { id = null, name = '' } = context.getNode().credentials?.[type] ?? {};
		const data = { ...without(fields, 'accounts'), apiKey } as ICredentialDataDecryptedObject;
		const secrets = [apiKey, ...[...(keys?.values() ?? [])].flatMap((key) => key.apiKey ?? [])];
		return {
			...shared,
			...named,
			mayRenewToken: false,
			credential: { credentialsDecrypted: { id: id ?? '', name, type, data } },
			identity: JSON.stringify([baseUrl, apiKey]),
			conceal: (text) => withoutSecrets(secrets, text),
			readSecrets: async () => {},
		};
	});
}

/** What all accounts of a credential have in common. */
function sharedIn(
	fields: ICredentialDataDecryptedObject,
	authentication: Authentication,
	use: CredentialUse,
) {
	const needed = authentication === 'apiKey' ? [fields.baseUrl, fields.apiKey] : [fields.baseUrl];
	// An empty field has an empty text. Only an expression can give no value.
	if (needed.some((value) => (value ?? null) === null)) throw new Error(failedExpression(use));
	const baseUrl = normalizeBaseUrl(fields.baseUrl);
	assertAllowed(baseUrl, fields);
	const credentialType = credentialTypeOf(authentication);
	return { authentication, credentialType, baseUrl, names: namesIn(fields.names) };
}

function asCredential<T>(context: NodeContext, use: CredentialUse, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw credentialError(context, use, (error as Error).message);
	}
}

/** @throws Error if the token is not of the type Bearer: n8n would write it into the address of each request */
function tokenOf(
	fields: ICredentialDataDecryptedObject,
	read: () => Promise<ICredentialDataDecryptedObject>,
) {
	const token = isObject(fields.oauthTokenData) ? fields.oauthTokenData : {};
	if (String(token.token_type ?? 'bearer').toLowerCase() !== 'bearer') {
		throw new Error(
			'The access token of the OAuth2 credential is not of the type Bearer. Reconnect the credential, or use an API key.',
		);
	}
	// Without a refresh token, n8n gets a new token only with the grant type Client Credentials.
	const mayRenewToken = fields.grantType === 'clientCredentials' || Boolean(token.refresh_token);
	const secrets = new Set(secretsOf(fields));
	return {
		mayRenewToken,
		conceal: (text: string) => withoutSecrets([...secrets], text),
		readSecrets: async () => {
			const current = mayRenewToken ? await read().catch(() => fields) : fields;
			for (const secret of secretsOf(current)) secrets.add(secret);
		},
	};
}

async function readFields(
	context: NodeContext,
	authentication: Authentication,
	use: CredentialUse,
): Promise<ICredentialDataDecryptedObject> {
	const itemIndex = 'itemIndex' in use ? use.itemIndex : undefined;
	const type = credentialTypeOf(authentication);
	return await context.getCredentials(type, itemIndex).catch((error: unknown) => {
		// The text of another error would repeat a key that stands in the expression.
		throw error instanceof NodeOperationError
			? error
			: credentialError(context, use, failedExpression(use));
	});
}

const failedExpression = (use: CredentialUse) =>
	'advice' in use
		? `The credential holds an expression that needs an item, and there is none here. ${use.advice}`
		: 'The credential holds an expression that fails, or gives nothing for this item. Correct it, or the data that it reads. A tool of an AI agent cannot read its item.';

function credentialError(
	context: NodeContext,
	use: CredentialUse,
	message: string,
): CredentialError {
	const description = 'Nothing was sent for this item.';
	const ofItem = 'itemIndex' in use && { itemIndex: use.itemIndex, description };
	return new CredentialError(context.getNode(), message, { ...ofItem });
}

function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [clientSecret, access_token, refresh_token].flatMap((secret) => textIn(secret) ?? []);
}

/** A text without secrets, as they are and as they stand in a web address. */
function withoutSecrets(secrets: readonly string[], text: string): string {
	const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
	// The longest first: one may hold another.
	forms.sort((one, other) => other.length - one.length);
	return forms.reduce((left, form) => left.replaceAll(form, '[secret]'), text);
}
