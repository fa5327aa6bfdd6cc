import { rowsOf, type Account, type Row } from '../account.ts';

export interface Finding {
	/** The server's reading. Undefined: these requests do not show it. */
	found: string | undefined;
	/** Names, types and counts, but never a value of a record. */
	evidence: string;
}

export type Probe = (account: Account) => Promise<Finding>;

export const untold = (evidence: string): Finding => ({ found: undefined, evidence });

export const CALLS = '/call-history';

export const E164 = /^\+\d{8,15}$/;

/** A date-time, with the digits of its fraction and its zone. */
export const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;

/** The largest page that the reference allows. */
export const most = { limit: '100' };

export const listOf = async (account: Account, path: string): Promise<Row[]> =>
	rowsOf(await account.get(path, {}, most));

export const manyOf = async (account: Account, paths: readonly string[]): Promise<Row[]> =>
	(await Promise.all(paths.map((path) => listOf(account, path)))).flat();

/** Whether a key is a field's name. Other keys, such as a record's number, are not shown. */
const isName = (key: string) => /^[a-z_][\w-]{0,40}$/i.test(key);

export const namesOf = (row: Row | undefined): string =>
	row ? Object.keys(row).filter(isName).sort().join(', ') || 'no name' : 'no record';

export const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** How many of each label there are. */
export function tally(labels: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
	return counts;
}

export const said = (counts: ReadonlyMap<string, number>): string =>
	[...counts].map(([label, count]) => `${label}: ${count}`).join(', ');

/** The first label of `rank` that occurs. */
export function strongest(labels: readonly string[], rank: readonly string[]): string | undefined {
	return rank.find((label) => labels.includes(label));
}

/** A number, or a text that is one. */
export const isDecimal = (value: unknown): boolean =>
	typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

/** Which of these names the records of a list have. */
export async function fieldOf(
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

/** Lists of records whose ids the reference does not call UUIDs. */
export const NUMBERED = [
	CALLS,
	'/orders',
	'/catalogues',
	'/catalogues/items',
	'/contact-lists',
	'/campaigns',
	'/wallet/transactions',
];
