import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { loadPackage } from '../support/harness.ts';

const { credentialTypes } = await loadPackage();
const credential = credentialTypes.ykVoiceApi!;

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: object,
) => Promise<{ headers: Record<string, string>; url: string }>;
const authenticate = credential.authenticate as unknown as Authenticate;

const ORIGIN = 'https://api.example.com';
const BASE = `${ORIGIN}/v1`;
const GIVEN = { apiKey: 'yk_abc', baseUrl: BASE };

describe('authenticate', () => {
	test.each([
		['yk_abc', BASE, BASE],
		['  yk_abc\n', ' api.example.com/v1/ ', BASE],
		['yk_abc', `${ORIGIN}/external/v1/`, `${ORIGIN}/external/v1`],
	])('takes the key %j and the Base URL %j, and no redirect', async (apiKey, baseUrl, base) => {
		const given = { method: 'GET', headers: { accept: 'a/b' }, qs: { limit: 1 } };
		const follow = { followRedirect: true, followAllRedirects: true, maxRedirects: 5 };
		const request = { url: `${base}/agents/`, baseURL: 'https://evil.example/v1', ...given };
		const asked = { ...request, ...follow, sendCredentialsOnCrossOriginRedirect: true };
		expect(await authenticate({ apiKey, baseUrl }, asked)).toEqual({
			...{ ...given, url: `${base}/agents/`, disableFollowRedirect: true, maxRedirects: 0 },
			...{ followRedirect: false, followAllRedirects: false },
			sendCredentialsOnCrossOriginRedirect: false,
			headers: { accept: 'a/b', Authorization: 'Bearer yk_abc' },
		});
		expect(given.headers).toEqual({ accept: 'a/b' });
	});

	// The HTTP Request node gives its address as `uri`.
	test.each(['url', 'uri'])('an address below the base URL may be given as %s', async (name) => {
		const address = `${BASE}/calls?limit=1`;
		const { url, ...rest } = await authenticate(GIVEN, { [name]: address });
		expect(url).toBe(address);
		expect(rest).not.toHaveProperty('uri');
	});

	// Which other addresses are refused: unit/baseUrl.
	test.each([
		...['https://evil.example/v1/agents', '//evil.example/v1', '/agents/'],
		'https://api.example.com/v2',
	])('the key is not sent to %s', async (address) => {
		for (const request of [{ url: address }, { uri: address }, { url: address, baseURL: BASE }])
			await expect(authenticate(GIVEN, request)).rejects.toThrow(/only to addresses below/);
	});

	test.each(['http://evil.example:8080', { host: 'evil.example', port: 8080 }])(
		'the key is not sent through the proxy %j of a node',
		async (proxy) => {
			const request = { url: `${BASE}/agents/`, proxy };
			await expect(authenticate(GIVEN, request)).rejects.toThrow(/through a proxy/);
		},
	);

	test.each(['Host', 'HOST ', 'x-forwarded-host', 'X-Original-URL'])(
		'the key is not sent to a site that the header %s names',
		async (name) => {
			const request = { url: `${BASE}/agents/`, headers: { [name]: 'evil.example' } };
			await expect(authenticate(GIVEN, request)).rejects.toThrow(/no header/);
		},
	);

	test('holds to the list of allowed domains', async () => {
		const request = { url: `${BASE}/agents/` };
		const ask = async (allowedDomains: string) =>
			await authenticate(
				{ ...GIVEN, allowedHttpRequestDomains: 'domains', allowedDomains },
				request,
			);
		await expect(ask('other.example')).rejects.toThrow(/'Allowed Domains'/);
		expect(await ask('*.example.com')).toMatchObject(request);
	});

	test.each([
		...['', undefined, 'secret', 'YK_secret', 'Bearer yk_secret', 'xyk_secret', 'yk_', ' yk_ '],
		...[{ key: 'yk_secret' }, 'yk_se cret', 'yk_sec\nX-Evil: 1', 'yk_sécret'],
	])('the key %j is refused, and not repeated in the error', async (apiKey) => {
		const credentials = { apiKey, baseUrl: BASE } as ICredentialDataDecryptedObject;
		const refused = expect(authenticate(credentials, {})).rejects;
		await refused.toThrow(/must begin with yk_/);
		await refused.not.toThrow(/s[eé]c/);
	});

	test('key and base URL in each other’s field are refused, and not repeated in the error', async () => {
		const swapped = { apiKey: BASE, baseUrl: 'yk_live_S3cr3t' };
		const refused = expect(authenticate(swapped, { url: `${BASE}/agents/` })).rejects;
		await refused.toThrow(/'Base URL' of the credential/);
		await refused.not.toThrow(/S3cr3t/);
	});

	// Which base URLs are refused: unit/baseUrl.
	test('a base URL without /v1 is refused', async () => {
		const baseUrl = 'https://api.example.com';
		await expect(authenticate({ apiKey: 'yk_abc', baseUrl }, {})).rejects.toThrow(/Base URL/);
	});
});

// What n8n's "Test" says of a credential is asked of the real n8n, in e2e/parts/credential.

test('both credentials ask for their base URL alike, and hide what is secret', () => {
	const property = (type: string, name: string) =>
		credentialTypes[type]!.properties.find((one) => one.name === name);
	expect(property('ykVoiceOAuth2Api', 'baseUrl')).toEqual(property('ykVoiceApi', 'baseUrl'));
	expect(property('ykVoiceApi', 'apiKey')?.typeOptions?.password).toBe(true);
	expect(credentialTypes.ykVoiceOAuth2Api!.extends).toEqual(['oAuth2Api']);
	// n8n adds this field itself, with the default All. For the API key, authenticate limits all requests.
	expect(property('ykVoiceOAuth2Api', 'allowedHttpRequestDomains')?.default).toBe('none');
	expect(property('ykVoiceOAuth2Api', 'allowedDomains')).toBeDefined();
});
