import { parseArgs } from 'node:util';
import { DIALECTS } from './dialects/index.ts';
import { startEmulator } from './index.ts';
import type { Data } from './index.ts';

const USAGE =
	'usage: node test/emulator/main.ts [--port 4010] [--data demo|small|empty] [--dialect NAME]\n' +
	`dialects: ${Object.keys(DIALECTS).join(', ')}`;

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		data: { type: 'string', default: 'demo' },
		dialect: { type: 'string' },
	},
});
const isKnown = (data: string): data is Data => ['demo', 'small', 'empty'].includes(data);
const dialect = values.dialect === undefined ? undefined : DIALECTS[values.dialect];
const isSpoken = values.dialect === undefined || dialect !== undefined;
if (!/^\d+$/.test(values.port) || !isKnown(values.data) || !isSpoken) {
	console.error(USAGE);
	process.exit(2);
}

const emulator = await startEmulator({
	port: Number(values.port),
	data: values.data,
	readings: dialect?.readings,
});

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
  Dialect   ${dialect?.about ?? 'its own reading of the reference.'}
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
