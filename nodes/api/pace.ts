import type { Allowance } from './rateLimit';

/** How many requests run in parallel at first, and at most, if the user sets no number. */
export const FIRST_WINDOW = 10;
export const MAX_WINDOW = 50;

/** Answers count as slower when they take this many times as long as the fastest round did. */
const SLOWER = 1.8;

/** What a busy n8n may add to the time of every answer, in ms. */
const OWN_WORK = 50;

/** How much the window grows with each round after the first slow answers or the first refusal. */
const GROWTH = 1.25;

/** The window is never again larger than this part of one that met a rate limit. */
const SAFE_SHARE = 0.8;

/** The longest interval between two requests, in ms. */
const MAX_INTERVAL = 5000;

/** The interval is a little longer than the server's own, so that rounding causes no refusals. */
const MARGIN = 1.03;

/** A request that goes up to this many ms late was late because of a timer: the next one catches up. */
const TIMER_ERROR = 20;

/**
 * How fast one account is asked: how many requests may run in parallel (`Window`), and when the next
 * one may go (`Schedule`). The reference shows no limits, so both are learned: from headers if the
 * server sends them, else from answers and refusals.
 * All times are in ms; `now` comes from the caller. Reference: "Limits".
 */
export class Pace {
	private readonly window: Window;

	private readonly schedule = new Schedule();

	private allowance: (Allowance & { sentAt: number }) | undefined;

	/** @param fixed number of parallel requests that the user set; undefined learns it */
	constructor(fixed?: number) {
		this.window = new Window(fixed);
	}

	/** How many requests may run in parallel now. */
	get size(): number {
		return Math.max(1, Math.min(this.window.size, this.allowance?.remaining ?? Infinity));
	}

	/** How long the next request has to wait; 0 lets it go. */
	wait(now: number): number {
		if (now >= this.schedule.opensAt) this.explainRefusals();
		const wait = this.schedule.wait(now);
		if (wait === 0 && this.allowance?.remaining === 0) this.allowance = undefined;
		return wait;
	}

	/**
	 * The server accepted a request.
	 * @param underWay requests in parallel when the answer came, including this one
	 */
	accept(now: number, sentAt: number, underWay: number): void {
		if (this.schedule.accept(sentAt)) this.window.accept(now - sentAt, underWay);
	}

	/** The server refused a request (429); it may be sent again after `delay`. */
	refuse(now: number, delay: number, sentAt: number, underWay: number): void {
		const isFirst = this.schedule.refuse(now, delay, sentAt);
		this.window.refuse(isFirst ? underWay : undefined);
	}

	/** An answer says how many requests the server still accepts. */
	allow(now: number, sentAt: number, { remaining, resetMs }: Allowance): void {
		const known = this.allowance;
		// Of requests that ran in parallel, the lowest number is the latest.
		const isLater = known === undefined || sentAt > known.sentAt;
		this.allowance = isLater
			? { remaining, sentAt }
			: { ...known, remaining: Math.min(remaining, known.remaining) };
		if (remaining === 0 && resetMs !== undefined) this.schedule.hold(now + resetMs);
	}

	/** For how long rate limits have delayed requests so far. */
	heldBack(): number {
		return this.schedule.heldBack;
	}

	/** Once all that were refused together have come back, their number shows what was too much. */
	private explainRefusals(): void {
		if (this.window.reopen(this.schedule.isFirstInterval)) this.schedule.open();
	}
}

/**
 * How many requests may run in parallel. The window doubles with each round of answers until answers
 * get slower or a request is refused. From then on it grows slowly, and shrinks if answers get slower.
 */
class Window {
	size: number;

	private readonly isFixed: boolean;

	private isRising = true;

	private ceiling = MAX_WINDOW;

	/** The largest window of which a whole round was accepted. */
	private proven = 0;

	/** How long each answer of this round took. */
	private round: number[] = [];

	/** How long a typical answer took in the fastest round. */
	private best = Infinity;

	/** The refusals that are not explained yet, and how many of their number the server accepted. */
	private refused: { size: number; accepted: number } | undefined;

	constructor(fixed: number | undefined) {
		this.size = fixed ?? FIRST_WINDOW;
		this.isFixed = fixed !== undefined;
	}

	accept(took: number, underWay: number): void {
		// If fewer run than may, the answers do not show what the server can take.
		if (this.isFixed || this.refused !== undefined || underWay < this.size) return;
		this.round.push(took);
		if (this.round.length < this.size) return;
		this.proven = Math.max(this.proven, this.size);
		const typical = median(this.round);
		this.best = Math.min(this.best, typical);
		const isSlower = typical > SLOWER * this.best + OWN_WORK;
		if (isSlower) this.isRising = false;
		if (isSlower) this.resize((this.size * this.best) / typical);
		else this.resize(this.isRising ? this.size * 2 : this.size * GROWTH + 1);
	}

	/** @param underWay requests in parallel; undefined for one that ran beside the first refused one */
	refuse(underWay: number | undefined): void {
		if (this.isFixed) return;
		this.isRising = false;
		if (underWay !== undefined) this.refused = { size: this.size, accepted: underWay };
		if (this.refused !== undefined) this.refused.accepted--;
		// While requests are held back, one waits for all.
		this.size = 1;
	}

	/**
	 * Sets the size after refusals.
	 * @returns whether there were too many in parallel: the server still accepted at least as many as
	 * ever before. A server that is asked too often accepts fewer.
	 */
	reopen(isFirstInterval: boolean): boolean {
		if (this.refused === undefined) return false;
		const { size, accepted } = this.refused;
		const isTooMany = isFirstInterval && accepted >= Math.max(1, this.proven);
		this.refused = undefined;
		this.ceiling = isTooMany ? accepted : size * SAFE_SHARE;
		this.resize(this.ceiling);
		return isTooMany;
	}

	private resize(size: number): void {
		this.size = Math.max(1, Math.floor(Math.min(this.ceiling, MAX_WINDOW, size)));
		this.round = [];
	}
}

/**
 * When requests may go. It is open until the first refusal, so that they go at once. A refusal holds
 * back all requests, and sets the interval between them: the time since the refusal before, divided
 * by the number that was accepted in it. The first refusal gives only a guess, because a server may
 * accept more at the start. When an interval has held for twice as many requests as it was computed
 * from, a shorter one is tried, so that a chance refusal does not slow the rest of the run. Each
 * time that this is refused, the next try comes later.
 */
class Schedule {
	heldBack = 0;

	opensAt = 0;

	/** There was no interval before the latest refusal. */
	isFirstInterval = false;

	private interval = 0;

	private next = 0;

	private beganAt: number | undefined;

	private refusedAt: number | undefined;

	/** Requests sent and accepted since the latest refusal. */
	private accepted = 0;

	/** From how many accepted requests the interval was computed. */
	private foundation = 0;

	/** The interval before the shorter one that is being tried. */
	private held: number | undefined;

	/** How many tries in a row were refused. */
	private proofs = 0;

	private waitedSince: number | undefined;

	wait(now: number): number {
		const at = Math.max(this.opensAt, this.next);
		if (at > now) {
			this.waitedSince ??= now;
			return at - now;
		}
		this.heldBack += now - (this.waitedSince ?? now);
		this.waitedSince = undefined;
		this.beganAt ??= now;
		this.next = (now - at < TIMER_ERROR ? at : now) + this.interval;
		return 0;
	}

	/** @returns whether it says anything: a request sent before the latest refusal does not */
	accept(sentAt: number): boolean {
		if (this.isOld(sentAt)) return false;
		this.accepted++;
		if (this.interval > 0 && this.accepted >= this.foundation * 2 ** (1 + this.proofs)) {
			this.held = this.interval;
			this.interval /= this.isFirstInterval ? 4 : 2;
			this.foundation = this.accepted;
		}
		return true;
	}

	/** @returns whether it is the first of those that ran in parallel */
	refuse(now: number, delay: number, sentAt: number): boolean {
		this.hold(now + delay);
		if (this.isOld(sentAt)) return false;
		const { refusedAt, accepted } = this;
		this.refusedAt = now;
		this.accepted = 0;
		const proven = accepted < 1.5 * this.foundation ? this.held : undefined;
		this.proofs = proven === undefined ? 0 : this.proofs + 1;
		this.held = undefined;
		this.isFirstInterval = this.interval === 0;
		const span = refusedAt === undefined ? this.opensAt - (this.beganAt ?? now) : now - refusedAt;
		const borne = accepted > 0 ? (span / accepted) * MARGIN : Math.max(this.interval, delay);
		this.interval = Math.min(MAX_INTERVAL, borne, proven ?? Infinity);
		this.foundation = Math.max(1, accepted);
		return true;
	}

	/** Holds back all requests until then. */
	hold(until: number): void {
		this.opensAt = Math.max(this.opensAt, until);
	}

	/** Requests go at once again. */
	open(): void {
		this.interval = 0;
	}

	private isOld(sentAt: number): boolean {
		return sentAt <= (this.refusedAt ?? -1);
	}
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
