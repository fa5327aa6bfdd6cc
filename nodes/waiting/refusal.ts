import { answerBehind } from '../api/apiError';

/** Whether the API refuses to answer, so that asking again does not help. A rate limit is no refusal. */
export function isRefusal(error: unknown): boolean {
	const status = error instanceof Error ? (answerBehind(error)?.status ?? 0) : 0;
	return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
