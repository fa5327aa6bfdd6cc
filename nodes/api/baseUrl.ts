import type { INodeProperties } from 'n8n-workflow';

import { tidy, type JsonObject } from '../json';

export const baseUrlProperty: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://api.example.com/v1',
	description: 'The address of the API, ending in /v1 or /external/v1',
};

/**
 * The API key without the spaces around it that copying leaves. Reference: "Authentication" 1 and 2.
 * @throws Error with the reason and what to do; it does not repeat the key
 */
export function normalizeApiKey(raw: unknown, label = "The 'API Key'"): string {
	const key = typeof raw === 'string' ? tidy(raw) : '';
	if (/^yk_[\x21-\x7e]+$/.test(key)) return key;
	throw new Error(
		`${label} must begin with yk_, and have no space or special character in it. Copy the whole key, and nothing else.`,
	);
}

/**
 * The base URL of an account in the form that all other modules expect: with a scheme, ending in `/v1`,
 * without a slash, query or fragment after it. Reference: "External API v1 Specification".
 * @throws Error that does not repeat the text: key and base URL may have been swapped
 */
export function normalizeBaseUrl(raw: unknown): string {
	if (last && last.raw === raw) return last.baseUrl;
	const text = typeof raw === 'string' ? tidy(raw) : '';
	const url = parsed(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
	let path = url?.pathname ?? '';
	while (path.endsWith('/')) path = path.slice(0, -1);
	if (url !== undefined && isSafe(url) && path.endsWith('/v1')) {
		last = { raw, baseUrl: url.origin + path };
		return last.baseUrl;
	}
	throw new Error(
		"The 'Base URL' of the credential must begin with https:// and end in /v1 (or /external/v1). Only in your own network it may begin with http://, because others could read the key on its way. Enter the address that you got from YK Voice, for example https://api.example.com/v1",
	);
}

/** Each request of an account has the same one. */
let last: { raw: unknown; baseUrl: string } | undefined;

const parsed = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

const isSafe = ({ protocol, hostname, username, password }: URL) =>
	(protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))) && !username && !password;

/** Whether a server is on this machine or in a private network, so that http is safe enough. */
const isLocal = (host: string) =>
	LOCAL_NAME.test(host) || PRIVATE_ADDRESS.test(host) || PRIVATE_ADDRESS_6.test(host);

/** Also names without a dot, such as those of Docker. */
const LOCAL_NAME = /^[^.:]+$|\.(localhost|local|internal)\.?$/;

const PRIVATE_ADDRESS = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/;

const PRIVATE_ADDRESS_6 = /^\[(::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/;

/** The address of a request. Undefined if it is not below the base URL: the key must not go there. */
export function addressBelow(baseUrl: string, address: string): string | undefined {
	const url = parsed(address);
	if (url === undefined || url.username || url.password) return undefined;
	const isBelow = `${url.origin}${url.pathname}/`.startsWith(`${baseUrl}/`);
	return isBelow && !climbs(url.pathname) ? url.href : undefined;
}

/** Whether a text in a path leads to another place, by a segment of `.` or `..`, also if it is encoded. */
export const climbs = (text: string): boolean =>
	text
		.replace(/%2e/gi, '.')
		.split(/[/\\]|%2f|%5c/i)
		.some((segment) => segment === '.' || segment === '..');

/** Whether a text is a path below the base URL that leads nowhere else. */
export function isPath(path: string): boolean {
	const [start, ...segments] = path.split('/');
	return (
		start === '' &&
		segments.length > 0 &&
		!segments.slice(0, -1).includes('') &&
		!/[?#\\\s\p{Cc}]|%(?![0-9a-f]{2})|%([01][0-9a-f]|7f|2f|5c|3f|23)/iu.test(path) &&
		!climbs(path)
	);
}

/**
 * n8n leaves it to each node to respect its list of allowed domains.
 * @throws Error if there is a list and the server of the base URL is not on it
 */
export function assertAllowed(
	baseUrl: string,
	{ allowedDomains, allowedHttpRequestDomains: mode }: JsonObject,
): void {
	if (mode !== 'domains') return;
	const host = withoutDot(new URL(baseUrl).hostname);
	const isAllowed = (domain: string) =>
		// As in n8n, *.example.com does not mean example.com itself.
		domain.startsWith('*.') ? domain !== '*.' && host.endsWith(domain.slice(1)) : domain === host;
	const domains = String(allowedDomains ?? '').split(',');
	if (domains.map((domain) => withoutDot(domain.trim().toLowerCase())).some(isAllowed)) return;
	throw new Error(
		"The server of the 'Base URL' is not one of the 'Allowed Domains' of the credential. Nothing was sent. Add it there if you trust it.",
	);
}

const withoutDot = (host: string) => host.replace(/\.$/, '');
