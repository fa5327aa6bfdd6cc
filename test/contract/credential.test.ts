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

	test.each<[apiKey: unknown]>([
		[''],
		[undefined],
		['abc'],
		['YK_abc'],
		['Bearer yk_abc'],
		['xyk_abc'],
		['yk_'],
		[' yk_ '],
		[{ key: 'yk_abc' }],
	])('the key %j lacks its prefix', async (apiKey) => {
		const credentials = { apiKey, baseUrl: BASE } as ICredentialDataDecryptedObject;
		await expect(authenticate(credentials, {})).rejects.toThrow(/must begin with yk_/);
	});

	test.each([
		'',
		'https://api.example.com',
		'https://api.example.com/v1/agents',
		'ftp://api.example.com/v1',
	])('the base URL "%s" is refused', async (baseUrl) => {
		await expect(authenticate({ apiKey: 'yk_abc', baseUrl }, {})).rejects.toThrow(/Base URL/);
	});

	test('a refusal does not repeat the key', async () => {
		await expect(authenticate({ apiKey: 'secret_abc', baseUrl: BASE }, {})).rejects.not.toThrow(
			/secret_abc/,
		);
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
