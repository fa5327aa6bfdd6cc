import { parseArgs } from 'node:util';
import { knownCallers } from './access.ts';
import { DIALECTS } from './dialects.ts';
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

const { store, keys } = emulator;
const callers = knownCallers();
const lines = Object.values(keys).map((key) => {
	const { organization, permissions = [] } = callers.get(key)!;
	const about = organization === 'own' ? '' : ' (of another organization)';
	return `  ${key.padEnd(32)}${permissions.join(', ') || 'no permission'}${about}`;
});
console.log(`Emulator of the voice-agent API, with invented data (${values.data})

  Base URL  ${emulator.url}
  Dialect   ${dialect?.about ?? 'its own reading of the reference.'}
  Records   ${store.agents.size} agents, ${store.contacts.size} contacts, ${store.calls.size} calls, ${store.orders.size} orders
  Verified  ${[...store.verifiedNumbers].join(', ') || 'no number'} (for test calls)

API keys
${lines.join('\n')}

Ctrl-C stops it.`);

process.once('SIGINT', () => void emulator.close());
process.once('SIGTERM', () => void emulator.close());
