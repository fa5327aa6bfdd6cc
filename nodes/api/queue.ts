/** Runs tasks in the order in which they came, as many at once as there is room for at the moment. */
export class Queue {
	/** Tasks that run now. */
	underWay = 0;

	private readonly room: () => number;

	private readonly waiting: Array<() => void> = [];

	/** @param room how many tasks may run at once; it may change while they do */
	constructor(room: () => number) {
		this.room = room;
	}

	async run<T>(task: () => Promise<T>): Promise<T> {
		const turn = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.fill();
		await turn;
		try {
			return await task();
		} finally {
			this.underWay--;
			this.fill();
		}
	}

	private fill(): void {
		while (this.underWay < this.room()) {
			const begin = this.waiting.shift();
			if (begin === undefined) return;
			this.underWay++;
			begin();
		}
	}
}
