import { Semaphore } from '../semaphore';

/** How many requests of an account run in parallel at first, and at most. */
const FIRST_PARALLEL = 10;
export const MOST_PARALLEL = 50;

/** After a refusal, the number grows by one with so many answers. */
const ANSWERS_PER_STEP = 50;

/** So many of the requests that are refused together count. */
const COUNTED_REFUSALS = 2;

/**
 * Limits the requests of one account. The reference shows no limits, so the number of parallel requests
 * follows from the answers: it doubles with each round of them. If the server refuses a request (429 or 503),
 * all wait as long as it asks, and the number is halved. From then on it grows slowly.
 *
 * All times are in ms since 1970. Reference: "Limits".
 */
export class Limiter extends Semaphore {
	readonly #limit: number;

	/** No request goes before. */
	#opensAt = 0;

	/** When the first of the last refusals came. */
	#refusedAt: number | undefined;

	/** How many of them have counted. */
	#counted = 0;

	/** Answers since the number of places changed. */
	#answers = 0;

	constructor(most = MOST_PARALLEL) {
		super(Math.min(FIRST_PARALLEL, most));
		this.#limit = most;
	}

	/** How long requests have to wait because of a refusal, in ms. */
	wait(now: number): number {
		return Math.max(0, this.#opensAt - now);
	}

	/** The server accepted a request. */
	accept(sentAt: number): void {
		if (this.#isOld(sentAt)) return;
		const isFirstPhase = this.#refusedAt === undefined;
		if (++this.#answers < (isFirstPhase ? this.most : ANSWERS_PER_STEP)) return;
		this.#allow(isFirstPhase ? this.most * 2 : this.most + 1);
	}

	/** The server refused a request for so many ms. */
	refuse(sentAt: number, now: number, ms: number): void {
		this.#opensAt = Math.max(this.#opensAt, now + ms);
		if (!this.#isOld(sentAt)) {
			this.#refusedAt = now;
			this.#counted = 0;
		}
		if (this.#counted++ < COUNTED_REFUSALS) this.#allow(this.most / 2);
	}

	/** Whether a request was sent before the last refusal, so that its answer says nothing new. */
	#isOld(sentAt: number): boolean {
		return this.#refusedAt !== undefined && sentAt <= this.#refusedAt;
	}

	/** Sets how many requests may run in parallel. */
	#allow(count: number): void {
		this.#answers = 0;
		this.resize(Math.max(1, Math.min(this.#limit, Math.floor(count))));
	}
}
