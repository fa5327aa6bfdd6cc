// n8n with this package in it, for a person: `npm run editor`.
import { parseArgs } from 'node:util';

import { startDemo } from './demo.ts';
import { NEWEST } from './host.ts';
import { OWNER, type WorkflowJson } from './n8n.ts';
import { examples, withCredential } from './workflows.ts';

const { values } = parseArgs({
	options: { port: { type: 'string' }, host: { type: 'string', default: NEWEST } },
});

const port = values.port === undefined ? undefined : Number(values.port);
const { host, n8n, emulator, credential, clients, accounts, end } = await startDemo(
	values.host,
	port,
);

const rows = Object.keys(accounts).map((client, at) => ({
	client,
	email: `owner${at}@example.com`,
}));
await n8n.createTable('Clients', rows, ['client', 'email']);

/** Whether an example is for the accounts of several clients. */
const isForClients = ({ nodes }: WorkflowJson) =>
	nodes.some(({ name, parameters }) => name === 'Clients' || 'account' in parameters);

const names: string[] = [];
for (const workflow of examples().values()) {
	const chosen = isForClients(workflow) ? clients : credential;
	const { id, name } = await n8n.saveWorkflow(withCredential(workflow, chosen));
	names.push(`  ${n8n.url}/workflow/${id}  ${name}`);
}

console.log(`
n8n ${host.version} with this package, and an emulator of the API with invented data

  Editor       ${n8n.url}
  E-mail       ${OWNER.email}
  Password     ${OWNER.password}

  Credentials  ${credential.name}: one account
               ${clients.name}: four clients, and the data table Clients with their names
  Base URL     ${emulator.url}
  API key      ${emulator.keys.all}
  Accounts     ${JSON.stringify(accounts)}
  Verified     ${[...emulator.store.verifiedNumbers].join(', ')} (for test calls)

Example workflows
${names.join('\n')}

Ctrl-C stops it and forgets everything.`);

for (const signal of ['SIGINT', 'SIGTERM'])
	process.once(signal, () => void end().then(() => process.exit(0)));
