import { describe, expect, test } from 'vitest';
import { addressBelow, assertAllowed, normalizeBaseUrl } from '../../nodes/api/baseUrl.ts';

test.each([
	['  https://api.example.com/v1///  ', 'https://api.example.com/v1'],
	['api.example.com/v1', 'https://api.example.com/v1'],
	['localhost:8080/v1', 'https://localhost:8080/v1'],
	['HTTPS://API.Example.com/v1', 'https://api.example.com/v1'],
	['https://api.example.com/external/v1', 'https://api.example.com/external/v1'],
	['https://api.example.com/v1?key=1#top', 'https://api.example.com/v1'],
	['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
	['https://[::1]:8080/v1', 'https://[::1]:8080/v1'],
])('the base URL %s is corrected', (raw, mended) => {
	expect(normalizeBaseUrl(raw)).toBe(mended);
	expect(normalizeBaseUrl(mended)).toBe(mended);
});

test.each([
	...['', undefined, 42, 'https://', 'not a url/v1', 'https://api.example.com:99999/v1'],
	...['ftp://api.example.com/v1', 'https:api.example.com/v1', 'https://api.example.com/V1'],
	...['https://api.example.com/', 'https://api.example.com/v2', 'https://a.example/v1/agents'],
])('the base URL %s is refused', (raw) => {
	expect(() => normalizeBaseUrl(raw)).toThrow(/must begin with https:.*end in \/v1 .*for example/);
});

test.each([
	...['https://user:s3cret@api.example.com/v1', 'user:s3cret@api.example.com/v1', 's3 cret/v1'],
	...['https://api.example.com/v2?key=s3cret', 'http://s3cret.example.com/v1', 'yk_live_s3cret'],
])('the error for %s does not repeat what may be a key or a password', (raw) => {
	expect(() => normalizeBaseUrl(raw)).toThrow(/'Base URL' of the credential/);
	expect(() => normalizeBaseUrl(raw)).not.toThrow(/s3/);
});

describe('http:// is only for servers in the own network', () => {
	test.each([
		...['localhost', 'api.localhost', 'n8n.local', 'host.docker.internal', 'yk-voice'],
		...[
			'127.8.9.1',
			'10.1.2.3',
			'172.16.0.1',
			'172.31.0.1',
			'192.168.178.20',
			'[::1]',
			'[fd00::1]',
		],
	])('%s is one', (host) => {
		expect(normalizeBaseUrl(`http://${host}:8080/v1`)).toBe(`http://${host}:8080/v1`);
	});

	test.each([
		...['api.example.com', 'localhost.example.com', '10.example.com', '127.0.0.1.example.com'],
		...['172.15.0.1', '172.32.0.1', '192.169.0.1', '169.254.169.254', '[2001:db8::1]'],
	])('%s is not', (host) => {
		expect(() => normalizeBaseUrl(`http://${host}/v1`)).toThrow(/could read the key/);
		expect(normalizeBaseUrl(`https://${host}/v1`)).toBe(`https://${host}/v1`);
	});
});

describe('an address below the base URL', () => {
	const BASE = 'https://api.example.com/external/v1';

	test.each([
		[`${BASE}/agents?a=1#b`, `${BASE}/agents?a=1#b`],
		['HTTPS://API.example.com:443/external/v1/calls', `${BASE}/calls`],
		[`${BASE}/agents?next=https://evil.example`, `${BASE}/agents?next=https://evil.example`],
	])('%s', (address, whole) => {
		expect(addressBelow(BASE, address)).toBe(whole);
	});

	test.each([
		...['https://evil.example/external/v1/agents', 'http://api.example.com/external/v1/agents'],
		...['https://api.example.com:8443/external/v1/a', 'https://api.example.com/external/v10/a'],
		...['https://api.example.com.evil.example/external/v1/a', 'https://api.example.com/'],
		...['https://api.example.com@evil.example/external/v1/a', '//evil.example/external/v1/a'],
		...[
			'https://user:password@api.example.com/external/v1/agents',
			'/agents',
			'https:evil.example',
		],
		...['https:\\\\evil.example\\external\\v1\\a', 'ftp://api.example.com/external/v1/a', ''],
		...[`${BASE}/../v2/agents`, `${BASE}/%2e%2e/v2/agents`, `${BASE}/..%2fv2/agents`],
	])('%s is none', (address) => {
		expect(addressBelow(BASE, address)).toBeUndefined();
	});
});

describe('the list of allowed domains', () => {
	const refusal = (baseUrl: string, allowedDomains: unknown, mode: unknown = 'domains') => {
		const fields = { allowedHttpRequestDomains: mode, allowedDomains };
		return expect(() => assertAllowed(baseUrl, fields));
	};

	test.each([
		['https://api.example.com:8443/v1', 'other.example, API.example.com. '],
		['https://a.b.example.com/v1', '*.example.com'],
	])('lets the key go to %s if it has %j', (baseUrl, domains) => {
		refusal(baseUrl, domains).not.toThrow();
	});

	test.each([
		['https://api.example.com/v1', 'example.com'],
		['https://example.com/v1', '*.example.com'],
		['https://badexample.com/v1', '*.example.com'],
		['https://api.example.com/v1', '*.'],
		['https://api.example.com/v1', undefined],
	])('does not let it go to %s if it has %j', (baseUrl, domains) => {
		refusal(baseUrl, domains).toThrow(/not one of the 'Allowed Domains'/);
	});

	test.each(['all', 'none'])('does not count if the choice is %j', (mode) => {
		// None is for n8n's HTTP Request node alone.
		refusal('https://api.example.com/v1', 'other.example', mode).not.toThrow();
	});
});
