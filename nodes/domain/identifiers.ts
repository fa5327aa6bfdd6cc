/** No ID, address or phone number is longer. Longer text is not looked at: a workflow may hold any text. */
const LONGEST = 2000;

/** A UUID. Reference: "uuid" of agents, contacts, voices, phone numbers and organizations. */
const UUID = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/;

const EACH_UUID = /\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b/g;

const UUID_LENGTH = 36;

export const isUuid = (text: string): boolean => text.length === UUID_LENGTH && UUID.test(text);

/** An ID in the one form by which it is compared: a UUID is the same in capital letters. */
export const sameId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id);

/** Users paste the web address of a record instead of its ID. */
export const isAddress = (text: string): boolean => /^https?:\/\//.test(text);

/** A UUID, or the only UUID in a web address. Undefined if there is none, or more than one. */
export function uuidIn(text: string): string | undefined {
	if (isUuid(text)) return text;
	const found = isAddress(text) && text.length <= LONGEST ? (text.match(EACH_UUID) ?? []) : [];
	return new Set(found).size === 1 ? found[0] : undefined;
}

/**
 * The UUID at the end of a web address, for records whose ID need not be a UUID: one further left may
 * belong to another record. Undefined if the address ends in something else or contains other UUIDs.
 */
export function lastUuidIn(address: string): string | undefined {
	const [path = ''] = address.split(/[?#]/, 1);
	const last = path.replace(/\/$/, '').slice(-UUID_LENGTH);
	return address.includes(`/${last}`) && uuidIn(address) === last ? last : undefined;
}

/** A phone number without spaces, brackets, dashes and other separators; '' if it is too long for one. */
const bare = (text: string) =>
	text.length <= LONGEST ? text.replace(/[\s().\-/\u2010-\u2015]/g, '') : '';

/** Such as tel:+390612345678 or sip:+390612345678@example.com. */
const ADDRESS = /^\s*(?:tel|sips?|callto|whatsapp):([^@;]*)[^]*$/i;

/** An address of WhatsApp, such as 390612345678@s.whatsapp.net. It has the country code without a plus. */
const WHATSAPP = /^\s*\+?(\d+)@(?:s\.whatsapp\.net|c\.us)\s*$/i;

const withoutScheme = (text: string) => text.replace(ADDRESS, '$1').replace(WHATSAPP, '+$1');

/** The digits of a number in international form. Undefined for any other text, such as a masked number. */
export const dialled = (text = ''): string | undefined =>
	/^(?:\+|00)([1-9]\d{6,14})$/.exec(bare(withoutScheme(text)))?.[1];

/**
 * A number in E.164 form, as people have it: with separators, with 00, tel: or whatsapp: in front, or with the apostrophe
 * that this package's CSV puts before a +. Undefined for any other text.
 */
export function phoneNumberIn(text: string): string | undefined {
	// +44 (0)20 is dialled without the 0, so the number as written is not E.164.
	const digits = text.includes('(0)') ? undefined : dialled(text.replace(/^'/, ''));
	return digits && `+${digits}`;
}

/** What is wrong with a phone number. Digits alone may be a number of any country. */
export function phoneProblem(value: unknown): string {
	const text = String(value);
	if (text.includes('(0)')) return 'must be without the (0), as in +442071234567';
	return /^\d{7,15}$/.test(bare(text))
		? 'has no country code: the + is missing. Enter it as in +14155550123'
		: PHONE_RULE.message;
}

/** A text with fewer characters is no phone number, but an extension or a word. */
const SHORTEST = 7;

/**
 * Whether a number that a record shows is the wanted one, which is in E.164 form. It is unclear if some of its
 * digits are hidden, or if it has no country code and the wanted number ends in it.
 */
export function judgeNumber(shown: string, wanted: string): 'yes' | 'no' | 'unclear' {
	const target = wanted.replace('+', '');
	const whole = dialled(shown);
	if (whole !== undefined) return whole === target ? 'yes' : 'no';
	const text = bare(withoutScheme(shown));
	if (text === target) return 'yes';
	if (text.length < SHORTEST || !/^[+\d*xX#•]+$/.test(text) || !/\d/.test(text)) return 'no';
	const isHidden = !/^\+?\d+$/.test(text);
	return isHidden || target.endsWith(text.replace(/^(\+|0+)/, '')) ? 'unclear' : 'no';
}

/** A rule for a value: the message, and the pattern that n8n's editor checks before a run (as `^…$`). */
export interface Rule {
	message: string;
	regex: string;
}

/** Spaces and invisible marks around a value do no harm. */
const around = (pattern: string) => `\\W*${pattern}\\W*`;

/** The editor's look at a UUID. Every session loads this once for each picker, so it is short. */
const LIKE_UUID = '[-0-9a-fA-F]{36}';

/** Reference: "uuid" of agents, contacts and voices. */
export const UUID_RULE: Rule = {
	message: 'must be an ID such as 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
	regex: `(?:${around(LIKE_UUID)}|\\W*https?://[^]*${LIKE_UUID}[^]*)`,
};

/** Reference: "E.164". */
export const PHONE_RULE: Rule = {
	message: 'must be a phone number with its country code such as +14155550123',
	regex: `(?:\\W*[a-zA-Z]{3,8}:)?[^\\w+]*(?:\\+|00)[^\\w+]*[1-9](?:\\W*\\d){6,14}\\W*(?:@[\\w.-]+\\W*)?|\\W*\\d{7,15}@[\\w.]+\\W*`,
};

/** Reference: "ISO 639-1". */
export const LANGUAGE_RULE: Rule = {
	message: 'must be a language code such as en',
	regex: around('[a-zA-Z]{2}'),
};
