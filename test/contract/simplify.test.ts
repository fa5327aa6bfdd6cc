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

describe('Simplify keeps what the record is about', () => {
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

describe('choosing more takes nothing away', () => {
	const PARTS = ['detail', 'summary', 'transcript', 'transcriptText'];

	it.each<[name: string, options: INodeParameters]>([
		...PARTS.map((part): [string, INodeParameters] => ['call.getAll', { include: [part] }]),
		['call.getAll', { include: PARTS }],
		['call.get', { include: PARTS.slice(1) }],
		['order.getAll', { include: ['lineItems'] }],
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

describe('the moments of simplified items', () => {
	const read = async (name: string, more: INodeParameters = {}) =>
		(await succeed(name, more, [{}], { timezone: 'Europe/Rome' })).json[0]!;

	it('are in the time zone of the workflow, with its offset and all their digits', async () => {
		emulator.store.addCall({ created_at: '2026-08-31T22:30:14.370512Z' });
		expect((await read('call.getAll')).created_at).toBe('2026-09-01T00:30:14.370512+02:00');
		expect((await read('call.getAll', { simplify: false })).created_at).toBe(
			'2026-08-31T22:30:14.370512Z',
		);
	});

	it('of calendar events stay as they are', async () => {
		const created_at = '2026-11-27T05:54:14.370Z';
		emulator.store.addEvent({ created_at } as never);
		expect((await read('event.getAll')).created_at).toBe(created_at);
	});
});

it('a simplified contact is a row: its custom fields are columns of their own', async () => {
	emulator.store.addContact({ custom_fields: { tier: 'gold', visits: 3 } });
	const { json } = await succeed('contact.getAll');
	expect(json[0]).toMatchObject({ 'custom_fields.tier': 'gold', 'custom_fields.visits': 3 });
	expect(json[0]).not.toHaveProperty(['custom_fields']);
	const raw = await succeed('contact.getAll', { simplify: false });
	expect(raw.json[0]).toHaveProperty(['custom_fields']);
});
