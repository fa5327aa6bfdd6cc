import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { loadPackage } from '../support/harness.ts';

const { credentialTypes } = await loadPackage();
const credential = credentialTypes.ykVoiceApi!;

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: object,
) => Promise<{ headers: Record<string, string>; baseURL: string }>;
const authenticate = credential.authenticate as unknown as Authenticate;

const BASE = 'https://api.example.com/v1';

describe('authenticate', () => {
	test.each([
		['yk_abc', BASE, 'yk_abc', BASE],
		['  yk_abc\n', ' api.example.com/v1/ ', 'yk_abc', BASE],
		[
			'yk_abc',
			'https://api.example.com/external/v1/',
			'yk_abc',
			'https://api.example.com/external/v1',
		],
	])('key %j and base URL %j', async (apiKey, baseUrl, key, baseURL) => {
		const request = {
			url: '/agents/',
			method: 'GET',
			headers: { accept: 'a/b' },
			qs: { limit: 1 },
		};
		expect(await authenticate({ apiKey, baseUrl }, request)).toEqual({
			...request,
			baseURL,
			headers: { accept: 'a/b', Authorization: `Bearer ${key}` },
		});
		expect(request.headers).toEqual({ accept: 'a/b' });
	});

	const KEYS = [
		'',
		undefined,
		'secret',
		'YK_secret',
		'Bearer yk_secret',
		'xyk_secret',
		'yk_',
		' yk_ ',
	];

	test.each([...KEYS, { key: 'yk_secret' }])(
		'the key %j is refused, and not repeated in the error',
		async (apiKey) => {
			const credentials = { apiKey, baseUrl: BASE } as ICredentialDataDecryptedObject;
			const refused = expect(authenticate(credentials, {})).rejects;
			await refused.toThrow(/must begin with yk_/);
			await refused.not.toThrow(/secret/);
		},
	);

	// Which base URLs are refused: unit/baseUrl.
	test('a base URL without /v1 is refused', async () => {
		const baseUrl = 'https://api.example.com';
		await expect(authenticate({ apiKey: 'yk_abc', baseUrl }, {})).rejects.toThrow(/Base URL/);
	});
});

// What n8n's "Test" says of a credential is asked of the real n8n, in e2e/core.

test('both credentials ask for their base URL alike, and hide what is secret', () => {
	const property = (type: string, name: string) =>
		credentialTypes[type]!.properties.find((one) => one.name === name);
	expect(property('ykVoiceOAuth2Api', 'baseUrl')).toEqual(property('ykVoiceApi', 'baseUrl'));
	expect(property('ykVoiceApi', 'apiKey')?.typeOptions?.password).toBe(true);
	expect(credentialTypes.ykVoiceOAuth2Api!.extends).toEqual(['oAuth2Api']);
});
