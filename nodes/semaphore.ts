interface Entry<T> {
	value: T;
	next?: Entry<T>;
}

/** A queue of any length: taking the first entry of an array of 100,000 copies the others. */
export class Queue<T> {
	#first?: Entry<T>;

	#last?: Entry<T>;

	get isEmpty(): boolean {
		return this.#first === undefined;
	}

	add(value: T): void {
		const entry = { value };
		if (this.#first === undefined) this.#first = entry;
		else this.#last!.next = entry;
		this.#last = entry;
	}

	addFirst(value: T): void {
		this.#first = { value, next: this.#first };
		this.#last ??= this.#first;
	}

	/** Removes the first entry. Undefined if there is none. */
	take(): T | undefined {
		const entry = this.#first;
		this.#first = entry?.next;
		if (this.#first === undefined) this.#last = undefined;
		return entry?.value;
	}
}

/** Stops requests. Unlike it, an AbortSignal compares each of thousands of listeners with all others. */
export class Stop {
	isStopped = false;

	readonly listeners = new Set<() => void>();

	/** @param signal stops it too */
	constructor(signal?: AbortSignal) {
		if (signal?.aborted) this.stop();
		signal?.addEventListener('abort', this.stop);
	}

	readonly stop = (): void => {
		this.isStopped = true;
		for (const listener of this.listeners) listener();
	};
}

/** Lets in as many at once as there are places, in the order in which they came. */
export class Semaphore {
	#free: number;

	readonly #waiting = new Queue<() => void>();

	constructor(places: number) {
		this.#free = places;
	}

	/**
	 * Waits for a place.
	 * @returns gives the place back; calling it again does nothing
	 */
	async take(): Promise<() => void> {
		if (this.#free > 0) this.#free--;
		else await new Promise<void>((enter) => this.#waiting.add(enter));
		let isIn = true;
		return () => {
			if (!isIn) return;
			isIn = false;
			const enter = this.#waiting.take();
			if (enter) enter();
			else this.#free++;
		};
	}
}
