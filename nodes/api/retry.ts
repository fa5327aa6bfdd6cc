/** Why an attempt failed in a way that another attempt might mend. */
export type Setback =
	/** An HTTP answer with this status. */
	| { status: number; retryAfterMs?: number }
	/** No connection came about: the server cannot have seen the request. */
	| 'unreached'
	/** The connection broke or timed out: the server may or may not have acted. */
	| 'lost';

/** Attempts on which an overloaded or unreachable server is given up; a 429 has no such bound. */
const MAX_ATTEMPTS = 4;
const BASE_MS = 500;
const MAX_MS = 30_000;
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);

/**
 * How long to wait before a request may be sent again; undefined when it must not be.
 *
 * A 429 was refused unprocessed, so every method may repeat it; a connection that never came
 * about likewise. Where the server may have acted (502, 503, 504, a lost connection), only the
 * methods that do no harm twice are repeated: POST and PATCH never.
 *
 * @param method upper-case HTTP method
 * @param attempt attempts made so far, from 1
 * @param random in [0, 1), spreads the waits of parallel requests
 * @returns milliseconds
 */
export function retryDelay(
	method: string,
	setback: Setback,
	attempt: number,
	random: number,
): number | undefined {
	const backoff = Math.min(MAX_MS, BASE_MS * 2 ** (attempt - 1)) * (0.5 + random / 2);
	if (setback === 'unreached') return attempt < MAX_ATTEMPTS ? backoff : undefined;
	if (setback === 'lost') {
		return REPEATABLE.has(method) && attempt < MAX_ATTEMPTS ? backoff : undefined;
	}
	// A Retry-After of 0, such as a date that a slow clock has passed, must not become a tight loop.
	const wait = setback.retryAfterMs || backoff;
	if (setback.status === 429) return wait;
	const overloaded = [502, 503, 504].includes(setback.status);
	return overloaded && REPEATABLE.has(method) && attempt < MAX_ATTEMPTS ? wait : undefined;
}
