import { parseArgs } from 'node:util';
import { DIALECTS } from './dialects.ts';
import { startEmulator, type Data } from './index.ts';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		data: { type: 'string', default: 'demo' },
		dialect: { type: 'string' },
	},
});
const dialect = DIALECTS[values.dialect ?? ''];
if (values.dialect !== undefined && !dialect)
	throw new Error(`The dialects: ${Object.keys(DIALECTS).join(', ')}`);

const emulator = await startEmulator({
	port: Number(values.port),
	data: values.data as Data,
	readings: dialect?.readings,
});
console.log(`Emulator of the voice-agent API, with invented data (${values.data})

  Base URL  ${emulator.url}
  Dialect   ${dialect?.about ?? 'its own reading of the reference.'}
  Verified  ${[...emulator.store.verifiedNumbers].join(', ') || 'no number'} (for test calls)
  API keys  ${Object.values(emulator.keys).join(', ')}

Ctrl-C stops it.`);

process.once('SIGINT', () => void emulator.close());
process.once('SIGTERM', () => void emulator.close());
