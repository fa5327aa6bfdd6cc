import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator, type FaultKind, type LoggedRequest } from '../emulator/index.ts';
import { credentials, run } from '../support/account.ts';
import { operations } from '../support/description.ts';
import type { NodeResult } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';
import { letWaitsPass } from '../support/sleep.ts';

/** What becomes of a request that meets a fault once. */
type Outcome =
	/** It is sent again and succeeds. */
	| 'mended'
	/** It ends in an error. */
	| 'failed'
	/** The fault changes nothing. */
	| 'unharmed'
	/** It succeeds, but the answer does not show the record. */
	| 'untold';

interface Row {
	name: string;
	/** What the emulator does. */
	fault: FaultKind;
	/** By what a request does: GET reads, PUT and DELETE may be sent twice, POST and PATCH may not. */
	once: Record<'read' | 'twice' | 'never', Outcome>;
	/** The error, if the fault stays. */
	message: RegExp;
	/** What the user is told to do. */
	advice: RegExp;
}

const each = (read: Outcome, twice = read, never = twice) => ({ read, twice, never });

const MENDED = each('mended');
const FAILED = each('failed');
const CAREFUL = each('mended', 'mended', 'failed');
/** The reference does not show what a change answers, so a change succeeds whatever data it has. */
const READ_ONLY = each('failed', 'untold');

const NO_API = /is not the YK Voice API.*Base URL|may have been made/;
const LOST = /No answer from the server \((connection reset|connection closed|answer cut off)\)/;
const BROKE = /^The connection broke|may have been made/;
const WAIT =
	/longer than 120 s.*Send fewer items|Try again later|This is not a refusal|may have been made/;

const status = (code: number, rest: object = {}): FaultKind => ({
	kind: 'status',
	status: code,
	...rest,
});

// What each status and each answer means by itself: unit/retry, unit/errors, unit/answer.
const FAULTS = (
	[
		['429', status(429), MENDED, /The server is busy: .+ \(429 HTTP_429\)/, WAIT],
		['503', status(503, { retryAfter: '0.05' }), CAREFUL, /\(503 HTTP_503\)$/, WAIT],
		[
			'500',
			status(500),
			FAILED,
			/: a fault \(500 HTTP_500\)/,
			/Try again later|may have been made/,
		],
		[
			'a connection that breaks before the request is handled',
			{ kind: 'reset-before' },
			CAREFUL,
			LOST,
			BROKE,
		],
		['a connection that breaks after it', { kind: 'reset-after' }, CAREFUL, LOST, BROKE],
		['half an answer', { kind: 'half-body' }, CAREFUL, LOST, BROKE],
		['a page', { kind: 'html' }, FAILED, /it is not JSON but "<!doctype html>.*text\/html/, NO_API],
		['JSON that is no envelope', { kind: 'not-envelope' }, FAILED, /it has no field "ok"/, NO_API],
		['no data', { kind: 'no-data' }, READ_ONLY, /it has no field "data"/, NO_API],
		[
			'data that is text',
			{ kind: 'wrong-data' },
			READ_ONLY,
			/is neither a record nor a list/,
			NO_API,
		],
		[
			'data of another shape',
			{ kind: 'other-shape' },
			READ_ONLY,
			/holds no record|is not a (list of records|record)/,
			NO_API,
		],
		['an empty answer', status(200, { body: '' }), READ_ONLY, /it is empty/, NO_API],
		[
			'ok: false',
			{ kind: 'ok-false' },
			FAILED,
			/refused behind a 200 \(200 INVALID_REQUEST\)/,
			/Correct what the message names/,
		],
		[
			'a redirect to another server',
			{ kind: 'status', status: 307, location: 'http://localhost:1/v1/x' },
			FAILED,
			/redirects to another address: .+ \(307\)/,
			/The key is not sent there/,
		],
		[
			'a revoked key',
			{ kind: 'status', status: 401 },
			FAILED,
			/was not accepted \(401 AUTHENTICATION_FAILED\)/,
			/Check the key in the credential/,
		],
		[
			'a missing permission',
			status(403, { code: 'INSUFFICIENT_PERMISSIONS' }),
			FAILED,
			/lacks a permission \(403 /,
			/This operation needs (READ|WRITE)/,
		],
	] as Array<[string, FaultKind, Row['once'], RegExp, RegExp]>
).map(([name, fault, once, message, advice]): Row => ({ name, fault, once, message, advice }));

/** A list with further requests, and each kind of write, one after a read. The long form tries all. */
const FEW = ['agent.update', 'call.getAll', 'campaign.start', 'contact.update'];

const kindOf = ({ method }: LoggedRequest): keyof Row['once'] => {
	if (method === 'GET') return 'read';
	return method === 'POST' || method === 'PATCH' ? 'never' : 'twice';
};

/** Runs an operation. The requests from number `from` on meet the fault, so many of them. */
async function trial(name: string, fault?: FaultKind, from = 0, times = 1) {
	const emulator = await startEmulator({ data: 'small' });
	const sample = samplesFor(emulator)[name]!;
	if (fault) emulator.faults.add({ ...fault, skip: from, times });
	const given = { credentials: credentials(emulator.keys.all, emulator.url) };
	const result = await run(name, sample.parameters, sample.items, given);
	await emulator.close();
	return { result, emulator, check: () => sample.check(result.json, emulator) };
}

/** The requests that meet the fault: the first, the first that writes, and the last. */
const strikes = (requests: LoggedRequest[]) => {
	const write = requests.findIndex(({ method }) => method !== 'GET');
	return [...new Set([0, write, requests.length - 1])].filter((at) => at >= 0);
};

/** What becomes of a run in which this request meets the fault. Undefined: that depends. */
function outcomeOf(
	{ fault, once }: Row,
	name: string,
	request: LoggedRequest,
): Outcome | undefined {
	const isContent = once === READ_ONLY;
	// A refusal has no data.
	if (request.status >= 400 && isContent && fault.kind !== 'status') return 'unharmed';
	// A call may have no summary and no transcript, and a health check may answer anything.
	if (isContent && /\/(summary|transcript|health)$/.test(request.path)) return 'untold';
	const isFree = ['apiRequest.send', 'call.getAll', 'call.getStatistics', 'event.getAll'];
	if (fault.kind === 'other-shape' && isFree.includes(name)) return undefined;
	return once[kindOf(request)];
}

/** No POST or PATCH was handled twice. Whether it was sent twice: promises/callOnce. */
function expectNotRepeated(requests: LoggedRequest[], planned: LoggedRequest[]): void {
	const signature = ({ method, path, query, body }: LoggedRequest) =>
		JSON.stringify([method, path, query, body]);
	const count = (among: LoggedRequest[], of: LoggedRequest) =>
		among.filter((request) => signature(request) === signature(of)).length;
	const handled = requests.filter((request) => request.handled && kindOf(request) === 'never');
	for (const request of handled)
		expect(count(handled, request)).toBeLessThanOrEqual(Math.max(1, count(planned, request)));
}

/** A test call tells in its item what went wrong: nothing fails after a call. */
const tells = (name: string, { error, json, hints }: NodeResult, { message }: Row) => {
	if (name !== 'playground.makeTestCall' || error !== undefined) return false;
	return message.test(JSON.stringify([json, hints]).replaceAll('\\"', '"').replaceAll('‹', '<'));
};

function expectError({ error, json }: NodeResult, row: Row, request: LoggedRequest): void {
	expect(json).toEqual([]);
	expect(error?.name).toBe('NodeApiError');
	expect(error?.message).toMatch(row.message);
	expect(error?.description).toMatch(row.advice);
	if (kindOf(request) === 'read')
		expect(error?.description).not.toMatch(/change may have been made/);
}

let endWaits: () => void;
beforeAll(() => void (endWaits = letWaitsPass()));
afterAll(() => endWaits());

describe.concurrent.each(process.env.WEEKLY ? operations : FEW)('%s', (name) => {
	const plan = trial(name);

	it.each(FAULTS.map((row) => [row.name, row] as const))('meets %s', async (_name, row) => {
		const { result: usual, emulator: calm } = await plan;
		expect(usual.error).toBeUndefined();
		const planned = calm.requests;
		for (const from of strikes(planned)) {
			const outcome = outcomeOf(row, name, planned[from]!);
			const { result, emulator, check } = await trial(name, row.fault, from);
			expectNotRepeated(emulator.requests, planned);
			if (outcome === undefined || tells(name, result, row)) continue;
			if (outcome === 'failed') expectError(result, row, planned[from]!);
			else {
				expect(result.error?.message).toBeUndefined();
				if (outcome === 'untold') expect(result.json.length).toBeGreaterThan(0);
				else check();
			}
			if (outcome !== 'mended') continue;
			const forGood = await trial(name, row.fault, from, Infinity);
			expectNotRepeated(forGood.emulator.requests, planned);
			if (!tells(name, forGood.result, row)) expectError(forGood.result, row, planned[from]!);
		}
	});
});
