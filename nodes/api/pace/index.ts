import type { Allowance } from '../rateLimit';
import { Schedule } from './schedule';
import { Window } from './window';

export { FIRST_WINDOW, MAX_WINDOW } from './window';

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
