import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { withoutMarkup } from '../words';
import { explain, statusOf, type Circumstances, type Failure, type ServerWords } from './errors';

/** n8n's error for a request that failed. It knows the failure. */
export class ApiError extends NodeApiError {
	/** Private, so that n8n does not store it with the execution. */
	readonly #failure: Failure;

	constructor(
		node: INode,
		failure: Failure,
		circumstances: Circumstances & { itemIndex?: number },
	) {
		const { message, description, mayHaveChanged } = explain(failure, circumstances);
		const { itemIndex } = circumstances;
		super(node, { ...failure } as unknown as JsonObject, {
			message,
			description: withoutMarkup(description),
			httpCode: statusOf(failure)?.toString(),
			itemIndex,
			failure: causeForPolling(failure),
		});
		this.#failure = failure;
		if (mayHaveChanged) noteChange(this);
		// n8n replaces a message that contains a code such as ENOENT, even inside a word.
		this.message = message;
		// n8n's editor knows its own errors by their names.
		this.name = 'NodeApiError';
	}

	static failureIn(error: unknown): Failure | undefined {
		return error instanceof ApiError ? error.#failure : undefined;
	}
}

const afterChange = new WeakSet<object>();

/** Notes that a part of the change was made before this error came. */
export const noteChange = (error: Error) => void afterChange.add(error);

/** Whether a change may have been made although this error came. */
export const mayHaveChanged = (error: unknown): boolean => afterChange.has(error as Error);

/** The fields that a workflow can branch on: the status of the answer, and what the server said. */
export function answerBehind(error: unknown): ({ status: number } & ServerWords) | undefined {
	const failure = ApiError.failureIn(error);
	if (failure === undefined || !('status' in failure)) return undefined;
	if (failure.kind !== 'answer') return { status: failure.status };
	const { status, code, details } = failure;
	return { status, ...(code !== undefined && { code }), ...(details !== undefined && { details }) };
}

export function isNotFound(error: unknown): boolean {
	const failure = ApiError.failureIn(error);
	return failure !== undefined && failure.kind !== 'malformed' && statusOf(failure) === 404;
}

/** Whether the same request may succeed a little later: there was no answer, or the server failed or was busy. */
export function isTemporary(error: unknown): boolean {
	const failure = ApiError.failureIn(error);
	const cause = failure && causeForPolling(failure)?.cause;
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether the API refuses to answer, so that asking again does not help. */
export function refusesToAnswer(error: unknown): boolean {
	const failure = ApiError.failureIn(error);
	const status = failure?.kind === 'answer' ? failure.status : 0;
	return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The cause in the terms of n8n's polling engine, which then polls less often (n8n 2.36 and later). */
function causeForPolling(failure: Failure) {
	if (failure.kind === 'unsent') return undefined;
	const status = statusOf(failure);
	if (failure.kind === 'answer' && status === 429)
		return { cause: 'rate-limited' as const, retryAfterMs: failure.retryAfterMs };
	if (status === 401) return { cause: 'credential-invalid' as const };
	const isPage = failure.kind === 'malformed' && status === 404;
	if (status === undefined || status >= 500 || isPage)
		return { cause: 'temporarily-unavailable' as const };
	return undefined;
}
