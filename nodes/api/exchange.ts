import type {
	IAdditionalCredentialOptions,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Account, NodeContext } from './account';
import {
	envelopeOf,
	failureOf,
	slashRedirect,
	type AnswerForm,
	type Asked,
	type Envelope,
	type HttpAnswer,
} from './answer';
import { isStream, MOST, parseText, readBytes } from './body';
import { TIMED_OUT, type Failure } from './errors';
import { answerIn, endOf, lost, NoAnswerError, type Seen } from './noAnswer';

/** A request to the API, without the base URL and the credential. */
export interface Request extends Asked {
	method: IHttpRequestMethods;
	/** Path below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list becomes one parameter for each of its values. */
	query?: Record<string, unknown>;
	/** JSON, or a body that n8n's HTTP client can send. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Ends it, or keeps it from being sent. For reads only. */
	signal?: AbortSignal;
}

/** What became of a request that was sent once. */
export type Outcome = { envelope: Envelope; failure?: undefined } | { failure: Failure };

/** When a request must end, whatever n8n and the server do. */
export interface Limits {
	/** Time from the start of the request to the end of its answer, in ms. */
	timeout: number;
	/** Ends it at once. */
	stopped: AbortSignal;
}

/**
 * Sends a request once, and again if a redirect only adds or removes the slash at the end.
 * @throws NodeOperationError if its path leads out of the API; nothing is sent then
 */
export async function exchange(
	context: NodeContext,
	account: Account,
	request: Request,
	limits: Limits,
): Promise<Outcome> {
	const { method, body, headers, answer: form } = request;
	const { timeout } = limits;
	const seen: Seen = { isSent: account.authentication === 'oAuth2' ? false : undefined };
	const conceal = async <T>(said: T) => await account.conceal(said, seen);
	const send = async (url: string): Promise<HttpAnswer> => {
		const received = await withEnd(limits, async (signal) => {
			const asked = { method, url, body, headers, timeout, signal, seen };
			return await receive(await askN8n(context, account, asked), signal);
		});
		const { file, ...answer } = readAnswer(received, form);
		const told = await conceal(answer);
		if (file === undefined) return told;
		return (await holdsSecret(file, conceal))
			? { ...told, excess: 'it holds a secret of your credential' }
			: { ...told, body: file };
	};
	const url = addressOf(context, account, request);
	try {
		const first = await send(url);
		const moved = slashRedirect(first, { method, url });
		const answer = moved === undefined ? first : await send(moved);
		const failure = failureOf(answer, request);
		return failure === undefined ? { envelope: envelopeOf(answer, form) } : { failure };
	} catch (error) {
		// Whatever fails once a request is under way, the server may have acted.
		const isKnown = error instanceof NoAnswerError;
		const failure = isKnown ? endOf(error.failure, seen) : lost('the answer could not be read');
		return { failure: await conceal(failure) };
	}
}

/** @throws NodeOperationError if the path leads out of the API: the key must not go there */
function addressOf(
	context: NodeContext,
	{ baseUrl }: Account,
	{ path, query = {} }: Request,
): string {
	const pairs = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of [value].flat()) {
			if (each !== undefined && each !== null) pairs.append(name, String(each));
		}
	}
	const url = baseUrl + path + (pairs.size > 0 ? `?${pairs.toString()}` : '');
	if (new URL(url).href.startsWith(`${baseUrl}/`)) return url;
	throw new NodeOperationError(
		context.getNode(),
		`The path ${path} leads out of the API. Correct the path and run again.`,
	);
}

/**
 * Sends a request with n8n's helper, which adds the credential. n8n hands the answer over as a stream,
 * because it reads other answers without any limit of size or time.
 *
 * @throws NoAnswerError if there is no answer
 */
async function askN8n(
	context: NodeContext,
	account: Account,
	{ method, url, body, headers, timeout, signal, seen }: HttpRequest,
): Promise<HttpAnswer> {
	const options = {
		method,
		url,
		...bodyFor(body, headers),
		json: true,
		encoding: 'stream',
		timeout,
		abortSignal: signal,
		returnFullResponse: true,
		// With OAuth2, n8n renews the token only if it may throw the 401. With an API key it would
		// then send the request a second time, even a POST.
		ignoreHttpStatusErrors: !account.mayRenewToken,
		disableFollowRedirect: true,
	} as const;
	try {
		return await context.helpers.httpRequestWithAuthentication.call(
			seeing(seen, context, signal),
			account.credentialType,
			options,
			credentialFor(context, account),
		);
	} catch (error) {
		return answerIn(error, seen);
	}
}

/**
 * A body for n8n. JSON goes as text: of an object, n8n's HTTP client drops fields that are called
 * `constructor`, `prototype` or `__proto__`. An empty object is no body.
 */
function bodyFor(body: unknown, headers: Request['headers']) {
	if (body instanceof FormData || body instanceof Blob) return { body, headers };
	if (body === undefined || Object.keys(body as object).length === 0) return { headers };
	return {
		body: JSON.stringify(body),
		headers: { 'Content-Type': 'application/json', ...headers },
	};
}

/** One HTTP request, without the credential. */
interface HttpRequest extends Pick<Request, 'method' | 'body' | 'headers'> {
	url: string;
	/** In ms. */
	timeout: number;
	/** Ends it. */
	signal: AbortSignal;
	seen: Seen;
}

/**
 * The context for n8n's helper. n8n puts the signal of the Stop button in the place of `abortSignal`, so it
 * gets ours from both. With OAuth2 it sends with the helper of the context, and again with a new token.
 */
function seeing(seen: Seen, context: NodeContext, signal: AbortSignal): NodeContext {
	const { helpers } = context;
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		const [, token] = /^Bearer ([^]+)$/i.exec(String(options.headers?.Authorization)) ?? [];
		// A header holds no line break, so it is sent without.
		seen.token = token?.replace(/\s/g, '') ?? seen.token;
		seen.isRenewed = seen.isSent;
		seen.isSent = true;
		return await helpers.httpRequest(options).catch((error: unknown) => {
			seen.error = error;
			throw error;
		});
	};
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
		helpers: { value: Object.create(helpers, { httpRequest: { value: httpRequest } }) },
	}) as NodeContext;
}

/** The account's own fields, so that n8n does not use those of another item. */
function credentialFor(
	context: NodeContext,
	{ credentialType: type, fields }: Account,
): IAdditionalCredentialOptions | undefined {
	if (fields === undefined) return undefined;
	const { id, name = '' } = context.getNode().credentials?.[type] ?? {};
	return { credentialsDecrypted: { id: id ?? '', name, type, data: fields } };
}

/** An answer. The content of a file is kept apart from it. */
type ReadAnswer = HttpAnswer & { file?: Buffer };

/** An answer whose body has been received, and nothing of it read. */
type Received = HttpAnswer & { bytes?: Buffer };

/** @throws NoAnswerError if the answer breaks off */
async function receive(answer: HttpAnswer, signal: AbortSignal): Promise<Received> {
	const { statusCode, headers, body } = answer;
	if (!isStream(body)) return answer;
	const isFailure = statusCode > 299;
	const most = isFailure ? MOST.bytesOfFailure : MOST.bytes;
	const { bytes, isWhole } = await readBytes(body, most, signal).catch(() => {
		throw new NoAnswerError(lost('answer cut off'));
	});
	const received = { statusCode, headers };
	return isWhole || isFailure
		? { ...received, bytes }
		: { ...received, excess: `it is longer than ${most / 2 ** 20} MB` };
}

function readAnswer({ bytes, ...read }: Received, form: AnswerForm = 'envelope'): ReadAnswer {
	if (bytes === undefined) return read;
	const isFailure = read.statusCode > 299;
	if (form === 'file' && !isFailure) return { ...read, file: bytes };
	const text = bytes.toString();
	if (form === 'text' && !isFailure) return { ...read, body: text };
	return { ...read, body: parseText(text) };
}

/** A file is handed on as it is, so one with a secret in it is not handed on at all. */
export async function holdsSecret(
	file: Buffer,
	conceal: (text: string) => Promise<string>,
): Promise<boolean> {
	const text = file.toString('latin1');
	return (await conceal(text)) !== text;
}

/**
 * Does the work until it is done, its time is over, or it is stopped.
 * @throws NoAnswerError if its time is over, or it is stopped
 */
export async function withEnd<T>(
	{ timeout, stopped }: Limits,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	// Not AbortSignal.any: Node 20 may forget such a signal before its time is over.
	const ending = new AbortController();
	const timer = AbortSignal.timeout(Math.ceil(timeout));
	let end!: () => void;
	const ended = new Promise<never>((_resolve, reject) => {
		end = () => {
			reject(new NoAnswerError(lost(timer.aborted ? TIMED_OUT : 'stopped')));
			ending.abort();
		};
	});
	for (const signal of [timer, stopped]) signal.addEventListener('abort', end);
	if (stopped.aborted) end();
	try {
		return await Promise.race([work(ending.signal), ended]);
	} finally {
		for (const signal of [timer, stopped]) signal.removeEventListener('abort', end);
	}
}
