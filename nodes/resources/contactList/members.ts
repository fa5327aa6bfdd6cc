import { contactIdOf } from '../../api/members';
import { USUAL_NAMES, type Names } from '../../api/names';
import { phoneNumberIn } from '../../domain/identifiers';
import { groupedBy, isObject, textIn, type JsonObject } from '../../json';
import { quoted } from '../../words';

/** Contacts as a request names them: by ID or by phone number. */
export interface Identifiers {
	contact_ids?: string[];
	phone_numbers?: string[];
}

/** Names that the field of a phone number may have. The reference only shows secondary_phone_number. */
const NUMBER_NAME = /(phone|mobile)(_?number)?$/i;

/** A contact may share its second number with another contact, whose first number it is. */
const SECOND_NAME = /second/i;

/**
 * Which contacts to add to a list and which to remove, and how many stay. A member is wanted if its ID or one
 * of its phone numbers is.
 *
 * @throws Error if a member would be removed although it shows no phone number to compare with, or one that
 *   is not E.164: it may be a wanted one
 */
export function changesTo(
	members: JsonObject[],
	wanted: Identifiers,
	{ contactPhone }: Pick<Names, 'contactPhone'> = USUAL_NAMES,
) {
	const ids = new Map(wanted.contact_ids?.map((id) => [id.toLowerCase(), id]));
	const numbers = new Set(wanted.phone_numbers);
	const known = members.map((member) => readMember(member, contactPhone));
	const isWanted = ({ id, first, second }: Member) =>
		(id !== undefined && ids.has(id.toLowerCase())) ||
		[...first, ...second].some((number) => numbers.has(number));
	const kept = known.filter(isWanted);
	const unwanted = known.filter((member) => !isWanted(member));
	for (const { id, first, unreadable } of unwanted) {
		const isNamed = id !== undefined || first.length > 0;
		const isComparable = first.length > 0 && unreadable.length === 0;
		if (isNamed && (isComparable || numbers.size === 0)) continue;
		const shown = unreadable.length > 0 ? quoted(unreadable) : 'none';
		throw new Error(
			`a contact of the list shows no phone number with its country code (it shows ${shown}), so nobody can tell whether it is wanted. Use the IDs of the contacts`,
		);
	}
	const present = new Set(kept.flatMap(({ id, first }) => [id?.toLowerCase(), ...first]));
	return {
		add: {
			contact_ids: [...ids].filter(([key]) => !present.has(key)).map(([, id]) => id),
			phone_numbers: [...numbers].filter((number) => !present.has(number)),
		},
		remove: {
			contact_ids: unwanted.flatMap(({ id }) => id ?? []),
			phone_numbers: unwanted.flatMap(({ id, first }) => (id === undefined ? first[0]! : [])),
		},
		kept: kept.length,
	};
}

/** A contact of the list, with its numbers in E.164. */
interface Member {
	id?: string;
	first: string[];
	second: string[];
	/** What stands in a phone field and is not E.164. */
	unreadable: string[];
}

function readMember(record: JsonObject, phone: string): Member {
	const contact = isObject(record.contact) ? { ...record, ...record.contact } : record;
	const member: Member = { id: contactIdOf(record), first: [], second: [], unreadable: [] };
	for (const [name, value] of Object.entries(contact)) {
		const text = name === phone || NUMBER_NAME.test(name) ? textIn(value) : undefined;
		if (text === undefined) continue;
		const number = phoneNumberIn(text);
		if (number === undefined) member.unreadable.push(text);
		else member[SECOND_NAME.test(name) ? 'second' : 'first'].push(number);
	}
	return member;
}

/** Identifiers of both kinds in one list, so that they can be sent in parts. */
export function identifiersIn(named: Identifiers): Array<[keyof Identifiers, string]> {
	const of = (kind: keyof Identifiers) =>
		(named[kind] ?? []).map((each): [keyof Identifiers, string] => [kind, each]);
	return [...of('contact_ids'), ...of('phone_numbers')];
}

/** The opposite of `identifiersIn`. A kind without identifiers is left out. */
export const identifiersOf = (identifiers: Array<[keyof Identifiers, string]>): Identifiers =>
	Object.fromEntries(
		[...groupedBy(identifiers, ([kind]) => kind)].map(([kind, same]) => [
			kind,
			same.map(([, each]) => each),
		]),
	);

/** The contacts of several inputs, each once. */
export const union = (inputs: Identifiers[]): Required<Identifiers> => ({
	contact_ids: [...new Set(inputs.flatMap((input) => input.contact_ids ?? []))],
	phone_numbers: [...new Set(inputs.flatMap((input) => input.phone_numbers ?? []))],
});
