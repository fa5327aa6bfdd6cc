/** Lets in as many at once as there are places, in the order in which they came. */
export class Semaphore {
	/** How many places there are. */
	protected most: number;

	#taken = 0;

	readonly #waiting: Array<() => void> = [];

	constructor(most: number) {
		this.most = most;
	}

	/** Changes how many places there are. Those who have one keep it. */
	resize(most: number): void {
		this.most = most;
		this.#fill();
	}

	/**
	 * Waits for a place.
	 * @param isFirst goes in before all others that wait
	 * @returns gives the place back; calling it again does nothing
	 */
	async take(isFirst = false): Promise<() => void> {
		await new Promise<void>((enter) => {
			if (isFirst) this.#waiting.unshift(enter);
			else this.#waiting.push(enter);
			this.#fill();
		});
		let isIn = true;
		return () => {
			if (!isIn) return;
			isIn = false;
			this.#taken--;
			this.#fill();
		};
	}

	#fill(): void {
		while (this.#taken < this.most) {
			const enter = this.#waiting.shift();
			if (enter === undefined) return;
			this.#taken++;
			enter();
		}
	}
}
