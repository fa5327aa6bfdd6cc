import { vi } from 'vitest';

/** The clock of the API and of n8n. It stands still until a test moves it. */
export class Clock {
	/** The time in ms. */
	server: number;

	constructor(now = Date.UTC(2026, 0, 15, 9)) {
		vi.useFakeTimers({ toFake: ['Date'] });
		vi.setSystemTime(now);
		this.server = now;
	}

	advance(ms: number): void {
		this.server += ms;
		vi.setSystemTime(this.server);
	}

	/** As the API writes a time. */
	iso(ago = 0): string {
		return new Date(this.server - ago).toISOString();
	}

	thaw(): void {
		vi.useRealTimers();
	}
}
