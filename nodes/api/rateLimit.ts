// What headers say about a rate limit. The reference shows none of them, so each one is optional.

type Headers = Record<string, unknown>;

/** What a server still accepts. */
export interface Allowance {
	/** Number of requests. */
	remaining: number;
	/** In how many ms it accepts more. */
	resetMs?: number;
}

const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/** A longer wait is not believed, in ms, until the server refuses a request: it may be of a daily quota. */
const LONGEST_HOLD = 60_000;

/**
 * How many requests a server still accepts: `RateLimit-Remaining`, the same name with `X-`, or
 * `RateLimit: remaining=…, reset=…`. Undefined if the answer does not say.
 */
export function allowanceIn(headers: Headers, now: number): Allowance | undefined {
	const remaining = parseInt(valueOf(headers, 'remaining', /\b(?:remaining|r)=(\d+)/i) ?? '', 10);
	if (!(remaining >= 0)) return undefined;
	const resetMs = resetIn(headers, now) ?? Infinity;
	return { remaining, ...(resetMs <= LONGEST_HOLD && { resetMs }) };
}

/** How long a server asks to wait, in ms from `now`: by Retry-After, else until its limit is reset. */
export function askedToWait(headers: Headers, now: number): number | undefined {
	const asked = headers['retry-after'] ?? headers['x-retry-after'];
	return parseRetryAfter(asked, now) ?? resetIn(headers, now);
}

/**
 * The Retry-After header in ms from `now`: it comes as seconds or as a date. A date in the past means
 * at once (0). Undefined if it is missing or unreadable.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	if (!/[a-z]/i.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** When the limit is reset, in ms from `now`: it comes as Retry-After does, or in time since 1970. */
function resetIn(headers: Headers, now: number): number | undefined {
	const reset = parseRetryAfter(valueOf(headers, 'reset', /\b(?:reset|t)=(\d+)/i), now);
	if (reset === undefined || reset < FIRST_MOMENT) return reset;
	const moment = reset < 1000 * FIRST_MOMENT ? reset : reset / 1000;
	return Math.max(0, moment - now);
}

/** No wait is this long, in ms: it is a moment in seconds since 1970. */
const FIRST_MOMENT = 1e12;

/** One value of a limit, from a header of its own or from the one that holds all of them. */
function valueOf(headers: Headers, name: string, inAll: RegExp): string | undefined {
	const own = PREFIXES.map((prefix) => headers[`${prefix}-${name}`]).find((it) => it !== undefined);
	if (own !== undefined) return String(own).trim();
	if (headers.ratelimit === undefined) return undefined;
	return inAll.exec(String(headers.ratelimit))?.[1];
}
