/** How long passes between two looks at the same thing, in ms: from the first to the later ones. */
const FIRST_GAP = 2000;
const LAST_GAP = 15_000;
const GROWTH = 1.5;

/** How soon one that joins is noticed while the others wait, in ms. */
const SLICE = 250;

export interface Clock {
	/** In ms. */
	now(): number;
	/** Fails where the execution is stopped. */
	sleep(ms: number): Promise<void>;
}

/** One that is waited for: what is known of it, and whether there will be another look. */
export interface Look<State> {
	state: State;
	isLast: boolean;
}

interface Seat<State> {
	state: State;
	/** How often it was looked at. */
	looks: number;
	/** When the next look is due, and when the last one is, in ms. */
	dueAt: number;
	until: number;
	settle(state: State): void;
	fail(error: unknown): void;
}

/**
 * Several wait for something to happen, and look together: a round is a single look at all that are
 * there. The next round comes when the first of them is due; each is due more rarely the longer it
 * waits, from every 2 to every 15 s, and rounds are at least 2 s apart. Whoever has waited long
 * enough gets one look more.
 */
export class Rounds<State> {
	private readonly look: (waiting: Array<Look<State>>) => Promise<State[]>;

	private readonly isOver: (state: State) => boolean;

	private readonly clock: Clock;

	private seats: Array<Seat<State>> = [];

	private isRunning = false;

	private lookedAt = -Infinity;

	/** @param look what has become of each that waits, in the same order; where it fails, all of them do */
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
	 * @param isFresh whether `state` comes from a look just now, so that the first need not be at once
	 * @returns the state that ended the waiting, or the last one where the time ran out
	 * @throws what a look or the clock's `sleep` threw
	 */
	async wait(state: State, most: number, isFresh = false): Promise<State> {
		if (this.isOver(state)) return state;
		const now = this.clock.now();
		return await new Promise((settle, fail) => {
			const looks = isFresh ? 1 : 0;
			const until = now + most;
			const dueAt = Math.min(now + gapAfter(looks), until);
			this.seats.push({ state, looks, dueAt, until, settle, fail });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			while (this.seats.length > 0) {
				const wait = this.nextAt() - this.clock.now();
				if (wait > 0) await this.clock.sleep(Math.min(wait, SLICE));
				else await this.round();
			}
		} catch (error) {
			for (const { fail } of this.seats.splice(0)) fail(error);
		} finally {
			this.isRunning = false;
		}
	}

	private nextAt(): number {
		const dueAt = Math.min(...this.seats.map((seat) => seat.dueAt));
		return Math.max(dueAt, this.lookedAt + FIRST_GAP);
	}

	private async round(): Promise<void> {
		const present = [...this.seats];
		const startedAt = this.clock.now();
		const isLast = ({ until }: Seat<State>) => until <= startedAt;
		const states = await this.look(
			present.map((seat) => ({ state: seat.state, isLast: isLast(seat) })),
		);
		const now = this.clock.now();
		this.lookedAt = now;
		const after = present.map((seat, at): Seat<State> => {
			const looks = seat.looks + 1;
			const dueAt = Math.min(now + gapAfter(looks), Math.max(seat.until, now));
			return { ...seat, state: states[at] as State, looks, dueAt };
		});
		const leaves = (seat: Seat<State>) => this.isOver(seat.state) || isLast(seat);
		const joined = this.seats.slice(present.length);
		this.seats = [...after.filter((seat) => !leaves(seat)), ...joined];
		for (const seat of after.filter(leaves)) seat.settle(seat.state);
	}
}

/** How long after so many looks the next one is due, in ms; the first is due at once. */
function gapAfter(looks: number): number {
	return looks === 0 ? 0 : Math.min(LAST_GAP, FIRST_GAP * GROWTH ** (looks - 1));
}
