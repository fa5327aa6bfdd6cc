import { describe, expect, test } from 'vitest';
import { addressBelow, assertAllowed, normalizeBaseUrl } from '../../nodes/api/baseUrl.ts';

const API = 'https://api.example.com';

describe('the base URL', () => {
	test.each([
		[`  ${API}/v1///  `, `${API}/v1`],
		['localhost:8080/v1', 'https://localhost:8080/v1'],
		['HTTPS://API.Example.com/v1', `${API}/v1`],
		[`${API}/external/v1`, `${API}/external/v1`],
		[`${API}/v1?key=1#top`, `${API}/v1`],
		['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
	])('%s is corrected', (raw, mended) => {
		expect(normalizeBaseUrl(raw)).toBe(mended);
		expect(normalizeBaseUrl(mended)).toBe(mended);
	});

	test.each([
		'',
		undefined,
		42,
		'https://',
		'not a url/v1',
		`${API}:99999/v1`,
		`${API}/V1`,
		`${API}/`,
		'ftp://api.example.com/v1',
		'https:api.example.com/v1',
		`${API}/v2`,
		`${API}/v1/agents`,
		// What may be a key or a password is not repeated.
		'https://user:s3cret@api.example.com/v1',
		'user:s3cret@api.example.com/v1',
		's3 cret/v1',
		`${API}/v2?key=s3cret`,
		'http://s3cret.example.com/v1',
		'yk_live_s3cret',
	])('%s is refused', (raw) => {
		const normalize = () => normalizeBaseUrl(raw);
		expect(normalize).toThrow(
			/^The 'Base URL' of .* must begin with https:.*end in \/v1 .*example/,
		);
		expect(normalize).not.toThrow(/s3/);
	});

	test.each([
		'localhost',
		'api.localhost',
		'n8n.local',
		'host.docker.internal',
		'yk-voice',
		'[::1]',
		'127.8.9.1',
		'10.1.2.3',
		'172.16.0.1',
		'172.31.0.1',
		'192.168.178.20',
		'[fd00::1]',
	])('may begin with http:// in the own network: %s', (host) => {
		expect(normalizeBaseUrl(`http://${host}:8080/v1`)).toBe(`http://${host}:8080/v1`);
	});

	test.each([
		'api.example.com',
		'localhost.example.com',
		'10.example.com',
		'127.0.0.1.example.com',
		'172.15.0.1',
		'172.32.0.1',
		'192.169.0.1',
		'169.254.169.254',
		'[2001:db8::1]',
	])('must not begin with http:// elsewhere: %s', (host) => {
		expect(() => normalizeBaseUrl(`http://${host}/v1`)).toThrow(/could read the key/);
		expect(normalizeBaseUrl(`https://${host}/v1`)).toBe(`https://${host}/v1`);
	});
});

describe('an address below the base URL', () => {
	const BASE = `${API}/external/v1`;

	test.each([
		[`${BASE}/agents?a=1#b`, `${BASE}/agents?a=1#b`],
		['HTTPS://API.example.com:443/external/v1/calls', `${BASE}/calls`],
		[`${BASE}/agents?next=https://evil.example`, `${BASE}/agents?next=https://evil.example`],
	])('%s', (address, whole) => {
		expect(addressBelow(BASE, address)).toBe(whole);
	});

	test.each([
		'https://evil.example/external/v1/agents',
		'http://api.example.com/external/v1/agents',
		`${API}:8443/external/v1/a`,
		`${API}/external/v10/a`,
		`${API}/`,
		'https:evil.example',
		'',
		`${API}.evil.example/external/v1/a`,
		`${API}@evil.example/external/v1/a`,
		'/agents',
		'https://user:password@api.example.com/external/v1/a',
		'//evil.example/external/v1/a',
		'https:\\\\evil.example\\external\\v1\\a',
		'ftp://api.example.com/external/v1/a',
		`${BASE}/../v2/agents`,
		`${BASE}/%2e%2e/v2/agents`,
		`${BASE}/..%2fv2/agents`,
	])('%s is none', (address) => {
		expect(addressBelow(BASE, address)).toBeUndefined();
	});
});

describe('the list of allowed domains', () => {
	/** Whether the key may go there. */
	const isAllowed = (baseUrl: string, allowedDomains: unknown, mode = 'domains') => {
		try {
			assertAllowed(baseUrl, { allowedHttpRequestDomains: mode, allowedDomains });
			return true;
		} catch (error) {
			expect(String(error)).toMatch(/not one of the 'Allowed Domains'/);
			return false;
		}
	};

	test.each<[isIn: boolean, baseUrl: string, domains: unknown, mode?: string]>([
		[true, `${API}:8443/v1`, 'other.example, API.example.com. '],
		[true, 'https://a.b.example.com/v1', '*.example.com'],
		[false, `${API}/v1`, 'example.com'],
		[false, 'https://example.com/v1', '*.example.com'],
		[false, 'https://badexample.com/v1', '*.example.com'],
		[false, `${API}/v1`, '*.'],
		[false, `${API}/v1`, undefined],
		// None is for n8n's HTTP Request node alone.
		[true, `${API}/v1`, 'other.example', 'all'],
		[true, `${API}/v1`, 'other.example', 'none'],
	])('whether the key goes is %s: to %s with %j', (isIn, baseUrl, domains, mode) => {
		expect(isAllowed(baseUrl, domains, mode)).toBe(isIn);
	});
});
