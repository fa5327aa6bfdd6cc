/** The slowest pace that refusals are taken to ask for, in ms from one request to the next. */
const MAX_PACE = 1000;

/**
 * When the requests of a session may be sent. A refusal (429) holds back all of them; how many
 * were accepted until the gate opens again tells the pace that the server bears, so that the
 * next ones are not refused in turn. Times in ms; no clock of its own.
 */
export class Gate {
	private opensAt = 0;

	private pace = 0;

	private next = 0;

	private windowStart: number | undefined;

	private accepted = 0;

	private held = 0;

	/** Milliseconds for which refusals held requests back so far. */
	heldBack = () => this.held;

	/** How long a request that wants to go now has to wait; 0 takes the turn. */
	wait(now: number): number {
		const at = Math.max(this.opensAt, this.next);
		if (at > now) return at - now;
		this.windowStart ??= now;
		this.next = now + this.pace;
		return 0;
	}

	accept(): void {
		this.accepted++;
	}

	/** A request was refused, and may come again after `delay`. */
	refuse(now: number, delay: number): void {
		const opensAt = now + delay;
		if (opensAt <= this.opensAt) return;
		this.held += opensAt - Math.max(this.opensAt, now);
		this.opensAt = opensAt;
		if (this.accepted === 0) return;
		const borne = (opensAt - (this.windowStart ?? now)) / this.accepted;
		this.pace = Math.min(MAX_PACE, Math.max(this.pace, borne));
		this.windowStart = opensAt;
		this.accepted = 0;
	}
}
