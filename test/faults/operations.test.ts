import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { FaultKind } from '../emulator/index.ts';
import { changeAccount, emulator, run } from '../support/account.ts';
import { samplesFor } from '../support/samples.ts';
import { letWaitsPass } from '../support/sleep.ts';

/** A read, a change that may be sent twice, and one that may not. */
const OPERATIONS = { GET: 'call.getAll', PUT: 'contact.update', POST: 'campaign.start' };

type Method = keyof typeof OPERATIONS;

interface Row {
	/** What the emulator does. */
	fault: FaultKind;
	/** The requests that are sent again, and succeed. */
	mended: Method[];
	/** The error, if the fault stays. */
	message: RegExp;
	/** The requests that it harms, by default all. The reference does not show what a change answers. */
	harmed?: Method[];
}

const ALL: Method[] = ['GET', 'PUT', 'POST'];

const status = (code: number, rest: object = {}): FaultKind => ({
	kind: 'status',
	status: code,
	...rest,
});

const broken = (kind: 'reset-before' | 'reset-after' | 'half-body'): Row => ({
	fault: { kind },
	mended: ['GET', 'PUT'],
	message: /No answer from the server \((connection reset|connection closed|answer cut)/,
});

// What each status and each answer means, and what the user is told: unit/retry, unit/errors, unit/answer. That no
// operation sends a POST or PATCH twice: promises/callOnce.
const FAULTS: Readonly<Record<string, Row>> = {
	'the rate limit': {
		fault: status(429),
		mended: ALL,
		message: /The server is busy: .+ \(429 HTTP_429\)/,
	},
	'a server that is busy': {
		fault: status(503, { retryAfter: '0.05' }),
		mended: ['GET', 'PUT'],
		message: /\(503 HTTP_503\)/,
	},
	'a server that fails': {
		fault: status(500),
		mended: [],
		message: /: a fault \(500 HTTP_500\)/,
	},
	'a connection that breaks before the request is handled': broken('reset-before'),
	'a connection that breaks after it': broken('reset-after'),
	'half an answer': broken('half-body'),
	'a page': {
		fault: { kind: 'html' },
		mended: [],
		message: /it is not JSON but "<!doctype html>.*text\/html/,
	},
	'an empty answer': {
		fault: status(200, { body: '' }),
		mended: [],
		message: /it is empty/,
		harmed: ['GET'],
	},
	'data that is text': {
		fault: { kind: 'wrong-data' },
		mended: [],
		message: /is neither a record nor a list/,
		harmed: ['GET'],
	},
	'a refusal behind a 200': {
		fault: { kind: 'ok-false' },
		mended: [],
		message: /behind a 200 \(200 INVALID_REQUEST\)/,
	},
};

beforeEach(letWaitsPass);
afterEach(async () => await emulator.close());

describe.each(Object.entries(FAULTS))('%s', (_what, { fault, mended, message, harmed = ALL }) => {
	it.each(ALL)('met by a %s', async (method) => {
		/** Runs the operation, whose requests with this method meet the fault so many times. */
		const meet = async (times: number) => {
			await changeAccount({ data: 'small' });
			const match = (request: { method: string }) => request.method === method;
			emulator.faults.add({ ...fault, times, match });
			const { parameters, check } = samplesFor(emulator)[OPERATIONS[method]]!;
			return { ...(await run(OPERATIONS[method], parameters)), check };
		};
		if (mended.includes(method)) {
			const { error, json, check } = await meet(1);
			expect(error?.message).toBeUndefined();
			check(json, emulator);
		}
		const { error, json } = await meet(Infinity);
		if (harmed.includes(method)) expect(error?.message).toMatch(message);
		else expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(harmed.includes(method) ? 0 : 1);
		const sent = emulator.requests.filter((request) => request.method === method);
		expect(sent.length > 1, 'whether it is sent again').toBe(mended.includes(method));
	});
});
