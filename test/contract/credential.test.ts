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

const BASE = 'https://api.example.com/v1';

describe('authenticate', () => {
	// The HTTP Request node gives its address as `uri`.
	test.each(['url', 'uri'])(
		'adds the key to a request by %s, which follows no redirect',
		async (at) => {
			const given = { method: 'GET', headers: { accept: 'a/b' }, qs: { limit: 1 } };
			const follow = { followRedirect: true, followAllRedirects: true, maxRedirects: 5 };
			const asked = {
				[at]: `${BASE}/agents/`,
				baseURL: 'https://evil.example/v1',
				...given,
				...follow,
			};
			const entered = { apiKey: '  yk_abc\n', baseUrl: ' api.example.com/v1/ ' };
			expect(await authenticate(entered, asked)).toEqual({
				...given,
				url: `${BASE}/agents/`,
				disableFollowRedirect: true,
				maxRedirects: 0,
				followRedirect: false,
				followAllRedirects: false,
				sendCredentialsOnCrossOriginRedirect: false,
				headers: { accept: 'a/b', Authorization: 'Bearer yk_abc' },
			});
		},
	);

	// Which other addresses and Base URLs are refused: unit/baseUrl.
	const url = `${BASE}/agents/`;
	test.each<[where: string, request: object, said: RegExp]>([
		['another address', { url: 'https://evil.example/v1/agents' }, /only to addresses below/],
		['another address as uri', { uri: '//evil.example/v1' }, /only to addresses below/],
		['an address below another one', { url: '/agents/', baseURL: BASE }, /only to addresses below/],
		['a proxy of a node', { url, proxy: 'http://evil.example:8080' }, /through a proxy/],
		['a site that a header names', { url, headers: { 'HOST ': 'evil.example' } }, /no header/],
		['such a header of a proxy', { url, headers: { 'X-Forwarded-Host': 'evil' } }, /no header/],
		['such a header of a server', { url, headers: { 'x-original-url': '/' } }, /no header/],
	])('sends the key to no other place: %s', async (_where, request, said) => {
		await expect(authenticate({ apiKey: 'yk_abc', baseUrl: BASE }, request)).rejects.toThrow(said);
	});

	test.each([
		'',
		undefined,
		'secret',
		'YK_secret',
		'Bearer yk_secret',
		'xyk_secret',
		'yk_',
		' yk_ ',
		{ key: 'yk_secret' },
		'yk_se cret',
		'yk_sec\nX-Evil: 1',
		'yk_sécret',
	])('refuses the key %j, and does not repeat it', async (apiKey) => {
		const credentials = { apiKey, baseUrl: BASE } as ICredentialDataDecryptedObject;
		const refused = expect(authenticate(credentials, {})).rejects;
		await refused.toThrow(/must begin with yk_/);
		await refused.not.toThrow(/s[eé]c/);
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
