/** One poll's place among those of its node. Times in ms. */
export interface PollTurn {
	/**
	 * Whether it must hand over nothing: a newer poll has taken over, or its state is a copy from
	 * before another poll handed over items.
	 *
	 * @param handed what its state tells: how many polls had handed over items by then
	 */
	isOver(handed: number, now: number): boolean;
	/** Items were handed over, and `handed` polls have done so by now. */
	handOver(handed: number, now: number): void;
	end(): void;
}

/** A poll that asks for its turn. Times in ms. */
export interface PollRequest {
	now: number;
	/** What n8n grants a poll. */
	budget: number;
	/** What is watched. */
	scope: string;
	/** Whether the poll is part of an activation: what it would wait for is over. */
	isFirst: boolean;
	/**
	 * Whether nothing of that scope is stored. n8n does not tell the activation of a workflow that is
	 * published anew from its other polls, and its scheduler saves a beginning only there.
	 */
	isAnew: boolean;
}

/**
 * Keeps apart the polls of one node that overlap in this process. n8n starts the next one while one
 * is under way. Its scheduler gives each poll a copy of the state from its beginning, and saves the
 * one it leaves behind without a look at the others: a poll whose copy is old would emit the same
 * records once more.
 */
export class OverlappingPolls {
	/** The newest poll under way. */
	private readonly underWay = new Map<string, { began: number; scope: string }>();

	private readonly handedOver = new Map<string, { handed: number; at: number; scope: string }>();

	/**
	 * @param key stands for the workflow and the node
	 * @returns undefined where another poll is under way
	 */
	begin(key: string, { now, budget, scope, isFirst, isAnew }: PollRequest): PollTurn | undefined {
		const other = this.underWay.get(key);
		const overtakes = isFirst || (isAnew && other?.scope !== scope);
		if (isFirst) this.handedOver.delete(key);
		if (!overtakes && now - (other?.began ?? -Infinity) < budget) return undefined;
		const turn = { began: now, scope };
		this.underWay.set(key, turn);
		return {
			isOver: (handed, at) => {
				const last = this.handedOver.get(key);
				// After that long the state was not saved, and neither was the execution: both must come again.
				const isOldCopy =
					last?.scope === scope && handed < last.handed && at - last.at < 2 * budget;
				return isOldCopy || this.underWay.get(key) !== turn;
			},
			handOver: (handed, at) => void this.handedOver.set(key, { handed, at, scope }),
			end: () => {
				if (this.underWay.get(key) === turn) this.underWay.delete(key);
			},
		};
	}
}
