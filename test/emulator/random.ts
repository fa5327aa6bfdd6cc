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

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		const choice = choices[this.integer(0, choices.length - 1)];
		if (choice === undefined) throw new Error('nothing to pick from');
		return choice;
	}

	/** A random (version 4) UUID. */
	uuid(): string {
		const word = () =>
			Math.floor(this.next() * 4_294_967_296)
				.toString(16)
				.padStart(8, '0');
		const [a, b, c, d] = [word(), word(), word(), word()];
		const variant = '89ab'[parseInt(c.charAt(0), 16) & 3] ?? '8';
		return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
	}
}
