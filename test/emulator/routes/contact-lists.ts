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

/** The contacts that a body names. Unknown identifiers are reported, not failed. */
function namedIn({ store, body }: Exchange, rules: Rules) {
	const { contact_ids = [], phone_numbers = [], auto_create } = readFields(body, rules) as Named;
	if (contact_ids.length + phone_numbers.length === 0)
		throw invalid('contact_ids or phone_numbers must name a contact');
	const contactOf = (number: string) =>
		store.contacts.find(({ phone_number }) => phone_number === number);
	const fresh = auto_create ? phone_numbers.filter((number) => !contactOf(number)) : [];
	for (const phone_number of new Set(fresh)) store.addContact({ ...BLANK_CONTACT, phone_number });
	const found = [
		...contact_ids.map((id) => store.contacts.get(id)),
		...phone_numbers.map((number) => contactOf(number)),
	];
	return {
		ids: [...new Set(found.flatMap((contact) => contact?.id ?? []))],
		created: new Set(fresh).size,
		unknown: {
			unknown_contact_ids: contact_ids.filter((id) => !store.contacts.get(id)),
			unknown_phone_numbers: phone_numbers.filter((number) => !contactOf(number)),
		},
	};
}

function addMembers(exchange: Exchange) {
	const members = membersOf(exchange);
	const { ids, created, unknown } = namedIn(exchange, ADDITION);
	const fresh = ids.filter((id) => !members.has(id));
	for (const id of fresh) members.add(id);
	return { added: fresh.length, created, already_present: ids.length - fresh.length, ...unknown };
}

function removeMembers(exchange: Exchange) {
	const members = membersOf(exchange);
	const { ids, unknown } = namedIn(exchange, IDENTIFIERS);
	return { removed: ids.filter((id) => members.delete(id)).length, ...unknown };
}

/** Section "Other endpoints", the lines of /contact-lists. */
export const contactListRoutes: Route[] = [
	list('/contact-lists', 'contactList', ['search'], (exchange) => {
		const where = [searchIn<ContactList>(exchange.query, 'name')];
		const show = (one: ContactList) => withCount(exchange, one);
		return pageOf(exchange, exchange.store.contactLists, { ...NEWEST_FIRST, where }, show);
	}),
	get('/contact-lists/{contact_list_id}', 'contactList', (exchange) =>
		withCount(exchange, contactListOf(exchange)),
	),
	list(MEMBERS, 'member', [], (exchange) => {
		const members = membersOf(exchange);
		const where = [({ id }: Contact) => members.has(id)];
		return pageOf(exchange, exchange.store.contacts, { ...NEWEST_FIRST, where });
	}),
	post(MEMBERS, 'membership', addMembers, MEMBERSHIP),
	remove(MEMBERS, 'membership', removeMembers, MEMBERSHIP),
];
