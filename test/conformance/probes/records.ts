import { isObject, rowsOf, type Account, type Row } from '../account.ts';
import {
	E164,
	fieldOf,
	isDecimal,
	listOf,
	manyOf,
	most,
	namesOf,
	NUMBERED,
	said,
	strongest,
	tally,
	typeOf,
	untold,
	type Finding,
} from './finding.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function formOfId(id: unknown): string {
	if (typeof id === 'number') return 'whole number';
	const text = String(id);
	if (UUID.test(text)) return 'uuid';
	return encodeURIComponent(text) === text ? 'prefixed' : 'encoded';
}

export async function ids(account: Account): Promise<Finding> {
	const forms = (await manyOf(account, NUMBERED)).map(({ id }) => formOfId(id));
	const found = strongest(forms, ['encoded', 'whole number', 'prefixed', 'uuid']);
	return found ? { found, evidence: said(tally(forms)) } : untold('no record');
}

function formOfNumbers(rows: readonly Row[], name: RegExp): Finding {
	const values = rows.flatMap((row) =>
		Object.entries(row).filter(([field, value]) => name.test(field) && isDecimal(value)),
	);
	const types = tally(values.map(([, value]) => typeof value));
	if (values.length === 0) return untold(`no such number in ${rows.length} records`);
	const fields = [...new Set(values.map(([field]) => field))].sort().join(', ');
	return { found: types.has('string') ? 'text' : 'number', evidence: `${fields}: ${said(types)}` };
}

export async function money(account: Account): Promise<Finding> {
	const wallet = await account.get('/wallet');
	const rows = await manyOf(account, ['/catalogues/items', '/orders']);
	const all = isObject(wallet.data) ? [...rows, wallet.data] : rows;
	return formOfNumbers(all, /^(price|total_amount|balance)$/);
}

export async function minutes(account: Account): Promise<Finding> {
	const { data, status } = await account.get('/usage');
	if (!isObject(data)) return untold(`status ${status}`);
	return formOfNumbers([data], /minutes/);
}

export async function primaryPhone(account: Account): Promise<Finding> {
	const rows = await listOf(account, '/contacts');
	const holding = (name: string) => rows.every((row) => E164.test(String(row[name] ?? '')));
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
		(name) => name !== 'secondary_phone_number' && holding(name),
	);
	if (rows.length === 0) return untold('no contact');
	const found = names.includes('phone_number') ? 'phone_number' : (names[0] ?? 'none');
	return { found, evidence: `fields with a number in E.164: ${names.join(', ') || 'none'}` };
}

export async function customFields(account: Account): Promise<Finding> {
	const [contact] = await listOf(account, '/contacts');
	if (!contact) return untold('no contact');
	const type = typeOf(contact.custom_fields);
	const found = { object: 'object', list: 'list', undefined: 'flat' }[type] ?? type;
	return { found, evidence: `custom_fields: ${type}; fields: ${namesOf(contact)}` };
}

export async function members(account: Account): Promise<Finding> {
	for (const { id } of await listOf(account, '/contact-lists')) {
		const path = '/contact-lists/{contact_list_id}/contacts';
		const [member] = rowsOf(await account.get(path, { contact_list_id: String(id) }, most));
		if (!member) continue;
		const evidence = `fields: ${namesOf(member)}`;
		if (isObject(member.contact)) return { found: 'nested contacts', evidence };
		return { found: 'contact_id' in member ? 'memberships' : 'contacts', evidence };
	}
	return untold('no contact list with a contact');
}

export async function campaignStates(account: Account): Promise<Finding> {
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

export async function campaignCounters(account: Account): Promise<Finding> {
	const [campaign] = await listOf(account, '/campaigns');
	if (!campaign) return untold('no campaign');
	const evidence = `fields: ${namesOf(campaign)}`;
	return { found: Object.values(campaign).some(isObject) ? 'nested' : 'flat', evidence };
}

const TRANSACTIONS = '/wallet/transactions';

export const transactionType = async (account: Account) =>
	await fieldOf(account, TRANSACTIONS, ['transaction_type', 'type']);

export const transactionDate = async (account: Account) =>
	await fieldOf(account, TRANSACTIONS, ['created_at']);

export const amount = async (account: Account) => await fieldOf(account, TRANSACTIONS, ['amount']);

export async function sign(account: Account): Promise<Finding> {
	const rows = await listOf(account, TRANSACTIONS);
	const consumed = rows.filter((row) => Object.values(row).includes('CONSUME'));
	const amounts = consumed.flatMap((row) =>
		Object.entries(row).filter(([name, value]) => /amount|value/.test(name) && isDecimal(value)),
	);
	if (amounts.length === 0) return untold('no CONSUME with an amount');
	const negative = amounts.some(([, value]) => Number(value) < 0);
	return { found: negative ? 'negative' : 'positive', evidence: `${amounts.length} transactions` };
}
