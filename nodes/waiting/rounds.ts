/** How long passes between two looks at the same thing, in ms: from the first to the later ones. */
const FIRST_GAP = 2000;
const LAST_GAP = 15_000;
const GROWTH = 1.5;

/** How soon a newcomer is noticed while the others wait, in ms. */
const SLICE = 250;

export interface Clock {
	/** In ms. */
	now(): number;
	/** Fails if the execution is stopped. */
	sleep(ms: number): Promise<void>;
}

/** What one waiter knows, and whether this is its last look. */
export interface Look<State> {
	state: State;
	isLast: boolean;
}

/** One waiter. Times in ms. */
interface Waiter<State> {
	state: State;
	/** How many looks it has had. */
	looks: number;
	/** When its next look is due. */
	dueAt: number;
	/** When its time is over. It then gets one last look. */
	until: number;
	settle(state: State): void;
	fail(error: unknown): void;
}

/**
 * Lets several waiters look together: a round is one look for all of them. The next round comes when
 * the first of them is due. The longer one waits, the more rarely it is due, from every 2 to every 15 s.
 * Rounds are at least 2 s apart. When its time is over, a waiter gets one last look.
 */
export class Rounds<State> {
	private readonly look: (waiting: Array<Look<State>>) => Promise<State[]>;

	private readonly isOver: (state: State) => boolean;

	private readonly clock: Clock;

	private waiters: Array<Waiter<State>> = [];

	private isRunning = false;

	private lookedAt = -Infinity;

	/** @param look returns the new state of each waiter, in the same order. If it fails, all of them fail */
	constructor(
		look: (waiting: Array<Look<State>>) => Promise<State[]>,
		isOver: (state: State) => boolean,
		clock: Clock,
	) {
		this.look = look;
		this.isOver = isOver;
		this.clock = clock;
	}

	/**
	 * @param state what is known at the start
	 * @param most how long to wait, in ms
	 * @param isFresh whether `state` was read just now, so that the first look can wait
	 * @returns the state that ended the waiting, or the last one if the time ran out
	 * @throws what a look or the clock's `sleep` threw
	 */
	async wait(state: State, most: number, isFresh = false): Promise<State> {
		if (this.isOver(state)) return state;
		const now = this.clock.now();
		return await new Promise((settle, fail) => {
			const looks = isFresh ? 1 : 0;
			const until = now + most;
			const dueAt = Math.min(now + gapAfter(looks), until);
			this.waiters.push({ state, looks, dueAt, until, settle, fail });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			while (this.waiters.length > 0) {
				const wait = this.nextAt() - this.clock.now();
				if (wait > 0) await this.clock.sleep(Math.min(wait, SLICE));
				else await this.round();
			}
		} catch (error) {
			for (const { fail } of this.waiters.splice(0)) fail(error);
		} finally {
			this.isRunning = false;
		}
	}

	private nextAt(): number {
		const dueAt = Math.min(...this.waiters.map((waiter) => waiter.dueAt));
		return Math.max(dueAt, this.lookedAt + FIRST_GAP);
	}

	private async round(): Promise<void> {
		const asked = [...this.waiters];
		const startedAt = this.clock.now();
		const isLast = ({ until }: Waiter<State>) => until <= startedAt;
		const states = await this.look(
			asked.map((waiter) => ({ state: waiter.state, isLast: isLast(waiter) })),
		);
		const now = this.clock.now();
		this.lookedAt = now;
		const after = asked.map((waiter, at): Waiter<State> => {
			const looks = waiter.looks + 1;
			const dueAt = Math.min(now + gapAfter(looks), Math.max(waiter.until, now));
			return { ...waiter, state: states[at] as State, looks, dueAt };
		});
		const leaves = (waiter: Waiter<State>) => this.isOver(waiter.state) || isLast(waiter);
		const joined = this.waiters.slice(asked.length);
		this.waiters = [...after.filter((waiter) => !leaves(waiter)), ...joined];
		for (const waiter of after.filter(leaves)) waiter.settle(waiter.state);
	}
}

/** How long to wait after so many looks, in ms. The first look is due at once. */
function gapAfter(looks: number): number {
	return looks === 0 ? 0 : Math.min(LAST_GAP, FIRST_GAP * GROWTH ** (looks - 1));
}
