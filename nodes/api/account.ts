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
	/** The text of an error without the account's secrets. */
	conceal(text: string): string;
	/** Reads the secrets again, because n8n may have fetched a new token. Never fails. */
	readSecrets(): Promise<void>;
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
	return {
		mayRenewToken: false,
		fields,
		identity: JSON.stringify([baseUrl, apiKey]),
		conceal: (text) => without([apiKey], text),
		readSecrets: async () => {},
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
	// Without a refresh token, n8n gets a new token only with the grant type Client Credentials.
	const mayRenewToken = fields.grantType === 'clientCredentials' || Boolean(token.refresh_token);
	const secrets = new Set(secretsOf(fields));
	return {
		mayRenewToken,
		conceal: (text: string) => without([...secrets], text),
		readSecrets: async () => {
			const current = mayRenewToken ? await read().catch(() => fields) : fields;
			for (const secret of secretsOf(current)) secrets.add(secret);
		},
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

/** The secrets of an OAuth2 credential. */
function secretsOf({ clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string[] {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [clientSecret, access_token, refresh_token].flatMap((secret) => textIn(secret) ?? []);
}

/** A text without secrets, as they are and as they stand in a web address. */
function without(secrets: readonly string[], text: string): string {
	const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
	// The longest first: one may hold another.
	forms.sort((one, other) => other.length - one.length);
	return forms.reduce((left, form) => left.replaceAll(form, '[secret]'), text);
}
