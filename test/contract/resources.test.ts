import type {
	IDataObject,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
} from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
	startEmulator,
	type Contact,
	type Emulator,
	type EmulatorOptions,
	type Item,
} from '../emulator/index.ts';
import { loadOptions, runNode, type NodeResult } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

let emulator: Emulator;

beforeEach(async () => {
	emulator = await startEmulator({ data: 'small' });
});

afterEach(async () => await emulator.close());

/** Another server in place of the one that each test has. */
async function restart(options: EmulatorOptions): Promise<void> {
	await emulator.close();
	emulator = await startEmulator({ data: 'small', ...options });
}

const credentials = () => ({
	ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url },
});

/** Runs `resource.operation`; what is not a sign of success is the caller's to expect. */
async function run(
	name: string,
	parameters: INodeParameters = {},
	items: IDataObject[] = [{}],
): Promise<NodeResult> {
	const [resource, operation] = name.split('.') as [string, string];
	return await runNode({
		parameters: { resource, operation, ...parameters },
		credentials: credentials(),
		items: items.map((json) => ({ json })),
	});
}

async function succeed(...given: Parameters<typeof run>): Promise<NodeResult> {
	const result = await run(...given);
	expect(result.error?.message).toBeUndefined();
	return result;
}

async function fail(...given: Parameters<typeof run>) {
	const { error } = await run(...given);
	if (error === undefined) return expect.fail('it succeeded');
	return error;
}

const sent = () => emulator.requests.map(({ method, path }) => `${method} ${path}`);
const json = (record: object): INodeParameters => ({
	specifyFields: 'json',
	json: JSON.stringify(record),
});
const pairs = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => [pairedItem].flat().map((pair) => (pair as { item: number }).item));

describe('the filter language of contacts', () => {
	const contacts = () => emulator.store.contacts.all();

	const found = async (combine: string, ...condition: INodeParameters[]) => {
		const { json: output } = await succeed('contact.getAll', {
			returnAll: true,
			filterType: 'conditions',
			combine,
			conditions: { condition },
		});
		return {
			ids: output.map(({ id }) => id).sort(),
			filter: emulator.requests.at(-1)?.query.filter,
		};
	};

	const matching = (matches: (contact: Contact) => boolean) =>
		contacts()
			.filter(matches)
			.map(({ id }) => id)
			.sort();

	const name = () => String(contacts()[0]!.first_name);

	it.each<[string, () => string, string, (contact: Contact, value: string) => boolean]>([
		[
			'contains',
			() => name().slice(1, 4),
			'~=',
			({ first_name: own }, value) => String(own).toLowerCase().includes(value),
		],
		['equals', name, '==', ({ first_name: own }, value) => own === value],
		['notEqual', name, '!=', ({ first_name: own }, value) => own !== value],
		['greater', name, '>', ({ first_name: own }, value) => String(own) > value],
		['greaterOrEqual', name, '>=', ({ first_name: own }, value) => String(own) >= value],
		['less', name, '<', ({ first_name: own }, value) => String(own) < value],
		['lessOrEqual', name, '<=', ({ first_name: own }, value) => String(own) <= value],
		[
			'in',
			() => `${name()},Nobody`,
			' in ',
			({ first_name: own }, value) => value.split(',').includes(String(own)),
		],
	])('%s', async (operator, valueOf, sign, matches) => {
		const value = valueOf();
		const { ids, filter } = await found('&', { field: 'first_name', operator, value });
		expect(filter).toBe(`first_name${sign}${value}`);
		expect(ids).toEqual(matching((contact) => matches(contact, value)));
	});

	const two = () => {
		const [one, other] = contacts() as [Contact, Contact];
		return [
			{ field: 'phone_number', operator: 'equals', value: one.phone_number },
			{ field: 'phone_number', operator: 'equals', value: other.phone_number },
		] as const;
	};

	it('all conditions must hold', async () => {
		const [one, other] = two();
		const { ids, filter } = await found('&', one, other);
		expect(filter).toBe(`phone_number==${one.value}&phone_number==${other.value}`);
		expect(ids).toEqual([]);
	});

	it('any condition may hold', async () => {
		const [one, other] = two();
		const { ids, filter } = await found('|', one, other);
		expect(filter).toBe(`phone_number==${one.value}|phone_number==${other.value}`);
		expect(ids).toHaveLength(2);
	});

	it('custom fields go by their own name', async () => {
		const gold = { field: 'loyalty_tier', operator: 'equals', value: 'gold' };
		const { ids } = await found('&', gold);
		expect(ids).toEqual(matching(({ custom_fields: custom }) => custom.loyalty_tier === 'gold'));
	});

	it.each(['a&b', 'a|b'])(
		'a value that would read as another condition is refused: %s',
		async (value) => {
			const error = await fail('contact.getAll', {
				filterType: 'conditions',
				conditions: { condition: [{ field: 'first_name', operator: 'equals', value }] },
			});
			expect(error.message).toContain("entry 1 → Value' must not contain & or |");
			expect(sent()).toEqual([]);
		},
	);

	it('a value cannot change the operator before it', async () => {
		const condition = [{ field: 'age', operator: 'greater', value: '={{ "=5" }}' }];
		const error = await fail('contact.getAll', {
			filterType: 'conditions',
			conditions: { condition },
		});
		expect(error.message).toMatch(/must not begin with =/);
		expect(sent()).toEqual([]);
	});

	it('no condition at all is refused, for it would return every contact', async () => {
		const error = await fail('contact.getAll', { filterType: 'conditions', conditions: {} });
		expect(error.message).toContain("'Conditions' must have at least one condition");
		expect(sent()).toEqual([]);
	});

	it('an expression is sent as it is written', async () => {
		const filter = `first_name~=a&loyalty_tier==gold|email~=@`;
		await succeed('contact.getAll', { filterType: 'expression', filter });
		expect(emulator.requests[0]?.query.filter).toBe(filter);
	});

	it('says that a search is ignored beside a filter', async () => {
		const filter = { filterType: 'expression', filter: 'first_name~=a' };
		const { hints } = await succeed('contact.getAll', { ...filter, options: { search: 'b' } });
		expect(hints.map(({ message }) => message)).toEqual([
			"Both 'Filter' and 'Search' are set. The API uses the filter and ignores the search.",
		]);
		expect((await succeed('contact.getAll', filter)).hints).toEqual([]);
		expect((await succeed('contact.getAll', { options: { search: 'b' } })).hints).toEqual([]);
	});
});

describe('a contact by its phone number', () => {
	it.each(['contact.get', 'contact.delete'])('%s encodes it in the path', async (name) => {
		const { phone_number: phone } = emulator.store.contacts.all()[0]!;
		const written = `${phone.slice(0, 3)} ${phone.slice(3, 6)}-${phone.slice(6)}`;
		await succeed(name, { contact: locator(written, 'phone') });
		expect(emulator.requests[0]?.path).toBe(`/contacts/by-phone/%2B${phone.slice(1)}`);
	});
});

describe('an update by PUT', () => {
	const cases = [
		{
			name: 'contact.update',
			record: () => emulator.store.contacts.all()[0]!,
			where: (id: string) => ({ contact: locator(id) }),
			change: { email: 'new@example.com' },
			required: () => ({ phone_number: emulator.store.contacts.all()[0]!.phone_number }),
			lost: 'first_name',
		},
		{
			name: 'catalogue.update',
			record: () => emulator.store.catalogues.all()[0]!,
			where: (id: string) => ({ catalogue_id: locator(id) }),
			change: { name: 'Renamed' },
			required: () => ({}),
			lost: 'description',
		},
		{
			name: 'item.update',
			record: () => emulator.store.items.all()[0]!,
			where: (id: string) => ({ item_id: locator(id) }),
			change: { price: 1.5 },
			required: () => ({ name: 'Renamed' }),
			lost: 'category',
		},
	];

	it.each(cases)(
		'$name keeps the fields it does not name',
		async ({ name, record, where, change }) => {
			const { ...before } = record() as unknown as IDataObject;
			await succeed(name, { ...where(String(before.id)), ...json(change) });
			const { updated_at: _now, ...after } = record() as unknown as IDataObject;
			const { updated_at: _then, ...kept } = before;
			expect(after).toEqual({ ...kept, ...change });
			expect(emulator.requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
			const body = emulator.requests[1]?.body as IDataObject;
			for (const own of ['id', 'created_at', 'updated_at', 'item_count']) {
				expect(body).not.toHaveProperty(own);
			}
		},
	);

	it.each(cases)(
		'$name replaces the whole record without Keep Other Fields',
		async ({ name, record, where, change, required, lost }) => {
			const whole = { ...required(), ...change };
			expect((record() as unknown as IDataObject)[lost]).not.toBeNull();
			await succeed(name, { ...where(record().id), ...json(whole), keepUntouched: false });
			expect(emulator.requests.map(({ method, body }) => [method, body])).toEqual([['PUT', whole]]);
			expect((record() as unknown as IDataObject)[lost]).toBeNull();
		},
	);

	it('keeps the custom fields beside the one it sets', async () => {
		const contact = emulator.store.addContact({
			custom_fields: { loyalty_tier: 'silver', birthday: '1990-01-10' },
		});
		await succeed('contact.update', {
			contact: locator(contact.phone_number, 'phone'),
			...json({ custom_fields: { loyalty_tier: 'gold' } }),
		});
		expect(emulator.store.contacts.get(contact.id)?.custom_fields).toEqual({
			loyalty_tier: 'gold',
			birthday: '1990-01-10',
		});
	});

	it('clears a field that is given as null', async () => {
		const contact = emulator.store.addContact({ secondary_phone_number: '+390612345678' });
		const cleared = json({ secondary_phone_number: null });
		await succeed('contact.update', { contact: locator(contact.id), ...cleared });
		expect(emulator.store.contacts.get(contact.id)?.secondary_phone_number).toBeNull();
	});

	it('takes a record as it was read, though it holds what only the API may set', async () => {
		await restart({ readings: { readOnly: 'refused' } });
		const { id } = emulator.store.catalogues.all()[0]!;
		const { json: read } = await succeed('catalogue.get', { catalogue_id: locator(id) });
		const changed = json({ ...read[0], name: 'New' });
		await succeed('catalogue.update', { catalogue_id: locator(id), ...changed });
		expect(emulator.store.catalogues.get(id)?.name).toBe('New');
	});

	it('is sent again without a field that only the API may set, and says so', async () => {
		await emulator.close();
		emulator = await startEmulator({ data: 'small', readings: { ownFields: 'revision' } });
		const { id, last_name: last } = emulator.store.contacts.all()[0]!;
		const { hints } = await succeed('contact.update', {
			contact: locator(id),
			...json({ first_name: 'Ada' }),
		});
		expect(emulator.requests.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
		expect(emulator.requests[2]?.body).not.toHaveProperty('revision');
		expect(emulator.store.contacts.get(id)).toMatchObject({ first_name: 'Ada', last_name: last });
		expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('revision')]);
	});

	it.each([
		['a value that was only read', 400, 'email: is too long', json({ first_name: 'Ada' })],
		['a field that the user entered', 400, 'unknown field: revision', json({ revision: 1 })],
		['a value by 422', 422, 'email: is too long', json({ first_name: 'Ada' })],
	])('is not sent again if the API refuses %s', async (_what, status, message, change) => {
		const { id } = emulator.store.contacts.all()[0]!;
		const match = ({ method }: { method: string }) => method === 'PUT';
		emulator.faults.add({ kind: 'status', status, message, match });
		const { description } = await fail('contact.update', { contact: locator(id), ...change });
		expect(emulator.requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		expect(description).toContain("Turn 'Keep Other Fields' off");
	});

	it('clears the fields that are named, and keeps the others', async () => {
		const contact = emulator.store.addContact({
			secondary_phone_number: '+390612345678',
			custom_fields: { loyalty_tier: 'silver', birthday: '1990-01-10' },
		});
		await succeed('contact.update', {
			contact: locator(contact.id),
			clearFields: ['secondary_phone_number', 'custom_fields.birthday'],
		});
		expect(emulator.store.contacts.get(contact.id)).toMatchObject({
			first_name: contact.first_name,
			secondary_phone_number: null,
			custom_fields: { loyalty_tier: 'silver', birthday: null },
		});
		const item = emulator.store.items.all()[0]!;
		const { name } = item;
		await succeed('item.update', { item_id: locator(item.id), clearFields: ['category'] });
		expect(emulator.store.items.get(item.id)).toMatchObject({ name, category: null });
	});

	it('writes nothing where the record is gone', async () => {
		const { id } = emulator.store.addContact();
		emulator.store.removeContact(id);
		const error = await fail('contact.update', { contact: locator(id), ...json({ notes: 'x' }) });
		expect(error.httpCode).toBe('404');
		expect(sent()).toEqual([`GET /contacts/${id}`]);
	});
});

describe('Create or Update of a contact', () => {
	it('creates the contact that is not there', async () => {
		const number = '+393470002222';
		await succeed('contact.upsert', { phone_number: number, ...json({ first_name: 'Grace' }) });
		expect(sent()).toEqual(['GET /contacts/by-phone/%2B393470002222', 'POST /contacts']);
		const created = emulator.store.contacts.find(({ phone_number: own }) => own === number);
		expect(created?.first_name).toBe('Grace');
	});

	it('updates the one that is, and keeps its other fields', async () => {
		const contact = emulator.store.contacts.all()[0]!;
		const { last_name: last, phone_number } = contact;
		const count = emulator.store.contacts.size;
		await succeed('contact.upsert', { phone_number, ...json({ first_name: 'Grace' }) });
		expect(emulator.requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		expect(emulator.store.contacts.get(contact.id)).toMatchObject({
			first_name: 'Grace',
			last_name: last,
		});
		expect(emulator.store.contacts.size).toBe(count);
	});

	it.each(['+390612345678', null])(
		'asks which number is meant where the record says another: %j',
		async (other) => {
			const phone_number = '+39 347 000 2222';
			const record = json({ first_name: 'Grace', phone_number: other });
			const error = await fail('contact.upsert', { phone_number, ...record });
			expect(error.message).toContain("The field phone_number and 'Phone Number' differ");
			expect(sent()).toEqual([]);
			await succeed('contact.upsert', { phone_number, ...json({ phone_number }) });
		},
	);

	it('replaces the whole contact without Keep Other Fields, but for its number', async () => {
		const contact = emulator.store.addContact({ notes: 'Old' });
		const { id, phone_number } = contact;
		const whole = { phone_number, ...json({ first_name: 'Grace' }), keepUntouched: false };
		await succeed('contact.upsert', whole);
		expect(emulator.store.contacts.get(id)).toMatchObject({
			first_name: 'Grace',
			phone_number,
			notes: null,
		});
	});

	it('creates nothing where the look-up failed', async () => {
		emulator.faults.add({ kind: 'status', status: 500, match: ({ method }) => method === 'GET' });
		const error = await fail('contact.upsert', {
			phone_number: '+393470002222',
			...json({ first_name: 'Grace' }),
		});
		expect(error.httpCode).toBe('500');
		expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
	});
});

describe('adding contacts to lists', () => {
	const lists = () => emulator.store.contactLists.all();
	const add = (list: string): INodeParameters => ({
		contact_list_id: locator(list),
		contact_ids: '={{ $json.id }}',
	});
	const people = (count: number) =>
		Array.from({ length: count }, () => ({ id: emulator.store.addContact().id }));

	it('sends 300 items in one request, and pairs the answer with all of them', async () => {
		const list = emulator.store.addContactList();
		const items = people(300);
		const { items: output } = await succeed('contactList.addContacts', add(list.id), items);
		expect(sent()).toHaveLength(1);
		expect(emulator.store.members.get(list.id)?.size).toBe(300);
		expect(output.map(({ json: { added } }) => added)).toEqual([300]);
		expect(pairs(output)).toEqual([items.map((_, index) => index)]);
	});

	it('sends no request larger than 500 items', async () => {
		const list = emulator.store.addContactList();
		const { items: output } = await succeed('contactList.addContacts', add(list.id), people(501));
		expect(sent()).toHaveLength(2);
		expect(pairs(output).map((items) => items.length)).toEqual([500, 1]);
	});

	it('sends one request for each list', async () => {
		const [one, other] = lists().map(({ id }) => id) as [string, string];
		const items = people(6).map((item, index) => ({ ...item, list: index % 2 ? one : other }));
		const { items: output } = await succeed(
			'contactList.addContacts',
			add('={{ $json.list }}'),
			items,
		);
		expect(sent().sort()).toEqual(
			[one, other].map((id) => `POST /contact-lists/${id}/contacts`).sort(),
		);
		expect(pairs(output)).toEqual([
			[0, 2, 4],
			[1, 3, 5],
		]);
	});

	it('names a contact once that several items name', async () => {
		const list = emulator.store.addContactList();
		const [item] = people(1) as [{ id: string }];
		await succeed('contactList.addContacts', add(list.id), [item, item, item]);
		expect(emulator.requests[0]?.body).toEqual({ auto_create: false, contact_ids: [item.id] });
	});

	it('sends a request for each item without Combine Items', async () => {
		const list = emulator.store.addContactList();
		const parameters = { ...add(list.id), combineItems: false };
		const { items } = await succeed('contactList.addContacts', parameters, people(4));
		expect(sent()).toHaveLength(4);
		expect(pairs(items)).toEqual([[0], [1], [2], [3]]);
	});

	it('reports the contacts that the API did not know, and handles the others', async () => {
		const list = emulator.store.addContactList();
		const [known] = people(1) as [{ id: string }];
		const unknown = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
		const { hints } = await succeed('contactList.addContacts', add(list.id), [
			known,
			{ id: unknown },
		]);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain(unknown);
		expect(hints[0]?.message).not.toContain(known.id);
		expect(emulator.store.members.get(list.id)?.size).toBe(1);
	});

	it('says nothing where every contact was known', async () => {
		const list = emulator.store.addContactList();
		expect((await succeed('contactList.addContacts', add(list.id), people(2))).hints).toEqual([]);
	});

	it('creates unknown numbers only where asked to', async () => {
		const list = emulator.store.addContactList();
		const number = { contact_list_id: locator(list.id), phone_numbers: '+39 347 000 9999' };
		const { hints } = await succeed('contactList.addContacts', number);
		expect(hints[0]?.message).toContain('+393470009999');
		const created = await succeed('contactList.addContacts', { ...number, auto_create: true });
		expect(created.hints).toEqual([]);
		expect(emulator.store.members.get(list.id)?.size).toBe(1);
	});

	it('takes contacts out again, together', async () => {
		const people300 = people(300);
		const list = emulator.store.addContactList(
			{},
			people300.map(({ id }) => id),
		);
		await succeed('contactList.removeContacts', add(list.id), people300);
		expect(sent()).toEqual([`DELETE /contact-lists/${list.id}/contacts`]);
		expect(emulator.store.members.get(list.id)?.size).toBe(0);
	});
});

describe('orders', () => {
	it('come with their lines, or one item per line', async () => {
		const options = { sort: '-created_at' };
		const many = async (more: INodeParameters) =>
			(await succeed('order.getAll', { limit: 2, options: { ...options, ...more } })).json;
		const orders = await many({ include: ['lineItems'] });
		const stored = orders.map(({ id }) => emulator.store.orders.get(String(id))!);
		expect(orders.map((order) => order.line_items)).toEqual(
			stored.map((order) => order.line_items),
		);
		expect(sent()).toHaveLength(1 + 2);

		const rows = await many({ splitIntoLineItems: true });
		expect(rows.map(({ id, line_number, line_sku }) => [id, line_number, line_sku])).toEqual(
			stored.flatMap(({ id, line_items: lines }) => lines.map(({ sku }, at) => [id, at + 1, sku])),
		);
		expect(rows[0]).not.toHaveProperty('line_items');
		expect(rows[0]).toMatchObject({ total_amount: stored[0]!.total_amount });
	});
});

describe('events', () => {
	it('come one by one with their date, or grouped by it', async () => {
		const { json: flat } = await succeed('event.getAll', { returnAll: true });
		const { json: groups } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(flat).toHaveLength(emulator.store.events.size);
		expect(new Set(groups.map(({ date }) => date)).size).toBe(groups.length);
		expect(groups.flatMap(({ events }) => events)).toEqual(flat);
		for (const { date, events } of groups) {
			expect((events as IDataObject[]).every((event) => event.date === date)).toBe(true);
		}
	});

	it('of a period and a status are found among all, grouped or flat, before the limit counts', async () => {
		const day = (ahead: number) =>
			new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
		const add = (ahead: number, status: 'pending' | 'rejected') =>
			emulator.store.addEvent({ date: day(ahead), status }).id;
		emulator.store.events.all().forEach(({ id }) => emulator.store.events.remove(id));
		const [today, tomorrow, later] = [add(0, 'pending'), add(1, 'pending'), add(2, 'pending')];
		add(2, 'rejected');
		add(9, 'pending');
		const filters = { period: 'next7Days', status: 'Pending' };
		const many = async (more: INodeParameters) =>
			(await succeed('event.getAll', { limit: 1, filters, ...more })).json;
		expect((await many({})).map(({ id }) => id)).toEqual([tomorrow]);
		const groups = await many({ limit: 5, group: true });
		expect(groups.map(({ date }) => date)).toEqual([day(1), day(2)]);
		expect(groups.map(({ events }) => (events as IDataObject[]).map(({ id }) => id))).toEqual([
			[tomorrow],
			[later],
		]);
		const bound = { from: `${day(0)}T12:00:00Z`, until: `${day(1)}T00:00:00Z` };
		expect((await many({ filters: bound })).map(({ id }) => id)).toEqual([today]);
		const both = await fail('event.getAll', { filters: { ...bound, period: 'today' } });
		expect(both.message).toContain('has bounds of its own');
	});

	it('that share a date stand in one group, though a page ended between them', async () => {
		for (let index = 0; index < 250; index++) emulator.store.addEvent({ date: '2030-01-01' });
		const { json: groups } = await succeed('event.getAll', { returnAll: true, group: true });
		const [day] = groups.filter(({ date }) => date === '2030-01-01');
		expect(day?.events).toHaveLength(250);
	});

	it('grouped by date come in whole groups, which the limit counts', async () => {
		for (let index = 0; index < 120; index++) {
			emulator.store.addEvent({ date: `2030-01-0${1 + (index % 3)}` });
		}
		const all = await succeed('event.getAll', { returnAll: true, group: true });
		const { json: groups } = await succeed('event.getAll', { limit: 3, group: true });
		expect(groups).toEqual(all.json.slice(0, 3));
	});
});

it('a path that is not found says where to change it', async () => {
	const { id } = emulator.store.events.all()[0]!;
	emulator.store.events.remove(id);
	const error = await fail('event.approve', { event_id: locator(id) });
	expect(error.description).toContain("Set the right one under 'Options', 'Path'");
});

it.each(['null', 'empty'] as const)(
	'the transcript of a call in which nothing was said is a record too: %s',
	async (noTranscript) => {
		await restart({ readings: { noTranscript } });
		const { id } = emulator.store.addCall({ transcript: null } as never);
		const { json: output } = await succeed('call.getTranscript', { call_id: locator(id) });
		expect(output).toMatchObject([{ call_id: id }]);
	},
);

describe('campaigns', () => {
	it.each([
		['start', 'running', 'started'],
		['pause', 'draft', 'paused'],
		['resume', 'running', 'resumed'],
		['stop', 'completed', 'stopped'],
	])('cannot %s one that is %s, and say so', async (move, status, done) => {
		const { id } = emulator.store.campaigns.find((campaign) => campaign.status === status)!;
		const error = await fail(`campaign.${move}`, { campaign_id: locator(id) });
		expect(error.httpCode).toBe('400');
		expect(error.message).toContain(`cannot ${move} a campaign that is ${status}`);
		expect(error.description).toContain(`The campaign cannot be ${done} in its current status`);
		expect(sent()).toHaveLength(1);
	});
});

describe('portal access', () => {
	it('a missing entitlement is an answer', async () => {
		const { json: decisions } = await succeed('portalAccess.get', { portal: 'beauty' });
		expect(decisions[0]?.operational_access).toBe(false);
	});

	it('an entitlement is another', async () => {
		const { json: decisions } = await succeed('portalAccess.get', { portal: 'food' });
		expect(decisions[0]?.operational_access).toBe(true);
		expect(decisions[0]?.valid_for_seconds).toBeGreaterThan(50);
		expect(decisions[0]?.valid_for_seconds).toBeLessThanOrEqual(60);
	});

	it('a failed verification is an error, and no refusal', async () => {
		emulator.store.portalFailing = true;
		const error = await fail('portalAccess.get', {
			portal: 'food',
			requestOptions: { maxWait: 0 },
		});
		expect(error.httpCode).toBe('503');
		expect(error.description).toContain('This is not a refusal');
	});
});

it('the API is up where its health check answers, whatever it holds', async () => {
	const body = { ok: true, data: null, error: null, meta: null };
	emulator.faults.add({ kind: 'status', status: 200, body });
	expect((await succeed('health.check')).json).toEqual([{ success: true }]);
});

describe('a test call', () => {
	const call = (): INodeParameters => ({
		agent_id: locator(
			emulator.store.agents.find(({ agent_type: type }) => type === 'outbound')!.id,
		),
		phone_number: [...emulator.store.verifiedNumbers][0]!,
	});

	it('is not placed again where its answer was lost', async () => {
		emulator.faults.add({ kind: 'reset-after' });
		const error = await fail('playground.makeTestCall', call());
		expect(sent()).toEqual(['POST /playground/test-call']);
		expect(emulator.store.testCalls).toHaveLength(1);
		expect(error.description).toContain('may have been made');
	});

	it.each([500, 502, 503, 504])('is not placed again after status %i', async (status) => {
		emulator.faults.add({ kind: 'status', status });
		const error = await fail('playground.makeTestCall', call());
		expect(error.httpCode).toBe(String(status));
		expect(sent()).toHaveLength(1);
	});

	it('is placed once where the API first refused it unprocessed', async () => {
		emulator.faults.add({ kind: 'status', status: 429, retryAfter: '1' });
		await succeed('playground.makeTestCall', call());
		expect(sent()).toHaveLength(2);
		expect(emulator.store.testCalls).toHaveLength(1);
	});

	it('without any field is not placed', async () => {
		const error = await fail('playground.makeTestCall', json({}));
		expect(error.message).toMatch(/.JSON. must have at least one field/);
		expect(sent()).toEqual([]);
	});

	it('takes its fields as JSON too', async () => {
		const { agent_id: agent, phone_number } = call();
		const agent_id = (agent as INodeParameters).value as string;
		await succeed('playground.makeTestCall', json({ agent_id, phone_number }));
		expect(emulator.store.testCalls).toHaveLength(1);
	});

	it('of an agent that does not call is refused by the API, in words', async () => {
		const inbound = emulator.store.agents.find(({ agent_type: type }) => type === 'inbound')!;
		const error = await fail('playground.makeTestCall', {
			...call(),
			agent_id: locator(inbound.id),
		});
		expect(error.description).toContain('The agent must be an outbound one');
	});
});

describe('an API request', () => {
	it('carries its query', async () => {
		const { first_name: search } = emulator.store.contacts.all()[0]!;
		const parameter = [
			{ name: 'search', value: String(search) },
			{ name: 'limit', value: 1 },
		];
		const { json: output } = await succeed('apiRequest.send', {
			path: '/contacts',
			query: { parameter },
		});
		expect(emulator.requests[0]?.query).toEqual({ search, limit: '1' });
		expect(output).toHaveLength(1);
	});

	it('carries every value of a parameter that is given twice', async () => {
		const parameter = ['a', 'b'].map((value) => ({ name: 'tag', value }));
		await run('apiRequest.send', { path: '/contacts', query: { parameter } });
		expect(emulator.requests[0]?.query).toEqual({ tag: ['a', 'b'] });
	});

	it('carries a list as its body', async () => {
		const body = '[{"id": 1}]';
		await run('apiRequest.send', { method: 'POST', path: '/reservations', body });
		expect(emulator.requests[0]?.body).toEqual([{ id: 1 }]);
	});

	it('returns the whole answer with Include Meta', async () => {
		const query = { parameter: [{ name: 'limit', value: '2' }] };
		const given = { path: '/contacts', query, includeMeta: true };
		const { json: output } = await succeed('apiRequest.send', given);
		const total_items = emulator.store.contacts.size;
		expect(output).toMatchObject([{ data: [{}, {}], meta: { limit: 2, offset: 0, total_items } }]);
		const single = await succeed('apiRequest.send', { path: '/wallet', includeMeta: true });
		expect(single.json).toMatchObject([
			{ data: { balance: emulator.store.wallet.balance }, meta: null },
		]);
	});

	it('carries its body', async () => {
		const body = { phone_number: '+393470006666', first_name: 'Ada' };
		const { json: output } = await succeed('apiRequest.send', {
			method: 'POST',
			path: '/contacts',
			body: JSON.stringify(body),
		});
		expect(emulator.requests[0]?.body).toEqual(body);
		expect(output[0]).toMatchObject(body);
	});

	it('reads a list to its end', async () => {
		emulator.store.fill({ contacts: 250 });
		const { json: output } = await succeed('apiRequest.send', {
			path: '/contacts',
			allPages: true,
			query: { parameter: [{ name: 'sort', value: 'created_at' }] },
		});
		expect(new Set(output.map(({ id }) => id)).size).toBe(emulator.store.contacts.size);
		expect(output).toHaveLength(emulator.store.contacts.size);
		expect(emulator.requests.every(({ query }) => query.sort === 'created_at')).toBe(true);
	});

	it.each<EmulatorOptions['readings']>([
		{ events: 'list of groups', pageCap: 'every list', metaLimit: 'used' },
		{ events: 'list of groups', eventsLimit: 'groups', pageCap: 'every list', meta: 'absent' },
		{ events: 'object by date' },
		{ events: 'flat', pageCap: 'every list' },
	])('reads groups of records to their end: %j', async (readings) => {
		await restart({ readings });
		const wanted = emulator.store.events.all().map(({ id }) => id);
		const { json: output } = await succeed('apiRequest.send', { path: '/events', allPages: true });
		const found = output.flatMap((one) =>
			'id' in one ? [one] : (Object.values(one).find(Array.isArray) as IDataObject[]),
		);
		expect(found.map(({ id }) => id).sort()).toEqual(wanted.sort());
	});

	it.each(['/v1/wallet', '/external/v1/wallet', '\u200b/wallet '])(
		'to %j goes to the path below the base URL',
		async (path) => {
			await succeed('apiRequest.send', { path });
			expect(sent()).toEqual(['GET /wallet']);
		},
	);

	it('says that a record was deleted', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		const { json: output } = await succeed('apiRequest.send', {
			method: 'DELETE',
			path: `/contacts/${id}`,
		});
		expect(output).toEqual([{ deleted: true }]);
		expect(emulator.store.contacts.get(id)).toBeUndefined();
	});

	it('has the errors of the other operations', async () => {
		const error = await fail('apiRequest.send', { path: '/campaigns/not-a-uuid' });
		expect(error.message).toMatch(/^API Request: Send: 400 INVALID_REQUEST/);
	});
});

describe('the names in a record are the user’s own', () => {
	const record = {
		event_id: '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
		agent_id: 'x',
		tool: 'end-the-call',
		use: { method: 'DELETE', sent: {}, path: '/agents' },
		sent: 1,
		options: { path: '/agents' },
		specifyFields: 'fields',
	};
	const id = {
		agent: () => emulator.store.agents.find(({ agent_type: type }) => type === 'inbound')!.id,
		event: () => emulator.store.events.all()[0]!.id,
	};

	it.each([
		['contact.create', () => ({}), () => 'POST /contacts'],
		['catalogue.create', () => ({}), () => 'POST /catalogues'],
		['item.create', () => ({}), () => 'POST /catalogues/items'],
		['playground.makeTestCall', () => ({}), () => 'POST /playground/test-call'],
		[
			'event.update',
			() => ({ event_id: locator(id.event()) }),
			() => `PATCH /events/${id.event()}`,
		],
		[
			'agentTool.update',
			() => ({ agent_id: locator(id.agent()), tool: 'place-order' }),
			() => `PATCH /agents/${id.agent()}/tools/place-order`,
		],
	])('%s', async (name, where, request) => {
		await run(name, { ...where(), ...json(record), keepUntouched: false });
		expect(sent()).toEqual([request()]);
		expect(emulator.requests[0]?.body).toEqual(record);
	});

	it('item.getAll, as filters', async () => {
		const filter = [{ name: 'use', value: 'x' }];
		await run('item.getAll', { filters: { fieldFilters: { filter } } });
		expect(emulator.requests[0]?.query).toMatchObject({ use: 'x' });
	});
});

describe('an update by PATCH of an object in a record', () => {
	beforeEach(async () => {
		await emulator.close();
		const readings = { patchObjects: 'replaces', toolConfig: 'wrapped' } as const;
		emulator = await startEmulator({ data: 'small', readings });
	});

	it('keeps the other extras of an event, and clears those that are named', async () => {
		const event = emulator.store.addEvent({ extras: { guests: 2, note: 'Window', child: true } });
		await succeed('event.update', {
			event_id: locator(event.id),
			...json({ extras: { guests: 4 } }),
			clearFields: ['extras.note'],
		});
		const extras = { guests: 4, note: null, child: true };
		expect(emulator.requests.at(-1)?.body).toEqual({ extras });
		expect(emulator.store.events.get(event.id)?.extras).toEqual(extras);
	});

	it('replaces the object without Keep Other Fields', async () => {
		const event = emulator.store.addEvent({ extras: { guests: 2, note: 'Window' } });
		const change = json({ extras: { guests: 4 } });
		const off = { event_id: locator(event.id), ...change, keepUntouched: false };
		await succeed('event.update', off);
		expect(sent()).toEqual([`PATCH /events/${event.id}`]);
		expect(emulator.store.events.get(event.id)?.extras).toEqual({ guests: 4 });
	});

	it('keeps what is inside an object of a tool, which the API wraps', async () => {
		const agent = emulator.store.agents.find(({ agent_type: type }) => type === 'inbound')!;
		const where = { agent_id: locator(agent.id), tool: 'make-reservation' };
		const change = json({ max_party_size: 4, reminder: { hours_before: 5 } });
		const { json: output } = await succeed('agentTool.update', { ...where, ...change });
		const reminder = { sms: true, hours_before: 5 };
		expect(emulator.requests.at(-1)?.body).toEqual({ max_party_size: 4, reminder });
		expect(output).toMatchObject([{ max_party_size: 4, reminder }]);
		expect((await succeed('agentTool.get', where)).json).toMatchObject([{ reminder }]);
	});
});

describe('the configuration of a tool', () => {
	const agent = () =>
		locator(emulator.store.agents.find(({ agent_type: type }) => type === 'inbound')!.id);

	it('is sent without a wrapper', async () => {
		const parameters = { agent_id: agent(), tool: 'make-reservation' };
		await succeed('agentTool.update', { ...parameters, ...json({ max_party_size: 6 }) });
		expect(emulator.requests[0]?.body).toEqual({ max_party_size: 6 });
	});

	it.each([
		['phone_number', { phone_number: 'reception' }],
		['phone_number', { phone_number: 390612345678 }],
		['phones', { phones: ['+390612345678', '06'] }],
		['phone', { targets: [{ name: 'Reception', phone: '06' }] }],
	])('has phone numbers that can be dialled, where it has some: %s in %j', async (name, config) => {
		const parameters = { agent_id: agent(), tool: 'transfer-to-phone' };
		const error = await fail('agentTool.update', { ...parameters, ...json(config) });
		expect(error.message).toContain(`${name} must be a phone number with its country code`);
		expect(sent()).toEqual([]);
	});

	it('names its agent, where many are listed', async () => {
		const ids = emulator.store.agents
			.all()
			.filter(({ agent_type: type }) => type === 'inbound')
			.map(({ id }) => ({ id }));
		const parameters = { agent_id: locator('={{ $json.id }}'), returnAll: true };
		const { items } = await succeed('agentTool.getAll', parameters, ids);
		for (const { json: tool, pairedItem } of items) {
			expect(tool.agent_id).toBe(ids[(pairedItem as { item: number }).item]?.id);
		}
	});
});

describe('items of a catalogue', () => {
	it('are put into it and taken out again, several at once', async () => {
		const [one, other] = emulator.store.items.all() as [Item, Item];
		const catalogue = emulator.store.addCatalogue();
		const items = `${one.id}, ${other.id}`;
		await succeed('item.assign', { items, catalogue_id: locator(catalogue.id) });
		expect(emulator.store.items.get(other.id)?.catalogue_id).toBe(catalogue.id);
		await succeed('item.unassign', { items: '={{ $json.ids }}' }, [{ ids: [one.id, other.id] }]);
		expect(emulator.store.items.get(other.id)?.catalogue_id).toBeNull();
	});

	it('stand alone where no catalogue is chosen, and get a SKU', async () => {
		const record = json({ name: 'Soap', price: 3 });
		const { json: created } = await succeed('item.create', record);
		expect(emulator.requests[0]?.body).toEqual({ name: 'Soap', price: 3 });
		expect(created[0]?.sku).toMatch(/^SKU-/);
	});

	it('go into the catalogue that is chosen, also where the record names one', async () => {
		const { id } = emulator.store.addCatalogue();
		const other = emulator.store.addCatalogue();
		const create = async (named: string) =>
			await run('item.create', {
				catalogue_id: locator(id),
				...json({ name: 'Soap', price: 3, catalogue_id: named }),
			});
		const { error } = await create(other.id);
		expect(error?.message).toContain("The field catalogue_id and 'Catalogue' differ");
		expect(sent()).toEqual([]);
		expect((await create(id)).json).toMatchObject([{ catalogue_id: id }]);
	});

	it('keep IDs that are numbers as numbers where they are picked and sent, and text as text', async () => {
		await restart({ readings: { ids: 'whole number' } });
		const { results } = await loadOptions<INodeListSearchResult>('listSearch', 'searchCatalogues', {
			credentials: credentials(),
		});
		const picked = results[0]?.value as number;
		expect(typeof picked).toBe('number');
		const [one, other] = emulator.store.items.all().map(({ id }) => Number(id));
		emulator.reset();
		const items = `={{ [${one}, "${other}", ${one}] }}`;
		await run('item.assign', { items, catalogue_id: locator(picked) });
		const asText = { items: `${one}, ${other}`, catalogue_id: locator(String(picked)) };
		await run('item.assign', asText);
		const tea = { name: 'Tea', catalogue_id: picked };
		await run('item.create', { catalogue_id: locator(picked), ...json(tea) });
		await run('item.create', { catalogue_id: locator(2 ** 53), ...json({ name: 'Tea' }) });
		expect(emulator.requests.map(({ body }) => body)).toEqual([
			{ item_ids: [one, String(other)], catalogue_id: picked },
			{ item_ids: [String(one), String(other)], catalogue_id: String(picked) },
			tea,
		]);
	});

	it('are created or updated by their SKU, which must be the very same', async () => {
		const { store } = emulator;
		store.addItem({ sku: 'PIZZA-10', name: 'Large', description: 'Not PIZZA-1' });
		const upsert = async (record: object, sku: string | number = 'PIZZA-1') =>
			(await succeed('item.upsert', { sku, ...json(record) })).json[0];
		const created = await upsert({ name: 'Margherita', price: 8 });
		expect(created).toMatchObject({ sku: 'PIZZA-1', name: 'Margherita' });
		expect(sent()).toEqual(['GET /catalogues/items', 'POST /catalogues/items']);
		const count = store.items.size;
		expect(await upsert({ price: 9 })).toMatchObject({
			id: created?.id,
			name: 'Margherita',
			price: 9,
		});
		await upsert({ name: 'Cola', price: 3 }, 4711);
		expect(await upsert({ price: 4 }, '4711')).toMatchObject({ name: 'Cola', price: 4 });
		expect(store.items.size).toBe(count + 1);
	});

	it('are left alone if several have the SKU, or if nobody can tell', async () => {
		const items = ['One', 'Two'].map((name) => emulator.store.addItem({ sku: 'TWICE', name }));
		const twice = await fail('item.upsert', { sku: 'TWICE', ...json({ price: 1 }) });
		for (const { id, name } of items) expect(twice.message).toContain(`${name}, ID ${id}`);
		const options = { skuField: 'article' };
		const unknown = await fail('item.upsert', { sku: 'TWICE', ...json({ price: 1 }), options });
		expect(unknown.message).toContain("'SKU Field'");
		const differing = await fail('item.upsert', { sku: 'TWICE', ...json({ sku: 'ONCE' }) });
		expect(differing.message).toContain("The field sku and 'SKU' differ");
		expect(sent().filter((request) => !request.startsWith('GET '))).toEqual([]);
	});

	it('are filtered by any field that the API takes', async () => {
		const filter = [
			{ name: 'category', value: 'Drinks' },
			{ name: 'max_price', value: 100 },
		];
		await succeed('item.getAll', { filters: { fieldFilters: { filter } } });
		expect(emulator.requests[0]?.query).toMatchObject({ category: 'Drinks', max_price: '100' });
	});
});
