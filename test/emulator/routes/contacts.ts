import { CONTACT_SORTS } from '../assumed.ts';
import { email, nullable, phone, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { contactFilter } from '../contact-filter.ts';
import { invalid, notFound } from '../envelope.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import type { Contact } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';
import { iso } from '../time.ts';

type Written = Omit<Contact, 'id' | 'created_at' | 'updated_at'>;

/** What a PUT leaves of the fields it does not name. */
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

/** The whole record as the body writes it; a phone number belongs to one contact. */
function readContact(
	store: Store,
	body: unknown,
	current?: { id: string; phone_number?: string },
): Written {
	const sent = readFields(body, rulesOf(store), current?.phone_number ? [] : ['phone_number']);
	const contact = { ...BLANK, phone_number: current?.phone_number, ...sent } as Written;
	const holder = store.contacts.find(
		(candidate) => candidate.phone_number === contact.phone_number,
	);
	if (holder && holder.id !== current?.id)
		throw invalid(`a contact with phone_number ${contact.phone_number} exists`);
	return contact;
}

function replace(exchange: Exchange, current: { id: string; phone_number?: string }) {
	const contact = readContact(exchange.store, exchange.body, current);
	return {
		data: exchange.store.contacts.change(current.id, {
			...contact,
			updated_at: iso(exchange.now()),
		}),
	};
}

function remove(exchange: Exchange) {
	exchange.store.removeContact(contactOf(exchange).id);
	return { data: null };
}

const read = (exchange: Exchange) => ({ data: contactOf(exchange) });

/** Section "Other endpoints", the lines of /contacts. */
export const contactRoutes: Route[] = [
	{
		method: 'GET',
		path: '/contacts',
		query: ['search', 'filter', 'sort', ...PAGE],
		handle(exchange) {
			const { store, query } = exchange;
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
					: contactFilter(filter, store.customFields);
			return pageOf(exchange, store.contacts, { ...sortOf(query, CONTACT_SORTS), where });
		},
	},
	{
		method: 'POST',
		path: '/contacts',
		body: true,
		handle({ store, body }) {
			return { status: 201, data: store.addContact(readContact(store, body)) };
		},
	},
	{ method: 'GET', path: '/contacts/{contact_id}', handle: read },
	{
		method: 'PUT',
		path: '/contacts/{contact_id}',
		body: true,
		handle: (exchange) => replace(exchange, { id: contactOf(exchange).id }),
	},
	{ method: 'DELETE', path: '/contacts/{contact_id}', handle: remove },
	{ method: 'GET', path: '/contacts/by-phone/{phone_number}', handle: read },
	{
		method: 'PUT',
		path: '/contacts/by-phone/{phone_number}',
		body: true,
		// The path already names the number, so the body may leave it out.
		handle(exchange) {
			const { id, phone_number } = contactOf(exchange);
			return replace(exchange, { id, phone_number });
		},
	},
	{ method: 'DELETE', path: '/contacts/by-phone/{phone_number}', handle: remove },
];
