import { contactIdOf } from '../../api/members';
import { dialled, plainForm } from '../../domain/identifiers';
import { isObject, textIn, type JsonObject } from '../../json';
import { shortened } from '../../words';

/** Contacts as a request names them: by ID or by phone number. */
export interface Identifiers {
	contact_ids?: string[];
	phone_numbers?: string[];
}

/** The changes that make a list equal to the wanted contacts. */
export interface Changes {
	add: Required<Identifiers>;
	remove: Required<Identifiers>;
	/** How many members stay. */
	kept: number;
}

/** Words in the names of phone fields. The reference only shows the name of the second number's field. */
const NUMBER_NAME = /phone|mobile|cell|tel|msisdn/i;

/** A second number is not what the API knows a contact by. Reference: secondary_phone_number. */
const SECOND_NAME = /second/i;

/**
 * Which contacts to add to a list, and which to remove. A member is wanted if its ID or its phone number is,
 * or its second number if no member has that as its first. The API may know another contact by a second
 * number, so it is sent to be added all the same.
 *
 * @param members the records of the list's contacts
 * @throws Error if the members do not show their phone numbers, or neither number nor ID, or if nobody can
 *   tell whether a member is wanted
 */
export function changesTo(members: JsonObject[], wanted: Identifiers): Changes {
	const ids = new Map(wanted.contact_ids?.map((id) => [id.toLowerCase(), id]));
	const numbers = new Set(wanted.phone_numbers);
	const known = members.map((record) => {
		const texts = numberTextsIn(contactFieldsOf(record));
		const e164s = (isSecond: boolean) =>
			texts
				.filter(([name]) => SECOND_NAME.test(name) === isSecond)
				.flatMap(([, text]) => e164(text, numbers));
		return {
			id: contactIdOf(record),
			shown: texts.map(([, text]) => text),
			numbers: e164s(false),
			seconds: e164s(true),
		};
	});
	const first = new Set(known.flatMap((one) => one.numbers));
	if (numbers.size > 0 && known.length > 0 && first.size === 0) {
		throw new Error(
			'the contacts of the list show no phone number to compare with. Use the IDs of the contacts',
		);
	}
	const isWanted = ({ id, numbers: own, seconds }: (typeof known)[number]) =>
		(id !== undefined && ids.has(id.toLowerCase())) ||
		own.some((number) => numbers.has(number)) ||
		seconds.some((number) => numbers.has(number) && !first.has(number));
	const kept = known.filter(isWanted);
	const unwanted = known.filter((one) => !isWanted(one));
	if (unwanted.some(({ id, numbers: own }) => id === undefined && own.length === 0)) {
		throw new Error('the contacts of the list show neither an ID nor a phone number');
	}
	const endings = new Set([...numbers].map((number) => number.slice(-SHORTEST)));
	const unseen = [...numbers].filter((number) => !first.has(number));
	const forms = new Set(unseen.map((number) => plainForm(number.slice(1))));
	const mayBeWanted = (text: string) => {
		const digits = dialled(text);
		return digits === undefined ? mayHold(text, endings) : forms.has(plainForm(digits));
	};
	const unclear = unwanted.flatMap(({ shown }) => shown).find(mayBeWanted);
	if (numbers.size > 0 && unclear !== undefined) {
		throw new Error(
			`the list shows a phone number (${shortened(unclear)}) that may be another form of one of yours: with or without some digits, or with hidden ones. So nobody can tell whether it is wanted. Use the IDs of the contacts, or write yours in the same form`,
		);
	}
	const present = new Set(kept.flatMap(({ id, numbers: own }) => [id?.toLowerCase(), ...own]));
	return {
		add: {
			contact_ids: [...ids].filter(([key]) => !present.has(key)).map(([, id]) => id),
			phone_numbers: [...numbers].filter((number) => !present.has(number)),
		},
		remove: {
			contact_ids: unwanted.flatMap(({ id }) => id ?? []),
			phone_numbers: unwanted.flatMap(({ id, numbers: own }) =>
				id === undefined ? own.slice(0, 1) : [],
			),
		},
		kept: kept.length,
	};
}

/** Identifiers of both kinds in one list, so that they can be sent in parts. */
export function identifiersIn(named: Identifiers): Array<[keyof Identifiers, string]> {
	const of = (kind: keyof Identifiers) =>
		(named[kind] ?? []).map((each): [keyof Identifiers, string] => [kind, each]);
	return [...of('contact_ids'), ...of('phone_numbers')];
}

/** The opposite of `identifiersIn`. A kind without identifiers is left out. */
export function identifiersOf(identifiers: Array<[keyof Identifiers, string]>): Identifiers {
	const of = (kind: keyof Identifiers) =>
		identifiers.filter(([own]) => own === kind).map(([, each]) => each);
	const [contact_ids, phone_numbers] = [of('contact_ids'), of('phone_numbers')];
	return {
		...(contact_ids.length > 0 && { contact_ids }),
		...(phone_numbers.length > 0 && { phone_numbers }),
	};
}

/** The contacts of several inputs, each once. */
export const union = (inputs: Identifiers[]): Required<Identifiers> => ({
	contact_ids: [...new Set(inputs.flatMap((input) => input.contact_ids ?? []))],
	phone_numbers: [...new Set(inputs.flatMap((input) => input.phone_numbers ?? []))],
});

/** The fields of the contact behind a member. */
const contactFieldsOf = (member: JsonObject): JsonObject =>
	isObject(member.contact) ? { ...member, ...member.contact } : member;

/** What a contact shows of its phone numbers, with the names of the fields. */
const numberTextsIn = (record: JsonObject): Array<[name: string, text: string]> =>
	Object.entries(record)
		.filter(([name]) => NUMBER_NAME.test(name))
		.flatMap(([name, value]): Array<[string, string]> => {
			const texts = textsIn(value);
			const whole = texts.filter((text) => dialled(text) !== undefined);
			return (whole.length > 0 ? whole : texts).map((text) => [name, text]);
		});

/** The texts of a value, also of those in an object or a list. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
	const text = textIn(value);
	return text === undefined ? [] : [text];
}

/** A number in E.164, also if its plus sign is missing and it is a wanted one. Empty for any other text. */
function e164(text: string, wanted: ReadonlySet<string>): string[] {
	if (text.length > LONGEST) return [];
	const digits = dialled(text);
	if (digits !== undefined) return [`+${digits}`];
	const plain = `+${text.replace(/\D/g, '')}`;
	return wanted.has(plain) ? [plain] : [];
}

/** In digits. A shorter text is no phone number, but an extension. */
const SHORTEST = 7;

/** In characters. Nobody looks for numbers in a longer text. */
const LONGEST = 10_000;

/** Whether a text that is no number in E.164 may hold one of those with these last digits. */
function mayHold(text: string, endings: ReadonlySet<string>): boolean {
	if (text.length > LONGEST) return true;
	// Digits of another script are as good as hidden.
	const all = text.match(/\p{Nd}/gu) ?? [];
	const isForeign = all.length >= SHORTEST && all.some((digit) => digit > '9');
	const isHidden = isForeign || (/\d/.test(text) && /[*xX#•]{2}/.test(text));
	const digits = text.replace(/\D/g, '');
	return isHidden || [...digits].some((_, at) => endings.has(digits.slice(at, at + SHORTEST)));
}
