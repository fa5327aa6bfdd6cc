import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { workflow } from './n8n.ts';

/**
 * Lets time pass at once where a node sleeps, so that a wait of minutes takes none. It stands still
 * while a request is under way: how long that takes is up to the machine.
 * @returns gives n8n its own sleep back
 */
export function sleepOn(clock: { advance(ms: number): void }): () => void {
	const own = Object.getOwnPropertyDescriptor(workflow, 'sleep')!;
	// A request that an earlier test left behind is not waited for.
	underWay.clear();
	const sleep = async (ms: number) => {
		await quiet();
		clock.advance(ms);
	};
	Object.defineProperty(workflow, 'sleep', { configurable: true, enumerable: true, value: sleep });
	return () => Object.defineProperty(workflow, 'sleep', own);
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
