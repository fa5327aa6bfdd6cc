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
const WAIT =
	/longer than 120 s.*Send fewer items|Try again later|This is not a refusal|may have been made/;
const LOST = /No answer from the server \((connection reset|connection closed|answer cut off)\)/;

const row = (fault: FaultKind, once: Row['once'], message: RegExp, advice: RegExp): Row => ({
	fault,
	once,
	message,
	advice,
});
const broken = (kind: 'reset-before' | 'reset-after' | 'half-body') =>
	row({ kind }, CAREFUL, LOST, /^The connection broke|may have been made/);
const status = (code: number, rest: object = {}): FaultKind => ({
	kind: 'status',
	status: code,
	...rest,
});

// What each status and each answer means by itself: unit/retry, unit/errors, unit/answer. Keys and permissions:
// contract/reference. Redirects: promises/keyStaysHome. That no POST or PATCH is sent twice: promises/callOnce.
// A list without a right total: unit/pages.
const FAULTS: Readonly<Record<string, Row>> = {
	'the rate limit': row(status(429), MENDED, /The server is busy: .+ \(429 HTTP_429\)/, WAIT),
	'a server that is busy': row(
		status(503, { retryAfter: '0.05' }),
		CAREFUL,
		/\(503 HTTP_503\)/,
		WAIT,
	),
	'a server that fails': row(
		status(500),
		FAILED,
		/: a fault \(500 HTTP_500\)/,
		/Try again later|may have been made/,
	),
	'a connection that breaks before the request is handled': broken('reset-before'),
	'a connection that breaks after it': broken('reset-after'),
	'half an answer': broken('half-body'),
	'a page': row(
		{ kind: 'html' },
		FAILED,
		/it is not JSON but "<!doctype html>.*text\/html/,
		NO_API,
	),
	'an empty answer': row(status(200, { body: '' }), READ_ONLY, /it is empty/, NO_API),
	'data that is text': row(
		{ kind: 'wrong-data' },
		READ_ONLY,
		/is neither a record nor a list/,
		NO_API,
	),
	'data of another shape': row(
		{ kind: 'other-shape' },
		READ_ONLY,
		/holds no record|is not a (list of records|record)/,
		NO_API,
	),
	'a refusal behind a 200': row(
		{ kind: 'ok-false' },
		FAILED,
		/refused behind a 200 \(200 INVALID_REQUEST\)/,
		/Correct what the message names|^Details from the API: a fault$/,
	),
};

/** A list with further requests, and each kind of write, one after a read. With WEEKLY=1: all operations. */
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
	const isFree = /^(apiRequest|health|call\.get(All|Statistics)|event\.getAll|report)/.test(name);
	if (fault.kind === 'other-shape' && isFree) return undefined;
	// A call may have no summary and no transcript, and a health check may answer anything, also nothing.
	if (isContent && /\/(summary|transcript|health)$/.test(request.path)) return 'untold';
	return once[kindOf(request)];
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

describe.concurrent.each(process.env.WEEKLY ? operations : FEW)('the operation %s', (name) => {
	const plan = trial(name);

	it.each(Object.entries(FAULTS))('meets %s', async (_name, row) => {
		const { result: usual, emulator: calm } = await plan;
		expect(usual.error).toBeUndefined();
		const planned = calm.requests;
		for (const from of strikes(planned)) {
			const outcome = outcomeOf(row, name, planned[from]!);
			const { result, check } = await trial(name, row.fault, from);
			if (outcome === undefined || tells(name, result, row)) continue;
			if (outcome === 'failed') expectError(result, row, planned[from]!);
			else {
				expect(result.error?.message).toBeUndefined();
				if (outcome === 'untold') expect(result.json.length).toBeGreaterThan(0);
				else check();
			}
			if (outcome !== 'mended') continue;
			const forGood = await trial(name, row.fault, from, Infinity);
			if (!tells(name, forGood.result, row)) expectError(forGood.result, row, planned[from]!);
		}
	});
});
