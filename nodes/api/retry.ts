/** Why an attempt failed, if another attempt may succeed. */
export type Setback =
	/** The server answered with this status. */
	| { status: number; retryAfterMs?: number }
	/** There was no connection, so the server cannot have seen the request. */
	| 'unreached'
	/** The connection broke or timed out, so the server may or may not have acted. */
	| 'lost';

/** After so many attempts an overloaded or unreachable server is given up. A 429 has no such limit. */
const MAX_ATTEMPTS = 4;
const BASE_MS = 500;
const MAX_MS = 30_000;
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);

/**
 * How long to wait before a request may be sent again; undefined if it must not be.
 *
 * After a 429 or without a connection, the server did nothing, so every request is sent again. After a
 * 502, 503, 504 or a lost connection, the server may have acted. Then only methods that do no harm twice
 * are sent again, and never POST and PATCH.
 *
 * @param method HTTP method in upper case
 * @param attempt number of attempts so far, from 1
 * @param random in [0, 1), so that parallel requests do not all come again at the same moment
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
	// Retry-After may be 0, for example if the clocks differ. Without a pause this would be a tight loop.
	const wait = setback.retryAfterMs || backoff;
	if (setback.status === 429) return wait;
	const overloaded = [502, 503, 504].includes(setback.status);
	return overloaded && REPEATABLE.has(method) && attempt < MAX_ATTEMPTS ? wait : undefined;
}
