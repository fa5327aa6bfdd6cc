import { NAMES, USUAL_NAMES, type NameKey } from '../../nodes/api/names.ts';
import { isObject, rowsOf, type Account, type Row } from './account.ts';

/** What an account calls something. */
export interface Finding {
	/** Whether the usual name fits. Undefined: these requests do not show it. */
	isUsual?: boolean;
	/** The name to enter, if one is likely. */
	name?: string;
	/** Names, types and counts, but never a value of a record. */
	evidence: string;
}

type Probe = (account: Account) => Promise<Finding>;

type Records = (account: Account) => Promise<Row[]>;

const E164 = /^\+\d{8,15}$/;

/** The largest page that the reference allows. */
const most = { limit: '100' };

const listed =
	(path: string): Records =>
	async (account) =>
		rowsOf(await account.get(path, {}, most));

/** Whether a key is a field's name. Other keys, such as a record's number, are not shown. */
const isName = (key: string) => /^[a-z_][\w-]{0,40}$/i.test(key);

/** How many records are read one by one. More would show nothing new. */
const MOST = 10;

/** The records of a list as their own paths show them. */
const detailed =
	(list: string, path: string, id: string): Records =>
	async (account) => {
		const rows = (await listed(list)(account)).slice(0, MOST);
		const read = async (row: Row) => await account.get(path, { [id]: String(row.id) });
		return (await Promise.all(rows.map(read))).map(({ data }) => data).filter(isObject);
	};

const agents = detailed('/agents/', '/agents/{agent_id}', 'agent_id');
const calls = listed('/call-history');
const orders = detailed('/orders', '/orders/{order_id}', 'order_id');
const transactions = listed('/wallet/transactions');

const within = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

/** Events, which may stand in a list, in an object of lists, or in a list of groups. */
const events: Records = async (account) => {
	const { data } = await account.get('/events', {}, most);
	const entries = within(data);
	const inside = entries.flatMap(within);
	const all = [...entries, ...inside, ...inside.flatMap(within)];
	return all.filter((row): row is Row => isObject(row) && 'id' in row);
};

type IsLikely = (name: string, value: unknown) => boolean;

const named =
	(pattern: RegExp): IsLikely =>
	(name) =>
		pattern.test(name);

const isAmount = (value: unknown) => /^-?\d+(\.\d+)?$/.test(String(value));

/** Looks for a field in the records of an account: the usual names first, then one that is likely. */
const field =
	(key: NameKey, records: Records, isLikely: IsLikely, isShown = isName): Probe =>
	async (account) => {
		const rows = await records(account);
		if (rows.length === 0) return { evidence: 'no record' };
		const shown = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(isShown).sort();
		const evidence = `fields: ${shown.join(', ')}`;
		const usual = [USUAL_NAMES[key]].flat();
		if (usual.some((name) => shown.includes(name))) return { isUsual: true, evidence };
		const name = shown.find((one) => rows.some((row) => isLikely(one, row[one])));
		return { isUsual: false, name, evidence };
	};

/** Looks for a path: the usual one first, then those that other APIs have. */
async function path(
	account: Account,
	usual: string,
	others: readonly string[],
	values: Record<string, string> = {},
): Promise<Finding> {
	const statuses: string[] = [];
	for (const name of [usual, ...others]) {
		const { status } = await account.get(name, values);
		statuses.push(`${name}: status ${status}`);
		const evidence = statuses.join(', ');
		if (status === 200) return { isUsual: name === usual, name, evidence };
		// Something else than the path is the reason.
		if ([401, 403, 429, 500, 502, 503, 504].includes(status)) return { evidence };
	}
	return { isUsual: false, evidence: statuses.join(', ') };
}

const eventPath: Probe = async (account) => {
	const [event] = await events(account);
	if (event === undefined) return { evidence: 'no record' };
	const others = ['/calendar/events/{event_id}'];
	return await path(account, USUAL_NAMES.eventPath, others, { event_id: String(event.id) });
};

/** Looks for the names of the portals in their paths. */
const portals: Probe = async (account) => {
	const found: Finding[] = [];
	for (const usual of USUAL_NAMES.portals) {
		const inPath = (name: string) => `/portal-access/${name}`;
		found.push(await path(account, inPath(usual), [inPath(usual.toUpperCase())]));
	}
	const evidence = found.map((one) => one.evidence).join(', ');
	if (found.some(({ isUsual }) => isUsual === undefined)) return { evidence };
	const names = found.map(({ name }) => name?.split('/').at(-1));
	const isKnown = names.every((name) => name !== undefined);
	const isUsual = found.every((one) => one.isUsual);
	return { isUsual, ...(isKnown && { name: names.join(', ') }), evidence };
};

/** How to find out what an account calls each of these. The others are shown by no request that only reads. */
export const PROBES: Readonly<Partial<Record<NameKey, Probe>>> = {
	agentBackend: field('agentBackend', agents, named(/_backend$/), (name) =>
		name.endsWith('_backend'),
	),
	callAgent: field('callAgent', calls, named(/agent/i)),
	callLength: field('callLength', calls, named(/duration|length|talk|_(seconds|minutes|ms)$/i)),
	callNumber: field('callNumber', calls, (_name, value) => E164.test(String(value))),
	callStatus: field('callStatus', calls, named(/stat(us|e)$/i)),
	contactPhone: field(
		'contactPhone',
		listed('/contacts'),
		(name, value) => E164.test(String(value)) && !/second/i.test(name),
	),
	currency: field('currency', orders, named(/curr/i)),
	eventPath,
	healthPath: async (account) =>
		await path(account, USUAL_NAMES.healthPath, ['/healthz', '/status', '/status/live']),
	itemSku: field('itemSku', listed('/catalogues/items'), named(/sku|article|code/i)),
	portals,
	transactionAmount: field(
		'transactionAmount',
		transactions,
		(name, value) => /amount|sum|value|total|credit/i.test(name) && isAmount(value),
	),
};

/** What no request shows that only reads. */
export const NOT_SHOWN = (Object.keys(NAMES) as NameKey[]).filter((key) => !(key in PROBES));
