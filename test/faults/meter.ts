import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** How much the heap grew while it ran, and how much of that is left; in bytes. */
export class Meter {
	private readonly before: number;

	private most = 0;

	private readonly timer: NodeJS.Timeout;

	constructor() {
		collect();
		this.before = process.memoryUsage().heapUsed;
		this.timer = setInterval(() => this.look(), 10);
	}

	private look(): void {
		this.most = Math.max(this.most, process.memoryUsage().heapUsed);
	}

	/** Memory that only waits to be collected counts as peak, not as left. */
	stop(): { peak: number; left: number } {
		clearInterval(this.timer);
		this.look();
		collect();
		return { peak: this.most - this.before, left: process.memoryUsage().heapUsed - this.before };
	}
}
