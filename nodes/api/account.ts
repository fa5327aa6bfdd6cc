import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject, mapTexts } from '../json';
import { normalizeBaseUrl } from './baseUrl';

/** What n8n runs a node with, wherever it may send requests. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The values of the parameter Authentication. */
export type Authentication = 'apiKey' | 'oAuth2';

/** One account of the API, as a credential names it. */
export interface Account {
	authentication: Authentication;
	credentialType: string;
	/** In the form of `normalizeBaseUrl`. */
	baseUrl: string;
	/** Takes the account's secrets out of what a server may have echoed. */
	concealer(): Promise<<T>(value: T) => T>;
}

/**
 * The account that the node's credential names.
 * @throws NodeOperationError where the credential cannot be used
 */
export async function accountOf(
	context: NodeContext,
	authentication: Authentication,
): Promise<Account> {
	const credentialType = authentication === 'oAuth2' ? 'ykVoiceOAuth2Api' : 'ykVoiceApi';
	const first = await context.getCredentials(credentialType);
	const concealer = async () => {
		// n8n may have fetched another token by now.
		const now = await context.getCredentials(credentialType);
		const secrets = [...new Set([...secretsOf(first), ...secretsOf(now)])];
		const conceal = (text: string) =>
			secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
		return <T>(value: T) => mapTexts(value, conceal);
	};
	try {
		return { authentication, credentialType, baseUrl: normalizeBaseUrl(first.baseUrl), concealer };
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/** What must stand in no error, as it is and as it looks in an address. */
function secretsOf({ apiKey, clientSecret, oauthTokenData }: ICredentialDataDecryptedObject) {
	const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [apiKey, clientSecret, access_token, refresh_token]
		.map((held) => String(held ?? '').trim())
		.filter(Boolean)
		.flatMap((secret) => [secret, encodeURIComponent(secret)]);
}
