import { answerBehind } from '../api/apiError';
import type { Api } from '../api/session';
import type { Clock } from './rounds';

/** The real time. `sleep` fails if the execution is stopped. */
export const clockOf = (reader: Api): Clock => ({
	now: () => Date.now(),
	sleep: async (ms) => await reader.pause(ms),
});

/** Whether the API refuses to answer, so that asking again does not help. A rate limit is no refusal. */
export function isRefusal(error: unknown): error is Error {
	const status = error instanceof Error ? (answerBehind(error)?.status ?? 0) : 0;
	return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
