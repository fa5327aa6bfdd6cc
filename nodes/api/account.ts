import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject, mapTexts } from '../json';
import { normalizeApiKey } from './apiKey';
import { normalizeBaseUrl } from './baseUrl';

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
	/** Removes the account's secrets from what a server said. */
	concealer(): Promise<Conceal>;
}

type Conceal = <T>(value: T) => T;

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
	const baseUrl = checked(context, place, () =>
		normalizeBaseUrl(required(fields.baseUrl, 'Base URL', place)),
	);
	const common = { authentication, credentialType, baseUrl };
	if (authentication === 'oAuth2') {
		// n8n may have fetched a new token by the time an error is made, so both are removed.
		const concealer = async () => concealing([...secretsOf(fields), ...secretsOf(await read())]);
		return { ...common, mayRenewToken: hasRenewal(fields), identity: baseUrl, concealer };
	}
	const apiKey = checked(
		context,
		place,
		() => normalizeApiKey(required(fields.apiKey, 'API Key', place)),
		baseUrl,
	);
	return {
		...common,
		mayRenewToken: false,
		fields,
		identity: JSON.stringify([baseUrl, apiKey]),
		concealer: async () => concealing([apiKey, encodeURIComponent(apiKey)]),
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

/** Without a refresh token, n8n gets a new token only with the grant type Client Credentials. */
const hasRenewal = ({ grantType, oauthTokenData }: ICredentialDataDecryptedObject) =>
	grantType === 'clientCredentials' ||
	(isObject(oauthTokenData) && Boolean(oauthTokenData.refresh_token));

function concealing(secrets: string[]): Conceal {
	const without = (hidden: string[]) => (text: string) =>
		hidden.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
	// A secret without digits may be an ordinary word, such as the name of a field.
	const names = secrets.filter((secret) => /\d/.test(secret));
	return (value) => mapTexts(value, without(secrets), without(names));
}

/** The secrets of an OAuth2 credential, plain and as they look in a web address. */
function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [clientSecret, access_token, refresh_token]
		.map((held) => String(held ?? '').trim())
		.filter(Boolean)
		.flatMap((secret) => [secret, encodeURIComponent(secret)]);
}
