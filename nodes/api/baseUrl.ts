import { tidy, type JsonObject } from '../json';

const HINT = 'Enter the address that you got from YK Voice, for example https://api.example.com/v1';

/** Longer texts are not looked at. */
const MOST_CHARACTERS = 2000;

/**
 * The base URL of an account in the form that all other modules expect: with a scheme, ending in `/v1`,
 * without a slash, query or fragment after it. A missing scheme becomes https. A path that does not end
 * in `/v1` or `/external/v1` is refused, because every request would fail.
 *
 * Reference: "External API v1 Specification" (`{base_url}` ends in /v1) and the note on
 * `/external/v1` below the endpoint tables.
 * @throws Error with the reason and what to do. It does not repeat the text, because key and base URL may
 *   have been swapped, and the text may hold a password
 */
export function normalizeBaseUrl(raw: unknown): string {
	const refuse = (what: string) => new Error(`The 'Base URL' of the credential ${what}. ${HINT}`);
	const text = typeof raw === 'string' ? tidy(raw.slice(0, MOST_CHARACTERS + 1)) : '';
	if (text === '') throw refuse('is empty');
	if (text.length > MOST_CHARACTERS) throw refuse('is too long');
	if (looksLikeKey(text)) throw refuse("holds a key. A key belongs in the field 'API Key'");
	// A port may follow the name of a server, so `name:8080` is no scheme.
	const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) || /^https?:/i.test(text);
	if (hasScheme && !/^https?:\/\/[^/]/i.test(text)) {
		throw refuse('must begin with https://, or in your own network with http://');
	}
	if (/[\\\s\p{Cc}]/u.test(text)) throw refuse('is not a web address');
	const url = parsed(hasScheme ? text : `https://${text}`);
	if (url === undefined) throw refuse('is not a web address');
	if (url.username || url.password) throw refuse('must not contain a user name or password');
	if (url.protocol === 'http:' && !isLocal(url.hostname)) {
		throw refuse(
			'must begin with https://, because with http:// others could read the key on its way. Only servers in your own network may have http://',
		);
	}
	let path = url.pathname;
	while (path.endsWith('/')) path = path.slice(0, -1);
	if (!path.endsWith('/v1')) throw refuse('must end in /v1 (or /external/v1)');
	return url.origin + path;
}

/** The name of a server never begins with yk_, but a path may have a word such as yk_voice. */
const looksLikeKey = (text: string) =>
	/^(https?:\/*)?yk_/i.test(text) ||
	text.split(/\W/).some((word) => /^yk_/i.test(word) && (/\d/.test(word) || word.length >= 20));

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
