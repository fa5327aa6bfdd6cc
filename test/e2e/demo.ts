import { startEmulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n } from './n8n.ts';
import { packForInstaller } from './pack.ts';

/** The clients of an agency. */
const CLIENTS = ['Trattoria Aurora', 'Hotel Borea', 'Pizzeria Sud', 'Clinica Nord'];

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
	const keys = Array.from({ length: 3 }, () => emulator.addOrganization('demo').apiKey);
	const accounts = Object.fromEntries(
		[emulator.keys.all, ...keys].map((key, at) => [CLIENTS[at]!, key] as const),
	);
	const clients = await n8n.createCredential(
		{ accounts: JSON.stringify(accounts), baseUrl: emulator.url },
		{ name: 'YK Voice (demo clients)', type: 'ykVoiceAccountsApi' },
	);
	return {
		host,
		n8n,
		emulator,
		/** For one account. */
		credential,
		/** For four clients. */
		clients,
		accounts,
		/** Stops everything and leaves nothing behind. */
		async end() {
			await n8n.dispose();
			await emulator.close();
			remove();
		},
	};
}
