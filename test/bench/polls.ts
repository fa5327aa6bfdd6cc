import { startEmulator, type Emulator } from '../emulator/index.ts';
import { Poller } from '../support/poller.ts';

/** Requests of one poll of the trigger. */
export interface Polls {
	event: string;
	/** With nothing new. */
	idle: number;
	/** With 250 new records. */
	busy: number;
}

const NEW = 250;

const add = {
	newCall: ({ store }: Emulator) => store.addCall({ created_at: now() }),
	callReady: ({ store }: Emulator) => store.addCall({ created_at: now() }),
	newOrder: ({ store }: Emulator) => store.addOrder({ created_at: now() }),
	newTransaction: ({ store }: Emulator) => store.addTransaction({ created_at: now() }),
} as const;

const now = () => new Date().toISOString();

/** What the trigger costs the API, for each event that comes from a list. */
export async function polls(): Promise<Polls[]> {
	const found: Polls[] = [];
	for (const event of Object.keys(add) as Array<keyof typeof add>) {
		const emulator = await startEmulator({ data: 'small' });
		const poller = new Poller({ emulator, parameters: { event } });
		await poller.activate();
		const tick = async () => {
			emulator.reset();
			const items = await poller.tick();
			if (poller.errors[0] !== undefined) throw poller.errors[0];
			return { items: items.length, requests: emulator.requests.length };
		};
		const idle = await tick();
		for (let count = 0; count < NEW; count++) add[event](emulator);
		const busy = await tick();
		if (idle.items !== 0 || busy.items === 0)
			throw new Error(`${event}: ${idle.items}, ${busy.items}`);
		found.push({ event, idle: idle.requests, busy: busy.requests });
		await emulator.close();
	}
	return found;
}
