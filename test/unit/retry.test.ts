import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryDelay, type Setback } from '../../nodes/api/retry.ts';

const METHODS = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
const HARMLESS_TWICE = ['GET', 'PUT', 'DELETE'];

describe('what may be sent again', () => {
	test.each<[setback: Setback, methods: readonly string[]]>([
		[{ status: 429 }, METHODS],
		['unreached', METHODS],
		['lost', HARMLESS_TWICE],
		[{ status: 502 }, HARMLESS_TWICE],
		[{ status: 503 }, HARMLESS_TWICE],
		[{ status: 504 }, HARMLESS_TWICE],
		[{ status: 503, retryAfterMs: 1000 }, HARMLESS_TWICE],
		[{ status: 500 }, []],
		[{ status: 501 }, []],
		[{ status: 400 }, []],
		[{ status: 401 }, []],
		[{ status: 403 }, []],
		[{ status: 404 }, []],
		[{ status: 409 }, []],
		[{ status: 302 }, []],
		[{ status: 400, retryAfterMs: 1000 }, []],
	])('after %j: %j', (setback, methods) => {
		const repeated = METHODS.filter((method) => retryDelay(method, setback, 1, 0) !== undefined);
		expect(repeated).toEqual(methods);
	});

	test.each<[Setback]>([['unreached'], ['lost'], [{ status: 503 }]])(
		'%j is given up on the fourth attempt',
		(setback) => {
			const goesOn = [1, 2, 3, 4, 5].map(
				(attempt) => retryDelay('GET', setback, attempt, 0) !== undefined,
			);
			expect(goesOn).toEqual([true, true, true, false, false]);
		},
	);

	test('a rate limit is waited for, however often it refuses', () => {
		expect(retryDelay('POST', { status: 429, retryAfterMs: 7000 }, 500, 0.5)).toBe(7000);
	});
});

describe('how long to wait', () => {
	test.each([
		[1, 250, 500],
		[2, 500, 1000],
		[3, 1000, 2000],
		[7, 15_000, 30_000],
		[100, 15_000, 30_000],
	])('attempt %i, if the server does not say: %i to %i ms', (attempt, least, most) => {
		expect(retryDelay('GET', { status: 429 }, attempt, 0)).toBe(least);
		expect(retryDelay('GET', { status: 429 }, attempt, 1)).toBe(most);
	});

	test('exactly as long as the server says', () => {
		expect(retryDelay('GET', { status: 503, retryAfterMs: 1234 }, 1, 0.7)).toBe(1234);
	});

	test('at least 250 ms if the server says 0, because it has just refused', () => {
		const delays = fc.tuple(
			fc.integer({ min: 1, max: 1000 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
		);
		fc.assert(
			fc.property(delays, ([attempt, random]) => {
				expect(
					retryDelay('GET', { status: 429, retryAfterMs: 0 }, attempt, random),
				).toBeGreaterThanOrEqual(250);
			}),
		);
	});
});
