import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isObject, jsonIn, textIn, tidy } from '../json';
import { quoted } from '../words';
import { normalizeApiKey } from './baseUrl';

/** What n8n shows in place of a key that it hides. It is saved if it is pasted, or if the text is no JSON. */
const HIDDEN = '***';

/** A text in JSON. If a colon follows, it is a name. The end may be missing, so that no text is read twice. */
const TEXT = /"((?:[^"\\]|\\.)*)"?(\s*:)?/g;

/**
 * The accounts in the field Accounts of a credential: the key of each name. None if the field is empty.
 *
 * @param field JSON text or an object, such as `{ "North & Sons": "yk_…", "South Pizza": "yk_…" }`
 * @throws Error with the reason and what to do. It repeats no key
 */
export function readAccounts(field: unknown): Map<string, string> {
	if (field === undefined || field === null || field === '') return new Map();
	const given = typeof field === 'string' ? jsonIn(field) : field;
	if (!isObject(given)) {
		throw new Error(
			'\'Accounts\' of the credential is not JSON with a name and a key for each account. It must look like { "North & Sons": "yk_…", "South Pizza": "yk_…" }. Check the quotation marks, colons and commas.',
		);
	}
	// JSON.parse keeps the last of several entries with one name.
	const names = typeof field === 'string' ? namesIn(field) : Object.keys(given);
	const tidied = names.map((name) => tidy(name));
	assertNames(tidied);
	return new Map(
		Object.entries(given).map(([name, key]) => [tidy(name), readKey(tidy(name), key)]),
	);
}

function assertNames(names: string[]): void {
	const seen = new Set<string>();
	const twice = names.filter((name) => seen.has(name) || !seen.add(name));
	if (names.includes('')) {
		throw new Error("A name in 'Accounts' of the credential is blank. Give each key a name.");
	}
	if (names.some((name) => /^yk_/i.test(name))) {
		throw new Error(
			"A name in 'Accounts' of the credential is a key. In each entry the name comes first, then the key.",
		);
	}
	if (names.includes(HIDDEN)) {
		throw new Error(
			`A name in 'Accounts' of the credential is ${HIDDEN}, which n8n shows in place of a key. Enter the name.`,
		);
	}
	if (twice.length > 0) {
		throw new Error(
			`'Accounts' of the credential has ${quoted(twice)} more than once. Give each account a name of its own.`,
		);
	}
}

function readKey(name: string, key: unknown): string {
	const entry = `The key of ${quoted([name])} in 'Accounts' of the credential`;
	if (typeof key !== 'string') throw new Error(`${entry} must be a text in quotation marks.`);
	if (tidy(key) === HIDDEN) {
		throw new Error(
			`${entry} is ${HIDDEN}, which n8n shows in place of a key. Enter the key itself again.`,
		);
	}
	return normalizeApiKey(key, entry);
}

/** All names in a JSON text, also those that it has twice. */
const namesIn = (text: string): string[] =>
	[...text.matchAll(TEXT)]
		.filter(([, , colon]) => colon !== undefined)
		.map(([, name]) => JSON.parse(`"${name}"`) as string);

/**
 * The credential's own key, from the field API Key.
 * @throws Error if the key cannot be used, or is left out because the credential has accounts instead
 */
export function ownKeyOf({ apiKey, accounts }: ICredentialDataDecryptedObject): string {
	if (textIn(apiKey) === undefined && readAccounts(accounts).size > 0) {
		throw new Error(
			"The credential has accounts and no 'API Key' of its own. Only the YK Voice nodes can choose one of its accounts. For another node, use a credential with an 'API Key'.",
		);
	}
	return normalizeApiKey(apiKey);
}

/** The key that an account of the credential sends, and all keys that must not show. */
export interface ChosenKey {
	/** The name in Accounts. Undefined for the credential's own key. */
	name?: string;
	apiKey: string;
	secrets: string[];
}

/**
 * The key of the account that a node names.
 *
 * @param accounts those of the credential: see readAccounts
 * @param account what the node has in Account; undefined if the field is empty. An expression that gives
 *   nothing never means the credential's own key
 * @throws Error with the reason and what to do. It lists no other account
 */
export function chooseKey(
	fields: ICredentialDataDecryptedObject,
	accounts: ReadonlyMap<string, string>,
	account: unknown,
): ChosenKey {
	const secrets = [...accounts.values()];
	if (typeof fields.apiKey === 'string') secrets.push(...[tidy(fields.apiKey)].filter(Boolean));
	if (account === undefined) {
		if (accounts.size === 0) return { apiKey: ownKeyOf(fields), secrets };
		throw new Error(
			"The credential has several accounts, and this node does not say which one to use. Choose one in 'Account' (in the trigger: 'Account Names or IDs').",
		);
	}
	const isName = typeof account === 'string' || typeof account === 'number';
	const name = isName ? tidy(String(account)) : '';
	if (name === '') {
		throw new Error(
			"'Account' is empty. Correct the expression that gives the name, or choose an account of the credential.",
		);
	}
	const apiKey = accounts.get(name);
	if (apiKey !== undefined) return { name, apiKey, secrets };
	// An item that holds a key instead of a name must not show it in an error.
	const wrong = /yk_/i.test(name) ? 'The text' : quoted([name]);
	throw new Error(
		`${wrong} in 'Account' is no account of this credential. The name must be written exactly as in 'Accounts' of the credential. Correct it, or add the account there.`,
	);
}
