import { describe, expect, test } from 'vitest';
import { normalizeBaseUrl } from '../../nodes/api/baseUrl.ts';

describe('a base URL is corrected', () => {
	test.each([
		['https://api.example.com/v1', 'https://api.example.com/v1'],
		['  https://api.example.com/v1  ', 'https://api.example.com/v1'],
		['https://api.example.com/v1/', 'https://api.example.com/v1'],
		['https://api.example.com/v1///', 'https://api.example.com/v1'],
		['api.example.com/v1', 'https://api.example.com/v1'],
		['localhost:8080/v1', 'https://localhost:8080/v1'],
		['http://127.0.0.1:5678/v1', 'http://127.0.0.1:5678/v1'],
		['HTTPS://API.Example.com/v1', 'https://api.example.com/v1'],
		['https://api.example.com/external/v1', 'https://api.example.com/external/v1'],
		['https://example.com/a/b/v1', 'https://example.com/a/b/v1'],
		['https://api.example.com/v1?key=1#top', 'https://api.example.com/v1'],
		['https://api.example.com/v2/../v1', 'https://api.example.com/v1'],
		['https://bücher.example/v1', 'https://xn--bcher-kva.example/v1'],
		['https://[::1]:8080/v1', 'https://[::1]:8080/v1'],
		['example.com/to/http://a/v1', 'https://example.com/to/http://a/v1'],
	])('%s', (raw, mended) => {
		expect(normalizeBaseUrl(raw)).toBe(mended);
		expect(normalizeBaseUrl(mended)).toBe(mended);
	});
});

describe('a base URL that cannot be right is refused with the reason', () => {
	test.each<[raw: unknown, reason: RegExp]>([
		['', /empty/],
		['   ', /empty/],
		[undefined, /empty/],
		[42, /empty/],
		['https://', /not a web address/],
		['not a url/v1', /not a web address/],
		['https://api.example.com:99999/v1', /not a web address/],
		['ftp://api.example.com/v1', /https:\/\/ or http:\/\//],
		['javascript://api.example.com/v1', /https:\/\/ or http:\/\//],
		['https://api.example.com', /must end in \/v1/],
		['https://api.example.com/', /must end in \/v1/],
		['https://api.example.com/v2', /must end in \/v1/],
		['https://api.example.com/v1/agents', /must end in \/v1/],
		['https://api.example.com/apiv1', /must end in \/v1/],
		['https://api.example.com/V1', /must end in \/v1/],
		['https://user:secret@api.example.com/v1', /user name or password/],
		['https://user@api.example.com/v1', /user name or password/],
	])('%s', (raw, reason) => {
		expect(() => normalizeBaseUrl(raw)).toThrow(reason);
		expect(() => normalizeBaseUrl(raw)).toThrow(/https:\/\/api\.example\.com\/v1/);
	});

	test('the error does not repeat a password', () => {
		expect(() => normalizeBaseUrl('https://user:secret@api.example.com/v1')).not.toThrow(/secret/);
	});
});
