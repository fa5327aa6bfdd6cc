// n8n with this package in it, for a person: `npm run editor`.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

import { startEmulator } from '../emulator/index.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n, OWNER, type WorkflowJson } from './n8n.ts';
import { pack } from './pack.ts';
import { withCredential } from './workflows.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

const { values } = parseArgs({
	options: { port: { type: 'string' }, host: { type: 'string', default: NEWEST } },
});

const host = installHost(values.host);
const emulator = await startEmulator({ data: 'demo' });
console.log(`Starting n8n ${host.version} …`);
const packed = pack();
const n8n = await N8n.start({
	host,
	pack: packed,
	port: values.port === undefined ? undefined : Number(values.port),
});
await n8n.installPackage();
const credential = await n8n.createCredential(
	{ apiKey: emulator.keys.all, baseUrl: emulator.url },
	{ name: 'YK Voice (demo data)' },
);
const files = existsSync(EXAMPLES)
	? readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'))
	: [];
const names: string[] = [];
for (const file of files.sort()) {
	const workflow = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as WorkflowJson;
	const { id, name } = await n8n.saveWorkflow(withCredential(workflow, credential));
	names.push(`  ${n8n.url}/workflow/${id}  ${name}`);
}

console.log(`
n8n ${host.version} with this package, and an emulator of the API with invented data

  Editor      ${n8n.url}
  E-mail      ${OWNER.email}
  Password    ${OWNER.password}
  Credential  ${credential.name}
  API         ${emulator.url}
${names.length > 0 ? `\nExample workflows\n${names.join('\n')}\n` : ''}
Ctrl-C stops it and forgets everything.`);

const end = async () => {
	await n8n.dispose();
	await emulator.close();
	rmSync(dirname(packed.tarball), { recursive: true, force: true });
	process.exit(0);
};
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());
