/** How many requests run in parallel at first, and at most, if the user sets no number. */
export const FIRST_WINDOW = 10;
export const MAX_WINDOW = 50;

/** Answers count as slower when they take this many times as long as the fastest round did. */
const SLOWER = 1.8;

/** What a busy n8n may add to the time of every answer, in ms. */
const OWN_WORK = 50;

/** The window is never again larger than this part of one that met a rate limit. */
const SAFE_SHARE = 0.8;

/**
 * How many requests may run in parallel. The window doubles with each round of answers until answers
 * get slower or a request is refused. From then on it grows by one with each round, and shrinks if
 * answers get slower.
 */
export class Window {
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
		else this.resize(this.isRising ? this.size * 2 : this.size + 1);
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

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
