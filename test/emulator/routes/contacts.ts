import { CONTACT_SORTS } from '../assumed.ts';
import { email, nullable, passing, phone, readFields, text, type Rules } from '../checks.ts';
import { contactFilter } from '../contact-filter.ts';
import { crud } from '../crud.ts';
import { invalid } from '../envelope.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import type { Contact } from '../records.ts';
import { found, list, type Exchange, type Route } from '../route.ts';

/** What a new contact holds in the fields that the body does not name. */
export const BLANK_CONTACT = {
	first_name: null,
	last_name: null,
	email: null,
	secondary_phone_number: null,
	notes: null,
	custom_fields: {},
};

const single = nullable(passing((value) => typeof value !== 'object', 'a single value'));

function rulesOf({ store }: Exchange): Rules {
	const custom = Object.fromEntries([...store.customFields].map((name) => [name, single]));
	return {
		first_name: nullable(text()),
		last_name: nullable(text()),
		email: nullable(email),
		phone_number: phone,
		secondary_phone_number: nullable(phone),
		notes: nullable(text()),
		custom_fields: (value, name) => readFields(value, custom, [], name),
	};
}

function contactOf({ store, params }: Exchange): Contact {
	const { contact_id, phone_number } = params;
	const contact = contact_id
		? store.contacts.get(contact_id)
		: store.contacts.find((candidate) => candidate.phone_number === phone_number);
	return found(contact, 'contact');
}

const SEARCHED = [
	'first_name',
	'last_name',
	'email',
	'phone_number',
	'secondary_phone_number',
] as const;

/** Section "Other endpoints", the lines of /contacts. */
export const contactRoutes: Route[] = [
	list('/contacts', 'contact', ['search', 'filter', 'sort'], (exchange) => {
		const { store, query, readings } = exchange;
		const { filter } = query;
		const where =
			filter === undefined
				? searchIn<Contact>(query, ...SEARCHED)
				: contactFilter(filter, store.customFields, readings);
		return pageOf(exchange, store.contacts, { ...sortOf(query, CONTACT_SORTS), where: [where] });
	}),
	...crud<Contact>({
		kind: 'contact',
		path: '/contacts',
		paths: { '/contacts/{contact_id}': [], '/contacts/by-phone/{phone_number}': ['phone_number'] },
		tableOf: ({ store }) => store.contacts,
		find: contactOf,
		rulesOf,
		required: ['phone_number'],
		blank: BLANK_CONTACT,
		check({ store }, { phone_number }, current) {
			// A phone number belongs to one contact.
			const holder = store.contacts.find((one) => one.phone_number === phone_number);
			if (holder && holder !== current)
				throw invalid(`a contact with phone_number ${phone_number} exists`);
			return {};
		},
		add: ({ store }, contact) => store.addContact(contact),
		remove: ({ store }, { id }) => void store.removeContact(id),
	}),
];
