import { boolean, checkBatch, listOf, phone, readFields, uuid } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid, notFound } from '../envelope.ts';
import { pageOf, searchIn } from '../query.ts';
import type { Contact, ContactList } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

const NEWEST_FIRST = { sort: 'created_at', descending: true };
const IDENTIFIERS: Rules = { contact_ids: listOf(uuid), phone_numbers: listOf(phone) };
const ADDITION: Rules = { ...IDENTIFIERS, auto_create: boolean };

interface Named {
	contact_ids?: string[];
	phone_numbers?: string[];
	auto_create?: boolean;
}

function listOfRequest({ store, params }: Exchange): { list: ContactList; members: Set<string> } {
	const list = store.contactLists.get(params['contact_list_id']!);
	const members = list && store.members.get(list.id);
	if (!list || !members) throw notFound('contact list');
	return { list, members };
}

function show(exchange: Exchange, list: ContactList) {
	return { ...list, contact_count: exchange.store.members.get(list.id)?.size ?? 0 };
}

/** Unknown identifiers are reported, not failed. */
function resolve(
	{ store, behaviour }: Exchange,
	{ contact_ids = [], phone_numbers = [], auto_create = false }: Named,
) {
	checkBatch({ contact_ids, phone_numbers }, behaviour.readings);
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
			const nameless = {
				first_name: null,
				last_name: null,
				email: null,
				secondary_phone_number: null,
				notes: null,
			};
			contact = store.addContact({ ...nameless, custom_fields: {}, phone_number });
			created += 1;
		}
		if (contact) found.set(contact.id, contact);
		else unknown.unknown_phone_numbers.push(phone_number);
	}
	return { ids: [...found.keys()], created, unknown };
}

/** Section "Other endpoints", the lines of /contact-lists. */
export const contactListRoutes: Route[] = [
	{
		method: 'GET',
		path: '/contact-lists',
		kind: 'contactList',
		query: ['search', ...PAGE],
		handle(exchange) {
			const where = searchIn<ContactList>(exchange.query, 'name');
			return pageOf(exchange, exchange.store.contactLists, { ...NEWEST_FIRST, where }, (list) =>
				show(exchange, list),
			);
		},
	},
	{
		method: 'GET',
		path: '/contact-lists/{contact_list_id}',
		kind: 'contactList',
		handle: (exchange) => ({ data: show(exchange, listOfRequest(exchange).list) }),
	},
	{
		method: 'GET',
		path: '/contact-lists/{contact_list_id}/contacts',
		kind: 'member',
		query: PAGE,
		handle(exchange) {
			const { members } = listOfRequest(exchange);
			return pageOf(exchange, exchange.store.contacts, {
				...NEWEST_FIRST,
				where: ({ id }) => members.has(id),
			});
		},
	},
	{
		method: 'POST',
		path: '/contact-lists/{contact_list_id}/contacts',
		kind: 'membership',
		outcome: 'changed',
		tells: true,
		body: true,
		handle(exchange) {
			const { members } = listOfRequest(exchange);
			const { ids, created, unknown } = resolve(exchange, readFields(exchange.body, ADDITION));
			const fresh = ids.filter((id) => !members.has(id));
			for (const id of fresh) members.add(id);
			return {
				data: {
					added: fresh.length,
					created,
					already_present: ids.length - fresh.length,
					...unknown,
				},
			};
		},
	},
	{
		method: 'DELETE',
		path: '/contact-lists/{contact_list_id}/contacts',
		kind: 'membership',
		outcome: 'changed',
		tells: true,
		body: true,
		handle(exchange) {
			const { members } = listOfRequest(exchange);
			const { ids, unknown } = resolve(exchange, readFields(exchange.body, IDENTIFIERS));
			const removed = ids.filter((id) => members.delete(id)).length;
			return { data: { removed, ...unknown } };
		},
	},
];
