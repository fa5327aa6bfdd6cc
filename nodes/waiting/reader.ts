import { answerBehind } from '../api/apiError';
import type { Api } from '../api/session';
import type { Clock } from './rounds';

/** n8n's clock, whose sleep ends where the execution is stopped. */
export const clockOf = (reader: Api): Clock => ({
	now: () => Date.now(),
	sleep: async (ms) => await reader.pause(ms),
});

/** Whether the API refuses to tell, so that asking again is in vain; a rate limit does not. */
export function isRefusal(error: unknown): error is Error {
	const status = error instanceof Error ? (answerBehind(error)?.status ?? 0) : 0;
	return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
