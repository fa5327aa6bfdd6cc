import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import { startEmulator, type Counts, type Emulator } from '../../test/emulator/index.ts';

interface Wanted {
	/** Records of the first organization. */
	counts?: Counts;
	/** More organizations, each with calls. How old the newest call is, and the time between two: ms. */
	clients?: { count: number; calls: number; newest: number; apart: number };
	/** How long each answer takes: ms. */
	latency: number;
	/** How many requests it accepts in a second. Others are refused with a 429. Default: all. */
	perSecond?: number;
}

export interface FarEmulator extends Pick<Emulator, 'url' | 'keys'> {
	/** The ids of the contacts of the first organization. */
	contacts: string[];
	/** The keys of the other organizations. */
	clients: string[];
	/** How many requests were refused since the last time that this was asked. */
	refused(): Promise<number>;
	close(): Promise<void>;
}

/** Starts an emulator in a process of its own, so that its work is not counted as the node's. */
export async function startFarEmulator(wanted: Wanted): Promise<FarEmulator> {
	const child = fork(import.meta.filename, [JSON.stringify(wanted)], {
		execArgv: ['--disable-warning=ExperimentalWarning'],
	});
	const [started] = (await once(child, 'message')) as [FarEmulator];
	const refused = async () => {
		child.send('refused');
		const [count] = (await once(child, 'message')) as [number];
		return count;
	};
	const close = async () => {
		child.disconnect();
		await once(child, 'exit');
	};
	return { ...started, refused, close };
}

async function serve({
	counts = {},
	clients,
	latency,
	perSecond = Infinity,
}: Wanted): Promise<void> {
	const emulator = await startEmulator({ data: 'empty' });
	emulator.store.fill(counts);
	const keys = Array.from({ length: clients?.count ?? 0 }, () => {
		const { apiKey, store } = emulator.addOrganization('small');
		const { calls, newest, apart } = clients!;
		for (let at = 0; at < calls; at++)
			store.addCall({ created_at: new Date(Date.now() - newest - at * apart).toISOString() });
		return apiKey;
	});
	if (latency > 0) emulator.before(async () => void (await setTimeout(latency)));
	const accepted: number[] = [];
	let refused = 0;
	emulator.before(() => {
		const second = Date.now() - 1000;
		while (accepted[0]! <= second) accepted.shift();
		if (accepted.length < perSecond) return void accepted.push(Date.now());
		refused += 1;
		emulator.faults.add({ kind: 'limited', seconds: 1 });
	});
	process.on('message', () => {
		process.send!(refused);
		refused = 0;
	});
	const contacts = emulator.store.contacts.all().map(({ id }) => id);
	process.on('disconnect', () => process.exit());
	process.send!({ url: emulator.url, keys: emulator.keys, contacts, clients: keys });
}

if (import.meta.main) await serve(JSON.parse(process.argv[2]!) as Wanted);
