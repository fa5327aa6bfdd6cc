import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { EVENTS, stage } from '../support/stage.ts';

// Contacts carry custom fields, events extras and orders line items: whatever these hold, Simplify
// keeps them.

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

describe('Simplify keeps what the record is about', () => {
	it.each(Object.entries(READS))('%s', async (name, [make, field, id]) => {
		const emulator = await startEmulator({ data: 'empty', readings: { names: 'others' } });
		onTestFinished(async () => await emulator.close());
		const list = emulator.store.addContactList();
		const made = make(emulator.store);
		const [resource, operation] = name.split('.') as [string, string];
		const parameters: INodeParameters = {
			resource,
			operation,
			contact_list_id: locator(list.id),
			...(id && { [id]: locator(made.id) }),
		};
		const run = async (simplify: boolean) =>
			await runNode({
				parameters: { ...parameters, simplify },
				credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
			});
		const { json, error } = await run(true);
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(field(json[0]!)).toEqual(field((await run(false)).json[0]!));
	});

	it.each([
		['newContact', addContact, custom],
		['contactAddedToList', addContact, custom],
		['eventChanged', addEvent, extras],
		['eventStatusChanged', addEvent, extras],
	] as const)('the trigger, %s', async (event, make, field) => {
		const given = await stage({ event, parameters: EVENTS[event]!.parameters });
		await given.poller.activate();
		make(given.store);
		const [item] = await given.tick();
		expect(field(item!)).toEqual(CUSTOM);
	});
});
