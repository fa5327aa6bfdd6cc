/** One poll's place among those of its node. Times in ms. */
export interface Turn {
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

/**
 * Keeps apart the polls of one node that overlap in this process. n8n starts the next one while one
 * is under way. Its scheduler gives each poll a copy of the state from its beginning, and saves the
 * one it leaves behind without a look at the others: a poll whose copy is old would emit the same
 * records once more.
 */
export class Turns {
	/** The newest poll under way. */
	private readonly underWay = new Map<string, { began: number }>();

	private readonly handedOver = new Map<string, { handed: number; at: number }>();

	/**
	 * @param key stands for the workflow and the node
	 * @param budget what n8n grants a poll
	 * @param isFirst whether the poll is part of an activation: what it would wait for is over
	 * @returns undefined where another poll is under way
	 */
	begin(key: string, now: number, budget: number, isFirst: boolean): Turn | undefined {
		if (isFirst) this.handedOver.delete(key);
		else if (now - (this.underWay.get(key)?.began ?? -Infinity) < budget) return undefined;
		const turn = { began: now };
		this.underWay.set(key, turn);
		return {
			isOver: (handed, at) => {
				const last = this.handedOver.get(key);
				// After that long the state was not saved, and neither was the execution: both must come again.
				const isOldCopy = last !== undefined && handed < last.handed && at - last.at < 2 * budget;
				return isOldCopy || this.underWay.get(key) !== turn;
			},
			handOver: (handed, at) => void this.handedOver.set(key, { handed, at }),
			end: () => {
				if (this.underWay.get(key) === turn) this.underWay.delete(key);
			},
		};
	}
}
