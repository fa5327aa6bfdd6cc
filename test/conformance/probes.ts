import { RECORDS } from '../support/reference.ts';
import { isObject, rowsOf, type Account, type Answer, type Row } from './account.ts';

export interface Finding {
	/** The server's reading. Undefined: these requests do not show it. */
	found: string | undefined;
	/** Names, types and counts, but never a value of a record. */
	evidence: string;
}

type Probe = (account: Account) => Promise<Finding>;

const untold = (evidence: string): Finding => ({ found: undefined, evidence });

const CALLS = '/call-history';

const E164 = /^\+\d{8,15}$/;

/** The largest page that the reference allows. */
const most = { limit: '100' };

const listOf = async (account: Account, path: string): Promise<Row[]> =>
	rowsOf(await account.get(path, {}, most));

/** Whether a key is a field's name. Other keys, such as a record's number, are not shown. */
const isName = (key: string) => /^[a-z_][\w-]{0,40}$/i.test(key);

const namesOf = (row: Row | undefined): string =>
	row ? Object.keys(row).filter(isName).sort().join(', ') || 'no name' : 'no record';

const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** Which of these names the records of a list have. */
async function fieldOf(
	account: Account,
	path: string,
	candidates: readonly string[],
): Promise<Finding> {
	const rows = await listOf(account, path);
	if (rows.length === 0) return untold('no record');
	const names = new Set(rows.flatMap((row) => Object.keys(row)));
	const found = candidates.find((name) => names.has(name)) ?? 'another name';
	return { found, evidence: `fields: ${[...names].filter(isName).sort().join(', ')}` };
}

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

async function betaBackend(account: Account): Promise<Finding> {
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

const callStatus = async (account: Account) =>
	await fieldOf(account, CALLS, ['call_status', 'status']);

async function callAgent(account: Account): Promise<Finding> {
	const [call] = await listOf(account, CALLS);
	if (!call) return untold('no call');
	const evidence = `fields: ${namesOf(call)}`;
	if ('agent_id' in call) return { found: 'id', evidence };
	return { found: isObject(call.agent) ? 'object' : 'absent', evidence };
}

/** A call in the list, and the same call at its own path. */
interface Both {
	row: Row;
	detail: Row;
}

const ofCall =
	(judge: (call: Both) => Finding) =>
	async (account: Account): Promise<Finding> => {
		const [row] = await listOf(account, CALLS);
		if (!row) return untold('no call');
		const { data } = await account.get(`${CALLS}/{call_id}`, { call_id: String(row.id) });
		return judge({ row, detail: isObject(data) ? data : {} });
	};

/** Whether the list shows these fields, or only the detail does, or neither. */
const whereShown = (isShown: (shown: Row) => boolean, otherwise?: string) =>
	ofCall(({ row, detail }) => {
		const evidence = `fields of the list: ${namesOf(row)}; of the detail: ${namesOf(detail)}`;
		if (isShown(row)) return { found: 'list', evidence };
		return { found: isShown(detail) ? 'detail' : otherwise, evidence };
	});

const hasOneOf = (names: readonly string[]) => (shown: Row) => names.some((name) => name in shown);

/** The names that the node knows for the number that was called. */
const NUMBERS = ['phone_number', 'to_number', 'called_number', 'to'];

const providers = whereShown(
	(shown) => 'ai_provider' in shown && 'ai_provider_fallback_used' in shown,
);

const callNumber = whereShown(hasOneOf(NUMBERS), 'another name');

async function primaryPhone(account: Account): Promise<Finding> {
	const rows = await listOf(account, '/contacts');
	const holding = (name: string) => rows.every((row) => E164.test(String(row[name] ?? '')));
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
		(name) => name !== 'secondary_phone_number' && holding(name),
	);
	if (rows.length === 0) return untold('no contact');
	const found = names.includes('phone_number') ? 'phone_number' : (names[0] ?? 'none');
	return { found, evidence: `fields with a number in E.164: ${names.join(', ') || 'none'}` };
}

async function customFields(account: Account): Promise<Finding> {
	const [contact] = await listOf(account, '/contacts');
	if (!contact) return untold('no contact');
	const type = typeOf(contact.custom_fields);
	const found = { object: 'object', list: 'list', undefined: 'flat' }[type] ?? type;
	return { found, evidence: `custom_fields: ${type}; fields: ${namesOf(contact)}` };
}

const TRANSACTIONS = '/wallet/transactions';

const transactionDate = async (account: Account) =>
	await fieldOf(account, TRANSACTIONS, ['created_at']);

const amount = async (account: Account) => await fieldOf(account, TRANSACTIONS, ['amount']);

/** Two contacts' numbers, by the name of their field. */
async function numbers(
	account: Account,
): Promise<{ field: string; one: string; other: string } | undefined> {
	const { found } = await primaryPhone(account);
	const rows = await listOf(account, '/contacts');
	const [one, other] = rows.map((row) => String(row[found ?? '']));
	return found && one && other && E164.test(one) && E164.test(other)
		? { field: found, one, other }
		: undefined;
}

const filtered = async (account: Account, filter: string) =>
	await account.get('/contacts', {}, { filter, ...most }, ['filter']);

const quoted = (text: string) => `"${text}"`;

async function filterValues(account: Account): Promise<Finding> {
	const given = await numbers(account);
	if (!given) return untold('fewer than two contacts with numbers');
	const bare = await filtered(account, `${given.field}==${given.one}`);
	const other = await filtered(account, `${given.field}==${quoted(given.one)}`);
	const counts = [rowsOf(bare).length, rowsOf(other).length];
	const evidence = `bare: status ${bare.status}, ${counts[0]} contacts; quoted: status ${other.status}, ${counts[1]} contacts`;
	if (counts[0] === 1) return { found: 'bare', evidence };
	return counts[1] === 1 ? { found: 'quoted', evidence } : untold(evidence);
}

/** Writes a value as this server takes it, as far as that is known. */
async function writer(account: Account): Promise<(text: string) => string> {
	const { found } = await filterValues(account);
	return found === 'quoted' ? quoted : (text) => text;
}

async function filterList(account: Account): Promise<Finding> {
	const given = await numbers(account);
	if (!given) return untold('fewer than two contacts with numbers');
	const write = await writer(account);
	const values = `${write(given.one)},${write(given.other)}`;
	const commas = rowsOf(await filtered(account, `${given.field} in ${values}`)).length;
	const brackets = rowsOf(await filtered(account, `${given.field} in [${values}]`)).length;
	const evidence = `commas: ${commas} contacts; brackets: ${brackets} contacts, of 2`;
	if (commas === 2) return { found: 'commas', evidence };
	return brackets === 2 ? { found: 'brackets', evidence } : untold(evidence);
}

/** Whether an assumed path exists, from the status of a GET. */
const placed = (path: string, status: number): Finding =>
	[404, 405, 501].includes(status)
		? { found: 'elsewhere', evidence: `status ${status}` }
		: status === 200
			? { found: path, evidence: 'status 200' }
			: untold(`status ${status}`);

/** The groups of events, in either of their two forms. */
const groupsIn = (data: unknown): unknown[][] =>
	isObject(data)
		? Object.values(data).filter(Array.isArray)
		: rowsOf({ data } as Answer).flatMap((row) => Object.values(row).filter(Array.isArray));

async function eventOf(account: Account): Promise<Row | undefined> {
	const { data } = await account.get('/events', {}, most);
	return [...groupsIn(data).flat(), ...rowsOf({ data } as Answer)].find(
		(row): row is Row => isObject(row) && 'id' in row,
	);
}

async function eventState(account: Account): Promise<Finding> {
	const event = await eventOf(account);
	if (!event) return untold('no event');
	const found = ['status', 'state'].find((name) => name in event);
	return {
		found: found ? 'status or state' : 'another name',
		evidence: `fields: ${namesOf(event)}`,
	};
}

async function eventPath(account: Account): Promise<Finding> {
	const event = await eventOf(account);
	if (!event) return untold('no event');
	const { status } = await account.get('/events/{event_id}', { event_id: String(event.id) });
	return placed('/events/{event_id}', status);
}

async function health(account: Account): Promise<Finding> {
	const { status } = await account.get('/health');
	return placed('/health', status);
}

const PORTALS = ['food', 'beauty', 'real_estate'];

async function portalPaths(account: Account): Promise<Finding> {
	const statuses: number[] = [];
	for (const portal of PORTALS)
		statuses.push((await account.get(`/portal-access/${portal}`)).status);
	const evidence = PORTALS.map((portal, at) => `${portal}: ${statuses[at]}`).join(', ');
	if (statuses.some((status) => status === 401 || status === 403 || status === 503))
		return untold(evidence);
	return {
		found: statuses.every((status) => status === 200) ? 'lower case' : 'otherwise',
		evidence,
	};
}

/** How to find out each subject of `NOT_SHOWN`: what the user has to set if the account reads it otherwise. */
export const PROBES = {
	betaBackend,
	callStatus,
	callAgent,
	providers,
	callNumber,
	primaryPhone,
	customFields,
	transactionDate,
	amount,
	filterValues,
	filterList,
	eventState,
	eventPath,
	health,
	portalPaths,
} satisfies Record<string, Probe>;

export type Subject = keyof typeof PROBES;
