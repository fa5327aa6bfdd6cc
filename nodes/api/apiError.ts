import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { isObject } from '../json';
import { withoutMarkup } from '../words';
import {
	detailText,
	explain,
	MOVED_ON,
	type About,
	type Failure,
	type Said,
	type Tried,
} from './errors';

interface ErrorDetails {
	about: About;
	/** What to explain to the user, if not the failure itself. */
	reason?: Failure;
	itemIndex?: number;
	isOAuth: boolean;
	/** What happened to the request before. */
	tried?: Tried;
	/** What a rate limit asked to wait, in ms. */
	retryAfterMs?: number;
}

/**
 * The n8n error for a failure. The failure is in its data, so the user can look at it. The message is set
 * a second time, because n8n replaces one that contains a code such as ENOENT, even inside a word.
 */
export function apiError(node: INode, failure: Failure, details: ErrorDetails): NodeApiError {
	const { about, reason = failure, itemIndex, isOAuth, tried, retryAfterMs } = details;
	const status = statusOf(failure);
	const { message, description } = explain(about, reason, isOAuth, tried);
	const error = new NodeApiError(node, { ...failure } as unknown as JsonObject, {
		message,
		description: withoutMarkup(description),
		httpCode: status === undefined ? undefined : String(status),
		itemIndex,
		failure: causeForPolling(failure, retryAfterMs),
	});
	error.message = message;
	failures.set(error, failure);
	return error;
}

const failures = new WeakMap<object, Failure>();

/** The fields that a workflow can branch on: the status of the answer, and what the server said. */
export function answerBehind(error: object): ({ status: number } & Said) | undefined {
	const failure = failures.get(error);
	if (failure?.kind === 'malformed' || failure?.kind === 'nothing')
		return { status: failure.status };
	if (failure?.kind !== 'answer') return undefined;
	const { status, code, details } = failure;
	return { status, ...(code !== undefined && { code }), ...(details !== undefined && { details }) };
}

/** The message of a refusal and each of its details; empty if the server gave no answer. */
export function complaintsBehind(error: object): string[] {
	const failure = failures.get(error);
	if (failure?.kind !== 'answer') return [];
	const { message, details } = failure;
	const each = isObject(details)
		? Object.entries(details).map(([name, held]) => `${name}: ${detailText(held)}`)
		: [details].flat().map(detailText);
	return [message ?? '', ...each].filter(Boolean);
}

/**
 * Whether a change may have been carried out although it failed: its answer was lost or unreadable, or
 * says that the server failed.
 */
export function mayHaveActed(error: unknown): boolean {
	const failure = failures.get(error as object);
	if (failure?.kind === 'connection') return failure.mayHaveActed;
	const status = failure && statusOf(failure);
	return (
		failure?.kind === 'malformed' ||
		(status !== undefined && (status >= 500 || MOVED_ON.has(status)))
	);
}

export const isNotFound = (error: unknown) =>
	error instanceof NodeApiError && error.httpCode === '404';

export const statusOf = (failure: Failure) => ('status' in failure ? failure.status : undefined);

/** The cause in the terms of n8n's polling engine, which then polls less often (n8n 2.36 and later). */
function causeForPolling(failure: Failure, retryAfterMs: number | undefined) {
	if (failure.kind === 'unsent') return undefined;
	const status = statusOf(failure);
	if (status === 429) return { cause: 'rate-limited' as const, retryAfterMs };
	if (status === 401) return { cause: 'credential-invalid' as const };
	if (status === undefined || status >= 500) return { cause: 'temporarily-unavailable' as const };
	return undefined;
}
