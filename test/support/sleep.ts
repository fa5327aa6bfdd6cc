import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { sleeping } from './n8n.ts';

/**
 * Lets time pass at once where a node sleeps, so that a wait of minutes takes none. It stands still
 * while a request is under way: how long that takes is up to the machine.
 * @returns gives n8n its own sleep back
 */
export function sleepOn(clock: { advance(ms: number): void }): () => void {
	const own = sleeping.by;
	// A request that an earlier test left behind is not waited for.
	underWay.clear();
	sleeping.by = async (ms) => {
		await quiet();
		clock.advance(ms);
	};
	return () => {
		sleeping.by = own;
	};
}

const HOUR = 3_600_000;

let ahead = 0;

/**
 * Lets the time that a node waits pass at once, for an API that refuses for longer than a node waits. Each test
 * begins an hour after the one before, whose rate limit is over then.
 * @returns ends it
 */
export function letWaitsPass(): () => void {
	const { now } = Date;
	ahead += HOUR;
	Date.now = () => now() + ahead;
	const giveBack = sleepOn({ advance: (ms) => (ahead += ms) });
	return () => {
		giveBack();
		Date.now = now;
	};
}

const underWay = new Set<ClientRequest>();

subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	underWay.add(request);
	request.once('close', () => underWay.delete(request));
});

/** Turns of the event loop without a request after which none is being made. */
const QUIET_TURNS = 4;

async function quiet(): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (underWay.size > 0) turns = 0;
	}
}
