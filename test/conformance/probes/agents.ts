import { RECORDS } from '../../support/reference.ts';
import { isObject, type Account, type Row } from '../account.ts';
import { listOf, namesOf, untold, type Finding } from './finding.ts';

/** How many agents are read one by one. More would show nothing new. */
const MOST = 10;

async function detailsOf(account: Account): Promise<Row[]> {
	const agents = (await listOf(account, '/agents/')).slice(0, MOST);
	const read = async ({ id }: Row) =>
		await account.get('/agents/{agent_id}', { agent_id: String(id) });
	return (await Promise.all(agents.map(read))).map(({ data }) => data).filter(isObject);
}

const isListed = (name: string) => Object.hasOwn(RECORDS.agent, name);

/** The name of the backend's field. The reference writes a neutral word in its place. */
const backendIn = (agents: readonly Row[]): string | undefined => {
	const names = [...new Set(agents.flatMap((agent) => Object.keys(agent)))];
	const others = names.filter((name) => name.endsWith('_backend') && !isListed(name));
	return names.includes('beta_backend') ? 'beta_backend' : others[0];
};

export async function betaBackend(account: Account): Promise<Finding> {
	const agents = await detailsOf(account);
	if (agents.length === 0) return untold('no agent');
	const name = backendIn(agents);
	const found = name === undefined || name === 'beta_backend' ? name : 'another name';
	const unlisted = Object.fromEntries(
		agents.flatMap((agent) => Object.entries(agent).filter(([field]) => !isListed(field))),
	);
	const evidence = `fields that the reference does not list: ${namesOf(unlisted)}`;
	return { found: found ?? 'none', evidence };
}

export async function betaBackendValues(account: Account): Promise<Finding> {
	const agents = await detailsOf(account);
	const name = backendIn(agents);
	const values = agents.map((agent) => agent[name ?? '']).filter((value) => value != null);
	if (values.length === 0) return untold('no agent with a backend');
	const areKnown = values.every((value) => /^backend_(primary|studio)$/.test(String(value)));
	return { found: areKnown ? 'as listed' : 'others', evidence: `${values.length} agents with one` };
}

const TOOL = '/agents/{agent_id}/tools/transfer-to-operator';

export async function toolConfig(account: Account): Promise<Finding> {
	const agents = (await listOf(account, '/agents/')).slice(0, MOST);
	for (const { id } of agents) {
		const { data, status } = await account.get(TOOL, { agent_id: String(id) });
		if (status !== 200 || !isObject(data)) continue;
		const found = isObject(data.config) ? 'wrapped' : 'bare';
		return { found, evidence: `fields: ${namesOf(data)}` };
	}
	return untold('no agent with the tool');
}
