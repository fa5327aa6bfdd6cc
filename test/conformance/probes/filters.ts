import { rowsOf, type Account } from '../account.ts';
import { E164, listOf, MOMENT, most, untold, type Finding } from './finding.ts';
import { primaryPhone } from './records.ts';

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

export async function filterValues(account: Account): Promise<Finding> {
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

export async function filterList(account: Account): Promise<Finding> {
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

export async function filterOrder(account: Account): Promise<Finding> {
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

/** Whether contacts can be filtered and sorted by a date: the trigger's Date Field. */
export async function contactDates(account: Account): Promise<Finding> {
	const rows = await listOf(account, '/contacts');
	const names = Object.keys(rows[0] ?? {}).filter((name) => MOMENT.test(String(rows[0]?.[name])));
	const field = names.find((name) => /creat/i.test(name)) ?? names[0];
	if (field === undefined) return untold('no contact with a date-time');
	const row = rows.reduce((one, other) =>
		String(other[field]) > String(one[field]) ? other : one,
	);
	const filter = `${field}>=${(await writer(account))(String(row[field]))}`;
	const ask = async (sort: string) =>
		await account.get('/contacts', {}, { filter, sort, ...most }, ['filter', 'sort']);
	const [down, up] = [await ask(`-${field}`), await ask(field)];
	const evidence = `filter and sort by ${field}: status ${down.status}`;
	if (down.status === 400) return { found: 'refused', evidence };
	// A server that ignores the filter starts with an older contact.
	const isCompared =
		rowsOf(up)[0] !== undefined && String(rowsOf(up)[0]![field]) >= String(row[field]);
	return isCompared ? { found: 'compared', evidence } : untold(evidence);
}
