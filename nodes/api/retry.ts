import type { Failure } from './errors';

/** After so many tries an overloaded or unreachable server is given up. A 429 has no such limit. */
const MAX_TRIES = 4;
const MAX_MS = 30_000;
/** A shorter wait that the server asks for is not one. */
const SHORTEST_MS = 100;
const HARMLESS_TWICE = new Set(['GET', 'PUT', 'DELETE']);

/**
 * How long to wait before a request may be sent again, in ms; undefined if it must not be.
 *
 * After a 429 or without a connection, the server did nothing, so every request is sent again. After a
 * 502, 503, 504 or a lost connection, the server may have acted. Then, and after the 404 page of a gateway,
 * only methods that do no harm twice are sent again, and never POST and PATCH.
 *
 * @param random in [0, 1), so that parallel requests do not all come again at the same moment
 */
export function retryDelay(
	method: string,
	failure: Failure,
	tries: number,
	random: number,
): number | undefined {
	const backoff = (base: number) => Math.min(MAX_MS, base * 2 ** (tries - 1)) * (0.5 + random / 2);
	if (failure.kind === 'answer' && failure.status === 429) return askedOf(failure) ?? backoff(1500);
	if (tries >= MAX_TRIES) return undefined;
	if (failure.kind === 'connection' && !failure.mayHaveActed) return backoff(500);
	if (!HARMLESS_TWICE.has(method)) return undefined;
	if (failure.kind === 'connection') return backoff(500);
	// The page of a gateway, while its servers are replaced.
	if (failure.kind === 'malformed' && failure.status === 404) return backoff(500);
	const isOverloaded = failure.kind === 'answer' && [502, 503, 504].includes(failure.status);
	return isOverloaded ? (askedOf(failure) ?? backoff(500)) : undefined;
}

/** Retry-After may be 0 or tiny, for example if the clocks differ. So short a pause is a tight loop. */
const askedOf = ({ retryAfterMs = 0 }: Failure & { kind: 'answer' }) =>
	retryAfterMs < SHORTEST_MS ? undefined : retryAfterMs;

/** Whether the server may have refused a request because of a rate limit. Then all requests slow down. */
export const isRefusal = (failure: Failure): failure is Failure & { kind: 'answer' } =>
	failure.kind === 'answer' && (failure.status === 429 || failure.status === 503);

/**
 * The header Retry-After in ms from `now`. It comes as seconds or as a date. A date in the past means at
 * once (0). Undefined if it is missing or unreadable.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
	if (!/[a-z]/i.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
