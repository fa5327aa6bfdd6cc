// n8n with this package in it, for a person: `npm run editor`.
import { parseArgs } from 'node:util';

import { startDemo } from './demo.ts';
import { NEWEST } from './host.ts';
import { OWNER } from './n8n.ts';
import { examples, withCredential } from './workflows.ts';

const { values } = parseArgs({
	options: { port: { type: 'string' }, host: { type: 'string', default: NEWEST } },
});

const demo = await startDemo(
	values.host,
	values.port === undefined ? undefined : Number(values.port),
);
const { host, n8n, emulator, credential } = demo;
const names: string[] = [];
for (const workflow of examples().values()) {
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
  API key     ${emulator.keys.all}
  Verified    ${[...emulator.store.verifiedNumbers].join(', ')} (for test calls)
${names.length > 0 ? `\nExample workflows\n${names.join('\n')}\n` : ''}
Ctrl-C stops it and forgets everything.`);

const end = async () => {
	await demo.end();
	process.exit(0);
};
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());
