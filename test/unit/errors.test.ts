import { describe, expect, test } from 'vitest';
import { explain, type About, type Circumstances, type Failure } from '../../nodes/api/errors.ts';

const about: About = {
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

describe('what happened by each status, and what to do', () => {
	test.each<[status: number, oauth: boolean, happened: RegExp, fix: RegExp]>([
		[400, false, /refused the data/, /Correct the value/],
		[401, false, /API key was not accepted/, /yk_.*revoked/],
		[401, true, /access token was not accepted/, /Reconnect.*use an API key/],
		[403, false, /API key lacks a permission/, /needs READ_WRITE\./],
		[
			403,
			true,
			/access token may lack a scope: this operation needs the scope agents:write/,
			/API key works everywhere/,
		],
		[404, false, /no such record in this account/, /Check the ID/],
		[409, false, /conflicts with what is stored/, /changed in the meantime.*already in use/],
		[418, false, /refused the request/, /Correct what/],
		[429, false, /only so many requests/, /Send fewer items/],
		[302, false, /redirects to another address/, /key is not sent there.*Base URL/],
		[500, false, /could not complete/, /the change may have been made. Look at the record/],
		[503, false, /could not complete/, /the change may have been made. Look at the record/],
	])('%i, OAuth %s', (status, oauth, happened, fix) => {
		const { message, description } = words(refused(status), { isOAuth: oauth });
		expect(message).toMatch(happened);
		expect(message.endsWith(` (${status})`)).toBe(true);
		expect(description).toMatch(fix);
	});

	test('a refusal without a code of the API may be that of a firewall', () => {
		for (const isOAuth of [false, true]) {
			const of = (said: object) => words(refused(403, said), { isOAuth }).description;
			expect(of({ message: 'Your IP address is not allowed' })).toMatch(/firewall or a proxy/);
			expect(of({ code: 'INSUFFICIENT_PERMISSIONS' })).not.toContain('firewall');
		}
	});

	test('a list that is not found blames the path, and no ID', () => {
		const about = { isWithoutId: true };
		expect(words(refused(404), about)).toMatchObject({
			message: 'The API has nothing under this path (404)',
			description: "Check the 'Base URL' of the credential: it ends in /v1.",
		});
	});

	test('the hint of an operation comes in place of the general one', () => {
		const hints = { 404: 'There is no active plan.' };
		expect(words(refused(404), { hints }).message).toBe('There is no active plan (404)');
		expect(words(refused(400), { hints }).message).toMatch(/refused the data/);
		// Some servers answer 422 instead of 400.
		const only400 = { hints: { 400: 'The campaign has ended. Start another.' } };
		expect(words(refused(422), only400)).toMatchObject({
			message: 'The campaign has ended (422)',
			description: 'Start another.',
		});
		expect(words(refused(409), only400).message).toMatch(/conflicts with what is stored/);
	});
});

describe('what the API said', () => {
	test.each<[said: object, message: string, details?: string]>([
		[{ code: 'INVALID_REQUEST', message: 'bad voice' }, ': bad voice (400 INVALID_REQUEST)'],
		[{ code: 'INVALID_REQUEST' }, ' (400 INVALID_REQUEST)'],
		[{ message: 'bad voice' }, ': bad voice (400)'],
		[{}, ' (400)'],
		[{ details: 'voice 7' }, ' (400)', 'Details from the API: voice 7'],
		[{ details: ['a', '', 'b'] }, ' (400)', 'Details from the API: a; b'],
		[
			{ details: [{ field: 'a', problem: 'b' }] },
			' (400)',
			'Details from the API: {"field":"a","problem":"b"}',
		],
		[{ details: { field: 'a' } }, ' (400)', 'Details from the API: {"field":"a"}'],
		[
			{ details: [{ loc: ['body', 'phone'], msg: 'is no number' }, { message: 'and more' }] },
			' (400)',
			'Details from the API: body.phone: is no number; and more',
		],
		[{ details: null }, ' (400)'],
	])('%j', (said, message, details) => {
		const words_ = words(refused(400, said));
		expect(words_.message).toBe(`The API refused the data${message}`);
		if (details === undefined) expect(words_.description).not.toContain('Details');
		else expect(words_.description.endsWith(`. ${details}`)).toBe(true);
	});
});

test('what a plain code says is not said twice: the words of the API are among the details', () => {
	const said = { code: 'AUTHENTICATION_FAILED', message: 'the API key is missing or invalid' };
	expect(words(refused(401, said))).toMatchObject({
		message: 'The API key was not accepted (401 AUTHENTICATION_FAILED)',
		description: expect.stringMatching(/Details from the API: the API key is missing or invalid$/),
	});
});

describe('a failure without an answer, or with one that cannot be used', () => {
	test.each<[failure: Failure, message: RegExp, description: RegExp]>([
		[
			{ kind: 'connection', reason: 'connection reset', mayHaveActed: true },
			/No answer from the server \(connection reset\)/,
			/connection broke, and the request may have been sent\. .*may have been made.*before you run it again\.$/,
		],
		[
			{ kind: 'connection', reason: 'host not found', mayHaveActed: false },
			/No answer from the server \(host not found\)/,
			/Base URL.*changed nothing/,
		],
		[
			{ kind: 'connection', reason: 'timed out', mayHaveActed: true },
			/No answer from the server \(timed out\)/,
			/raise 'Timeout'.*may have been made/,
		],
		[
			{ kind: 'unsent', reason: 'The API Key must begin with yk_' },
			/^The API Key must begin with yk_$/,
			/was not sent\. Check the credential/,
		],
		[
			{ kind: 'unsent', reason: 'needs to be reconnected', fix: 'Open the credential' },
			/^needs to be reconnected$/,
			/^Open the credential$/,
		],
		[
			{ kind: 'nothing', status: 404 },
			/^There is no such record in this account \(nothing found\)$/,
			/^Check the ID/,
		],
		[
			{ kind: 'malformed', status: 200, what: 'it is empty' },
			/^The answer could not be used: it is empty \(200\)$/,
			/not the YK Voice API.*Base URL/,
		],
	])('%j', (failure, message, description) => {
		const words_ = words(failure);
		expect(words_.message).toMatch(message);
		expect(words_.description).toMatch(description);
	});

	test.each<[said: object, message: RegExp, description: RegExp]>([
		[{}, /^The server is busy \(429\)$/, /due in 61 s.*longer than 60 s.*Send fewer items/],
		[
			{ code: 'LIMITED', message: 'plan used up', details: 'resets at noon' },
			/^The server is busy: plan used up \(429 LIMITED\)$/,
			/Send fewer items.*Details from the API: resets at noon$/,
		],
	])('a rate limit that lasts longer than a request may wait: %j', (said, message, description) => {
		const words_ = words(refused(429, said), { wait });
		expect(words_.message).toMatch(message);
		expect(words_.description).toMatch(description);
	});
});
