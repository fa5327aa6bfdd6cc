import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../json';
import { normalizeApiKey } from './apiKey';
import { assertAllowed, normalizeBaseUrl } from './baseUrl';
import { concealing, type Conceal } from './secrets';

/** The contexts of n8n in which the nodes send requests. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The values of the parameter Authentication. */
export type Authentication = 'apiKey' | 'oAuth2';

/** Where a credential is used. Its fields may be expressions that need an item. */
export type Place =
	| { itemIndex: number }
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
	/** Removes the account's secrets from what a server said, before anything of it is read or cut. */
	conceal<T>(said: T): Promise<T>;
}

/** The credential cannot be used. */
export class CredentialError extends NodeOperationError {
	/** The account's address, if it is known. */
	baseUrl?: string;
}

/**
 * The account of the node's credential.
 *
 * @throws CredentialError with the reason and what to do
 * @throws NodeOperationError if the node has no credential
 */
export async function accountOf(
	context: NodeContext,
	authentication: Authentication,
	place: Place,
): Promise<Account> {
	const credentialType = credentialTypeOf(authentication);
	const read = async () => await readCredential(context, credentialType, place);
	const fields = await read();
	const baseUrl = checked(context, place, () => {
		const url = normalizeBaseUrl(required(fields.baseUrl, 'Base URL', place));
		assertAllowed(url, fields);
		return url;
	});
	const common = { authentication, credentialType, baseUrl };
	if (authentication === 'oAuth2') {
		checked(context, place, () => assertBearer(fields), baseUrl);
		const mayRenewToken = hasRenewal(fields);
		return { ...common, mayRenewToken, identity: baseUrl, conceal: concealingTokens(fields, read) };
	}
	const apiKey = checked(
		context,
		place,
		() => normalizeApiKey(required(fields.apiKey, 'API Key', place)),
		baseUrl,
	);
	let conceal: Conceal | undefined;
	return {
		...common,
		mayRenewToken: false,
		fields,
		identity: JSON.stringify([baseUrl, apiKey]),
		conceal: async (said) => (conceal ??= concealing([apiKey]))(said),
	};
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
	place: Place,
): Promise<ICredentialDataDecryptedObject> {
	const itemIndex = 'itemIndex' in place ? place.itemIndex : undefined;
	return await context
		.getCredentials(credentialType, itemIndex)
		.catch(async (error: Error) => await Promise.reject(unresolved(context, place, error)));
}

function unresolved(context: NodeContext, place: Place, error: Error): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if ('advice' in place && error.name === 'ExpressionError') {
		return credentialError(
			context,
			place,
			`The credential holds an expression that needs an item, and there is none here. ${place.advice}`,
		);
	}
	const reason = error.message.replace(' [Error resolving credentials]', '');
	return credentialError(context, place, `The credential could not be read: ${reason}`);
}

/**
 * The value of a field. An empty field has an empty text; only an expression can give no value.
 * @throws Error if an expression gives nothing
 */
function required(value: unknown, label: string, place: Place): unknown {
	if (value !== undefined && value !== null) return value;
	throw new Error(
		'advice' in place
			? `The ${label} of the credential is an expression that needs an item, and there is none here. ${place.advice}`
			: `The ${label} of the credential is an expression that gives nothing for this item`,
	);
}

function checked<T>(context: NodeContext, place: Place, check: () => T, baseUrl?: string): T {
	try {
		return check();
	} catch (error) {
		throw credentialError(context, place, (error as Error).message, baseUrl);
	}
}

function credentialError(context: NodeContext, place: Place, message: string, baseUrl?: string) {
	const error = new CredentialError(context.getNode(), message, {
		...('itemIndex' in place && {
			itemIndex: place.itemIndex,
			description:
				'Nothing was sent for this item. Correct the credential, or the data that it reads.',
		}),
	});
	error.baseUrl = baseUrl;
	return error;
}

/**
 * With a token of another type, n8n would write the token into the address of each request.
 * @throws Error
 */
function assertBearer({ oauthTokenData }: ICredentialDataDecryptedObject): void {
	const type = isObject(oauthTokenData) ? (oauthTokenData.token_type ?? 'bearer') : 'bearer';
	if (String(type).toLowerCase() === 'bearer') return;
	throw new Error(
		'The access token of the OAuth2 credential is not of the type Bearer. Reconnect the credential, or use an API key.',
	);
}

/** Without a refresh token, n8n gets a new token only with the grant type Client Credentials. */
const hasRenewal = ({ grantType, oauthTokenData }: ICredentialDataDecryptedObject) =>
	grantType === 'clientCredentials' ||
	(isObject(oauthTokenData) && Boolean(oauthTokenData.refresh_token));

/** n8n may fetch a new token with any request, so the tokens are read again after each. */
function concealingTokens(
	fields: ICredentialDataDecryptedObject,
	read: () => Promise<ICredentialDataDecryptedObject>,
): Account['conceal'] {
	const secrets = new Set(secretsOf(fields));
	let conceal = concealing([...secrets]);
	const learnNewTokens = async () => {
		// The request was sent, so nothing may fail here.
		const now = await read().catch(() => fields);
		const found = secretsOf(now).filter((secret) => !secrets.has(secret));
		if (found.length === 0) return;
		for (const secret of found) secrets.add(secret);
		conceal = concealing([...secrets]);
	};
	return async (said) => {
		if (hasRenewal(fields)) await learnNewTokens();
		return conceal(said);
	};
}

/** The secrets of an OAuth2 credential. */
function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [clientSecret, access_token, refresh_token]
		.map((held) => String(held ?? '').trim())
		.filter(Boolean);
}
