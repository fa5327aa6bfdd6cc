import { getHeapStatistics } from 'node:v8';

import { collectGarbage } from '../bench/measure.ts';

const heapUsed = () => getHeapStatistics().used_heap_size;

/** Measures how much the heap grew, and how much of that is still in use, in bytes. */
export class Meter {
	private readonly before: number;

	private most = 0;

	private readonly timer: NodeJS.Timeout;

	constructor() {
		collectGarbage();
		this.before = heapUsed();
		this.timer = setInterval(() => this.look(), 10);
	}

	private look(): void {
		this.most = Math.max(this.most, heapUsed());
	}

	/** Garbage counts for `peak`, but not for `left`. */
	stop(): { peak: number; left: number } {
		clearInterval(this.timer);
		this.look();
		collectGarbage();
		return { peak: this.most - this.before, left: heapUsed() - this.before };
	}
}
