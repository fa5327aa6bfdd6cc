import { isObject, rowsOf, type Account, type Answer, type Row } from './account.ts';

export interface Finding {
	/** The server's reading; undefined: these requests cannot tell. */
	found: string | undefined;
	/** Names, types and counts: never a value out of a record. */
	evidence: string;
}

export type Probe = (account: Account) => Promise<Finding>;

const untold = (evidence: string): Finding => ({ found: undefined, evidence });

const CALLS = '/call-history';

/** The lists whose records have ids that the reference does not call UUIDs. */
const NUMBERED = [
	CALLS,
	'/orders',
	'/catalogues',
	'/catalogues/items',
	'/contact-lists',
	'/campaigns',
	'/wallet/transactions',
];

const LISTS = [...NUMBERED, '/contacts', '/agents/'];

/** Of the order in which the reference does not show them. */
const UNORDERED = ['/contacts', '/contact-lists', '/catalogues', '/catalogues/items', '/campaigns'];

const most = { limit: '100' };

const listOf = async (account: Account, path: string): Promise<Row[]> =>
	rowsOf(await account.get(path, {}, most));

const manyOf = async (account: Account, paths: readonly string[]): Promise<Row[]> =>
	(await Promise.all(paths.map((path) => listOf(account, path)))).flat();

/** A name that could be something else, such as a number that records are kept under, is not shown. */
const isName = (key: string) => /^[a-z_][\w-]{0,40}$/i.test(key);

const namesOf = (row: Row | undefined): string =>
	row ? Object.keys(row).filter(isName).sort().join(', ') || 'no name' : 'no record';

/** What a GET of an assumed path says of the path. */
const placed = (path: string, status: number): Finding =>
	[404, 405, 501].includes(status)
		? { found: 'elsewhere', evidence: `status ${status}` }
		: status === 200
			? { found: path, evidence: 'status 200' }
			: untold(`status ${status}`);

const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** How many of each label there are. */
function tally(labels: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
	return counts;
}

const said = (counts: ReadonlyMap<string, number>): string =>
	[...counts].map(([label, count]) => `${label}: ${count}`).join(', ');

/** The label that comes first in `rank` among those that occur. */
function strongest(labels: readonly string[], rank: readonly string[]): string | undefined {
	return rank.find((label) => labels.includes(label));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function formOfId(id: unknown): string {
	if (typeof id === 'number') return 'whole number';
	const text = String(id);
	if (UUID.test(text)) return 'uuid';
	return encodeURIComponent(text) === text ? 'prefixed' : 'encoded';
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;

/** The date-times of a record's own fields, by their form and not their name. */
const momentsOf = (row: Row): RegExpExecArray[] =>
	Object.values(row)
		.map((value) => (typeof value === 'string' ? MOMENT.exec(value) : null))
		.filter((match) => match !== null);

const formsOf = async (account: Account, form: (match: RegExpExecArray) => string) =>
	tally((await manyOf(account, [CALLS, '/orders', '/contacts'])).flatMap(momentsOf).map(form));

const mostOf = (counts: ReadonlyMap<string, number>): string | undefined =>
	[...counts].sort(([, one], [, other]) => other - one)[0]?.[0];

/** A number, or a text that is one. */
const isDecimal = (value: unknown): boolean =>
	typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

function formOfNumbers(rows: readonly Row[], name: RegExp): Finding {
	const values = rows.flatMap((row) =>
		Object.entries(row).filter(([field, value]) => name.test(field) && isDecimal(value)),
	);
	const types = tally(values.map(([, value]) => typeof value));
	if (values.length === 0) return untold(`no such number in ${rows.length} records`);
	const fields = [...new Set(values.map(([field]) => field))].sort().join(', ');
	return { found: types.has('string') ? 'text' : 'number', evidence: `${fields}: ${said(types)}` };
}

/** A list as its pages give it, up to a bound of requests. */
async function walk(
	account: Account,
	path: string,
): Promise<{ rows: Row[]; first: Answer; ended: boolean }> {
	const first = await account.get(path, {}, most);
	const rows = [...rowsOf(first)];
	let page = rows;
	for (let requests = 1; requests < 12 && page.length > 0; requests++) {
		page = rowsOf(await account.get(path, {}, { ...most, offset: String(rows.length) }));
		rows.push(...page);
	}
	return { rows, first, ended: page.length === 0 };
}

/** The walked lists that ended within the bound. */
async function walked(account: Account) {
	const lists = ['/contacts', '/orders', '/catalogues/items', '/contact-lists'];
	return await Promise.all(lists.map(async (path) => ({ path, ...(await walk(account, path)) })));
}

async function metaProbe(account: Account): Promise<Finding> {
	const lists = await walked(account);
	const labels = lists.map(({ first, rows, ended }) => {
		if (!isObject(first.body)) return 'no JSON';
		if (!('meta' in first.body)) return 'absent';
		if (first.meta === null) return 'null';
		if (!isObject(first.meta)) return 'another form';
		if (typeof first.meta.total_items === 'string') return 'text';
		return ended && first.meta.total_items !== rows.length ? 'estimate' : 'full';
	});
	const found = strongest(labels, ['estimate', 'text', 'null', 'absent', 'another form', 'full']);
	return { found, evidence: said(tally(labels)) };
}

interface Cap {
	path: string;
	served: number;
	said: unknown;
}

/** The lists that served less than was asked for and there was. */
async function caps(account: Account): Promise<{ capped: Cap[]; full: string[] }> {
	const capped: Cap[] = [];
	const full: string[] = [];
	for (const path of [...LISTS, '/agents/models', '/agents/voices']) {
		const first = await account.get(path, {}, most);
		const served = rowsOf(first).length;
		if (served === 0 || served >= 100) continue;
		const next = await account.get(path, {}, { ...most, offset: String(served) });
		const limit = isObject(first.meta) ? first.meta.limit : undefined;
		if (rowsOf(next).length > 0) capped.push({ path, served, said: limit });
		else full.push(path);
	}
	return { capped, full };
}

async function pageCap(account: Account): Promise<Finding> {
	const { capped, full } = await caps(account);
	if (capped.length + full.length === 0) return untold('no list with records below 100');
	const evidence = capped.map(({ path, served }) => `${path} serves ${served} of 100`).join(', ');
	if (capped.length === 0) return { found: 'none', evidence: `${full.length} lists came whole` };
	// A list that is shorter than the cap of the others tells nothing.
	return { found: capped.length > full.length ? 'every list' : 'some lists', evidence };
}

async function metaLimit(account: Account): Promise<Finding> {
	const { capped } = await caps(account);
	const saying = capped.filter(({ said }) => isDecimal(said));
	if (saying.length === 0) return untold('no list that was cut short tells a limit');
	const used = saying.every(({ served, said }) => Number(said) === served);
	return { found: used ? 'used' : 'asked', evidence: `${saying.length} lists that were cut short` };
}

const isSorted = (values: readonly string[], sign: 1 | -1): boolean =>
	values.every((value, at) => at === 0 || sign * compare(values[at - 1]!, value) <= 0);

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function orderOf(rows: readonly Row[]): string {
	const dates = rows.map(({ created_at: date }) => String(date));
	const isTold = rows.length > 1 && new Set(dates).size > 1 && rows[0]!.created_at !== undefined;
	if (!isTold) return 'unknown';
	if (isSorted(dates, -1)) return 'newest first';
	return isSorted(dates, 1) ? 'oldest first' : 'otherwise';
}

async function order(account: Account): Promise<Finding> {
	const orders = [];
	for (const path of ['/orders', ...UNORDERED]) orders.push(orderOf(await listOf(account, path)));
	const counts = tally(orders.filter((one) => one !== 'unknown'));
	const found = strongest([...counts.keys()], ['otherwise', 'oldest first', 'newest first']);
	return found ? { found, evidence: said(counts) } : untold('no list with two dates');
}

async function ascending(account: Account): Promise<Finding> {
	const answer = await account.get(CALLS, {}, { sort: 'created_at', ...most });
	if (answer.status !== 200) return { found: 'refused', evidence: `status ${answer.status}` };
	const way = orderOf(rowsOf(answer));
	if (way === 'unknown') return untold('too few calls');
	return { found: way === 'oldest first' ? 'served' : 'ignored', evidence: `${way}` };
}

async function transactionSort(account: Account): Promise<Finding> {
	const path = '/wallet/transactions';
	const answer = await account.get(path, {}, { sort: 'created_at', ...most });
	if (answer.status !== 200) return { found: 'refused', evidence: `status ${answer.status}` };
	const ways = [orderOf(rowsOf(answer)), orderOf(await listOf(account, path))];
	const reverse = orderOf(rowsOf(await account.get(path, {}, { sort: '-created_at', ...most })));
	if (ways.includes('unknown')) return untold('too few transactions, or without created_at');
	const follows = ways[0] === 'oldest first' && reverse === 'newest first';
	return { found: follows ? 'known' : 'ignored', evidence: `${ways[0]}; reversed: ${reverse}` };
}

async function unknownQuery(account: Account): Promise<Finding> {
	const { status } = await account.get('/wallet', {}, { conformance: '1' });
	const plain = await account.get('/wallet');
	if (plain.status !== 200) return untold(`the wallet answers ${plain.status}`);
	return { found: status === 200 ? 'ignored' : 'refused', evidence: `status ${status}` };
}

/** Whether the newest call belongs to the answer after a moment. */
async function comesAfter(account: Account, id: unknown, moment: string): Promise<boolean> {
	const query = { created_after: moment, sort: '-created_at', ...most };
	const answer = await account.get(CALLS, {}, query, ['created_after']);
	return rowsOf(answer).some((row) => row.id === id);
}

interface Cursor {
	/** Its own moment, one before and one behind it within the same second. */
	at: boolean;
	before: boolean;
	behind: boolean;
	digits: number;
}

async function cursor(account: Account): Promise<Cursor | undefined> {
	const calls = await listOf(account, CALLS);
	const [newest] = calls.flatMap((row) => {
		const match = MOMENT.exec(String(row.created_at));
		return match ? [{ id: row.id, match }] : [];
	});
	if (!newest) return undefined;
	const { id, match } = newest;
	const [written, digits = '', zone = ''] = match;
	const second = written.slice(0, 19);
	const moment = (fraction: string) => `${second}.${fraction}${zone}`;
	return {
		at: await comesAfter(account, id, written),
		before: await comesAfter(account, id, moment('000')),
		behind: await comesAfter(account, id, moment('999999')),
		digits: Number(digits === '' ? 0 : digits.replace(/0+$/, '').length),
	};
}

async function bound(account: Account): Promise<Finding> {
	const seen = await cursor(account);
	if (!seen) return untold('no call with a date');
	const evidence = `the newest call ${seen.at ? 'comes' : 'does not come'} again after its own moment`;
	// What is written may be cut: then the call lies behind its own moment.
	if (seen.digits === 0 && seen.at && !seen.behind) return untold(evidence);
	return { found: seen.at ? 'inclusive' : 'exclusive', evidence };
}

async function grain(account: Account): Promise<Finding> {
	const seen = await cursor(account);
	if (!seen) return untold('no call with a date');
	if (seen.at && seen.behind)
		return { found: 'second', evidence: 'it comes after a later moment of its second' };
	if (!seen.at && !seen.before && seen.digits > 0)
		return { found: 'second', evidence: 'it does not come after an earlier moment of its second' };
	if (!seen.at && !seen.before)
		return { found: 'second', evidence: 'it does not come after its second' };
	return { found: 'finer', evidence: 'moments of one second differ' };
}

async function slash({ redirects, ...account }: Account): Promise<Finding> {
	void account;
	const [first] = redirects;
	if (!first) return { found: 'as listed', evidence: 'no redirect was met' };
	const found = `${first.status} ${first.adds ? 'adds' : 'takes'}`;
	return { found, evidence: `${redirects.length} redirects within the origin` };
}

async function refusal(account: Account): Promise<Finding> {
	const { status, body, type } = await account.get('/conformance-has-no-such-path');
	const evidence = `status ${status}, ${type || 'no media type'}, fields: ${isObject(body) ? namesOf(body) : 'none'}`;
	if (status < 400) return untold(evidence);
	if (!isObject(body)) return { found: /html/.test(type) ? 'html' : 'another form', evidence };
	if (isObject(body.error) && 'code' in body.error) return { found: 'envelope', evidence };
	if (Array.isArray(body.errors)) return { found: 'errors', evidence };
	if (/problem/.test(type)) return { found: 'problem', evidence };
	return { found: 'detail' in body ? 'detail' : 'another form', evidence };
}

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

async function callAgent(account: Account): Promise<Finding> {
	const [call] = await listOf(account, CALLS);
	if (!call) return untold('no call');
	const evidence = `fields: ${namesOf(call)}`;
	if ('agent_id' in call) return { found: 'id', evidence };
	return { found: isObject(call.agent) ? 'object' : 'absent', evidence };
}

const E164 = /^\+\d{8,15}$/;

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

async function underWay(account: Account): Promise<Finding> {
	const states = (await listOf(account, CALLS)).map((row) => String(row.call_status ?? row.status));
	const some = states.some((state) => /progress|queued|ringing/i.test(state));
	return some
		? { found: 'listed', evidence: 'a call that has not ended is listed' }
		: untold('no call that has not ended');
}

/** What a call's part is where the call has one, and where it has none. */
async function parts(account: Account, part: 'summary' | 'transcript') {
	const calls = await listOf(account, CALLS);
	const talked = (row: Row) => /^completed$/i.test(String(row.call_status ?? row.status));
	const [one, other] = [calls.find(talked), calls.find((row) => !talked(row))];
	const read = async (row: Row | undefined) =>
		row && (await account.get(`${CALLS}/{call_id}/${part}`, { call_id: String(row.id) }));
	return { there: await read(one), missing: await read(other) };
}

async function noSummary(account: Account): Promise<Finding> {
	const { missing } = await parts(account, 'summary');
	if (!missing) return untold('no call without a talk');
	if (missing.status !== 200)
		return { found: String(missing.status), evidence: `status ${missing.status}` };
	const text = isObject(missing.data) ? missing.data.summary : missing.data;
	if (text !== null && text !== undefined && String(text).trim() !== '')
		return untold('every call has one');
	return {
		found: text === '' ? 'blank' : 'null',
		evidence: `status 200, summary: ${typeOf(text)}`,
	};
}

/** The list of turns, wherever it stands. */
const turnsIn = (data: unknown): unknown[] | undefined =>
	Array.isArray(data) ? data : isObject(data) ? Object.values(data).find(Array.isArray) : undefined;

async function transcript(account: Account): Promise<Finding> {
	const { there } = await parts(account, 'transcript');
	if (!there || there.status !== 200) return untold('no call with a transcript');
	const { data } = there;
	if (typeof data === 'string') return { found: 'text', evidence: 'text' };
	const turn = turnsIn(data)?.[0];
	const evidence = `${typeOf(data)}${isObject(data) ? ` of ${namesOf(data)}` : ''}; a turn: ${isObject(turn) ? namesOf(turn) : typeOf(turn)}`;
	if (Array.isArray(data)) return { found: 'list', evidence };
	const name = isObject(data) && Object.keys(data).find((key) => Array.isArray(data[key]));
	return { found: name || 'another form', evidence };
}

async function noTranscript(account: Account): Promise<Finding> {
	const { missing } = await parts(account, 'transcript');
	if (!missing) return untold('no call without a talk');
	if (missing.status !== 200)
		return { found: String(missing.status), evidence: `status ${missing.status}` };
	const { data } = missing;
	const evidence = `status 200, ${typeOf(data)}`;
	if (data === null) return { found: 'null', evidence };
	const isEmpty = data === '' || turnsIn(data)?.length === 0;
	return isEmpty ? { found: 'empty', evidence } : untold('every call has one');
}

/** A day's events, in either of the two forms of a group. */
const groupsIn = (data: unknown): unknown[][] =>
	isObject(data)
		? Object.values(data).filter(Array.isArray)
		: rowsOf({ data } as Answer).flatMap((row) => Object.values(row).filter(Array.isArray));

const DATE = /^\d{4}-\d\d-\d\d$/;

async function events(account: Account): Promise<Finding> {
	const { data } = await account.get('/events', {}, most);
	const evidence = `${typeOf(data)} of ${isObject(data) ? 'dates' : namesOf(rowsOf({ data } as Answer)[0])}`;
	if (isObject(data)) {
		const isDated = Object.keys(data).every((key) => DATE.test(key));
		return { found: isDated ? 'object by date' : 'another form', evidence: typeOf(data) };
	}
	const [first] = rowsOf({ data } as Answer);
	if (!first) return untold('no event');
	return { found: 'id' in first ? 'flat' : 'list of groups', evidence };
}

async function eventsLimit(account: Account): Promise<Finding> {
	const { data } = await account.get('/events', {}, { limit: '2' });
	const sizes = groupsIn(data).map((group) => group.length);
	if (Array.isArray(data) && isObject(data[0]) && 'id' in data[0])
		return untold('the list is flat');
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const evidence = `limit=2: ${sizes.length} groups of ${total} events`;
	if (total > 2) return { found: 'groups', evidence };
	return sizes.length < 2 ? { found: 'events', evidence } : untold(evidence);
}

async function eventPath(account: Account): Promise<Finding> {
	const { data } = await account.get('/events', {}, most);
	const [event] = [...groupsIn(data).flat(), ...rowsOf({ data } as Answer)].filter(
		(row): row is Row => isObject(row) && 'id' in row,
	);
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

async function validUntil(account: Account): Promise<Finding> {
	const { data, status } = await account.get(`/portal-access/${PORTALS[0]}`);
	if (status !== 200 || !isObject(data)) return untold(`status ${status}`);
	const written = String(data.valid_until ?? '');
	const seconds =
		(Date.parse(MOMENT.exec(written)?.[2] ? written : `${written}Z`) - Date.now()) / 1000;
	if (Number.isNaN(seconds)) return untold('no valid_until that is a date');
	const found = seconds < -5 ? 'past' : seconds > 120 ? 'far ahead' : 'a minute';
	return { found, evidence: 'valid_until compared to this machine’s clock' };
}

async function campaignStates(account: Account): Promise<Finding> {
	const states = [
		...new Set((await listOf(account, '/campaigns')).map((row) => String(row.status))),
	];
	if (states.length === 0) return untold('no campaign');
	const evidence = `${states.length} states in use`;
	const known = /^(draft|scheduled|running|paused|stopped|completed)$/;
	if (states.every((state) => known.test(state))) return { found: 'lower case', evidence };
	const isUpper = states.every((state) => known.test(state.toLowerCase()));
	return { found: isUpper ? 'upper case' : 'other words', evidence };
}

async function campaignCounters(account: Account): Promise<Finding> {
	const [campaign] = await listOf(account, '/campaigns');
	if (!campaign) return untold('no campaign');
	const evidence = `fields: ${namesOf(campaign)}`;
	return { found: Object.values(campaign).some(isObject) ? 'nested' : 'flat', evidence };
}

async function sign(account: Account): Promise<Finding> {
	const rows = await listOf(account, '/wallet/transactions');
	const consumed = rows.filter((row) => Object.values(row).includes('CONSUME'));
	const amounts = consumed.flatMap((row) =>
		Object.entries(row).filter(([name, value]) => /amount|value/.test(name) && isDecimal(value)),
	);
	if (amounts.length === 0) return untold('no CONSUME with an amount');
	const negative = amounts.some(([, value]) => Number(value) < 0);
	return { found: negative ? 'negative' : 'positive', evidence: `${amounts.length} transactions` };
}

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

/** How values are written, as far as it was found out. */
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

async function filterOrder(account: Account): Promise<Finding> {
	const given = await numbers(account);
	if (!given) return untold('fewer than two contacts with numbers');
	const write = await writer(account);
	const is = (value: string) => `${given.field}==${write(value)}`;
	const filter = `${is(given.one)}|${is(given.other)}&${is(given.other)}`;
	const { length } = rowsOf(await filtered(account, filter));
	const evidence = `one | other & other: ${length} contacts`;
	if (length === 2) return { found: 'and first', evidence };
	return length === 1 ? { found: 'left to right', evidence } : untold(evidence);
}

async function busy({ busy: met }: Account): Promise<Finding> {
	const [first] = met;
	return first
		? { found: first, evidence: `${met.length} times` }
		: untold('the limit was not met');
}

const written =
	(what: string): Probe =>
	() =>
		Promise.resolve(untold(`${what} is written, and only GET was sent`));

/** What is found out, each by requests of its own; those that only a change could tell say so. */
export const PROBES = {
	async ids(account) {
		const ids = (await manyOf(account, NUMBERED)).map(({ id }) => formOfId(id));
		const found = strongest(ids, ['encoded', 'whole number', 'prefixed', 'uuid']);
		return found ? { found, evidence: said(tally(ids)) } : untold('no record');
	},
	async zone(account) {
		const counts = await formsOf(account, ([, , zone]) =>
			zone === 'Z' ? 'Z' : zone ? 'offset' : 'none',
		);
		return { found: mostOf(counts), evidence: said(counts) };
	},
	async fraction(account) {
		const counts = await formsOf(account, ([, digits]) =>
			digits === undefined ? 'no digits' : `${digits.length} digits`,
		);
		return { found: mostOf(counts), evidence: said(counts) };
	},
	bound,
	grain,
	async money(account) {
		const wallet = await account.get('/wallet');
		const rows = [...(await manyOf(account, ['/catalogues/items', '/orders']))];
		if (isObject(wallet.data)) rows.push(wallet.data);
		return formOfNumbers(rows, /^(price|total_amount|balance)$/);
	},
	async minutes(account) {
		const { data, status } = await account.get('/usage');
		if (!isObject(data)) return untold(`status ${status}`);
		return formOfNumbers([data], /minutes/);
	},
	meta: metaProbe,
	metaLimit,
	pageCap,
	order,
	ascending,
	transactionSort,
	unknownQuery,
	success: written('what a change answers'),
	put: written('what a PUT leaves'),
	refusal,
	callStatus: (account) => fieldOf(account, CALLS, ['call_status', 'status']),
	callAgent,
	underWay,
	noSummary,
	transcript,
	noTranscript,
	primaryPhone,
	customFields,
	events,
	eventsLimit,
	eventPath,
	eventStatus: written('an event’s status'),
	transactionType: (account) =>
		fieldOf(account, '/wallet/transactions', ['transaction_type', 'type']),
	transactionDate: (account) => fieldOf(account, '/wallet/transactions', ['created_at']),
	amount: (account) => fieldOf(account, '/wallet/transactions', ['amount']),
	sign,
	campaignStates,
	campaignCounters,
	membership: written('a membership'),
	assignment: written('an assignment'),
	testCall: written('a test call'),
	health,
	portalPaths,
	validUntil,
	filterValues,
	filterList,
	filterOrder,
	limited: busy,
	// Last: it tells of the redirects that the others met.
	slash,
} satisfies Record<string, Probe>;

export type Subject = keyof typeof PROBES;
