import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForEachTest, emulator, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'empty', readings: { names: 'others' } });

// That a contact is a row: unit/simplify. Simplify keeps the custom fields of contacts, the extras of events and the line items of orders.

const CUSTOM = { allergies: ['nuts'], address: { city: 'Rome', floors: [{ floor: 2 }] } };

const addContact = () => {
	const contact = emulator.store.addContact({ custom_fields: CUSTOM });
	for (const members of emulator.store.members.values()) members.add(contact.id);
	return contact;
};
const addEvent = () => emulator.store.addEvent({ extras: CUSTOM });
const addOrder = () => emulator.store.addOrder({ status: 'confirmed' });

/** The fields of a group that is an object in the API and columns in a row. */
const fieldsIn = (group: string) => (item: IDataObject) =>
	item[group] ??
	Object.fromEntries(
		Object.entries(item)
			.filter(([name]) => name.startsWith(`${group}.`))
			.map(([name, value]) => [name.slice(group.length + 1), value]),
	);
const custom = fieldsIn('custom_fields');
const extras = fieldsIn('extras');
/** The account of these tests calls line items "items". */
const skus = ({ items }: IDataObject) => (items as IDataObject[]).map(({ sku }) => sku);

it.each<[name: string, () => { id: string }, (item: IDataObject) => unknown, id?: string]>([
	['contact.get', addContact, custom, 'contact'],
	['contact.getAll', addContact, custom],
	['contactList.getContacts', addContact, custom],
	['event.get', addEvent, extras, 'event_id'],
	['event.getAll', addEvent, extras],
	['order.get', addOrder, skus, 'order_id'],
])('Simplify keeps what the record is about, in %s', async (name, make, field, id) => {
	const contact_list_id = locator(emulator.store.addContactList().id);
	const made = make();
	const where = { contact_list_id, ...(id && { [id]: locator(made.id) }) };
	const [simple, whole] = [true, false].map(async (simplify) =>
		(await succeed(name, { ...where, simplify })).json.map(field),
	);
	expect(await simple).toHaveLength(1);
	expect(await simple).toEqual(await whole);
});

describe('choosing more takes nothing away', () => {
	const PARTS = ['detail', 'summary', 'transcript', 'transcriptText'];

	it.each<[name: string, options: INodeParameters]>([
		['call.getAll', { include: PARTS }],
		['call.get', { include: PARTS.slice(1) }],
		['order.getAll', { include: ['lineItems'] }],
		['order.getAll', { include: ['lineItemsText'] }],
		['order.getAll', { splitIntoLineItems: true }],
	])('%s with %j', async (name, options) => {
		const order = { customer_phone: '+390612345678', notes: null };
		const call = emulator.store.addCall({ transfer_time: '2026-01-01T00:00:00Z' });
		for (let made = 0; made < 3; made++) emulator.store.addOrder(order);
		const where = { call_id: locator(call.id) };
		const fieldsOf = async (more: INodeParameters) => {
			const { json } = await succeed(name, { ...where, ...more });
			expect(json.length).toBeGreaterThan(0);
			return Object.keys(json[0]!);
		};
		const few = await fieldsOf({});
		const many = await fieldsOf({ options });
		// The lines of a row of their own stand beside the other fields.
		const expected = few.filter((field) => field !== 'items');
		expect(many).toEqual(expect.arrayContaining(expected));
		expect(many.length).toBeGreaterThanOrEqual(expected.length);
		expect(expected.length).toBeGreaterThan(8);
	});
});

// Which moments these are: unit/simplify.
it('the moments of simplified items are in the time zone of the workflow, with its offset and all their digits', async () => {
	const created_at = '2026-08-31T22:30:14.370512Z';
	emulator.store.addCall({ created_at });
	const read = async (simplify: boolean) =>
		(await succeed('call.getAll', { simplify }, [{}], { timezone: 'Europe/Rome' })).json[0]!;
	expect((await read(true)).created_at).toBe('2026-09-01T00:30:14.370512+02:00');
	expect((await read(false)).created_at).toBe(created_at);
});
