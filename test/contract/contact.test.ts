import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Contact } from '../emulator/index.ts';
import {
	accountForEachTest,
	asJson as json,
	emulator,
	fail,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

describe('the filter language of contacts', () => {
	const conditions = (combine: string, ...condition: INodeParameters[]): INodeParameters => ({
		returnAll: true,
		filterType: 'conditions',
		combine,
		conditions: { condition },
	});

	it.each([
		['contains', 'Ann', 'first_name~=Ann'],
		['equals', 'Ann', 'first_name==Ann'],
		['notEqual', 'Ann', 'first_name!=Ann'],
		['greater', 'Ann', 'first_name>Ann'],
		['greaterOrEqual', 'Ann', 'first_name>=Ann'],
		['less', 'Ann', 'first_name<Ann'],
		['lessOrEqual', 'Ann', 'first_name<=Ann'],
		['in', 'Ann, Bea ', 'first_name in Ann,Bea'],
	])('sends %s %j as %j', async (operator, names, filter) => {
		const value = '={{ $json.names }}';
		const condition = { field: 'first_name', operator, value };
		await succeed('contact.getAll', conditions('&', condition), [{ names }]);
		expect(emulator.requests[0]?.query.filter).toBe(filter);
	});

	it.each([
		['greater', '=5', 'must not begin with ='],
		['in', ' , ', 'must not be blank'],
	])('refuses for %s: %j', async (operator, names, complaint) => {
		const among = { field: 'first_name', operator, value: '={{ $json.names }}' };
		const { message } = await fail('contact.getAll', conditions('&', among), [{ names }]);
		expect(message).toContain(`'Conditions → entry 1 → Value' ${complaint}`);
		expect(sent()).toEqual([]);
	});

	it('all conditions must hold, or any, as the user chooses', async () => {
		const two = emulator.store.contacts.all().slice(0, 2) as [Contact, Contact];
		const numbers = two.map(({ phone_number: value }) => ({
			field: 'phone_number',
			operator: 'equals',
			value,
		}));
		expect((await succeed('contact.getAll', conditions('&', ...numbers))).json).toEqual([]);
		expect((await succeed('contact.getAll', conditions('|', ...numbers))).json).toHaveLength(2);
	});

	it('an expression is sent as it is written', async () => {
		const filter = `first_name~=a&loyalty_tier==gold|email~=@`;
		await succeed('contact.getAll', { filterType: 'expression', filter });
		expect(emulator.requests[0]?.query.filter).toBe(filter);
	});

	it('a search beside a filter is refused, for the API would ignore it', async () => {
		const filter = { filterType: 'expression', filter: 'first_name~=a' };
		const ignored = await fail('contact.getAll', { ...filter, options: { search: 'b' } });
		expect(ignored.message).toContain("'Options → Search' is ignored by the API");
		expect(sent()).toEqual([]);
	});
});

it.each(['contact.get', 'contact.delete'])(
	'%s by a phone number encodes it in the path',
	async (name) => {
		const { phone_number: phone } = emulator.store.contacts.all()[0]!;
		const written = `${phone.slice(0, 3)} ${phone.slice(3, 6)}-${phone.slice(6)}`;
		await succeed(name, { contact: locator(written, 'phone') });
		expect(emulator.requests[0]?.path).toBe(`/contacts/by-phone/%2B${phone.slice(1)}`);
	},
);

describe('a caller without a number', () => {
	const caller = { contact: locator('={{ $json.from }}', 'phone') };
	const items = ['anonymous', 'unknown', 'Privé'].map((from) => ({ from }));

	it('gets an item with If Not Found, and nothing is sent', async () => {
		const parameters = { ...caller, options: { ifNotFound: 'item' } };
		const { json: found } = await succeed('contact.get', parameters, items);
		expect(found).toEqual(items.map((each) => ({ found: false, ...each })));
		expect(sent()).toEqual([]);
	});

	it.each([
		['anonymous', {}],
		[' ', { options: { ifNotFound: 'item' } }],
		['0612', { options: { ifNotFound: 'item' } }],
	])('%j is refused with %j', async (from, options) => {
		const { description } = await fail('contact.get', { ...caller, ...options }, [{ from }]);
		expect(description).toBe('Nothing was sent.');
		expect(sent()).toEqual([]);
	});
});

const methods = () => emulator.requests.map(({ method }) => method);

describe('Create or Update of a contact', () => {
	it('needs no fields: a number alone creates the contact, or returns it as it is', async () => {
		const number = '+393470002222';
		const only = { phone_number: number, ...json({}) };
		const [created] = (await succeed('contact.upsert', only)).json;
		expect(created).toMatchObject({ phone_number: number });
		for (const keepUntouched of [true, false]) {
			const { json: found } = await succeed('contact.upsert', { ...only, keepUntouched });
			expect(found).toMatchObject([{ id: created!.id }]);
		}
		expect(methods().filter((method) => method !== 'GET')).toEqual(['POST']);
	});

	it('updates the contact that is there, and keeps its other fields', async () => {
		const contact = emulator.store.contacts.all()[0]!;
		const { last_name: last, phone_number } = contact;
		const count = emulator.store.contacts.size;
		await succeed('contact.upsert', { phone_number, ...json({ first_name: 'Grace' }) });
		expect(methods()).toEqual(['GET', 'PUT']);
		expect(emulator.store.contacts.get(contact.id)).toMatchObject({
			first_name: 'Grace',
			last_name: last,
		});
		expect(emulator.store.contacts.size).toBe(count);
		const whole = { phone_number, ...json({ first_name: 'Ada' }), keepUntouched: false };
		await succeed('contact.upsert', whole);
		expect(emulator.store.contacts.get(contact.id)).toMatchObject({
			last_name: null,
			phone_number,
		});
	});

	it('refuses a record that says another number', async () => {
		const record = json({ phone_number: '+390612345678' });
		const error = await fail('contact.upsert', { phone_number: '+393470002222', ...record });
		expect(error.message).toContain("The field phone_number and 'Phone Number' differ");
		expect(sent()).toEqual([]);
	});

	it('creates nothing if it could not look for the contact', async () => {
		emulator.faults.add({ kind: 'status', status: 500, match: ({ method }) => method === 'GET' });
		const error = await fail('contact.upsert', {
			phone_number: '+393470002222',
			...json({ first_name: 'Grace' }),
		});
		expect(error.httpCode).toBe('500');
		expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
	});
});
