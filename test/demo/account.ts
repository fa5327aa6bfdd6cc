import { startEmulator, type Emulator } from '../emulator/index.ts';
import type { Credentials } from '../support/harness.ts';

/** The account the demo works on. */
export interface Account {
	/** Whether somebody's own account, which is only read. */
	isReal: boolean;
	credentials: Credentials;
	about: string;
	/** The emulator, where that is what it is. */
	emulator?: Emulator;
	/** How many calls there are to export, as far as that is known beforehand. */
	calls?: number;
	close(): Promise<void>;
}

/** The account that the environment names; the emulator where it names none. */
export async function openAccount(): Promise<Account> {
	const { YK_VOICE_BASE_URL: baseUrl, YK_VOICE_API_KEY: apiKey } = process.env;
	if (!baseUrl !== !apiKey) {
		throw new Error(
			`Set both YK_VOICE_BASE_URL and YK_VOICE_API_KEY to read your own account, or neither; ${baseUrl ? 'YK_VOICE_API_KEY' : 'YK_VOICE_BASE_URL'} is missing.`,
		);
	}
	if (baseUrl && apiKey) {
		return {
			isReal: true,
			credentials: { ykVoiceApi: { baseUrl, apiKey } },
			about: `your own at ${baseUrl}, read only`,
			close: async () => {},
		};
	}
	const emulator = await startEmulator({ data: 'demo' });
	return {
		isReal: false,
		credentials: { ykVoiceApi: { baseUrl: emulator.url, apiKey: emulator.keys.all } },
		about: `the emulator of the API with invented data: ${contents(emulator)}`,
		emulator,
		calls: emulator.store.calls.size,
		close: emulator.close,
	};
}

function contents({ store: { agents, calls, orders } }: Emulator): string {
	const count = (size: number) => size.toLocaleString('en');
	return `${count(agents.size)} agents, ${count(calls.size)} calls, ${count(orders.size)} orders`;
}
