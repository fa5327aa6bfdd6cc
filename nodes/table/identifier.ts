import { UUID as WHOLE_UUID } from '../domain/identifiers';

const UUID = WHOLE_UUID.source;

const ADDRESS = 'https?://';

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
