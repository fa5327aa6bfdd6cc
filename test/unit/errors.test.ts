import { describe, expect, test } from 'vitest';
import { explain, type About, type Circumstances, type Failure } from '../../nodes/api/errors.ts';
import { failureBehind } from '../../nodes/api/noAnswer.ts';

const about: About = {
	permission: 'READ_WRITE',
	scope: 'agents:write',
	hasItems: true,
	hasTimeout: true,
};

/** What differs from the usual, of the operation or of the request. */
type Given = Partial<About & Circumstances>;

/** The words for a failure: what happened, a dash, and what to do. */
function words(
	failure: Failure,
	{ isOAuth = false, isRead, mayHaveActed, wait, ...rest }: Given = {},
): string {
	const circumstances = { about: { ...about, ...rest }, isOAuth, isRead, mayHaveActed, wait };
	const { message, description } = explain(failure, circumstances);
	return `${message} — ${description}`;
}

const refused = (status: number, said: object = {}): Failure => ({
	kind: 'answer',
	status,
	...said,
});
const unanswered = (reason: string, mayHaveActed = true): Failure => ({
	kind: 'connection',
	reason,
	mayHaveActed,
});
const EMPTY: Failure = { kind: 'malformed', status: 200, what: 'it is empty' };

const OAUTH = { isOAuth: true };
/** The server asks for more than a request may wait. */
const wait = { ms: 61_000, mostMs: 60_000 };

/** As n8n throws it. */
const certificate = { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } };

describe('an error says what happened and what to do', () => {
	test.each<[what: string, failure: Failure, said: RegExp, given?: Given]>([
		['wrong data', refused(400), /refused the data \(400\) — .*Correct the value/],
		['a wrong key', refused(401), /API key was not accepted \(401\) — .*yk_.*revoked/],
		['a wrong token', refused(401), /token was not accepted .*Reconnect.*use an API key/, OAUTH],
		[
			'a permission',
			refused(403),
			/API key is missing a permission \(403\) — .*needs READ_WRITE\./,
		],
		[
			'a scope',
			refused(403),
			/token may lack a scope: this operation needs the scope agents:write .*key works everywhere/,
			OAUTH,
		],
		['a wrong ID', refused(404), /no such record in this account \(404\) — Check the ID/],
		['a conflict', refused(409), /conflicts with.* \(409\) — .*in the meantime.*already in use/],
		['any other refusal', refused(418), /refused the request \(418\) — Correct what/],
		['too many requests', refused(429), /only so many requests.* \(429\) — Send fewer items/],
		['a redirect', refused(302), /redirects to another .* \(302\) — .*not sent there.*Base URL/],
		['a broken server', refused(500), /could not complete.* \(500\) — .*may have been made\. Look/],
		['a busy server', refused(503), /could not complete.* \(503\) — .*may have been made\. Look/],
		[
			'a lost answer',
			unanswered('connection reset'),
			/^No answer from the server \(connection reset\) — .*may have been sent\. .*may have been made.*before you run it again\.$/,
		],
		[
			'a server that is not there',
			unanswered('host not found', false),
			/\(host not found\) — .*Base URL.*can reach it/,
		],
		[
			'a certificate that is not trusted',
			failureBehind(certificate, false, String),
			/^No answer from the server \(its certificate is not trusted\) — .*NODE_EXTRA_CA_CERTS/,
		],
		['a timeout', unanswered('timed out'), /\(timed out\) — .*raise 'Timeout'.*may have been made/],
		[
			'a request that cannot be sent',
			{ kind: 'unsent', reason: 'The API Key must begin with yk_' },
			/^The API Key must begin with yk_ — .*was not sent\. Check the credential/,
		],
		[
			'a request that cannot be sent, and n8n knows why',
			{ kind: 'unsent', reason: 'needs to be reconnected', fix: 'Open the credential' },
			/^needs to be reconnected — Open the credential$/,
		],
		[
			'a success without a record',
			{ kind: 'nothing', status: 404 },
			/^There is no such record in this account \(nothing found\) — Check the ID/,
		],
		[
			'an answer of something else',
			EMPTY,
			/^The answer could not be used: it is empty \(200\) — .*not the YK Voice API.*Base URL/,
		],
		[
			'a rate limit that lasts too long',
			refused(429),
			/^The server is busy \(429\) — .*due in 61 s.*longer than 60 s.*Send fewer items/,
			{ wait },
		],
		[
			'the same, in the words of the API',
			refused(429, { code: 'LIMITED', message: 'plan used up', details: 'resets at noon' }),
			/^The server is busy: plan used up \(429 LIMITED\) — .*Details from the API: resets at noon$/,
			{ wait },
		],
		[
			'a list that is not there: no ID is wrong, but the path',
			refused(404),
			/^The API has nothing under this path \(404\) — Check the 'Base URL'.* ends in \/v1\.$/,
			{ isWithoutId: true },
		],
	])('of %s', (_what, failure, said, given) => {
		expect(words(failure, given)).toMatch(said);
	});

	test.each<[what: string, failure: Failure, given?: Given]>([
		['a rate limit', refused(429)],
		['one that lasts too long', refused(429), { wait }],
		['a timeout', unanswered('timed out')],
	])('of %s to a trigger, which has no items and no Timeout', (_what, failure, given) => {
		const said = words(failure, { ...given, isRead: true, hasItems: false });
		expect(said).toMatch(/Try again later\. A trigger does so by itself, with its next poll\.$/);
		expect(said).not.toMatch(/Timeout|fewer items/);
	});

	test('with the hint of an operation in place of the general one', () => {
		const hints = { 400: 'The campaign has ended. Start another.', 404: 'No plan is active.' };
		expect(words(refused(404), { hints })).toMatch(/^No plan is active \(404\)/);
		expect(words(refused(400), { hints })).toBe('The campaign has ended (400) — Start another.');
		expect(words(refused(409), { hints })).toMatch(/conflicts with what is stored/);
	});
});

describe('whether a change may have been made', () => {
	const earlier = /— An earlier try .* change may have been made\. Look at the record/;

	test.each<[failure: Failure, given?: Given]>([
		[refused(404)],
		[refused(409)],
		[refused(400, { message: 'no such number' })],
		[unanswered('connection refused', false)],
		[refused(429), { wait }],
	])('by an earlier try is said: %j', (failure, given) => {
		expect(words(failure, { ...given, mayHaveActed: true })).toMatch(earlier);
		expect(words(failure, given)).not.toMatch(earlier);
	});

	test.each([
		...[500, 503, 302, 303].map((status) => refused(status)),
		unanswered('connection reset'),
		EMPTY,
	])('is said once if this try may have made it, and not of a read: %j', (failure) => {
		expect(words(failure, { mayHaveActed: true })).toBe(words(failure));
		expect(words(failure)).toMatch(/the change may have been made/);
		const advice = words(failure, { isRead: true });
		expect(advice).not.toMatch(/may have been made/);
		expect(advice).toMatch(/Try again later\.$|of the credential\.$|'API Request'\.$/);
	});
});

describe('what the API said', () => {
	test.each<[said: object, title: string, details?: string]>([
		[{ code: 'INVALID_REQUEST', message: 'bad voice' }, ': bad voice (400 INVALID_REQUEST)'],
		[{ message: 'bad voice' }, ': bad voice (400)'],
		[{ details: null }, ' (400)'],
		[{ details: 'voice 7' }, ' (400)', 'voice 7'],
		[{ details: ['a', '', 'b'] }, ' (400)', 'a; b'],
		[{ details: { phone: 'is no number' } }, ' (400)', '{"phone":"is no number"}'],
	])('stands in the error: %j', (said, title, details) => {
		const advice = 'Correct the value named above and run again.';
		const more = details === undefined ? '' : ` Details from the API: ${details}`;
		const whole = `The API refused the data${title} — ${advice}${more}`;
		expect(words(refused(400, said))).toBe(whole);
	});

	test('stands among the details if its code says what the title says', () => {
		const said = { code: 'AUTHENTICATION_FAILED', message: 'the API key is missing' };
		expect(words(refused(401, said))).toMatch(
			/^The API key was not accepted \(401 AUTHENTICATION_FAILED\) — .*Details from the API: the API key is missing$/,
		);
	});
});
