import { isObject, rowsOf, type Account, type Answer, type Row } from '../account.ts';
import {
	CALLS,
	listOf,
	most,
	NUMBERED,
	said,
	strongest,
	tally,
	untold,
	type Finding,
} from './finding.ts';

const LISTS = [...NUMBERED, '/contacts', '/agents/'];

/** Lists whose order the reference does not show. */
const UNORDERED = ['/contacts', '/contact-lists', '/catalogues', '/catalogues/items', '/campaigns'];

/** Reads the pages of a list, up to 12 of them. */
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

/** Some lists, read page by page. */
async function walked(account: Account) {
	const lists = ['/contacts', '/orders', '/catalogues/items', '/contact-lists'];
	return await Promise.all(lists.map(async (path) => ({ path, ...(await walk(account, path)) })));
}

export async function meta(account: Account): Promise<Finding> {
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
}

/** Lists that served fewer records than asked for, though there were more; and lists that served all. */
async function caps(account: Account): Promise<{ capped: Cap[]; full: string[] }> {
	const capped: Cap[] = [];
	const full: string[] = [];
	for (const path of [...LISTS, '/agents/models', '/agents/voices']) {
		const first = await account.get(path, {}, most);
		const served = rowsOf(first).length;
		if (served === 0 || served >= 100) continue;
		const next = await account.get(path, {}, { ...most, offset: String(served) });
		if (rowsOf(next).length > 0) capped.push({ path, served });
		else full.push(path);
	}
	return { capped, full };
}

export async function pageCap(account: Account): Promise<Finding> {
	const { capped, full } = await caps(account);
	if (capped.length + full.length === 0) return untold('no list with records below 100');
	const evidence = capped.map(({ path, served }) => `${path} serves ${served} of 100`).join(', ');
	if (capped.length === 0) return { found: 'none', evidence: `${full.length} lists came whole` };
	// A list that is shorter than the cap shows nothing.
	return { found: capped.length > full.length ? 'every list' : 'some lists', evidence };
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

export async function order(account: Account): Promise<Finding> {
	const orders = [];
	for (const path of ['/orders', ...UNORDERED]) orders.push(orderOf(await listOf(account, path)));
	const counts = tally(orders.filter((one) => one !== 'unknown'));
	const found = strongest([...counts.keys()], ['otherwise', 'oldest first', 'newest first']);
	return found ? { found, evidence: said(counts) } : untold('no list with two dates');
}

export async function ascending(account: Account): Promise<Finding> {
	const answer = await account.get(CALLS, {}, { sort: 'created_at', ...most });
	if (answer.status !== 200) return { found: 'refused', evidence: `status ${answer.status}` };
	const way = orderOf(rowsOf(answer));
	if (way === 'unknown') return untold('too few calls');
	return { found: way === 'oldest first' ? 'served' : 'ignored', evidence: `${way}` };
}

export async function transactionSort(account: Account): Promise<Finding> {
	const path = '/wallet/transactions';
	const answer = await account.get(path, {}, { sort: 'created_at', ...most });
	if (answer.status !== 200) return { found: 'refused', evidence: `status ${answer.status}` };
	const ways = [orderOf(rowsOf(answer)), orderOf(await listOf(account, path))];
	const reverse = orderOf(rowsOf(await account.get(path, {}, { sort: '-created_at', ...most })));
	if (ways.includes('unknown')) return untold('too few transactions, or without created_at');
	const follows = ways[0] === 'oldest first' && reverse === 'newest first';
	return { found: follows ? 'known' : 'ignored', evidence: `${ways[0]}; reversed: ${reverse}` };
}

export async function unknownQuery(account: Account): Promise<Finding> {
	const { status } = await account.get('/wallet', {}, { conformance: '1' });
	const plain = await account.get('/wallet');
	if (plain.status !== 200) return untold(`the wallet answers ${plain.status}`);
	return { found: status === 200 ? 'ignored' : 'refused', evidence: `status ${status}` };
}
