import { parseArgs } from 'node:util';
import { startEmulator, type Data } from './index.ts';
import { readingsOf, SERVERS } from './readings.ts';

// `npm run emulator`: the API alone, as one of its servers: `-- --dialect gateway`.

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		data: { type: 'string', default: 'demo' },
		dialect: { type: 'string', default: 'usual' },
	},
});
const about = new Map(Object.entries(SERVERS)).get(values.dialect);
if (about === undefined) throw new Error(`The dialects: ${Object.keys(SERVERS).join(', ')}`);

const emulator = await startEmulator({
	port: Number(values.port),
	data: values.data as Data,
	readings: readingsOf(values.dialect),
});
console.log(`Emulator of the voice-agent API, with invented data (${values.data})

  Base URL  ${emulator.url}
  Dialect   ${about}
  Verified  ${[...emulator.store.verifiedNumbers].join(', ') || 'no number'} (for test calls)
  API keys  ${Object.values(emulator.keys).join(', ')}

Ctrl-C stops it.`);

process.once('SIGINT', () => void emulator.close());
process.once('SIGTERM', () => void emulator.close());
