import type { IAdditionalCredentialOptions, IHttpRequestMethods } from 'n8n-workflow';

import type { Account, NodeContext } from './account';
import type { HttpAnswer } from './answer';
import { isStream, MOST, parseText, readBytes } from './body';
import { TIMED_OUT } from './errors';
import { answerIn, lost, NoAnswerError } from './noAnswer';

/** One HTTP request, without the credential. */
export interface HttpRequest {
	method: IHttpRequestMethods;
	url: string;
	body?: unknown;
}

/** When a request must end, whatever n8n and the server do. */
export interface Limits {
	/** Time from the start of the request to the end of its answer, in ms. */
	timeout: number;
	/** Ends it at once. */
	stopped: AbortSignal;
}

/**
 * Sends a request with n8n's helper, which adds the credential, and reads the whole answer. n8n hands the
 * answer over as a stream, because it reads other answers without any limit of size or time.
 *
 * @throws NoAnswerError if there is no answer, it breaks off, its time is over, or it is stopped
 */
export async function exchange(
	context: NodeContext,
	account: Account,
	request: HttpRequest,
	limits: Limits,
): Promise<HttpAnswer> {
	const answer = await withEnd(limits, async (signal) => {
		const answer = await send(context, account, request, limits, signal);
		return await readAnswer(answer, signal);
	});
	return await account.conceal(answer);
}

async function send(
	context: NodeContext,
	account: Account,
	{ method, url, body }: HttpRequest,
	{ timeout }: Limits,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const options = {
		method,
		url,
		body: body as object | undefined,
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
			endedBy(signal, context),
			account.credentialType,
			options,
			credentialFor(context, account),
		);
	} catch (error) {
		return answerIn(error);
	}
}

/** n8n puts the signal of the Stop button in the place of `abortSignal`. So it gets ours from both. */
const endedBy = (signal: AbortSignal, context: NodeContext): NodeContext =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as NodeContext;

/** The account's own fields, so that n8n does not use those of another item. */
function credentialFor(
	context: NodeContext,
	{ credentialType: type, fields }: Account,
): IAdditionalCredentialOptions | undefined {
	if (fields === undefined) return undefined;
	const { id, name = '' } = context.getNode().credentials?.[type] ?? {};
	return { credentialsDecrypted: { id: id ?? '', name, type, data: fields } };
}

async function readAnswer(answer: HttpAnswer, signal: AbortSignal): Promise<HttpAnswer> {
	const { statusCode, headers, body } = answer;
	if (!isStream(body)) return answer;
	const isFailure = statusCode > 299;
	const most = isFailure ? MOST.bytesOfFailure : MOST.bytes;
	const { bytes, isWhole } = await readBytes(body, most, signal).catch(() => {
		throw new NoAnswerError(lost('answer cut off'));
	});
	const isTooLong = !isWhole && !isFailure;
	const content = isTooLong
		? { excess: `it is longer than ${most / 2 ** 20} MB` }
		: parseText(bytes.toString());
	return { statusCode, headers, ...content };
}

/**
 * Does the work until it is done, its time is over, or it is stopped.
 * @throws NoAnswerError
 */
export async function withEnd<T>(
	{ timeout, stopped }: Limits,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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
