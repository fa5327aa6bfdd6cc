import { vi } from 'vitest';

/** The clocks of the API and of n8n. They stand still until a test moves them. */
export class Clock {
	/** The API's time in ms. */
	server: number;

	private ahead: number;

	/** @param ahead how far n8n's clock is ahead of the API's, in ms */
	constructor(server = Date.UTC(2026, 0, 15, 9), ahead = 0) {
		this.server = server;
		this.ahead = ahead;
		vi.useFakeTimers({ toFake: ['Date'] });
		this.set(server, ahead);
	}

	set(server: number, ahead = this.ahead): void {
		this.server = server;
		this.ahead = ahead;
		vi.setSystemTime(server + ahead);
	}

	advance(ms: number): void {
		this.set(this.server + ms);
	}

	/** As the API writes a time. */
	iso(ago = 0): string {
		return new Date(this.server - ago).toISOString();
	}

	thaw(): void {
		vi.useRealTimers();
	}
}
