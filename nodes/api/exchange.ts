import type { IExecuteFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { Stop } from '../semaphore';
import type { Account, NodeContext } from './account';
import {
	envelopeOf,
	failureOf,
	slashRedirect,
	type Asked,
	type Envelope,
	type HttpAnswer,
} from './answer';
import { MOST_BYTES, readBytes, type Stream } from './body';
import type { Failure } from './errors';
import { failureBehind, lost, NoAnswerError } from './noAnswer';
import { withEnd, type Limits } from './timeLimit';

export interface Request extends Asked {
	method: IHttpRequestMethods;
	/** Below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list becomes one parameter for each of its values. */
	query?: Record<string, unknown>;
	/** JSON, or a body that n8n's HTTP client can send. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Ends it, or keeps it from being sent. For reads only. */
	stop?: Stop;
}

type StreamedAnswer = HttpAnswer & { body: Stream };

type ReadAnswer = HttpAnswer & { body: Buffer };

export type Outcome = { envelope: Envelope; failure?: undefined } | { failure: Failure };

/**
 * Sends a request once, and again if a redirect only adds or removes the slash at the end. No text of a
 * failure holds a secret of the account.
 */
export async function exchange(
	context: NodeContext,
	account: Account,
	request: Request,
	limits: Limits,
): Promise<Outcome> {
	const { method } = request;
	const send = async (url: string) =>
		await withEnd(limits, async (signal) => {
			const options = optionsOf(request, url, limits.time.ms, signal);
			return await receive(await askN8n(context, account, options, signal));
		});
	const url = addressOf(account, request);
	try {
		const first = await send(url);
		const moved = slashRedirect(first, { method, url });
		return await outcomeOf(moved === undefined ? first : await send(moved), account, request);
	} catch (error) {
		// Whatever fails once a request is under way, the server may have acted.
		return {
			failure:
				error instanceof NoAnswerError ? error.failure : lost('the answer could not be read'),
		};
	}
}

function addressOf({ baseUrl }: Account, { path, query = {} }: Request): string {
	const pairs = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of [value].flat()) {
			if (each !== undefined && each !== null) pairs.append(name, String(each));
		}
	}
	return baseUrl + path + (pairs.size > 0 ? `?${pairs.toString()}` : '');
}

/** n8n hands an answer over as a stream, because it reads other answers without any limit of size or time. */
const optionsOf = (
	{ method, body, headers }: Request,
	url: string,
	timeout: number,
	signal: AbortSignal,
): IHttpRequestOptions => ({
	method,
	url,
	...bodyFor(body, headers),
	json: true,
	encoding: 'stream',
	timeout,
	abortSignal: signal,
	returnFullResponse: true,
	// If it threw a 401, n8n would send a request with an API key a second time, even a POST.
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
});

/**
 * JSON goes as text: of an object, n8n's HTTP client drops fields that are called `constructor`, `prototype` or
 * `__proto__`. An empty object is no body.
 */
function bodyFor(body: unknown, headers: Request['headers']): Partial<IHttpRequestOptions> {
	if (body instanceof FormData || body instanceof Blob) return { body: body as FormData, headers };
	if (body === undefined || Object.keys(body as object).length === 0) return { headers };
	return {
		body: JSON.stringify(body),
		headers: { 'Content-Type': 'application/json', ...headers },
	};
}

/**
 * Sends a request with n8n's helper, which adds the credential: the account's own fields, so that n8n does
 * not use those of another item. n8n takes the signal from the context and not from the options
 * (`requestOptions.abortSignal = this.getExecutionCancelSignal()` in `authentication.js` of n8n-core 2.41).
 *
 * @throws NoAnswerError if there is no answer. n8n's error is not handed on, because it may hold the key
 */
async function askN8n(
	context: NodeContext,
	{ authentication, credentialType, credential, conceal, readSecrets, mayRenewToken }: Account,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<StreamedAnswer> {
	const sending = Object.create(context) as IExecuteFunctions;
	sending.getExecutionCancelSignal = () => signal;
	if (mayRenewToken) sending.helpers = throwing401(context.helpers) as IExecuteFunctions['helpers'];
	const ask = context.helpers.httpRequestWithAuthentication;
	const answer: unknown = await ask
		.call(sending, credentialType, options, credential)
		.catch(async (error: unknown) => {
			await readSecrets();
			throw new NoAnswerError(failureBehind(error, authentication === 'oAuth2', conceal));
		});
	return answer as StreamedAnswer;
}

/**
 * The helpers for OAuth2: n8n renews the token if its request throws a 401. n8n 1.123 cannot be asked to throw
 * this status alone (`if (n8nRequest.ignoreHttpStatusErrors)` in its `request-helper-functions.js`).
 */
function throwing401(helpers: NodeContext['helpers']): NodeContext['helpers'] {
	const httpRequest = async (options: IHttpRequestOptions): Promise<HttpAnswer> => {
		const answer = (await helpers.httpRequest(options)) as HttpAnswer;
		if (answer.statusCode !== 401) return answer;
		throw Object.assign(new Error('The token was refused'), { response: { status: 401 } });
	};
	return Object.create(helpers, { httpRequest: { value: httpRequest } }) as typeof helpers;
}

/** The whole answer, or the beginning of one that refuses the request. */
async function receive({ statusCode, headers, body }: StreamedAnswer): Promise<ReadAnswer> {
	const { bytes, isWhole } = await readBytes(body, MOST_BYTES).catch(() => {
		throw new NoAnswerError(lost('answer cut off'));
	});
	if (isWhole || statusCode > 299) return { statusCode, headers, body: bytes };
	const what = `it is longer than ${MOST_BYTES / 2 ** 20} MB`;
	throw new NoAnswerError({ kind: 'malformed', status: statusCode, what });
}

/** What an answer means. Of a failure, all texts are read again without secrets, before they are cut. */
async function outcomeOf(
	{ statusCode, headers, body }: ReadAnswer,
	{ conceal, readSecrets }: Account,
	request: Request,
): Promise<Outcome> {
	const form = statusCode > 299 ? 'envelope' : request.answer;
	if (form === 'file') return { envelope: envelopeOf({ statusCode, headers, body }, form) };
	const text = body.toString();
	const parsed = (written: string) => (form === 'text' ? written : parseText(written, statusCode));
	const answer = { statusCode, headers, body: parsed(text) };
	if (failureOf(answer, request) === undefined) return { envelope: envelopeOf(answer, form) };
	await readSecrets();
	const told = Object.entries(headers).map(([name, value]) => [name, conceal(String(value))]);
	const concealed = { statusCode, headers: Object.fromEntries(told) as HttpAnswer['headers'] };
	return { failure: failureOf({ ...concealed, body: parsed(conceal(text)) }, request)! };
}

/**
 * What a JSON text holds, or the text itself if it is not JSON. A whole number that JavaScript would round, so
 * that two records could have the same ID, stays the text that it is.
 * @throws NoAnswerError if this Node.js rounds such a number: that of version 20 does
 */
function parseText(text: string, status: number): unknown {
	let isRounded = false;
	const exact = (_name: string, value: unknown, context?: { source?: string }): unknown => {
		if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
		isRounded ||= context?.source === undefined;
		return /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
	};
	let read: unknown = text;
	try {
		// Reading with a function takes longer, and only few answers need it.
		read = JSON.parse(text, /\d{16}/.test(text) ? exact : undefined) as unknown;
	} catch {
		// A text that is no JSON.
	}
	if (!isRounded) return read;
	const what = 'it has an ID of more than 15 digits, which n8n with Node.js 20 rounds';
	throw new NoAnswerError({ kind: 'malformed', status, what });
}
