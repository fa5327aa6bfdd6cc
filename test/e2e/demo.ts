import { startEmulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n } from './n8n.ts';
import { packForInstaller } from './pack.ts';

/** An n8n with this package in it, and an emulated account full of invented data. */
export async function startDemo(name = NEWEST, port?: number) {
	const host = await installHost(name);
	const { pack, remove } = packForInstaller();
	const emulator = await startEmulator({ data: 'demo' });
	console.log(`Starting n8n ${host.version} …`);
	const n8n = await N8n.start({ host, pack, port });
	const credential = await n8n.createCredential(
		{ apiKey: emulator.keys.all, baseUrl: emulator.url },
		{ name: 'YK Voice (demo data)' },
	);
	const accounts = { 'Trattoria Aurora': emulator.keys.all, 'Hotel Borea': emulator.keys.otherOrg };
	await n8n.createCredential(
		{ accounts: JSON.stringify(accounts), baseUrl: emulator.url },
		{ name: 'YK Voice (demo clients)', type: 'ykVoiceAccountsApi' },
	);
	return {
		host,
		n8n,
		emulator,
		credential,
		/** Stops everything and leaves nothing behind. */
		async end() {
			await n8n.dispose();
			await emulator.close();
			remove();
		},
	};
}
