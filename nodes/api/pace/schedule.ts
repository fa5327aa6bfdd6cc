/** The longest interval between two requests, in ms. */
const MAX_INTERVAL = 5000;

/** The interval is a little longer than the server's own, so that rounding causes no refusals. */
const MARGIN = 1.03;

/** A request that goes up to this many ms late was late because of a timer: the next one catches up. */
const TIMER_ERROR = 20;

/**
 * When requests may go. Until the first refusal they go at once. A refusal holds back all requests,
 * and sets the interval between them: the time since the refusal before, divided by the number of
 * requests that were accepted in it. The first refusal gives only a guess, because a server may
 * accept more at the start. When an interval has held for twice as many requests as it was computed
 * from, a shorter one is tried, so that a chance refusal does not slow the rest of the run.
 */
export class Schedule {
	/** For how long requests have waited so far. */
	heldBack = 0;

	/** No request goes before. */
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
	private basedOn = 0;

	/** The interval before the shorter one that is being tried. */
	private previous: number | undefined;

	private waitedSince: number | undefined;

	/** How long the next request has to wait; 0 lets it go. */
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
		if (this.interval > 0 && this.accepted >= 2 * this.basedOn) {
			this.previous = this.interval;
			this.interval /= this.isFirstInterval ? 4 : 2;
			this.basedOn = this.accepted;
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
		this.isFirstInterval = this.interval === 0;
		const span = refusedAt === undefined ? this.opensAt - (this.beganAt ?? now) : now - refusedAt;
		const measured = accepted > 0 ? (span / accepted) * MARGIN : Math.max(this.interval, delay);
		// A try that is refused soon shows that the interval before it was right.
		const proven = accepted < 1.5 * this.basedOn ? this.previous : undefined;
		this.previous = undefined;
		this.interval = Math.min(MAX_INTERVAL, measured, proven ?? Infinity);
		this.basedOn = Math.max(1, accepted);
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
