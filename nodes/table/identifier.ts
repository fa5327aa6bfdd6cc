/** Pattern of a UUID. */
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const ADDRESS = 'https?://';

const ONLY_UUID = new RegExp(`^${UUID}$`);
const EACH_UUID = new RegExp(`\\b${UUID}\\b`, 'g');
const IS_ADDRESS = new RegExp(`^${ADDRESS}`);
const LAST_IS_UUID = new RegExp(`/(${UUID})/?(?:[?#].*)?$`);

/** Whether a text is a web address. Users paste the address of a record instead of its ID. */
export const isAddress = (text: string): boolean => IS_ADDRESS.test(text);

/** A UUID, or the only UUID in a web address. Undefined if there is none, or more than one. */
export function uuidIn(text: string): string | undefined {
	if (ONLY_UUID.test(text)) return text;
	const found = isAddress(text) ? (text.match(EACH_UUID) ?? []) : [];
	return new Set(found).size === 1 ? found[0] : undefined;
}

/**
 * The UUID at the end of a web address, for records whose ID need not be a UUID: one further left may
 * belong to another record. Undefined if the address ends in something else or contains other UUIDs.
 */
export function lastUuidIn(address: string): string | undefined {
	const [, last] = LAST_IS_UUID.exec(address) ?? [];
	return last !== undefined && uuidIn(address) === last ? last : undefined;
}

/** A rule for a value: the message, and the pattern that n8n's editor checks before a run (as `^…$`). */
export interface Rule {
	message: string;
	regex: string;
}

/** Allows spaces and invisible marks around a value, as the schemas do. */
const around = (pattern: string) => `\\W*${pattern}\\W*`;

/** Reference: "uuid" of agents, contacts and voices. */
export const UUID_RULE: Rule = {
	message: 'must be a UUID such as 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
	regex: `(?:${around(UUID)}|\\W*${ADDRESS}.*${UUID}.*)`,
};

/** Reference: "E.164". */
export const PHONE_RULE: Rule = {
	message: 'must be a phone number with its country code such as +14155550123',
	regex: around('\\+\\W*[1-9](?:\\W*\\d){6,14}'),
};

/** Reference: "ISO 639-1". */
export const LANGUAGE_RULE: Rule = {
	message: 'must be a language code of ISO 639-1 such as en',
	regex: around('[a-zA-Z]{2}'),
};

/** Pattern of any text that is not blank. */
export const ANYTHING = '[^]*\\S[^]*';

/** A pattern that also allows blank text. */
export const orNothing = (regex: string): string => `(?:\\W*|${regex})`;
