import { CONTACT_SORTS } from '../assumed.ts';
import { email, nullable, phone, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { contactFilter } from '../contact-filter.ts';
import { invalid } from '../envelope.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import { readRecord, unnamed } from '../put.ts';
import type { Contact } from '../records.ts';
import { found, get, list, post, put, remove } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';
import { iso } from '../time.ts';

type Written = Omit<Contact, 'id' | 'created_at' | 'updated_at'>;

/** What a new contact holds in the fields that the body does not name. */
export const BLANK_CONTACT: Omit<Written, 'phone_number'> = {
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
	return found(contact, 'contact');
}

/** The whole record: the sent fields over `rest`. A phone number belongs to one contact. */
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

/** @param blank what the other fields hold after a PUT that replaces the record */
function replace(exchange: Exchange, current: Contact, blank: Partial<Written>) {
	const { id, created_at: _, updated_at: __, ...kept } = current;
	const contact = readContact(exchange, unnamed(exchange, kept, blank), id);
	return exchange.store.contacts.change(id, { ...contact, updated_at: iso(exchange.now()) });
}

function removeContact(exchange: Exchange) {
	const contact = contactOf(exchange);
	exchange.store.removeContact(contact.id);
	return contact;
}

const SEARCHED = [
	'first_name',
	'last_name',
	'email',
	'phone_number',
	'secondary_phone_number',
] as const;

const BY_ID = '/contacts/{contact_id}';
const BY_PHONE = '/contacts/by-phone/{phone_number}';

/** Section "Other endpoints", the lines of /contacts. */
export const contactRoutes: Route[] = [
	list('/contacts', 'contact', ['search', 'filter', 'sort'], (exchange) => {
		const { store, query, readings } = exchange;
		const { filter } = query;
		const where =
			filter === undefined
				? searchIn<Contact>(query, ...SEARCHED)
				: contactFilter(filter, store.customFields, readings);
		return pageOf(exchange, store.contacts, { ...sortOf(query, CONTACT_SORTS), where });
	}),
	post('/contacts', 'contact', (exchange) =>
		exchange.store.addContact(readContact(exchange, BLANK_CONTACT)),
	),
	get(BY_ID, 'contact', contactOf),
	put(BY_ID, 'contact', (exchange) => replace(exchange, contactOf(exchange), BLANK_CONTACT)),
	remove(BY_ID, 'contact', removeContact),
	get(BY_PHONE, 'contact', contactOf),
	// The path already names the number, so the body may leave it out.
	put(BY_PHONE, 'contact', (exchange) => {
		const contact = contactOf(exchange);
		const { phone_number } = contact;
		return replace(exchange, contact, { ...BLANK_CONTACT, phone_number });
	}),
	remove(BY_PHONE, 'contact', removeContact),
];
