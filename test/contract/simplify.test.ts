import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForEachTest, changeAccount, emulator, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';
import { active } from '../support/stage.ts';

accountForEachTest({ data: 'empty', readings: { names: 'others' } });

const CUSTOM = { allergies: ['nuts'], address: { city: 'Rome', floors: [{ floor: 2 }] } };

const addContact = () => {
	const contact = emulator.store.addContact({ custom_fields: CUSTOM });
	for (const members of emulator.store.members.values()) members.add(contact.id);
	return contact;
};
const addEvent = () => emulator.store.addEvent({ extras: CUSTOM });
const addOrder = () => emulator.store.addOrder({ status: 'confirmed' });

/** What these fields hold, as an object or as columns. That a contact is a row: unit/simplify. */
const TOLD = /nuts.*Rome.*floor/;

it.each<[name: string, () => { id: string }, told: RegExp, id?: string]>([
	['contact.get', addContact, TOLD, 'contact'],
	['contact.getAll', addContact, TOLD],
	['contactList.getContacts', addContact, TOLD],
	['event.get', addEvent, TOLD, 'event_id'],
	['event.getAll', addEvent, TOLD],
	['order.get', addOrder, /sku/, 'order_id'],
])('Simplify keeps what the record is about, in %s', async (name, make, told, id) => {
	const contact_list_id = locator(emulator.store.addContactList().id);
	const made = make();
	const where = { contact_list_id, ...(id && { [id]: locator(made.id) }) };
	const { json } = await succeed(name, where);
	expect(json).toHaveLength(1);
	expect(JSON.stringify(json)).toMatch(told);
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

describe('all items of one output have the same columns', () => {
	const isNested = (value: unknown) => typeof value === 'object' && value !== null;

	/** The columns of some items, each once. */
	const columnsOf = (items: object[]) => [
		...new Set(items.map((item) => Object.keys(item).join())),
	];

	it.each(['call.getAll', 'order.getAll', 'contact.getAll', 'item.getAll', 'event.getAll'])(
		'%s of an account with many records, without a list in a column',
		async (name) => {
			await changeAccount({ data: 'demo' });
			const { json } = await succeed(name, { returnAll: true });
			expect(json.length).toBeGreaterThan(10);
			expect(columnsOf(json)).toHaveLength(1);
			expect(json.flatMap((row) => Object.values(row)).filter(isNested)).toEqual([]);
			expect(Object.keys(json[0]!).filter((column) => !column.includes('.')).length).toBeLessThan(
				11,
			);
		},
	);

	it.each(['New Call', 'New Order', 'New Contact'])(
		'the test event of %s has those of the next poll',
		async (event) => {
			const name = event.replace(/^N/, 'n').replace(' ', '');
			const { poller, tick, happen } = await active(name, {});
			await happen();
			const polled = await tick();
			const tested = await poller.fetchTestEvent();
			expect(columnsOf([...polled, ...tested])).toHaveLength(1);
			expect([...polled, ...tested].flatMap((row) => Object.values(row)).filter(isNested)).toEqual(
				[],
			);
		},
	);
});
