import { describe, expect, test } from 'vitest';
import { explain, type About, type Circumstances, type Failure } from '../../nodes/api/errors.ts';

const about: About = {
	operation: 'Agent: Update',
	permission: 'READ_WRITE',
	scope: 'agents:write',
	hasItems: true,
	hasTimeout: true,
};
const refused = (status: number, rest: object = {}): Failure => ({
	kind: 'answer',
	status,
	...rest,
});

/** The words for a failure. What is given may be of the operation, or of the request. */
const words = (
	failure: Failure,
	{ isOAuth = false, isRead, mayHaveActed, wait, ...rest }: Partial<About & Circumstances> = {},
) => explain(failure, { about: { ...about, ...rest }, isOAuth, isRead, mayHaveActed, wait });

/** The server asks for more than a request may wait. */
const wait = { ms: 61_000, mostMs: 60_000 };

test('the trigger has no items and no Timeout, so its errors do not mention them', () => {
	const failures: Array<[Failure, Partial<Circumstances>]> = [
		[refused(429), {}],
		[refused(429), { wait }],
		[{ kind: 'connection', reason: 'timed out', mayHaveActed: true }, {}],
	];
	for (const [failure, circumstances] of failures) {
		const given = { ...circumstances, isRead: true, hasItems: false };
		const { description } = words(failure, given);
		expect(description).toMatch(
			/Try again later\. A trigger does so by itself, with its next poll\.$/,
		);
		expect(description).not.toMatch(/Timeout|fewer items/);
	}
});

describe('whether a change may have been made', () => {
	const tried = (failure: Failure, circumstances: Partial<Circumstances>) =>
		words(failure, circumstances).description;
	const earlier = /^An earlier try .* change may have been made\. Look at the record/;

	test.each<[failure: Failure, circumstances?: Partial<Circumstances>]>([
		[refused(404)],
		[refused(409)],
		[refused(400, { message: 'no such number' })],
		[{ kind: 'connection', reason: 'connection refused', mayHaveActed: false }],
		[refused(429), { wait }],
	])('by an earlier try is said: %j', (failure, circumstances) => {
		expect(tried(failure, { ...circumstances, mayHaveActed: true })).toMatch(earlier);
		expect(tried(failure, { ...circumstances })).not.toMatch(earlier);
	});

	// An update by phone may have changed the number.
	test('by an earlier try: then a 404 does not mean that the record never was there', () => {
		expect(tried(refused(404), { mayHaveActed: true })).not.toMatch(/no such record/);
	});

	/** After these nobody knows whether the server has made the change. */
	const UNCLEAR: Failure[] = [
		refused(500),
		refused(503),
		{ kind: 'connection', reason: 'connection reset', mayHaveActed: true },
		{ kind: 'malformed', status: 200, what: 'it is empty' },
	];
	const REDIRECTS = [refused(302), refused(303)];

	test.each([...UNCLEAR, ...REDIRECTS])(
		'is said once if this try may have made it: %j',
		(failure) => {
			expect(tried(failure, { mayHaveActed: true })).toBe(tried(failure, {}));
			expect(tried(failure, {})).toMatch(/the change may have been made/);
		},
	);

	test.each([...UNCLEAR, ...REDIRECTS])('is not said of a read: %j', (failure) => {
		const advice = tried(failure, { isRead: true });
		expect(advice).not.toMatch(/may have been made/);
		expect(advice).toMatch(/Try again later\.$|of the credential\.$|'API Request'\.$/);
	});
});

describe('what to do about each status', () => {
	test.each<[status: number, oauth: boolean, fix: RegExp]>([
		[400, false, /refused the data/],
		[401, false, /API key was not accepted.*yk_.*revoked/],
		[401, true, /access token was not accepted.*Reconnect.*use an API key/],
		[403, false, /API key lacks a permission.*needs READ_WRITE\./],
		[
			403,
			true,
			/access token may lack a scope: this operation needs the scope agents:write.*API key works everywhere/,
		],
		[404, false, /no such record in this account/],
		[409, false, /conflicts with what is stored.*changed in the meantime.*already in use/],
		[418, false, /refused the request/],
		[429, false, /only so many requests.*Send fewer items/],
		[300, false, /redirects.*key is not sent there/],
		[302, false, /redirects.*key is not sent there.*Base URL/],
		[299, false, /refused the request/],
		[402, false, /refused the request/],
		[500, false, /the change may have been made. Look at the record/],
		[503, false, /the change may have been made. Look at the record/],
	])('%i, OAuth %s', (status, oauth, fix) => {
		const { message, description } = words(refused(status), { isOAuth: oauth });
		expect(message).toBe(`Agent: Update: ${status}`);
		expect(description).toMatch(fix);
	});

	test('a refusal without a code of the API may be that of a firewall', () => {
		for (const isOAuth of [false, true]) {
			const of = (said: object) => words(refused(403, said), { isOAuth }).description;
			expect(of({ message: 'Your IP address is not allowed' })).toMatch(/firewall or a proxy/);
			expect(of({ code: 'INSUFFICIENT_PERMISSIONS' })).not.toContain('firewall');
		}
	});

	test('an error about a key names no scopes, and one about a token no permissions', () => {
		expect(words(refused(403)).description).not.toContain('agents:write');
		expect(words(refused(403), { isOAuth: true }).description).not.toContain('READ_WRITE');
	});

	test('a list that is not found blames the path, and no ID', () => {
		const about = { isWithoutId: true };
		expect(words(refused(404), about).description).toBe(
			"The API has nothing under this path. Check the 'Base URL' of the credential: it ends in /v1.",
		);
	});

	test('the hint of an operation comes in place of the general one', () => {
		const hints = { 404: 'There is no active plan.' };
		expect(words(refused(404), { hints }).description).toBe('There is no active plan.');
		expect(words(refused(400), { hints }).description).toMatch(/refused the data/);
		// Some servers answer 422 instead of 400.
		const only400 = { hints: { 400: 'The campaign has ended.' } };
		expect(words(refused(422), only400).description).toBe('The campaign has ended.');
		expect(words(refused(409), only400).description).toMatch(/conflicts with what is stored/);
	});
});

describe('what the API said', () => {
	test.each<[said: object, message: string, details?: string]>([
		[{ code: 'INVALID_REQUEST', message: 'bad voice' }, '400 INVALID_REQUEST: bad voice'],
		[{ code: 'INVALID_REQUEST' }, '400 INVALID_REQUEST'],
		[{ message: 'bad voice' }, '400 bad voice'],
		[{}, '400'],
		[{ details: 'voice 7' }, '400', 'Details from the API: voice 7'],
		[{ details: ['a', '', 'b'] }, '400', 'Details from the API: a; b'],
		[
			{ details: [{ field: 'a', problem: 'b' }] },
			'400',
			'Details from the API: {"field":"a","problem":"b"}',
		],
		[{ details: { field: 'a' } }, '400', 'Details from the API: {"field":"a"}'],
		[
			{ details: [{ loc: ['body', 'phone'], msg: 'is no number' }, { message: 'and more' }] },
			'400',
			'Details from the API: body.phone: is no number; and more',
		],
		[{ details: [{ loc: ['a', { toString: 1 }], msg: 'b' }] }, '400', 'Details from the API: a: b'],
		[{ details: [7] }, '400', 'Details from the API: 7'],
		[{ details: '' }, '400'],
		[{ details: null }, '400'],
	])('%j', (said, message, details) => {
		const words_ = words(refused(400, said));
		expect(words_.message).toBe(`Agent: Update: ${message}`);
		if (details === undefined) expect(words_.description).not.toContain('Details');
		else expect(words_.description.endsWith(`. ${details}`)).toBe(true);
	});
});

describe('a failure without an answer, or with one that cannot be used', () => {
	test.each<[failure: Failure, message: RegExp, description: RegExp]>([
		[
			{ kind: 'connection', reason: 'connection reset', mayHaveActed: true },
			/no answer from the server \(connection reset\)/,
			/connection broke, and the request may have been sent\. .*may have been made.*before you run it again\.$/,
		],
		[
			{ kind: 'connection', reason: 'host not found', mayHaveActed: false },
			/no answer from the server \(host not found\)/,
			/Base URL.*changed nothing/,
		],
		[
			{ kind: 'connection', reason: 'timed out', mayHaveActed: true },
			/no answer from the server \(timed out\)/,
			/raise 'Timeout'.*may have been made/,
		],
		[
			{ kind: 'unsent', reason: 'The API Key must begin with yk_' },
			/: The API Key must begin with yk_$/,
			/was not sent\. Check the credential/,
		],
		[
			{ kind: 'unsent', reason: 'needs to be reconnected', fix: 'Open the credential' },
			/: needs to be reconnected$/,
			/^Open the credential$/,
		],
		[
			{ kind: 'nothing', status: 404 },
			/: nothing found$/,
			/^The API answered without a record\. There is no such record/,
		],
		[
			{ kind: 'malformed', status: 200, what: 'it is empty' },
			/could not be used: it is empty/,
			/status 200.*Base URL/,
		],
	])('%j', (failure, message, description) => {
		const words_ = words(failure);
		expect(words_.message).toMatch(message);
		expect(words_.message).toMatch(/^Agent: Update: /);
		expect(words_.description).toMatch(description);
	});

	test.each<[said: object, message: RegExp, description: RegExp]>([
		[{}, /busy \(status 429\)/, /due in 61 s.*longer than 60 s.*Send fewer items/],
		[
			{ code: 'LIMITED', message: 'plan used up', details: 'resets at noon' },
			/busy \(status 429 LIMITED: plan used up\)/,
			/Send fewer items.*Details from the API: resets at noon$/,
		],
	])('a rate limit that lasts longer than a request may wait: %j', (said, message, description) => {
		const words_ = words(refused(429, said), { wait });
		expect(words_.message).toMatch(message);
		expect(words_.description).toMatch(description);
	});
});

test('a proxy that echoes the request does not show its password', () => {
	const said = {
		message: 'CONNECT api.example:443 Proxy-Authorization: Basic cHVzZXI6c2VjcmV0 Host: x',
	};
	const { message } = explain(
		{ kind: 'answer', status: 502, ...said } as never,
		{
			about: { operation: 'A' } as never,
			isOAuth: false,
		} as never,
	);
	expect(message).toContain('Proxy-Authorization: [secret] Host: x');
});
