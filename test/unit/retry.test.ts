import { describe, expect, test } from 'vitest';
import type { Failure } from '../../nodes/api/errors.ts';
import { isRefusal, parseRetryAfter, retryDelay } from '../../nodes/api/retry.ts';

const METHODS = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'];
const HARMLESS_TWICE = ['GET', 'PUT', 'DELETE'];

const status = (status: number, retryAfterMs?: number): Failure => ({
	kind: 'answer',
	status,
	retryAfterMs,
});
const unreached: Failure = { kind: 'connection', reason: 'refused', mayHaveActed: false };
const lost: Failure = { kind: 'connection', reason: 'reset', mayHaveActed: true };

describe('what may be sent again', () => {
	test.each<[failure: Failure, methods: string[]]>([
		[status(429), METHODS],
		[unreached, METHODS],
		[lost, HARMLESS_TWICE],
		...[502, 503, 504].map((code): [Failure, string[]] => [status(code), HARMLESS_TWICE]),
		...[302, 400, 401, 403, 404, 409, 500, 501].map((code): [Failure, string[]] => [
			status(code, 1000),
			[],
		]),
		[{ kind: 'malformed', status: 200, what: 'it is empty' }, []],
		[{ kind: 'malformed', status: 404, what: 'the page of a gateway' }, HARMLESS_TWICE],
		[{ kind: 'unsent', reason: 'no key' }, []],
	])('after %j: %j', (failure, methods) => {
		const repeated = METHODS.filter((method) => retryDelay(method, failure, 1, 0) !== undefined);
		expect(repeated).toEqual(methods);
	});

	test.each([unreached, lost, status(503)])('%j is given up on the fourth try', (failure) => {
		const isTriedAgain = (tries: number) => retryDelay('GET', failure, tries, 0) !== undefined;
		expect([1, 2, 3, 4, 5].map(isTriedAgain)).toEqual([true, true, true, false, false]);
	});

	test('a rate limit is waited for, however often it refuses', () => {
		expect(retryDelay('POST', status(429, 7000), 500, 0.5)).toBe(7000);
	});
});

test('a rate limit is 429 or 503', () => {
	const refusals = [status(429), status(503), status(502, 1000), lost];
	expect(refusals.map(isRefusal)).toEqual([true, true, false, false]);
});

describe('how long to wait', () => {
	test.each<[what: string, tries: number, least: number, most: number, failure: Failure]>([
		['a lost answer', 1, 250, 500, lost],
		['a lost answer', 3, 1000, 2000, lost],
		['a refusal', 1, 750, 1500, status(429)],
		['a refusal', 2, 1500, 3000, status(429)],
		['a refusal', 100, 15_000, 30_000, status(429)],
		['a refusal that says how long', 1, 1234, 1234, status(503, 1234)],
		// It has just refused, so hardly anything is too soon.
		['a refusal that says next to nothing', 1, 750, 1500, status(429, 99)],
	])('after %s, try %i: %i to %i ms', (_what, tries, least, most, failure) => {
		expect(retryDelay('GET', failure, tries, 0)).toBe(least);
		expect(retryDelay('GET', failure, tries, 1)).toBe(most);
	});
});

test.each<[header: unknown, ms: number | undefined]>([
	['0', 0],
	['999999999999', 999999999999000],
	[' 1.5 ', 1500],
	['Thu, 01 Oct 2026 12:00:07 GMT', 7000],
	['Thu, 01 Oct 2026 11:59:00 GMT', 0],
	...['soon', '-1', '9'.repeat(400), '', undefined, 7].map((header): [unknown, undefined] => [
		header,
		undefined,
	]),
])('the Retry-After %j is %s ms', (header, ms) => {
	expect(parseRetryAfter(header, Date.parse('2026-10-01T12:00:00Z'))).toBe(ms);
});
