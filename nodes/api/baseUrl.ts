import { tidy, type JsonObject } from '../json';

/** Longer texts are not looked at. */
const MOST_CHARACTERS = 4000;

const tidyText = (raw: unknown) =>
	typeof raw === 'string' && raw.length <= MOST_CHARACTERS ? tidy(raw) : '';

/**
 * The API key without the spaces around it that copying leaves. Reference: "Authentication" 1 and 2.
 * @param label what an error calls it
 * @throws Error with the reason and what to do; it does not repeat the key
 */
export function normalizeApiKey(raw: unknown, label = "The 'API Key'"): string {
	const key = tidyText(raw);
	if (/^yk_[\x21-\x7e]+$/.test(key)) return key;
	throw new Error(
		`${label} must begin with yk_, and have no space or special character in it. Copy the whole key, and nothing else.`,
	);
}

/**
 * The base URL of an account in the form that all other modules expect: with a scheme, ending in `/v1`,
 * without a slash, query or fragment after it. A missing scheme becomes https. A path that does not end
 * in `/v1` or `/external/v1` is refused, because every request would fail.
 *
 * Reference: "External API v1 Specification" (`{base_url}` ends in /v1) and the note on
 * `/external/v1` below the endpoint tables.
 * @throws Error with what to do. It does not repeat the text, because key and base URL may have been swapped,
 *   and the text may hold a password
 */
export function normalizeBaseUrl(raw: unknown): string {
	const text = tidyText(raw);
	const url = ADDRESS.test(text)
		? parsed(/^https?:/i.test(text) ? text : `https://${text}`)
		: undefined;
	let path = url?.pathname ?? '';
	while (path.endsWith('/')) path = path.slice(0, -1);
	const isRight = url?.protocol === 'https:' || (url !== undefined && isLocal(url.hostname));
	if (isRight && path.endsWith('/v1') && !/(^|\/)yk_(?!voice)/.test(url.hostname + path))
		return url.origin + path;
	throw new Error(
		"The 'Base URL' of the credential must begin with https:// and end in /v1 (or /external/v1). Only in your own network it may begin with http://, because others could read the key on its way. Enter the address that you got from YK Voice, for example https://api.example.com/v1",
	);
}

/** The name of a server, a path, and nothing like a user name or a password before them. */
const ADDRESS = /^(https?:\/\/)?([^\s\p{Cc}\\/@:[\]]+|\[[\da-f:]+\])(:\d+)?\/[^\s\p{Cc}\\]*$/iu;

const parsed = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

/** Whether a server is on this machine or in a private network, so that http is safe enough. */
const isLocal = (host: string) =>
	LOCAL_NAME.test(host) || PRIVATE_ADDRESS.test(host) || PRIVATE_ADDRESS_6.test(host);

/** Also names without a dot, such as those of Docker. */
const LOCAL_NAME = /^[^.:]+$|\.(localhost|local|internal)\.?$/;

const PRIVATE_ADDRESS = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/;

const PRIVATE_ADDRESS_6 = /^\[(::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/;

/**
 * The whole address of a request, if it is below the base URL. The address may also be given without the
 * base URL. Undefined if it leads elsewhere: the key must not go there.
 */
export function addressBelow(baseUrl: string, address: string): string | undefined {
	// The parser of addresses would read a backslash as a slash, and leave out line breaks.
	if (/[\\\p{Cc}]/u.test(address)) return undefined;
	const isWhole = /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
	const url = parsed(isWhole ? address : `${baseUrl}/${address.replace(/^\/+/, '')}`);
	if (url === undefined || url.username || url.password) return undefined;
	const isBelow = `${url.origin}${url.pathname}/`.startsWith(`${baseUrl}/`);
	return isBelow && !climbs(url.pathname) ? url.href : undefined;
}

/**
 * Whether a text in a path leads to another place, by a segment of `.` or `..`, even if it is decoded
 * several times. Some servers ignore what follows a semicolon in a segment.
 */
export const climbs = (text: string): boolean =>
	text
		.replace(/%(25)*2e/gi, '.')
		.split(/[/\\]|%(?:25)*(?:2f|5c)/i)
		.some((segment) => /^\.{1,2}(;.*)?$/.test(segment));

/**
 * n8n leaves it to each node to respect its list of allowed domains.
 * @throws Error if there is a list and the server of the base URL is not on it
 */
export function assertAllowed(baseUrl: string, { allowedDomains, ...mode }: JsonObject): void {
	if (mode.allowedHttpRequestDomains !== 'domains') return;
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
