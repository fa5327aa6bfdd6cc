/** A UUID, for a regular expression. */
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const ADDRESS = 'https?://';

const ONLY_UUID = new RegExp(`^${UUID}$`);
const EACH_UUID = new RegExp(`\\b${UUID}\\b`, 'g');
const IS_ADDRESS = new RegExp(`^${ADDRESS}`);
const LAST_IS_UUID = new RegExp(`/(${UUID})/?(?:[?#].*)?$`);

/** Whether a text is an address that was copied out of a browser, in place of the ID in it. */
export const isAddress = (text: string): boolean => IS_ADDRESS.test(text);

/** A UUID, or the one that an address holds; undefined where there is none, or which it is cannot be told. */
export function uuidIn(text: string): string | undefined {
	if (ONLY_UUID.test(text)) return text;
	const found = isAddress(text) ? (text.match(EACH_UUID) ?? []) : [];
	return new Set(found).size === 1 ? found[0] : undefined;
}

/**
 * The UUID at an address's end, where a record's ID need not be one: what stands before may be of
 * another record. Undefined where the address ends otherwise, or holds others too.
 */
export function lastUuidIn(address: string): string | undefined {
	const [, last] = LAST_IS_UUID.exec(address) ?? [];
	return last !== undefined && uuidIn(address) === last ? last : undefined;
}

/** What is said of a value, and what n8n's editor holds against it before a run: an expression `^…$`. */
export interface Rule {
	message: string;
	regex: string;
}

/** As lenient as the schemas are with what stands around a value unseen. */
const around = (pattern: string) => `\\W*${pattern}\\W*`;

/** Reference: "uuid" of agents, contacts and voices. */
export const UUID_RULE: Rule = {
	message: 'must be a UUID such as 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
	regex: `(?:${around(UUID)}|\\W*${ADDRESS}.*${UUID}.*)`,
};

/** Reference: "E.164". */
export const PHONE_RULE: Rule = {
	message: 'must be a phone number in E.164 form such as +14155550123',
	regex: around('\\+\\W*[1-9](?:\\W*\\d){6,14}'),
};

/** Reference: "ISO 639-1". */
export const LANGUAGE_RULE: Rule = {
	message: 'must be a language code of ISO 639-1 such as en',
	regex: around('[a-zA-Z]{2}'),
};

/** Anything that can be seen. */
export const ANYTHING = '[^]*\\S[^]*';

/** The same, or nothing. */
export const orNothing = (regex: string): string => `(?:\\W*|${regex})`;
