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
	/** The requests that it harms. The reference does not show what a change answers. */
	harmed: Method[];
	/** The error, if the fault stays. */
	message: RegExp;
}

const ALL: Method[] = ['GET', 'PUT', 'POST'];
const TWICE: Method[] = ['GET', 'PUT'];
const READ: Method[] = ['GET'];

const row = (fault: FaultKind, mended: Method[], message: RegExp, harmed = ALL): Row => ({
	fault,
	mended,
	message,
	harmed,
});

const broken = (kind: 'reset-before' | 'reset-after' | 'half-body') =>
	row(
		{ kind },
		TWICE,
		/No answer from the server \((connection reset|connection closed|answer cut)/,
	);

const status = (code: number, rest: object = {}): FaultKind => ({
	kind: 'status',
	status: code,
	...rest,
});

// What each status and each answer means, and what the user is told: unit/retry, unit/errors, unit/answer. That no
// operation sends a POST or PATCH twice: promises/callOnce.
const FAULTS: Readonly<Record<string, Row>> = {
	'the rate limit': row(status(429), ALL, /The server is busy: .+ \(429 HTTP_429\)/),
	'a server that is busy': row(status(503, { retryAfter: '0.05' }), TWICE, /\(503 HTTP_503\)/),
	'a server that fails': row(status(500), [], /: a fault \(500 HTTP_500\)/),
	'a connection that breaks before the request is handled': broken('reset-before'),
	'a connection that breaks after it': broken('reset-after'),
	'half an answer': broken('half-body'),
	'a page': row({ kind: 'html' }, [], /it is not JSON but "<!doctype html>.*text\/html/),
	'an empty answer': row(status(200, { body: '' }), [], /it is empty/, READ),
	'data that is text': row({ kind: 'wrong-data' }, [], /is neither a record nor a list/, READ),
	'a refusal behind a 200': row({ kind: 'ok-false' }, [], /behind a 200 \(200 INVALID_REQUEST\)/),
};

beforeEach(letWaitsPass);
afterEach(async () => await emulator.close());

describe.each(Object.entries(FAULTS))('%s', (_what, { fault, mended, harmed, message }) => {
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
	});
});
