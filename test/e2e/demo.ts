import { startEmulator, type Emulator } from '../emulator/index.ts';
import { installHost, NEWEST, type Host } from './host.ts';
import { prepareMachine } from './machine.ts';
import { N8n } from './n8n.ts';
import { packForInstaller } from './pack.ts';
import type { CredentialRef } from './workflows.ts';

/** An n8n with this package in it, and an emulated account full of invented data. */
export interface Demo {
	host: Host;
	n8n: N8n;
	emulator: Emulator;
	credential: CredentialRef;
	/** Stops everything and leaves nothing behind. */
	end(): Promise<void>;
}

export async function startDemo(name = NEWEST, port?: number): Promise<Demo> {
	await prepareMachine();
	const host = await installHost(name);
	const { pack, remove } = packForInstaller();
	const emulator = await startEmulator({ data: 'demo' });
	console.log(`Starting n8n ${host.version} …`);
	const n8n = await N8n.start({ host, pack, port });
	const credential = await n8n.createCredential(
		{ apiKey: emulator.keys.all, baseUrl: emulator.url },
		{ name: 'YK Voice (demo data)' },
	);
	return {
		host,
		n8n,
		emulator,
		credential,
		async end() {
			await n8n.dispose();
			await emulator.close();
			remove();
		},
	};
}
