import { isObject, jsonIn, tidy } from '../json';
import { quoted } from '../words';
import { normalizeApiKey } from './baseUrl';

/** What n8n shows in place of a key that it hides. It is saved if it is pasted, or if the text is no JSON. */
const HIDDEN = '***';

/** A text in JSON. If a colon follows, it is a name. The end may be missing, so that no text is read twice. */
const TEXT = /"((?:[^"\\]|\\.)*)"?(\s*:)?/g;

/** A key, or why it cannot be used. */
export type AccountKey =
	{ apiKey: string; problem?: undefined } | { apiKey?: undefined; problem: string };

/**
 * The keys in the field Accounts of a credential, by the names of the accounts. If a name cannot be used, it is
 * called by its place, such as "entry 2".
 *
 * @param field JSON text or an object
 * @throws Error if there is no entry. Neither it nor a problem repeats a key
 */
export function readKeys(field: unknown): Map<string, AccountKey> {
	const given = typeof field === 'string' ? jsonIn(field) : field;
	const entries = isObject(given) ? Object.entries(given) : [];
	if (entries.length === 0) {
		throw new Error(
			'\'Accounts\' of the credential is not JSON with a name and a key for each account. It must look like { "North & Sons": "yk_…", "South Pizza": "yk_…" }. Check the quotation marks, colons and commas.',
		);
	}
	// JSON.parse keeps the last of several entries with one name.
	const written = typeof field === 'string' ? writtenNames(field) : entries.map(([name]) => name);
	const seen = new Set<string>();
	const twice = written.map(plainName).filter((name) => seen.has(name) || !seen.add(name));
	return new Map(
		entries.map(([given, key], at): [string, AccountKey] => {
			const name = plainName(given);
			const wrong = wrongName(name);
			if (wrong !== undefined) return [`entry ${at + 1}`, { problem: wrong }];
			return [name, twice.includes(name) ? { problem: isTwice(name) } : readKey(name, key)];
		}),
	);
}

/** A name as it is compared: blanks in a row are one, because n8n shows them as one. */
export const plainName = (name: string) => tidy(name).replace(/\s+/g, ' ');

function wrongName(name: string): string | undefined {
	if (name === '') return "A name in 'Accounts' of the credential is blank. Give each key a name.";
	if (/^yk_/i.test(name))
		return "A name in 'Accounts' of the credential is a key. In each entry the name comes first, then the key.";
	if (name === HIDDEN)
		return `A name in 'Accounts' of the credential is ${HIDDEN}, which n8n shows in place of a key. Enter the name.`;
	return undefined;
}

const isTwice = (name: string) =>
	`'Accounts' of the credential has ${quoted([name])} more than once. Give each account a name of its own.`;

function readKey(name: string, key: unknown): AccountKey {
	const entry = `The key of ${quoted([name])} in 'Accounts' of the credential`;
	if (typeof key !== 'string') return { problem: `${entry} must be a text in quotation marks.` };
	if (tidy(key) === HIDDEN) {
		return {
			problem: `${entry} is ${HIDDEN}, which n8n shows in place of a key. Enter the key itself again.`,
		};
	}
	try {
		return { apiKey: normalizeApiKey(key, entry) };
	} catch (error) {
		return { problem: (error as Error).message };
	}
}

const writtenNames = (text: string): string[] =>
	[...text.matchAll(TEXT)]
		.filter(([, , colon]) => colon !== undefined)
		.map(([, name]) => JSON.parse(`"${name}"`) as string);

/**
 * @throws Error that lists no other account
 */
export function chooseKey(
	keys: ReadonlyMap<string, AccountKey>,
	account: unknown,
): { name: string; apiKey: string } {
	const name = nameIn(account);
	const key = keys.get(name);
	if (key === undefined) {
		// An item that holds a key instead of a name must not show it in an error.
		const wrong = /yk_/i.test(name) ? 'The text' : quoted([name]);
		throw new Error(
			`${wrong} in 'Account' is no account of this credential. The name must be written exactly as in 'Accounts' of the credential. Correct it, or add the account there.`,
		);
	}
	if (key.apiKey === undefined) throw new Error(key.problem);
	return { name, apiKey: key.apiKey };
}

function nameIn(account: unknown): string {
	if (typeof account === 'object' && account !== null) {
		const what = Array.isArray(account) ? 'a list' : 'an object';
		throw new Error(
			`'Account' is ${what}, and must be one name. Correct the expression that gives the name.`,
		);
	}
	const name = plainName(String(account ?? ''));
	if (name !== '') return name;
	throw new Error(
		"'Account' is empty. Choose an account of the credential, or correct the expression that gives the name.",
	);
}
