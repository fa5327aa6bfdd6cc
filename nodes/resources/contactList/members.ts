import { contactIdOf } from '../../api/members';
import { contactFieldsOf } from '../../domain/contact';
import type { JsonObject } from '../../json';
import { phone } from '../../table/schema';

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

/**
 * Which contacts to add to a list, and which to remove. A member is wanted if its ID or any of its phone
 * numbers is. Otherwise a contact could be removed by its ID and added again by its number.
 *
 * @param members the records of the list's contacts
 * @throws Error if the members do not show their phone numbers, or neither number nor ID
 */
export function changesTo(members: JsonObject[], wanted: Identifiers): Changes {
	const ids = new Map(wanted.contact_ids?.map((id) => [id.toLowerCase(), id]));
	const numbers = new Set(wanted.phone_numbers);
	const known = members.map((record) => ({
		id: contactIdOf(record),
		numbers: numbersOf(contactFieldsOf(record)),
	}));
	if (numbers.size > 0 && known.length > 0 && known.every((one) => one.numbers.length === 0)) {
		throw new Error(
			'the contacts of the list show no phone number to compare with. Use the IDs of the contacts',
		);
	}
	const isWanted = ({ id, numbers: own }: (typeof known)[number]) =>
		(id !== undefined && ids.has(id.toLowerCase())) || own.some((number) => numbers.has(number));
	const kept = known.filter(isWanted);
	const unwanted = known.filter((one) => !isWanted(one));
	if (unwanted.some(({ id, numbers: own }) => id === undefined && own.length === 0)) {
		throw new Error('the contacts of the list show neither an ID nor a phone number');
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

/** The phone numbers of a contact in E.164. Other values are left out. */
function numbersOf(record: JsonObject): string[] {
	return Object.entries(record)
		.filter(([name]) => NUMBER_NAME.test(name))
		.flatMap(([, value]) => phone.safeParse(value).data ?? []);
}
