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

/** What n8n runs a node with, wherever it may send requests. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The values of the parameter Authentication. */
export type Authentication = 'apiKey' | 'oAuth2';

/** What a credential is resolved for, as its fields may be expressions. */
export type Place =
	| { itemIndex: number }
	/** There is no item: what to do where an expression needs one, as a sentence. */
	| { advice: string };

/** One account of the API, as a credential names it. */
export interface Account {
	authentication: Authentication;
	credentialType: string;
	/** n8n fetches another token where the API refuses the present one. */
	mayRenewToken: boolean;
	/** In the form of `normalizeBaseUrl`. */
	baseUrl: string;
	/**
	 * The credential's fields, for n8n's request helper, which by itself takes them as they are for
	 * the first item. Undefined for OAuth2, where it does so in any case.
	 */
	fields?: ICredentialDataDecryptedObject;
	/** Alike for items of one account, and for no others. It holds the key: for comparing only. */
	identity: string;
	/** What takes the account's secrets out of anything that a server may have echoed. */
	concealer(): Promise<Conceal>;
}

type Conceal = <T>(value: T) => T;

/** A credential that names no account. */
export class CredentialError extends NodeOperationError {
	/** The account's address, where that much is known. */
	baseUrl?: string;
}

/**
 * The account that the node's credential names.
 *
 * @throws CredentialError with the reason and how to mend it
 * @throws NodeOperationError where the node has no credential
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
		normalizeBaseUrl(present(fields.baseUrl, 'Base URL', place)),
	);
	const common = { authentication, credentialType, baseUrl };
	if (authentication === 'oAuth2') {
		// n8n may have fetched another token by the time that something is to be concealed.
		const concealer = async () => concealing([...secretsOf(fields), ...secretsOf(await read())]);
		return { ...common, mayRenewToken: hasRenewal(fields), identity: baseUrl, concealer };
	}
	const apiKey = checked(
		context,
		place,
		() => normalizeApiKey(present(fields.apiKey, 'API Key', place)),
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
 * The credential's fields, resolved.
 * @throws CredentialError where an expression fails
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
			`The credential holds an expression, which has no item here. ${place.advice}`,
		);
	}
	const reason = error.message.replace(' [Error resolving credentials]', '');
	return credentialError(context, place, `The credential could not be read: ${reason}`);
}

/**
 * The value of a field that must have one. Left empty it is a text; only an expression gives nothing.
 * @throws Error where it has none
 */
function present(value: unknown, label: string, place: Place): unknown {
	if (value !== undefined && value !== null) return value;
	throw new Error(
		'advice' in place
			? `The credential's ${label} is an expression, which has no item here. ${place.advice}`
			: `The credential's ${label} is an expression, which gives nothing for this item`,
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

/** Without a refresh token n8n can ask for another one by the client's own credentials only. */
const hasRenewal = ({ grantType, oauthTokenData }: ICredentialDataDecryptedObject) =>
	grantType === 'clientCredentials' ||
	(isObject(oauthTokenData) && Boolean(oauthTokenData.refresh_token));

function concealing(secrets: string[]): Conceal {
	const without = (hidden: string[]) => (text: string) =>
		hidden.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
	// A secret that is a word may be the name of a field.
	const names = secrets.filter((secret) => /\d/.test(secret));
	return (value) => mapTexts(value, without(secrets), without(names));
}

/** What of an OAuth2 credential must stand in no error, as it is and as it looks in an address. */
function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [clientSecret, access_token, refresh_token]
		.map((held) => String(held ?? '').trim())
		.filter(Boolean)
		.flatMap((secret) => [secret, encodeURIComponent(secret)]);
}
