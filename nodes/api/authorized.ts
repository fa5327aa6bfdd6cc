import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { without } from '../json';
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
 * Key and Base URL are checked first, because the server's answer to a wrong one would not explain it.
 * @throws Error if the key has no yk_ prefix, the Base URL cannot be used, or the request leads elsewhere,
 *   by its address or by a header
 */
export function authorized(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions & { uri?: unknown },
): IHttpRequestOptions {
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const apiKey = normalizeApiKey(credentials.apiKey);
	assertAllowed(baseUrl, credentials);
	const { uri, proxy, ...rest } = without(request, 'baseURL');
	const url = addressBelow(baseUrl, String(rest.url ?? uri));
	if (url === undefined) {
		throw new Error(
			"This credential sends requests only to addresses below its 'Base URL'. Nothing was sent.",
		);
	}
	if (Object.keys(rest.headers ?? {}).some((name) => STEERING.test(name.trim()))) {
		throw new Error(
			'This credential sends no header that leads a request to another site, such as Host. Nothing was sent.',
		);
	}
	if (proxy) {
		throw new Error(
			'This credential sends no requests through a proxy that is set in a node. Nothing was sent.',
		);
	}
	return {
		...rest,
		...NO_REDIRECTS,
		url,
		headers: { ...rest.headers, Authorization: `Bearer ${apiKey}` },
	};
}
