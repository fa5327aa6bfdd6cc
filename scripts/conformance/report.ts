import { NAMES, type NameKey } from '../../nodes/api/names.ts';
import { Account, type Access, type Listed } from './account.ts';
import { NOT_SHOWN, PROBES, type Finding } from './probes.ts';

export interface Row extends Finding {
	key: NameKey;
}

export interface Report {
	rows: Row[];
	requests: Listed[];
}

/**
 * Reads an account, by GET alone, and says what it calls things.
 * @throws if the account cannot be read at all
 */
export async function examine(access: Access): Promise<Report> {
	const account = new Account(access);
	const rows: Row[] = [];
	const { status, isJson } = await account.get('/contacts', {}, { limit: '100' });
	if (status !== 200 || !isJson)
		throw new Error(
			`GET /contacts answered ${status}${isJson ? '' : ', and no JSON'}: ` +
				'check the base URL, which ends in /v1, and that the key has READ.',
		);
	for (const [key, probe] of Object.entries(PROBES))
		rows.push({ key: key as NameKey, ...(await probe(account)) });
	return { rows, requests: account.requests };
}

const labelled = (keys: NameKey[]) => keys.map((key) => NAMES[key].label).join(', ');

/** The report as text: each request, what was found, and what to enter in the credential. */
export function written({ rows, requests }: Report): string {
	const widest = Math.max(...rows.map(({ key }) => NAMES[key].label.length)) + 2;
	const line = (key: NameKey, text: string) => `  ${NAMES[key].label.padEnd(widest)}${text}`;
	const others = rows.filter(({ isUsual }) => isUsual === false);
	const unsure = rows.filter(({ isUsual }) => isUsual === undefined);
	return [
		`${requests.length} requests`,
		...requests.map(({ request, status }) => `${status}  ${request}`),
		'',
		'What was found',
		...rows.map(({ key, evidence }) => line(key, evidence)),
		'',
		...(others.length > 0
			? [
					"Enter these in the credential, under 'Names in This API'",
					...others.map(({ key, name }) =>
						line(key, name ?? '(not found: choose from what was found, or ask YK Voice)'),
					),
				]
			: ['The usual names fit: the credential needs no names.']),
		'',
		`Not shown by this account: ${labelled(unsure.map(({ key }) => key)) || 'none'}`,
		`Not shown by reading: ${labelled(NOT_SHOWN)}`,
		'',
	].join('\n');
}
