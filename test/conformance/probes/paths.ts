import { isObject, rowsOf, type Account, type Answer, type Row } from '../account.ts';
import { MOMENT, most, namesOf, typeOf, untold, type Finding } from './finding.ts';

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

const DATE = /^\d{4}-\d\d-\d\d$/;

export async function events(account: Account): Promise<Finding> {
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

export async function eventsLimit(account: Account): Promise<Finding> {
	const { data } = await account.get('/events', {}, { limit: '2' });
	const sizes = groupsIn(data).map((group) => group.length);
	if (Array.isArray(data) && isObject(data[0]) && 'id' in data[0])
		return untold('the list is flat');
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const evidence = `limit=2: ${sizes.length} groups of ${total} events`;
	if (total > 2) return { found: 'groups', evidence };
	return sizes.length < 2 ? { found: 'events', evidence } : untold(evidence);
}

async function eventOf(account: Account): Promise<Row | undefined> {
	const { data } = await account.get('/events', {}, most);
	return [...groupsIn(data).flat(), ...rowsOf({ data } as Answer)].find(
		(row): row is Row => isObject(row) && 'id' in row,
	);
}

export async function eventState(account: Account): Promise<Finding> {
	const event = await eventOf(account);
	if (!event) return untold('no event');
	const found = ['status', 'state'].find((name) => name in event);
	return {
		found: found ? 'status or state' : 'another name',
		evidence: `fields: ${namesOf(event)}`,
	};
}

export async function eventPath(account: Account): Promise<Finding> {
	const event = await eventOf(account);
	if (!event) return untold('no event');
	const { status } = await account.get('/events/{event_id}', { event_id: String(event.id) });
	return placed('/events/{event_id}', status);
}

export async function health(account: Account): Promise<Finding> {
	const { status } = await account.get('/health');
	return placed('/health', status);
}

const PORTALS = ['food', 'beauty', 'real_estate'];

export async function portalPaths(account: Account): Promise<Finding> {
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

export async function validUntil(account: Account): Promise<Finding> {
	const { data, status } = await account.get(`/portal-access/${PORTALS[0]}`);
	if (status !== 200 || !isObject(data)) return untold(`status ${status}`);
	const written = String(data.valid_until ?? '');
	const seconds =
		(Date.parse(MOMENT.exec(written)?.[2] ? written : `${written}Z`) - Date.now()) / 1000;
	if (Number.isNaN(seconds)) return untold('no valid_until that is a date');
	const found = seconds < -5 ? 'past' : seconds > 120 ? 'far ahead' : 'a minute';
	return { found, evidence: 'valid_until compared to this machine’s clock' };
}
