import { describe, expect, test } from 'vitest';
import { allowanceIn, askedToWait, parseRetryAfter } from '../../nodes/api/rateLimit.ts';

describe('how many requests a server still accepts', () => {
	const now = Date.parse('2026-10-01T12:00:00Z');

	test.each<[headers: Record<string, unknown>, allowance: unknown]>([
		[
			{ 'ratelimit-remaining': '7', 'ratelimit-reset': '9' },
			{ remaining: 7, resetMs: 9000 },
		],
		[
			{ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '0' },
			{ remaining: 7, resetMs: 0 },
		],
		[
			{ 'x-rate-limit-remaining': 7, 'x-rate-limit-reset': 9 },
			{ remaining: 7, resetMs: 9000 },
		],
		[{ 'x-ratelimit-remaining': '7, 100;w=60' }, { remaining: 7 }],
		[{ ratelimit: 'limit=100, remaining=50, reset=5' }, { remaining: 50, resetMs: 5000 }],
		[{ ratelimit: 'Limit=100, Remaining=50' }, { remaining: 50 }],
		[{ 'x-ratelimit-remaining': ' 12 ' }, { remaining: 12 }],
		[{ ratelimit: '"default";r=50;t=30' }, { remaining: 50, resetMs: 30_000 }],
		[
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 60) },
			{ remaining: 0, resetMs: 60_000 },
		],
		// A day's quota: the server says so itself, once it refuses a request.
		[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '61' }, { remaining: 0 }],
		[{ 'x-ratelimit-remaining': '' }, undefined],
		[{ 'x-ratelimit-remaining': 'many' }, undefined],
		[{ 'x-ratelimit-remaining': '-1' }, undefined],
		[{ 'x-ratelimit-limit': '100', 'x-ratelimit-reset': '9' }, undefined],
		[{ ratelimit: 'limit=100' }, undefined],
		[{}, undefined],
	])('%j', (headers, allowance) => expect(allowanceIn(headers, now)).toEqual(allowance));
});

describe('how long a server asks to wait', () => {
	const now = Date.parse('2026-10-01T12:00:00Z');

	test.each<[headers: Record<string, unknown>, ms: number | undefined]>([
		[{ 'retry-after': '2', 'x-ratelimit-reset': '9' }, 2000],
		[{ 'x-ratelimit-reset': '9' }, 9000],
		[{ 'ratelimit-reset': '9' }, 9000],
		[{ 'x-rate-limit-reset': '9' }, 9000],
		[{ 'x-retry-after': '9' }, 9000],
		[{ 'x-ratelimit-reset': String(now / 1000 + 5) }, 5000],
		[{ 'x-ratelimit-reset': String(now / 1000 - 5) }, 0],
		[{ 'x-ratelimit-reset': String(now + 5000) }, 5000],
		[{ 'x-ratelimit-reset': '2026-10-01T12:00:05Z' }, 5000],
		[{ ratelimit: 'limit=100, remaining=0, reset=9' }, 9000],
		[{ ratelimit: '"default";r=0;t=9' }, 9000],
		[{ 'x-ratelimit-reset': 'soon' }, undefined],
		[{}, undefined],
	])('%j', (headers, ms) => expect(askedToWait(headers, now)).toBe(ms));
});

describe('Retry-After', () => {
	const now = Date.parse('2026-10-01T12:00:00Z');

	test.each<[header: unknown, ms: number | undefined]>([
		['0', 0],
		['1', 1000],
		[' 30 ', 30_000],
		['1.5', 1500],
		['1.25', 1250],
		['Thu, 01 Oct 2026 12:00:30 GMT', 30_000],
		['Thursday, 01-Oct-26 12:00:30 GMT', 30_000],
		['Thu, 01 Oct 2026 11:00:00 GMT', 0],
		['2026-10-01T12:00:05Z', 5000],
		[undefined, undefined],
		['', undefined],
		['  ', undefined],
		['soon', undefined],
		['-5', undefined],
		['5, 10', undefined],
		['1e9', undefined],
		['12:30', undefined],
		[null, undefined],
		[['3'], undefined],
		[3, undefined],
	])('%j is %j ms', (header, ms) => {
		expect(parseRetryAfter(header, now)).toBe(ms);
	});
});
