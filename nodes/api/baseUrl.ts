import { tidy } from '../json';

const HINT = 'Enter the address that you got from YK Voice, for example https://api.example.com/v1';

/**
 * The base URL of an account in the form that all other modules expect: with a scheme, ending in `/v1`,
 * without a slash, query or fragment after it. A missing scheme becomes https. A path that does not end
 * in `/v1` or `/external/v1` is refused, because every request would fail.
 *
 * Reference: "External API v1 Specification" (`{base_url}` ends in /v1) and the note on
 * `/external/v1` below the endpoint tables.
 * @throws Error with the reason and what to do
 */
export function normalizeBaseUrl(raw: unknown): string {
	const text = typeof raw === 'string' ? tidy(raw) : '';
	if (text === '') throw new Error(`The 'Base URL' of the credential is empty. ${HINT}`);
	const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
	if (url === undefined) throw new Error(`The 'Base URL' "${text}" is not a web address. ${HINT}`);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new Error(`The 'Base URL' "${text}" must begin with https:// or http://. ${HINT}`);
	}
	if (url.username || url.password) {
		throw new Error(`The 'Base URL' must not contain a user name or password. ${HINT}`);
	}
	let path = url.pathname;
	while (path.endsWith('/')) path = path.slice(0, -1);
	if (!path.endsWith('/v1')) {
		throw new Error(`The 'Base URL' "${text}" must end in /v1 (or /external/v1). ${HINT}`);
	}
	return url.origin + path;
}

function parse(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
