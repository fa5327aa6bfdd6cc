import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { FaultKind, LoggedRequest } from '../emulator/index.ts';

/** What happens to a request that meets the fault once. */
export type Outcome =
	/** It is sent again and succeeds. */
	| 'mended'
	/** It ends in an error. */
	| 'failed'
	/** The fault changes nothing. */
	| 'unharmed'
	/** Mended or failed: the system may not know that nothing was sent. */
	| 'either'
	/** It succeeds, but the answer does not show the record. */
	| 'untold';

export interface FaultCase {
	name: string;
	/** What the emulator does. */
	fault: FaultKind;
	/** By what a request does: GET reads, PUT and DELETE may be sent twice, POST and PATCH may not. */
	once: { read: Outcome; twice: Outcome; never: Outcome };
	/** The error, if the fault stays. */
	message: RegExp;
	fix: RegExp;
	/** What the error of a change says in addition. */
	doubt?: RegExp;
	/** Request options that make the test faster. */
	options?: INodeParameters;
	/** The envelope says success, but its data is wrong. */
	isContent?: true;
	/** The answer may have been lost after the change was made. */
	isLoss?: true;
	/** A variant of another line. Only the full form of the tests tries it. */
	isVariant?: boolean;
}

const all = (outcome: Outcome) => ({ read: outcome, twice: outcome, never: outcome });

const MENDED = all('mended');
const FAILED = all('failed');
/** POST and PATCH are not sent again. */
const CAREFUL = { read: 'mended', twice: 'mended', never: 'failed' } as const;

const CHECK_CHANGE = /took effect before you|may have been made/;
const MAX_WAIT = /than the 'Max Wait' of 0(\.\d)? s.*Raise 'Max Wait' in 'Request Options'/;

const busy = (status: number, retryAfter: string): FaultCase => ({
	name: String(status),
	fault: { kind: 'status', status, retryAfter },
	once: CAREFUL,
	message: new RegExp(`\\(${status} HTTP_${status}\\)$`),
	fix: new RegExp(
		`${CHECK_CHANGE.source}|${MAX_WAIT.source}|Try again later|This is not a refusal`,
	),
});

const lost = (rest: Pick<FaultCase, 'name' | 'fault' | 'options'>): FaultCase => ({
	...rest,
	once: CAREFUL,
	message:
		/No answer from the server \((connection reset|connection closed|answer cut off|timed out)\)/,
	fix: /The connection broke(, and the request may have been sent)?\.|may have been made/,
	isLoss: true,
});

const unusable = (name: string, fault: FaultKind, message: RegExp): FaultCase => ({
	name,
	fault,
	once: FAILED,
	message,
	fix: /is not the YK Voice API.*Base URL/,
	doubt: /may have been made/,
	isLoss: true,
});

/** The reference does not show what a change answers, so a change succeeds whatever data the answer has. */
const unfit = (...given: Parameters<typeof unusable>): FaultCase => ({
	...unusable(...given),
	once: { read: 'failed', twice: 'untold', never: 'untold' },
	isContent: true,
});

const past = new Date(Date.now() - 60_000).toUTCString();
const envelope = (data: unknown) => ({ ok: true, data, meta: null, error: null });

const FOREIGN = 'http://localhost:1/v1/stolen';

/** The advice of an error. For a read it says nothing about changes. */
export function expectAdvice(
	description: string | null | undefined,
	{ fix, doubt }: FaultCase,
	isRead: boolean,
): void {
	expect(description).toMatch(fix);
	if (isRead) expect(description).not.toMatch(CHECK_CHANGE);
	else if (doubt !== undefined) expect(description).toMatch(doubt);
}

/** Every way in which the network and the API fail. */
export const FAULTS: FaultCase[] = [
	...(['0.05', past, undefined] as const).map((retryAfter): FaultCase => ({
		name: `429 ${retryAfter === undefined ? 'without Retry-After' : `with Retry-After ${retryAfter === past ? 'as a date' : 'in seconds'}`}`,
		fault: { kind: 'status', status: 429, retryAfter },
		once: MENDED,
		message: /The server is busy: .+ \(429 HTTP_429\)/,
		fix: MAX_WAIT,
	})),
	{
		name: '500',
		fault: { kind: 'status', status: 500 },
		once: FAILED,
		message: /: a fault \(500 HTTP_500\)/,
		fix: /Try again later|may have been made/,
	},
	busy(502, '0.05'),
	busy(503, '0.05'),
	busy(504, '0.05'),
	lost({ name: 'reset before it was handled', fault: { kind: 'reset-before' } }),
	lost({ name: 'reset after it was handled', fault: { kind: 'reset-after' } }),
	lost({ name: 'timeout', fault: { kind: 'hang' }, options: { timeout: 3 } }),
	lost({ name: 'half a body', fault: { kind: 'half-body' } }),
	unusable('HTML with 200', { kind: 'html' }, /it is not JSON but "<!doctype html>.*text\/html/),
	unusable('JSON that is no envelope', { kind: 'not-envelope' }, /it has no field "ok"/),
	unfit('no data', { kind: 'no-data' }, /it has no field "data"/),
	unfit('data that is text', { kind: 'wrong-data' }, /its data is neither a record nor a list/),
	unfit(
		'data that is a number',
		{ kind: 'status', status: 200, body: envelope(7) },
		/its data is neither a record nor a list/,
	),
	unusable(
		'a JSON list with 200',
		{ kind: 'status', status: 200, body: [1, 2] },
		/it is not a JSON object/,
	),
	unfit('an empty body', { kind: 'status', status: 200, body: '' }, /it is empty/),
	{
		name: 'ok:false with 200',
		fault: { kind: 'ok-false' },
		once: FAILED,
		message: /refused the request: refused behind a 200 \(200 INVALID_REQUEST\)/,
		fix: /Correct what the message names.*Details from the API: a fault/,
	},
	{ name: 'no meta', fault: { kind: 'no-meta' }, once: all('unharmed'), message: /$^/, fix: /$^/ },
	...[-1, 0, 1, 7, 1_000_000].map((total): FaultCase => ({
		name: `meta that says ${total}`,
		isVariant: total !== 0,
		fault: { kind: 'lying-meta', total },
		once: all('unharmed'),
		message: /$^/,
		fix: /$^/,
	})),
	...[301, 302, 303, 307, 308].map((status): FaultCase => ({
		name: `redirect ${status} to another origin`,
		isVariant: status !== 307,
		fault: { kind: 'redirect', status, location: FOREIGN },
		once: FAILED,
		message: new RegExp(`redirects to another address: .+ \\(${status}\\)`),
		fix: /The key is not sent there\. Set the 'Base URL' of the credential/,
	})),
	{
		name: '401 in mid-run',
		fault: { kind: 'unauthorized' },
		once: FAILED,
		message: /The API key was not accepted \(401 AUTHENTICATION_FAILED\)/,
		fix: /Check the key in the credential.*the API key was revoked/,
	},
	{
		name: '403 in mid-run',
		fault: { kind: 'status', status: 403, code: 'INSUFFICIENT_PERMISSIONS' },
		once: FAILED,
		message: /lacks a permission \(403 INSUFFICIENT_PERMISSIONS\)/,
		fix: /This operation needs (READ|WRITE)/,
	},
];

/** Whether a request reads, and if not, whether it may be sent twice. */
export function kindOf({ method }: Pick<LoggedRequest, 'method'>): keyof FaultCase['once'] {
	if (method === 'GET') return 'read';
	return method === 'POST' || method === 'PATCH' ? 'never' : 'twice';
}

/** The short form of the tests: a list with further requests, and each kind of write, one after a read. */
export const REPRESENTATIVE = ['agent.update', 'call.getAll', 'campaign.start', 'contact.update'];
