import type { IHttpRequestMethods } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Account, NodeContext } from './account';
import { envelopeOf, failureOf, slashRedirect, type Envelope } from './answer';
import type { Failure } from './errors';
import { exchange, type HttpRequest, type Limits } from './exchange';
import { lost, NoAnswerError } from './noAnswer';

/** A request to the API, without the base URL and the credential. */
export interface Request {
	method: IHttpRequestMethods;
	/** Path below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list becomes one parameter for each of its values. */
	query?: Record<string, unknown>;
	body?: unknown;
	/** An answer without data is right too. For a change it always is. */
	mayBeEmpty?: boolean;
	/** Ends it, or keeps it from being sent. For reads only. */
	signal?: AbortSignal;
}

/** What became of a request that was sent once. */
export type Outcome = { envelope: Envelope; failure?: undefined } | { failure: Failure };

/**
 * Sends a request once, and again if a redirect only adds or removes the slash at the end.
 * @throws NodeOperationError if its path leads out of the API; nothing is sent then
 */
export async function attempt(
	context: NodeContext,
	account: Account,
	request: Request,
	limits: Limits,
): Promise<Outcome> {
	const http = toHttp(context, account, request);
	const send = async (given: HttpRequest) => await exchange(context, account, given, limits);
	try {
		let answer = await send(http);
		const url = slashRedirect(answer, http);
		if (url !== undefined) answer = await send({ ...http, url });
		const failure = failureOf(answer, request);
		return failure === undefined ? { envelope: envelopeOf(answer) } : { failure };
	} catch (error) {
		// Whatever fails once a request is under way, the server may have acted.
		const isKnown = error instanceof NoAnswerError;
		const failure = isKnown ? error.failure : lost('the answer could not be read');
		return { failure: await account.conceal(failure) };
	}
}

/** @throws NodeOperationError if the path leads out of the API: the key must not go there */
function toHttp(
	context: NodeContext,
	{ baseUrl }: Account,
	{ method, path, query, body }: Request,
): HttpRequest {
	const url = baseUrl + path + queryString(query);
	if (!new URL(url).href.startsWith(`${baseUrl}/`)) {
		throw new NodeOperationError(
			context.getNode(),
			`The path ${path} leads out of the API. Correct the path and run again.`,
		);
	}
	return { method, url, body };
}

function queryString(query: Record<string, unknown> = {}): string {
	const pairs = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of [value].flat()) {
			if (each !== undefined && each !== null) pairs.append(name, String(each));
		}
	}
	return pairs.size > 0 ? `?${pairs.toString()}` : '';
}
