import { fork } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { startEmulator, type Counts, type Emulator } from '../../test/emulator/index.ts';
import type { Data } from '../../test/emulator/seed.ts';

type List = 'calls' | 'contacts';

/** What can be asked of the process; everything is copied on the way. */
interface Commands {
	fill(counts: Counts): void;
	/** The ids as the list endpoint gives them, newest first. */
	ids(list: List): string[];
	/** More organizations, each by its key and a contact of its own, with a call for each of these dates. */
	organizations(count: number, dates?: string[]): Array<{ api_key: string; contact: string }>;
	/** Each answer takes so long from now on: ms. */
	latency(ms: number): void;
	reset(): void;
	/** Since the last reset: how many requests came, and the most that were under way at once. */
	seen(): { requests: number; most: number };
}

/** An emulator in a process of its own, so that its work is not counted as the node's. */
export type FarEmulator = Pick<Emulator, 'url' | 'keys'> & {
	[Name in keyof Commands]: (
		...given: Parameters<Commands[Name]>
	) => Promise<ReturnType<Commands[Name]>>;
} & { close(): Promise<void> };

export async function startFarEmulator(data: Data = 'small'): Promise<FarEmulator> {
	const child = fork(fileURLToPath(import.meta.url), [data], {
		execArgv: ['--disable-warning=ExperimentalWarning'],
	});
	let asked = 0;
	const ask = async (name: string, ...given: unknown[]) =>
		await new Promise<any>((resolve, reject) => {
			const id = asked++;
			const listen = (answer: { id: number; value?: unknown; error?: string }) => {
				if (answer.id !== id) return;
				child.off('message', listen);
				if (answer.error === undefined) resolve(answer.value);
				else reject(new Error(answer.error));
			};
			child.on('message', listen);
			child.send({ id, name, given });
		});
	const { names, ...access } = await ask('start');
	const command = (name: string) => [
		name,
		async (...given: unknown[]) => await ask(name, ...given),
	];
	const close = async () => {
		child.disconnect();
		await once(child, 'exit');
	};
	return { ...access, ...Object.fromEntries(names.map(command)), close } as FarEmulator;
}

async function serve(data: Data): Promise<void> {
	const emulator = await startEmulator({ data });
	const { store } = emulator;
	let ms = 0;
	emulator.before(async () => void (ms > 0 && (await setTimeout(ms))));
	let [underWay, most] = [0, 0];
	subscribe('http.server.request.start', () => void (most = Math.max(most, ++underWay)));
	subscribe('http.server.response.finish', () => void underWay--);
	const commands: Commands & { start(): unknown } = {
		start: () => ({ url: emulator.url, keys: emulator.keys, names: Object.keys(commands) }),
		fill: (counts) => store.fill(counts),
		ids: (list) => {
			const rows: Array<{ id: string }> = store[list].inOrder('created_at', true);
			return rows.map(({ id }) => id);
		},
		organizations: (count, dates = []) =>
			Array.from({ length: count }, () => {
				const added = emulator.addOrganization();
				for (const created_at of dates) added.store.addCall({ created_at });
				return { api_key: added.apiKey, contact: added.store.contacts.all()[0]!.id };
			}),
		latency: (wanted) => {
			ms = wanted;
			commands.reset();
		},
		reset: () => {
			emulator.reset();
			most = 0;
		},
		seen: () => ({ requests: emulator.requests.length, most }),
	};
	process.on('message', ({ id, name, given }: { id: number; name: string; given: [] }) => {
		try {
			const command = commands[name as keyof Commands] as (...given: unknown[]) => unknown;
			process.send!({ id, value: command(...given) });
		} catch (error) {
			process.send!({ id, error: String(error) });
		}
	});
	process.on('disconnect', () => process.exit());
}

if (import.meta.main) await serve(process.argv[2] as Data);
