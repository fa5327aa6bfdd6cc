import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	changesTo,
	identifiersIn,
	identifiersOf,
	union,
} from '../../nodes/resources/contactList/members.ts';

interface Contact {
	id: string;
	numbers: string[];
}

const people = (count: number): Contact[] =>
	Array.from({ length: count }, (_, at) => ({
		id: `3f2b8c1e-5d7a-4e90-9b1c-${String(at).padStart(12, 'a')}`,
		numbers: [`+3932000${1000 + at}`, ...(at % 3 === 0 ? [`+3906000${1000 + at}`] : [])],
	}));

const EVERYBODY = people(12);

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
		telephone: second,
	}),
];

/** How the user names each contact: not at all, by its ID, by a number, or by both. */
const ways = fc.array(fc.constantFrom('', 'id', 'first', 'last', 'both'), {
	minLength: EVERYBODY.length,
	maxLength: EVERYBODY.length,
});

describe('the changes to a list', () => {
	it('make it what is wanted, and add or remove nobody without need', async () => {
		const subset = fc.subarray(EVERYBODY);
		await fc.assert(
			fc.asyncProperty(
				subset,
				ways,
				fc.constantFrom(...RECORDS),
				async (present, named, record) => {
					const wanted = EVERYBODY.filter((_, at) => named[at] !== '');
					const identifiers = union(
						EVERYBODY.map(({ id, numbers }, at) => ({
							contact_ids: ['id', 'both'].includes(named[at]!) ? [id] : [],
							phone_numbers:
								named[at] === 'last'
									? numbers.slice(-1)
									: ['first', 'both'].includes(named[at]!)
										? [numbers[0]!]
										: [],
						})),
					);
					const { add, remove, kept } = changesTo(present.map(record), identifiers);

					const isNamed = ({ id, numbers }: Contact, by: typeof add) =>
						by.contact_ids.some((one) => one.toLowerCase() === id.toLowerCase()) ||
						numbers.some((number) => by.phone_numbers.includes(number));
					const after = EVERYBODY.filter(
						(one) => (present.includes(one) && !isNamed(one, remove)) || isNamed(one, add),
					);
					expect(after).toEqual(wanted);
					// The API may know another contact by a second number, so it is sent all the same.
					const seconds =
						record === RECORDS[0] ? present.flatMap(({ numbers }) => numbers.slice(1)) : [];
					const phone_numbers = add.phone_numbers.filter((number) => !seconds.includes(number));
					expect(present.filter((one) => isNamed(one, { ...add, phone_numbers }))).toEqual([]);
					expect(kept).toBe(present.filter((one) => wanted.includes(one)).length);
				},
			),
		);
	});

	it('take nobody for another whose second number is the wanted one', async () => {
		const [own, shared] = ['+393200001000', '+393200002000'];
		const holder = { id: 'a', phone_number: own, secondary_phone_number: shared };
		const owner = { id: 'b', phone_number: shared };
		const wanted = { phone_numbers: [shared] };
		const alone = changesTo([holder], wanted);
		expect([alone.add.phone_numbers, alone.remove.contact_ids, alone.kept]).toEqual([
			[shared],
			[],
			1,
		]);
		const both = changesTo([holder, owner], wanted);
		expect([both.add.phone_numbers, both.remove.contact_ids, both.kept]).toEqual([[], ['a'], 1]);
	});

	it('are not known if the records show no number', async () => {
		const wanted = { phone_numbers: ['+393200001000'] };
		expect(() => changesTo([{ id: 'a', name: 'Ann' }], wanted)).toThrow('show no phone number');
		// A second number alone does not tell which of the others is wanted.
		const second = { id: 'b', secondary_phone_number: '+393200001001' };
		expect(() => changesTo([{ id: 'a', number: '+393200001000' }, second], wanted)).toThrow(
			'show no phone number',
		);
		expect(changesTo([], wanted).add.phone_numbers).toEqual(wanted.phone_numbers);
	});

	it('keep a wanted number in any form, and are not known if it is unclear', async () => {
		const wanted = { phone_numbers: ['+393200001000'] };
		const [wantedNumber] = wanted.phone_numbers;
		for (const shown of [
			wantedNumber!.slice(1),
			`00${wantedNumber!.slice(1)}`,
			{ e164: wantedNumber, national: '320 000 1000', country: '39' },
			[{ label: 'home', number: wantedNumber }],
		]) {
			const { remove, kept } = changesTo([{ id: 'a', phone_number: shown }], wanted);
			expect([remove.contact_ids, kept]).toEqual([[], 1]);
		}
		for (const shown of [
			`0${wantedNumber!.slice(3)}`,
			`+39******${wantedNumber!.slice(-2)}`,
			`${wantedNumber} ext 5`,
			`+39061234567 / ${wantedNumber}`,
			'+٣٩٣٢٠٠٠٠١٠٠٠',
			'＋３９３２００００１０００',
		]) {
			const members = [
				{ id: 'a', phone_number: shown },
				{ id: 'b', phone_number: '+390000001' },
			];
			expect(() => changesTo(members, wanted)).toThrow('Use the IDs of the contacts');
		}
	});

	it('are known beside texts that are no numbers, and beside parts of a number', async () => {
		const wanted = { phone_numbers: ['+393200001000'] };
		const phone = { e164: '+390699990000', national: '06 3200001000', label: 'جوال ٢' };
		const members = [
			{ id: 'a', phone_number: '+393200001000' },
			{ id: 'b', phone, phone_label: 'جوال ٢' },
		];
		expect(changesTo(members, wanted).remove.contact_ids).toEqual(['b']);
	});

	it('are not known if a number to remove may be a form of a wanted one that nobody shows', async () => {
		const wanted = { phone_numbers: ['+5215522222222', '+525533333333'] };
		const members = [{ id: 'b', phone_number: '+525522222222' }];
		for (const [form, other] of [
			['+525522222222', '+5215522222222'],
			['+5491155512345', '+541155512345'],
			['+551155512345', '+5511955512345'],
			['+9613123456', '+96103123456'],
			['+493012345', '+4903012345'],
			['+525512345678', '+520445512345678'],
			['+5491112345678', '+54111512345678'],
		] as const) {
			const given = { phone_numbers: [other, '+525622222222'] };
			expect(() => changesTo([{ id: 'b', phone_number: form }], given)).toThrow(form);
		}
		for (const [real, other] of [
			['+491701234567', '+4915101234567'],
			['+551187654321', '+5521987654321'],
			['+390612345678', '+39012345678'],
		] as const) {
			const changes = changesTo([{ id: 'b', phone_number: real }], {
				phone_numbers: [other],
			});
			expect([real, changes.remove.contact_ids]).toEqual([real, ['b']]);
		}
		// As long as a wanted one, such as a number of the next city, or with its form beside it.
		for (const other of ['+5215622222222', '+525433333333', '+425522222222', '+5255222222220']) {
			const changes = changesTo([{ id: 'b', phone_number: other }], wanted);
			expect([other, changes.remove.contact_ids]).toEqual([other, ['b']]);
		}
		const shown = { id: 'a', phone_number: '+5215522222222' };
		expect(changesTo([shown, ...members], wanted).remove.contact_ids).toEqual(['b']);
	});

	it('are not known if a record to remove shows neither ID nor number', async () => {
		expect(() => changesTo([{ name: 'Ann' }], { contact_ids: ['b'] })).toThrow('neither an ID');
	});
});

describe('IDs and numbers', () => {
	it('stay as they are if they become a list and are read again', () => {
		const texts = fc.uniqueArray(fc.uuid());
		fc.assert(
			fc.property(texts, texts, (contact_ids, phone_numbers) => {
				const given = { contact_ids, phone_numbers };
				expect(union([identifiersOf(identifiersIn(given))])).toEqual(given);
			}),
		);
	});
});
