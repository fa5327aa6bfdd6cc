import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { isObject } from '../json';
import {
	detailText,
	explain,
	MOVED_ON,
	type About,
	type Failure,
	type Said,
	type Tried,
} from './errors';

export interface ErrorDetails {
	about: About;
	/** What to explain, where that is not the failure itself. */
	reason?: Failure;
	itemIndex?: number;
	isOAuth: boolean;
	/** What became of the request before. */
	tried?: Tried;
	/** Takes secrets out of what the server said. */
	conceal?: <T>(value: T) => T;
	/** What a rate limit asked to wait, in ms. */
	retryAfterMs?: number;
}

/**
 * n8n's error, with the failure in its data for the user to inspect. Its message is set once more:
 * where n8n finds a code such as ENOENT or EEXIST in it, be it inside a word, it puts its own there.
 */
export function apiError(node: INode, failure: Failure, details: ErrorDetails): NodeApiError {
	const { about, reason = failure, itemIndex, isOAuth, tried, retryAfterMs } = details;
	const conceal = details.conceal ?? ((value) => value);
	const status = statusOf(failure);
	const { message, description } = explain(about, concealed(reason, conceal), isOAuth, tried);
	const told = concealed(failure, conceal);
	const error = new NodeApiError(node, { ...told } as unknown as JsonObject, {
		message,
		description,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex,
		failure: causeForPolling(failure, retryAfterMs),
	});
	error.message = message;
	failures.set(error, told);
	return error;
}

const failures = new WeakMap<object, Failure>();

/** What a workflow can branch on: the status of an error's answer, and what the server said. */
export function answerBehind(error: object): ({ status: number } & Said) | undefined {
	const failure = failures.get(error);
	if (failure?.kind === 'malformed' || failure?.kind === 'nothing')
		return { status: failure.status };
	if (failure?.kind !== 'answer') return undefined;
	const { status, code, details } = failure;
	return { status, ...(code !== undefined && { code }), ...(details !== undefined && { details }) };
}

/** What the server said of a refusal: its message, and each of its details; empty if it gave no answer. */
export function complaintsBehind(error: object): string[] {
	const failure = failures.get(error);
	if (failure?.kind !== 'answer') return [];
	const { message, details } = failure;
	const each = isObject(details)
		? Object.entries(details).map(([name, held]) => `${name}: ${detailText(held)}`)
		: [details].flat().map(detailText);
	return [message ?? '', ...each].filter(Boolean);
}

/** Only what came from outside: in this package's own words a secret can stand by chance only. */
function concealed<T extends Failure>(failure: T, conceal: <V>(value: V) => V): T {
	const { kind, ...said } = failure;
	return kind === 'connection' ? failure : ({ ...conceal(said), kind } as unknown as T);
}

/**
 * Whether a change may have been carried out although it failed: its answer was lost, could not be
 * read, or says that the server failed.
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

/** The cause in n8n's own terms: its polling engine backs off by it (n8n 2.36 and later). */
function causeForPolling(failure: Failure, retryAfterMs: number | undefined) {
	if (failure.kind === 'unsent') return undefined;
	const status = statusOf(failure);
	if (status === 429) return { cause: 'rate-limited' as const, retryAfterMs };
	if (status === 401) return { cause: 'credential-invalid' as const };
	if (status === undefined || status >= 500) return { cause: 'temporarily-unavailable' as const };
	return undefined;
}
