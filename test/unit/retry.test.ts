import { describe, expect, test } from 'vitest';
import type { Failure } from '../../nodes/api/errors.ts';
import { isRefusal, parseRetryAfter, retryDelay } from '../../nodes/api/retry.ts';

const METHODS = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
const HARMLESS_TWICE = ['GET', 'PUT', 'DELETE'];

const status = (status: number, retryAfterMs?: number): Failure => ({
	kind: 'answer',
	status,
	retryAfterMs,
});
const unreached: Failure = { kind: 'connection', reason: 'refused', mayHaveActed: false };
const lost: Failure = { kind: 'connection', reason: 'reset', mayHaveActed: true };

describe('what may be sent again', () => {
	test.each<[failure: Failure, methods: readonly string[]]>([
		[status(429), METHODS],
		[unreached, METHODS],
		[lost, HARMLESS_TWICE],
		[status(502), HARMLESS_TWICE],
		[status(503), HARMLESS_TWICE],
		[status(504), HARMLESS_TWICE],
		[status(503, 1000), HARMLESS_TWICE],
		...[302, 400, 401, 403, 404, 409, 500, 501].map((code): [Failure, string[]] => [
			status(code, 1000),
			[],
		]),
		[{ kind: 'malformed', status: 200, what: 'it is empty' }, []],
		[{ kind: 'unsent', reason: 'no key' }, []],
	])('after %j: %j', (failure, methods) => {
		const repeated = METHODS.filter((method) => retryDelay(method, failure, 1, 0) !== undefined);
		expect(repeated).toEqual(methods);
	});

	test.each([unreached, lost, status(503)])('%j is given up on the fourth try', (failure) => {
		const goesOn = [1, 2, 3, 4, 5].map(
			(tries) => retryDelay('GET', failure, tries, 0) !== undefined,
		);
		expect(goesOn).toEqual([true, true, true, false, false]);
	});

	test('a rate limit is waited for, however often it refuses', () => {
		expect(retryDelay('POST', status(429, 7000), 500, 0.5)).toBe(7000);
	});
});

test('a rate limit is 429 or 503', () => {
	const refusals = [status(429), status(503, 0), status(503), status(502, 1000), lost];
	expect(refusals.map(isRefusal)).toEqual([true, true, true, false, false]);
});

describe('how long to wait', () => {
	test.each([
		[1, 250, 500],
		[2, 500, 1000],
		[3, 1000, 2000],
	])('try %i, if the server does not say: %i to %i ms', (tries, least, most) => {
		expect(retryDelay('GET', lost, tries, 0)).toBe(least);
		expect(retryDelay('GET', lost, tries, 1)).toBe(most);
	});

	test.each([
		[1, 750, 1500],
		[2, 1500, 3000],
		[100, 15_000, 30_000],
	])('after refusal %i, if the server does not say: %i to %i ms', (tries, least, most) => {
		expect(retryDelay('GET', status(429), tries, 0)).toBe(least);
		expect(retryDelay('GET', status(429), tries, 1)).toBe(most);
	});

	test('exactly as long as the server says', () => {
		expect(retryDelay('GET', status(503, 1234), 1, 0.7)).toBe(1234);
		// It has just refused, so hardly anything is too soon.
		expect(retryDelay('GET', status(429, 99), 1, 0)).toBe(750);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-10-01T12:00:00Z');

	test.each<[header: unknown, ms: number | undefined]>([
		['0', 0],
		['2', 2000],
		['999999999999', 999999999999000],
		[' 1.5 ', 1500],
		['Thu, 01 Oct 2026 12:00:07 GMT', 7000],
		['Thu, 01 Oct 2026 11:59:00 GMT', 0],
		['soon', undefined],
		['-1', undefined],
		['9'.repeat(400), undefined],
		['', undefined],
		[undefined, undefined],
		[7, undefined],
	])('%j is %s ms', (header, ms) => expect(parseRetryAfter(header, now)).toBe(ms));
});
