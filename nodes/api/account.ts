import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject, textIn } from '../json';
import { normalizeApiKey } from './apiKey';
import { assertAllowed, normalizeBaseUrl } from './baseUrl';
import { concealing, type Conceal } from './secrets';

/** The contexts of n8n in which the nodes send requests. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The values of the parameter Authentication. */
export type Authentication = 'apiKey' | 'oAuth2';

/** Where a credential is used. Its fields may be expressions that need an item. */
export type CredentialUse =
	/** `isTool`: the item is what a model wrote, so that a credential cannot read it. */
	| { itemIndex: number; isTool?: boolean }
	/** There is no item. The advice is a sentence for the user whose expression needs one. */
	| { advice: string };

/** One account of the API. */
export interface Account {
	authentication: Authentication;
	credentialType: string;
	/** n8n can fetch a new token if the API refuses this one. */
	mayRenewToken: boolean;
	/** In the form of `normalizeBaseUrl`. */
	baseUrl: string;
	/**
	 * The fields of the credential for this item. n8n's request helper would otherwise use those of the
	 * first item. Undefined for OAuth2, where it always does.
	 */
	fields?: ICredentialDataDecryptedObject;
	/** Equal for items of the same account. It holds the key, so it is only for comparing. */
	identity: string;
	/**
	 * Removes the account's secrets from what a server said, before anything of it is read or cut.
	 * @param asked with which access token the server was asked, and whether n8n fetched one for that
	 */
	conceal<T>(said: T, asked?: { token?: string; isRenewed?: boolean }): Promise<T>;
}

/** The credential cannot be used. */
export class CredentialError extends NodeOperationError {}

/**
 * The account of the node's credential.
 *
 * @throws CredentialError with the reason and what to do
 * @throws NodeOperationError if the node has no credential
 */
export async function accountOf(
	context: NodeContext,
	authentication: Authentication,
	use: CredentialUse,
): Promise<Account> {
	const credentialType = credentialTypeOf(authentication);
	const read = async () => await readCredential(context, credentialType, use);
	const fields = await read();
	try {
		const baseUrl = normalizeBaseUrl(required(fields.baseUrl, 'Base URL', use));
		assertAllowed(baseUrl, fields);
		const common = { authentication, credentialType, baseUrl };
		return authentication === 'oAuth2'
			? { ...common, identity: baseUrl, ...tokenOf(fields, read) }
			: { ...common, ...keyOf(baseUrl, fields, use) };
	} catch (error) {
		throw credentialError(context, use, (error as Error).message);
	}
}

function keyOf(
	baseUrl: string,
	fields: ICredentialDataDecryptedObject,
	use: CredentialUse,
): Omit<Account, 'authentication' | 'credentialType' | 'baseUrl'> {
	const apiKey = normalizeApiKey(required(fields.apiKey, 'API Key', use));
	let conceal: Conceal | undefined;
	return {
		mayRenewToken: false,
		fields,
		identity: JSON.stringify([baseUrl, apiKey]),
		conceal: async (said) => await Promise.resolve((conceal ??= concealing([apiKey]))(said)),
	};
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
	if (secretsOf(fields).some(({ length }) => length > MOST_CHARACTERS)) {
		throw new Error(
			`The OAuth2 credential holds a token or secret of more than ${MOST_CHARACTERS} characters, which no header takes. Reconnect the credential, or use an API key.`,
		);
	}
	// Without a refresh token, n8n gets a new token only with the grant type Client Credentials.
	const mayRenewToken = fields.grantType === 'clientCredentials' || Boolean(token.refresh_token);
	return { mayRenewToken, conceal: concealingTokens(fields, mayRenewToken ? read : undefined) };
}

export const credentialTypeOf = (authentication: Authentication) =>
	authentication === 'oAuth2' ? 'ykVoiceOAuth2Api' : 'ykVoiceApi';

/**
 * The fields of the credential with their expressions resolved.
 * @throws CredentialError if an expression fails
 */
export async function readCredential(
	context: NodeContext,
	credentialType: string,
	use: CredentialUse,
): Promise<ICredentialDataDecryptedObject> {
	const itemIndex = 'itemIndex' in use ? use.itemIndex : undefined;
	return await context.getCredentials(credentialType, itemIndex).catch((error: Error) => {
		throw unresolved(context, use, error);
	});
}

function unresolved(context: NodeContext, use: CredentialUse, error: Error): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	const isExpression = error.name === 'ExpressionError';
	// The text of n8n or JavaScript would repeat a key that stands in the expression.
	const message =
		'advice' in use && isExpression
			? `The credential holds an expression that needs an item, and there is none here. ${use.advice}`
			: 'The credential could not be read, or an expression in it fails.';
	return credentialError(context, use, message);
}

/**
 * The value of a field. An empty field has an empty text; only an expression can give no value.
 * @throws Error if an expression gives nothing
 */
function required(value: unknown, label: string, use: CredentialUse): unknown {
	if (value !== undefined && value !== null) return value;
	throw new Error(
		'advice' in use
			? `The ${label} of the credential is an expression that needs an item, and there is none here. ${use.advice}`
			: `The ${label} of the credential is an expression that gives nothing for this item${use.isTool ? '. As a tool, it cannot read the item, because an AI model writes that. Use a credential with a fixed key' : ''}`,
	);
}

function credentialError(
	context: NodeContext,
	use: CredentialUse,
	message: string,
): CredentialError {
	return new CredentialError(context.getNode(), message, {
		...('itemIndex' in use && {
			itemIndex: use.itemIndex,
			description:
				'Nothing was sent for this item. Correct the credential, or the data that it reads.',
		}),
	});
}

/**
 * Removes the first tokens, that of the request, and those of the last renewals.
 * @param read reads the credential again, because n8n may fetch a new token with any request
 */
function concealingTokens(
	fields: ICredentialDataDecryptedObject,
	read?: () => Promise<ICredentialDataDecryptedObject>,
): Account['conceal'] {
	const first = secretsOf(fields);
	const concealFirst = concealing(first);
	/** What removes the secrets of each renewal, the newest last. */
	const renewed = new Map<string, Conceal>();
	const concealFor: ConcealFor = async ({ token = '', isRenewed } = {}) => {
		const known = renewed.get(token);
		const isKnown = known !== undefined || first.includes(token);
		if (read === undefined || (isKnown && !isRenewed)) return known ?? concealFirst;
		// The request was sent, so nothing may fail here.
		const held = secretsOf(await read().catch(() => fields));
		const fresh = [token, ...held]
			.map((secret) => secret.slice(0, MOST_CHARACTERS))
			.filter((secret) => secret !== '' && !first.includes(secret));
		if (fresh.length === 0) return concealFirst;
		const renewal = fresh.includes(token) ? token : fresh.join();
		const ready = isRenewed ? undefined : renewed.get(renewal);
		const conceal = ready ?? concealing(fresh);
		renewed.set(renewal, conceal);
		for (const oldest of [...renewed.keys()].slice(0, -MOST_RENEWALS)) renewed.delete(oldest);
		return conceal;
	};
	return async (said, asked) => {
		const own = await concealFor(asked);
		let left = said;
		for (const conceal of new Set([concealFirst, ...renewed.values(), own])) left = conceal(left);
		return left;
	};
}

type ConcealFor = (asked?: Parameters<Account['conceal']>[1]) => Promise<Conceal>;

/** Looking for a token takes memory and time. A server that wants a new one with each request gets many. */
const MOST_RENEWALS = 3;

/** No token is longer. Servers refuse longer headers, and looking for one takes its time. */
const MOST_CHARACTERS = 8000;

/** The secrets of an OAuth2 credential. */
function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	const held = [clientSecret, access_token, refresh_token].flatMap((one) => textIn(one) ?? []);
	// A line break may be lost on the way.
	return [...new Set([...held, ...held.map((one) => one.replace(/\s/g, ''))])];
}
