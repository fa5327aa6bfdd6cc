import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import { startEmulator, type Emulator } from '../../test/emulator/index.ts';
import { loadPackage, type Credentials } from '../../test/support/harness.ts';
import { amount, seconds } from './print.ts';
import { stepsForDemo, stepsForOwnAccount, type Step } from './steps.ts';

/** The account that the demo works on. */
interface Account {
	about: string;
	steps: Step[];
	/** Of somebody's own account, which is only read. */
	isReal: boolean;
	close?(): Promise<void>;
}

/** The requests that this process sent: those with an answer, and those that change something. */
const traffic = { answered: 0, writes: 0 };
subscribe('http.client.request.start', (message) => {
	if ((message as { request: ClientRequest }).request.method !== 'GET') traffic.writes += 1;
});
subscribe('http.client.response.finish', () => void (traffic.answered += 1));

const credentialsOf = (baseUrl: string, apiKey: string): Credentials => ({
	ykVoiceApi: { baseUrl, apiKey },
});

function contents({ store: { agents, calls, orders } }: Emulator): string {
	const counts = { agents, calls, orders };
	return Object.entries(counts)
		.map(([name, { size }]) => `${size.toLocaleString('en')} ${name}`)
		.join(', ');
}

/**
 * The account that the environment names, or the emulator.
 * @throws Error if the environment names half of an account
 */
async function openAccount(): Promise<Account> {
	const { YK_VOICE_BASE_URL: baseUrl, YK_VOICE_API_KEY: apiKey } = process.env;
	if (baseUrl && apiKey) {
		const steps = stepsForOwnAccount(credentialsOf(baseUrl, apiKey));
		return { about: `your own at ${baseUrl}, read only`, steps, isReal: true };
	}
	if (baseUrl || apiKey) {
		const missing = baseUrl ? 'YK_VOICE_API_KEY' : 'YK_VOICE_BASE_URL';
		throw new Error(
			`Set both YK_VOICE_BASE_URL and YK_VOICE_API_KEY to read your own account, or neither; ${missing} is missing.`,
		);
	}
	const emulator = await startEmulator({ data: 'demo' });
	return {
		about: `the emulator of the API with invented data: ${contents(emulator)}`,
		steps: stepsForDemo(emulator, credentialsOf(emulator.url, emulator.keys.all)),
		isReal: false,
		close: emulator.close,
	};
}

let account: Account | undefined;
let at = 'start';
try {
	account = await openAccount();
	console.log(`\nYK Voice: the built node, run by n8n's own engine\nAccount: ${account.about}\n`);
	await loadPackage();

	for (const [index, { title, run }] of account.steps.entries()) {
		at = title;
		const [started, before] = [performance.now(), traffic.answered];
		const { items, lines } = await run();
		const requests = amount(traffic.answered - before, 'request');
		const time = seconds(performance.now() - started);
		console.log(`${index + 1}. ${title}: ${amount(items, 'item')}, ${requests}, ${time}`);
		console.log([...lines, ''].join('\n'));
	}

	if (account.isReal && traffic.writes > 0) {
		throw new Error(`${amount(traffic.writes, 'request')} could have changed your account`);
	}
	const all = `${amount(account.steps.length, 'step')}, ${amount(traffic.answered, 'request')}`;
	const time = seconds(performance.now());
	console.log(`Done: ${all}, ${time} including the load of n8n's engine.`);
	if (account.isReal) console.log('Nothing was written: every request was a GET.');
} catch (error) {
	const { message, description } = error as Error & { description?: string | null };
	console.error([`\nThe demo failed at "${at}".`, message, description ?? ''].join('\n'));
	process.exitCode = 1;
} finally {
	await account?.close?.();
}
