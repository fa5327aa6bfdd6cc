import { boolean, listOf, phone, uuid } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { list } from '../list.ts';
import type { Contact, ContactList } from '../records.ts';
import { found, get, post, remove, type Exchange, type Route } from '../route.ts';
import type { Store } from '../store.ts';
import { BLANK_CONTACT } from './contacts.ts';

interface Named {
	contact_ids?: string[];
	phone_numbers?: string[];
	auto_create?: boolean;
}

const MEMBERS = '/contact-lists/{contact_list_id}/contacts';
const IDENTIFIERS = { contact_ids: listOf(uuid), phone_numbers: listOf(phone) };

const contactListOf = ({ store, params }: Exchange): ContactList =>
	found(store.contactLists.get(params['contact_list_id']!), 'contact list');

const membersOf = (exchange: Exchange): Set<string> =>
	exchange.store.members.get(contactListOf(exchange).id)!;

const withCount = (list: ContactList, store: Store) => ({
	...list,
	contact_count: store.members.get(list.id)?.size ?? 0,
});

/** The contacts that a body names. Unknown identifiers are reported, not failed. */
function namedIn({ store, body }: Exchange) {
	const { contact_ids = [], phone_numbers = [], auto_create } = body as Named;
	if (contact_ids.length + phone_numbers.length === 0)
		throw invalid('contact_ids or phone_numbers must name a contact');
	const byNumber = (number: string) =>
		store.contacts.find(({ phone_number }) => phone_number === number)?.id;
	const byId = (id: string) => store.contacts.get(id)?.id;
	const fresh = auto_create ? phone_numbers.filter((number) => !byNumber(number)) : [];
	for (const phone_number of new Set(fresh)) store.addContact({ ...BLANK_CONTACT, phone_number });
	const named = [...contact_ids.map(byId), ...phone_numbers.map(byNumber)];
	return {
		ids: [...new Set(named.filter((id) => id !== undefined))],
		unknown: {
			unknown_contact_ids: contact_ids.filter((id) => !byId(id)),
			unknown_phone_numbers: phone_numbers.filter((number) => !byNumber(number)),
		},
	};
}

function addMembers(exchange: Exchange) {
	const members = membersOf(exchange);
	const { ids, unknown } = namedIn(exchange);
	const fresh = ids.filter((id) => !members.has(id));
	for (const id of fresh) members.add(id);
	return { added: fresh.length, already_present: ids.length - fresh.length, ...unknown };
}

function removeMembers(exchange: Exchange) {
	const members = membersOf(exchange);
	const { ids, unknown } = namedIn(exchange);
	return { removed: ids.filter((id) => members.delete(id)).length, ...unknown };
}

/** Section "Other endpoints", the lines of /contact-lists. */
export const contactListRoutes: Route[] = [
	list<ContactList>('/contact-lists', 'other', {
		rows: ({ store }) => store.contactLists,
		searched: ['name'],
		show: (one, { store }) => withCount(one, store),
	}),
	get('/contact-lists/{contact_list_id}', 'other', (exchange) =>
		withCount(contactListOf(exchange), exchange.store),
	),
	list<Contact>(MEMBERS, 'member', {
		rows: ({ store }) => store.contacts,
		where(exchange) {
			const members = membersOf(exchange);
			return ({ id }) => members.has(id);
		},
	}),
	post(MEMBERS, 'membership', addMembers, {
		body: { ...IDENTIFIERS, auto_create: boolean },
		isShown: true,
	}),
	remove(MEMBERS, 'membership', removeMembers, { body: IDENTIFIERS, isShown: true }),
];
