import { boolean, listOf, phone, readFields, uuid } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { NEWEST_FIRST, pageOf, searchIn } from '../query.ts';
import { BLANK_CONTACT } from './contacts.ts';
import type { Contact, ContactList } from '../records.ts';
import { found, get, list, post, remove } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

const IDENTIFIERS: Rules = { contact_ids: listOf(uuid), phone_numbers: listOf(phone) };
const ADDITION: Rules = { ...IDENTIFIERS, auto_create: boolean };

interface Named {
	contact_ids?: string[];
	phone_numbers?: string[];
	auto_create?: boolean;
}

const MEMBERS = '/contact-lists/{contact_list_id}/contacts';
const MEMBERSHIP = { outcome: 'changed', hasData: true, body: true } as const;

const contactListOf = ({ store, params }: Exchange): ContactList =>
	found(store.contactLists.get(params['contact_list_id']!), 'contact list');

const membersOf = (exchange: Exchange): Set<string> =>
	exchange.store.members.get(contactListOf(exchange).id)!;

const withCount = ({ store }: Exchange, list: ContactList) => ({
	...list,
	contact_count: store.members.get(list.id)?.size ?? 0,
});

/** Unknown identifiers are reported, not failed. */
function resolve(
	{ store }: Exchange,
	{ contact_ids = [], phone_numbers = [], auto_create = false }: Named,
) {
	if (contact_ids.length + phone_numbers.length === 0)
		throw invalid('contact_ids or phone_numbers must name a contact');
	const found = new Map<string, Contact>();
	const unknown = { unknown_contact_ids: [] as string[], unknown_phone_numbers: [] as string[] };
	let created = 0;
	for (const id of contact_ids) {
		const contact = store.contacts.get(id);
		if (contact) found.set(contact.id, contact);
		else unknown.unknown_contact_ids.push(id);
	}
	for (const phone_number of phone_numbers) {
		let contact = store.contacts.find((candidate) => candidate.phone_number === phone_number);
		if (!contact && auto_create) {
			contact = store.addContact({ ...BLANK_CONTACT, phone_number });
			created += 1;
		}
		if (contact) found.set(contact.id, contact);
		else unknown.unknown_phone_numbers.push(phone_number);
	}
	return { ids: [...found.keys()], created, unknown };
}

/** Section "Other endpoints", the lines of /contact-lists. */
export const contactListRoutes: Route[] = [
	list('/contact-lists', 'contactList', ['search'], (exchange) => {
		const selection = { ...NEWEST_FIRST, where: searchIn<ContactList>(exchange.query, 'name') };
		const show = (one: ContactList) => withCount(exchange, one);
		return pageOf(exchange, exchange.store.contactLists, selection, show);
	}),
	get('/contact-lists/{contact_list_id}', 'contactList', (exchange) =>
		withCount(exchange, contactListOf(exchange)),
	),
	list(MEMBERS, 'member', [], (exchange) => {
		const members = membersOf(exchange);
		const where = ({ id }: Contact) => members.has(id);
		return pageOf(exchange, exchange.store.contacts, { ...NEWEST_FIRST, where });
	}),
	post(
		MEMBERS,
		'membership',
		(exchange) => {
			const members = membersOf(exchange);
			const { ids, created, unknown } = resolve(exchange, readFields(exchange.body, ADDITION));
			const fresh = ids.filter((id) => !members.has(id));
			for (const id of fresh) members.add(id);
			const already_present = ids.length - fresh.length;
			return { added: fresh.length, created, already_present, ...unknown };
		},
		MEMBERSHIP,
	),
	remove(
		MEMBERS,
		'membership',
		(exchange) => {
			const members = membersOf(exchange);
			const { ids, unknown } = resolve(exchange, readFields(exchange.body, IDENTIFIERS));
			return { removed: ids.filter((id) => members.delete(id)).length, ...unknown };
		},
		MEMBERSHIP,
	),
];
