/** The slowest pace that refusals are taken to ask for, in ms from one request to the next. */
const MAX_PACE = 5000;

/** How much slower than the server's own pace, so that rounding does not run into it. */
const MARGIN = 1.03;

/** A turn this late, in ms, was late by a timer: the next one keeps to the schedule. */
const TIMER_ERROR = 20;

/**
 * When the requests of a session may be sent. A refusal (429) holds back all of them, and what the
 * server accepted from one refusal to the next is the pace that it bears: at both it had nothing
 * left to give. The first leaves a guess, as a server may bear more at the start. A pace that held
 * for twice as many requests as it is founded on is tested by going faster, so that a refusal by
 * chance does not slow the rest of the run; one that proves right is tested more rarely.
 * Times in ms; no clock of its own.
 */
export class Gate {
	private opensAt = 0;

	private pace = 0;

	private next = 0;

	private beganAt: number | undefined;

	private refusedAt: number | undefined;

	/** Since the last refusal, of what was sent after it. */
	private accepted = 0;

	/** Acceptances on which the pace is founded. */
	private foundation = 0;

	/** The pace comes from a single refusal. */
	private isGuess = false;

	/** The pace that held until the present one put it to the test. */
	private held: number | undefined;

	/** Tests in turn that were refused. */
	private proofs = 0;

	private waitedSince: number | undefined;

	private waited = 0;

	/** Milliseconds for which refusals, and the pace they asked for, held requests back so far. */
	heldBack = () => this.waited;

	/** How long a request that wants to go now has to wait; 0 takes the turn. */
	wait(now: number): number {
		const at = Math.max(this.opensAt, this.next);
		if (at > now) {
			this.waitedSince ??= now;
			return at - now;
		}
		this.waited += now - (this.waitedSince ?? now);
		this.waitedSince = undefined;
		this.beganAt ??= now;
		this.next = (now - at < TIMER_ERROR ? at : now) + this.pace;
		return 0;
	}

	/** The server took a request that was sent at `sentAt`. */
	accept(sentAt: number): void {
		if (sentAt <= (this.refusedAt ?? -1)) return;
		this.accepted++;
		if (this.pace > 0 && this.accepted >= this.foundation * 2 ** (1 + this.proofs)) {
			this.held = this.pace;
			this.pace /= this.isGuess ? 4 : 2;
			this.foundation = this.accepted;
		}
	}

	/** A request that was sent at `sentAt` was refused, and may come again after `delay`. */
	refuse(now: number, delay: number, sentAt: number): void {
		this.opensAt = Math.max(this.opensAt, now + delay);
		const { refusedAt, accepted } = this;
		if (sentAt <= (refusedAt ?? -1)) return;
		this.refusedAt = now;
		this.accepted = 0;
		const proven = accepted < 1.5 * this.foundation ? this.held : undefined;
		this.proofs = proven === undefined ? 0 : this.proofs + 1;
		this.held = undefined;
		this.isGuess = refusedAt === undefined;
		const span = refusedAt === undefined ? this.opensAt - (this.beganAt ?? now) : now - refusedAt;
		const borne = accepted > 0 ? (span / accepted) * MARGIN : Math.max(this.pace, delay);
		this.pace = Math.min(MAX_PACE, borne, proven ?? Infinity);
		this.foundation = Math.max(1, accepted);
	}
}
