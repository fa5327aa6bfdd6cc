import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Emulator } from '../emulator/index.ts';
import { accountForEachTest, emulator, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'empty', readings: { names: 'others' } });

// Simplify keeps the custom fields of contacts, the extras of events and the line items of orders.

const CUSTOM = { allergies: ['nuts'], address: { city: 'Rome', floors: [{ floor: 2 }] } };

type Store = Emulator['store'];

const addContact = (store: Store) => {
	const contact = store.addContact({ custom_fields: CUSTOM });
	for (const members of store.members.values()) members.add(contact.id);
	return contact;
};
const addEvent = (store: Store) => store.addEvent({ extras: CUSTOM });
const addOrder = (store: Store) => store.addOrder({ status: 'confirmed' });

const custom = ({ custom_fields: fields }: IDataObject) => fields;
const extras = ({ extras: fields }: IDataObject) => fields;
/** The account of these tests calls line items "items". */
const skus = ({ items }: IDataObject) => (items as IDataObject[]).map(({ sku }) => sku);

const READS: Record<
	string,
	[make: (store: Store) => { id: string }, field: (item: IDataObject) => unknown, id?: string]
> = {
	'contact.get': [addContact, custom, 'contact'],
	'contact.getAll': [addContact, custom],
	'contactList.getContacts': [addContact, custom],
	'event.get': [addEvent, extras, 'event_id'],
	'event.getAll': [addEvent, extras],
	'order.get': [addOrder, skus, 'order_id'],
};

describe('Simplify keeps what the record is about [P162]', () => {
	it.each(Object.entries(READS))('%s', async (name, [make, field, id]) => {
		const list = emulator.store.addContactList();
		const made = make(emulator.store);
		const where: INodeParameters = {
			contact_list_id: locator(list.id),
			...(id && { [id]: locator(made.id) }),
		};
		const { json } = await succeed(name, { ...where, simplify: true });
		expect(json).toHaveLength(1);
		const whole = await succeed(name, { ...where, simplify: false });
		expect(field(json[0]!)).toEqual(field(whole.json[0]!));
	});
});
