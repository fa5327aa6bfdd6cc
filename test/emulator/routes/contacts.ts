import { CONTACT_SORTS } from '../assumed.ts';
import { email, nullable, phone, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { contactFilter } from '../contact-filter.ts';
import { invalid, notFound } from '../envelope.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import { readRecord, unnamed } from '../put.ts';
import type { Contact } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';
import { iso } from '../time.ts';

type Written = Omit<Contact, 'id' | 'created_at' | 'updated_at'>;

/** What stands in the fields that a body does not name. */
const BLANK: Omit<Written, 'phone_number'> = {
	first_name: null,
	last_name: null,
	email: null,
	secondary_phone_number: null,
	notes: null,
	custom_fields: {},
};

function rulesOf(store: Store): Rules {
	const anything = nullable((value, name) => {
		if (typeof value === 'object') throw invalid(`${name} must be a single value`);
		return value;
	});
	const custom = Object.fromEntries([...store.customFields].map((name) => [name, anything]));
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
	if (!contact) throw notFound('contact');
	return contact;
}

/** The whole record, over what stands in the fields that the body does not name; a phone number belongs to one contact. */
function readContact(exchange: Exchange, rest: Partial<Written>, id?: string): Written {
	const { store } = exchange;
	const sent = readRecord(exchange, rulesOf(store), rest.phone_number ? [] : ['phone_number']);
	const contact = { ...rest, ...sent } as Written;
	const holder = store.contacts.find(
		(candidate) => candidate.phone_number === contact.phone_number,
	);
	if (holder && holder.id !== id)
		throw invalid(`a contact with phone_number ${contact.phone_number} exists`);
	return contact;
}

/** @param blank what a PUT that replaces leaves of the fields it does not name */
function replace(exchange: Exchange, current: Contact, blank: Partial<Written>) {
	const { id, created_at: _, updated_at: __, ...kept } = current;
	const contact = readContact(exchange, unnamed(exchange, kept, blank), id);
	return {
		data: exchange.store.contacts.change(id, { ...contact, updated_at: iso(exchange.now()) }),
	};
}

function remove(exchange: Exchange) {
	const contact = contactOf(exchange);
	exchange.store.removeContact(contact.id);
	return { data: contact };
}

const read = (exchange: Exchange) => ({ data: contactOf(exchange) });

/** Section "Other endpoints", the lines of /contacts. */
export const contactRoutes: Route[] = [
	{
		method: 'GET',
		path: '/contacts',
		kind: 'contact',
		query: ['search', 'filter', 'sort', ...PAGE],
		handle(exchange) {
			const { store, query, behaviour } = exchange;
			const { filter } = query;
			const where =
				filter === undefined
					? searchIn<Contact>(
							query,
							'first_name',
							'last_name',
							'email',
							'phone_number',
							'secondary_phone_number',
						)
					: contactFilter(filter, store.customFields, behaviour.readings);
			return pageOf(exchange, store.contacts, { ...sortOf(query, CONTACT_SORTS), where });
		},
	},
	{
		method: 'POST',
		path: '/contacts',
		kind: 'contact',
		outcome: 'created',
		body: true,
		handle: (exchange) => ({ data: exchange.store.addContact(readContact(exchange, BLANK)) }),
	},
	{ method: 'GET', path: '/contacts/{contact_id}', kind: 'contact', handle: read },
	{
		method: 'PUT',
		path: '/contacts/{contact_id}',
		kind: 'contact',
		outcome: 'changed',
		body: true,
		handle: (exchange) => replace(exchange, contactOf(exchange), BLANK),
	},
	{
		method: 'DELETE',
		path: '/contacts/{contact_id}',
		kind: 'contact',
		outcome: 'deleted',
		handle: remove,
	},
	{ method: 'GET', path: '/contacts/by-phone/{phone_number}', kind: 'contact', handle: read },
	{
		method: 'PUT',
		path: '/contacts/by-phone/{phone_number}',
		kind: 'contact',
		outcome: 'changed',
		body: true,
		// The path already names the number, so the body may leave it out.
		handle(exchange) {
			const contact = contactOf(exchange);
			const { phone_number } = contact;
			return replace(exchange, contact, { ...BLANK, phone_number });
		},
	},
	{
		method: 'DELETE',
		path: '/contacts/by-phone/{phone_number}',
		kind: 'contact',
		outcome: 'deleted',
		handle: remove,
	},
];
