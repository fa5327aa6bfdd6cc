/** Runs tasks in the order in which they came, as many in parallel as there is room for at the moment. */
export class Queue {
	/** How many tasks run now. */
	underWay = 0;

	private readonly room: () => number;

	private readonly waiting: Array<() => void> = [];

	/** @param room how many tasks may run in parallel; it may change while they do */
	constructor(room: () => number) {
		this.room = room;
	}

	/** @param isNext the task goes before all that wait */
	async run<T>(task: () => Promise<T>, isNext = false): Promise<T> {
		const turn = new Promise<void>((start) => {
			if (isNext) this.waiting.unshift(start);
			else this.waiting.push(start);
		});
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
			const start = this.waiting.shift();
			if (start === undefined) return;
			this.underWay++;
			start();
		}
	}
}
