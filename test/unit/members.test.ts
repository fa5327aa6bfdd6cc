import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { contactIdOf } from '../../nodes/api/members.ts';
import { changesTo, union, type Identifiers } from '../../nodes/resources/contactList/members.ts';

interface Contact {
	id: string;
	numbers: string[];
}

/** Twelve contacts. Each third has two numbers. */
const EVERYBODY: Contact[] = Array.from({ length: 12 }, (_, at) => ({
	id: `3f2b8c1e-5d7a-4e90-9b1c-${String(at).padStart(12, 'a')}`,
	numbers: [`+3932000${1000 + at}`, ...(at % 3 === 0 ? [`+3906000${1000 + at}`] : [])],
}));

/** How records may show their numbers. */
const RECORDS: Array<(contact: Contact) => Record<string, unknown>> = [
	({ id, numbers: [first, second = null] }) => ({
		id,
		phone_number: first,
		secondary_phone_number: second,
	}),
	({ id, numbers: [first = '', second = ''] }) => ({
		id: id.toUpperCase(),
		mobile: first.replace('+39', '+39 '),
		secondary_telephone: second,
	}),
];

/** How the user may name a contact. */
const NAMING: Record<string, (contact: Contact) => Identifiers> = {
	'not at all': () => ({}),
	'by its ID': ({ id }) => ({ contact_ids: [id] }),
	'by its first number': ({ numbers }) => ({ phone_numbers: numbers.slice(0, 1) }),
	'by its last number': ({ numbers }) => ({ phone_numbers: numbers.slice(-1) }),
	'by both': ({ id, numbers }) => ({ contact_ids: [id], phone_numbers: numbers.slice(0, 1) }),
};

describe('the changes to a list', () => {
	it('make it what is wanted, and add or remove nobody without need', () => {
		const ways = fc.array(fc.constantFrom(...Object.values(NAMING)), {
			minLength: EVERYBODY.length,
			maxLength: EVERYBODY.length,
		});
		const isNamed = ({ id, numbers }: Contact, by: Required<Identifiers>) =>
			by.contact_ids.some((one) => one.toLowerCase() === id) ||
			numbers.some((number) => by.phone_numbers.includes(number));
		const property = fc.property(
			fc.subarray(EVERYBODY),
			ways,
			fc.constantFrom(...RECORDS),
			(present, named, record) => {
				const wanted = EVERYBODY.filter((_, at) => named[at] !== NAMING['not at all']);
				const identifiers = union(EVERYBODY.map((one, at) => named[at]!(one)));
				const { add, remove, kept } = changesTo(present.map(record), identifiers);
				const after = EVERYBODY.filter(
					(one) => (present.includes(one) && !isNamed(one, remove)) || isNamed(one, add),
				);
				expect(after).toEqual(wanted);
				// The API may know another contact by a second number, so it is sent all the same.
				const seconds = present.flatMap(({ numbers }) => numbers.slice(1));
				const phone_numbers = add.phone_numbers.filter((number) => !seconds.includes(number));
				expect(present.filter((one) => isNamed(one, { ...add, phone_numbers }))).toEqual([]);
				expect(kept).toBe(present.filter((one) => wanted.includes(one)).length);
			},
		);
		fc.assert(property);
	});

	const wanted = { phone_numbers: ['+393200001000'] };
	const [number] = wanted.phone_numbers as [string];

	it('keep whose second number is wanted, and add the contact whose first number it may be', () => {
		const holder = { id: 'a', phone_number: '+393200002000', secondary_phone_number: number };
		const { add, remove, kept } = changesTo([holder], wanted);
		expect([add.phone_numbers, remove.contact_ids, kept]).toEqual([[number], [], 1]);
		const owner = { id: 'b', phone_number: number };
		expect(changesTo([holder, owner], wanted)).toMatchObject({
			add: { phone_numbers: [] },
			kept: 2,
		});
	});

	it('remove a contact by its number if it shows no ID, and leave its other texts alone', () => {
		const member = { phone_number: '+390612345678', phone_type: 'mobile', phone_label: '06' };
		expect(changesTo([member], wanted).remove.phone_numbers).toEqual(['+390612345678']);
	});

	it.each([
		{ name: 'Ann' },
		{ secondary_phone_number: '+393200001001' },
		{ phone_number: '0320 000 1000' },
		{ phone_number: '+39******00' },
		{ phone_number: `${number} / +390612345678` },
		{ phone_number: '+390612345678', mobile: '3200001000' },
	])('are not known if somebody to remove shows %j', (shown) => {
		const member = { id: 'a', ...shown };
		expect(() => changesTo([member], wanted)).toThrow('Use the IDs of the contacts');
		const byId = { ...wanted, contact_ids: ['A'] };
		expect(changesTo([member], byId)).toMatchObject({ kept: 1 });
		expect(changesTo([member], { contact_ids: ['b'] }).remove.contact_ids).toEqual(['a']);
	});

	it('are not known if somebody to remove shows neither an ID nor a number', () => {
		expect(() => changesTo([{ name: 'Ann' }], { contact_ids: ['b'] })).toThrow('Use the IDs');
	});
});

const UUID = '11111111-2222-4333-8444-555555555555';
it.each([
	[{ id: 'm', contact_id: 7 }, '7'],
	[{ id: 'm', contact: UUID }, UUID],
	[{ id: 'c', contact: 'Ann' }, 'c'],
	[{ contact: 'c' }, 'c'],
])('the contact behind the member %j is %s', (member, contact) => {
	expect(contactIdOf(member)).toBe(contact);
});
