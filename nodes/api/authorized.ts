import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { addressBelow, assertAllowed, normalizeApiKey, normalizeBaseUrl } from './baseUrl';

/** What switches redirects off in both of n8n's request helpers, in all versions. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** Headers by which a server in between chooses the site that gets the request. */
const STEERING = /^(host|forwarded|x-forwarded-.*|x-original-.*|x-rewrite-.*)$/i;

/**
 * Adds the bearer header to a request of any node, also of n8n's HTTP Request node, whose address and
 * options come from whoever may use the credential. So the request may only go below the Base URL, by no
 * proxy, and it follows no redirect.
 *
 * @throws Error if the key or the Base URL cannot be used, or the request leads elsewhere
 */
export function authorized(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions & { uri?: unknown },
): IHttpRequestOptions {
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const apiKey = normalizeApiKey(credentials.apiKey);
	assertAllowed(baseUrl, credentials);
	// The address that goes out is whole, so it needs no base.
	const { uri, proxy, baseURL, ...rest } = request;
	const url = addressBelow(baseUrl, String(rest.url ?? uri));
	const refuse = (words: string): never => {
		throw new Error(`${words}. Nothing was sent.`);
	};
	if (url === undefined)
		return refuse("This credential sends requests only to addresses below its 'Base URL'");
	if (Object.keys(rest.headers ?? {}).some((name) => STEERING.test(name.trim())))
		refuse('This credential sends no header that leads a request to another site, such as Host');
	if (proxy) refuse('This credential sends no requests through a proxy that is set in a node');
	const headers = { ...rest.headers, Authorization: `Bearer ${apiKey}` };
	return { ...rest, ...NO_REDIRECTS, url, headers };
}
