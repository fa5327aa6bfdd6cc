import { SECOND } from '../time';

/** How long passes between two looks, in ms: from the first to the later ones. */
const FIRST_GAP = 2 * SECOND;
const LAST_GAP = 15 * SECOND;

/** The gap after this one. Looks come after 2, 5, 9.5, … seconds, and later every 15 seconds. */
const nextGap = (gap: number): number => Math.min(LAST_GAP, gap * 1.5);

/** Lets several waiters look together: a round is one look for all of them. */
export class Rounds {
	readonly #look: () => Promise<void>;

	readonly #pause: (ms: number) => Promise<void>;

	readonly #waiters = new Set<{ until: number }>();

	#gap = FIRST_GAP;

	/** When the last look ended. */
	#endedAt = 0;

	#next: Promise<number> | undefined;

	/** @param pause waits so many ms, and fails if the execution is stopped */
	constructor(look: () => Promise<void>, pause: (ms: number) => Promise<void>) {
		this.#look = look;
		this.#pause = pause;
	}

	/**
	 * Waits for something that a look finds out. When the time is over, there is one last look.
	 * @param until when the time is over, in ms since 1970
	 * @throws what a look or the pause threw
	 */
	async wait(isOver: () => boolean, until: number): Promise<void> {
		if (this.#waiters.size === 0) {
			this.#gap = FIRST_GAP;
			this.#endedAt = Date.now();
		}
		const waiter = { until };
		this.#waiters.add(waiter);
		try {
			let lookedAt = Date.now();
			while (!isOver() && lookedAt < until) lookedAt = await (this.#next ??= this.#round());
		} finally {
			this.#waiters.delete(waiter);
		}
	}

	/** @returns when the look began */
	async #round(): Promise<number> {
		try {
			const left = this.#dueAt() - Date.now();
			if (left > 0) await this.#pause(left);
			const beganAt = Date.now();
			await this.#look();
			this.#endedAt = Date.now();
			this.#gap = nextGap(this.#gap);
			return beganAt;
		} finally {
			this.#next = undefined;
		}
	}

	#dueAt(): number {
		const ends = [...this.#waiters].map(({ until }) => until);
		const dueAt = Math.min(this.#endedAt + this.#gap, ...ends);
		return Math.max(dueAt, this.#endedAt + FIRST_GAP);
	}
}
