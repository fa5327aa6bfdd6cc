import { parseArgs } from 'node:util';
import { startEmulator } from './index.ts';
import type { Data } from './index.ts';

const USAGE = 'usage: node test/emulator/main.ts [--port 4010] [--data demo|small|empty]';

const { values } = parseArgs({
	options: { port: { type: 'string', default: '4010' }, data: { type: 'string', default: 'demo' } },
});
const isKnown = (data: string): data is Data => ['demo', 'small', 'empty'].includes(data);
if (!/^\d+$/.test(values.port) || !isKnown(values.data)) {
	console.error(USAGE);
	process.exit(2);
}

const emulator = await startEmulator({ port: Number(values.port), data: values.data });

const KEY_WORDS: Record<keyof typeof emulator.keys, string> = {
	read: 'READ',
	readWrite: 'READ_WRITE',
	write: 'WRITE',
	calls: 'MAKE_OUTBOUND_CALLS',
	writeCalls: 'WRITE, MAKE_OUTBOUND_CALLS',
	all: 'READ_WRITE, WRITE, MAKE_OUTBOUND_CALLS',
	none: 'no permission',
	otherOrg: 'all, of another organization',
};

const { store, keys } = emulator;
const lines = Object.entries(KEY_WORDS).map(
	([name, words]) => `  ${keys[name as keyof typeof keys].padEnd(32)}${words}`,
);
console.log(`Emulator of the voice-agent API, with invented data (${values.data})

  Base URL  ${emulator.url}
  Records   ${store.agents.size} agents, ${store.contacts.size} contacts, ${store.calls.size} calls, ${store.orders.size} orders
  Verified  ${[...store.verifiedNumbers].join(', ') || 'no number'} (for test calls)

API keys
${lines.join('\n')}

OAuth (a test aid, not part of the API)
  Authorization  ${emulator.oauth.authorizationUrl}
  Token          ${emulator.oauth.tokenUrl}

Ctrl-C stops it.`);

process.once('SIGINT', () => void emulator.close());
process.once('SIGTERM', () => void emulator.close());
