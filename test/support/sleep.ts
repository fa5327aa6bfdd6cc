import { workflow } from './n8n.ts';

/**
 * Lets time pass at once where a node sleeps, so that a wait of minutes takes none. It stands still
 * while something is on the wire: how long that takes is up to the machine.
 * @returns gives n8n its own sleep back
 */
export function sleepOn(clock: { advance(ms: number): void }): () => void {
	const own = Object.getOwnPropertyDescriptor(workflow, 'sleep')!;
	const sleep = async (ms: number) => {
		await quiet();
		clock.advance(ms);
	};
	Object.defineProperty(workflow, 'sleep', { configurable: true, enumerable: true, value: sleep });
	return () => Object.defineProperty(workflow, 'sleep', own);
}

/** Turns of the event loop without a connection after which none is being made. */
const QUIET_TURNS = 4;

async function quiet(): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (process.getActiveResourcesInfo().includes('TCPSocketWrap')) turns = 0;
	}
}
