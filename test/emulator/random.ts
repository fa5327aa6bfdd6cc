/** Random numbers from a seed: the same data on every machine, so that a failing test can be run again. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** 0 (included) to 1 (excluded). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from min to max, both included. */
	integer(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	pick<T>(choices: readonly T[]): T {
		return choices[this.integer(0, choices.length - 1)] as T;
	}

	/** A random (version 4) UUID. */
	uuid(): string {
		const digits = (count: number) =>
			Array.from({ length: count }, () => this.integer(0, 15).toString(16)).join('');
		return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
	}
}
