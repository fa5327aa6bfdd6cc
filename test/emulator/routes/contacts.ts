import { email, nullable, object, passing, phone, text } from '../checks.ts';
import { contactFilter } from '../contact-filter.ts';
import { invalid } from '../envelope.ts';
import { list } from '../list.ts';
import type { Contact } from '../records.ts';
import { crud, found, type Exchange, type Route } from '../route.ts';

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

function contactOf({ store, params }: Exchange): Contact {
	const { contact_id, phone_number } = params;
	const contact = contact_id
		? store.contacts.get(contact_id)
		: store.contacts.find((candidate) => candidate.phone_number === phone_number);
	return found(contact, 'contact');
}

/** Section "Other endpoints", the lines of /contacts. */
export const contactRoutes: Route[] = [
	list<Contact>('/contacts', 'contact', {
		rows: ({ store }) => store.contacts,
		searched: ['first_name', 'last_name', 'email', 'phone_number', 'secondary_phone_number'],
		sorts: ['created_at', 'updated_at', 'first_name', 'last_name', 'email'],
		filters: { filter: contactFilter },
	}),
	...crud<Contact>({
		kind: 'contact',
		path: '/contacts',
		paths: ['/contacts/{contact_id}', '/contacts/by-phone/{phone_number}'],
		tableOf: (store) => store.contacts,
		find: contactOf,
		body: ({ customFields }) => ({
			first_name: nullable(text()),
			last_name: nullable(text()),
			email: nullable(email),
			phone_number: phone,
			secondary_phone_number: nullable(phone),
			notes: nullable(text()),
			custom_fields: object(Object.fromEntries([...customFields].map((name) => [name, single]))),
		}),
		required: ['phone_number'],
		blank: BLANK_CONTACT,
		check({ phone_number }, store, current) {
			// A phone number belongs to one contact.
			const holder = store.contacts.find((one) => one.phone_number === phone_number);
			if (holder && holder !== current)
				throw invalid(`a contact with phone_number ${phone_number} exists`);
			return {};
		},
		add: (store, contact) => store.addContact(contact),
		release({ id }, store) {
			for (const members of store.members.values()) members.delete(id);
		},
	}),
];
