import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Contact, EmulatorOptions, Item } from '../emulator/index.ts';
import {
	accountForEachTest,
	agentOf,
	asJson as json,
	changeAccount,
	credentials,
	emulator,
	fail,
	pairsOf,
	run,
	sent,
	succeed,
} from '../support/account.ts';
import { loadOptions } from '../support/harness.ts';
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
		['in', 'Ann,Bea', 'first_name in Ann,Bea'],
	])('%s', async (operator, value, filter) => {
		await succeed('contact.getAll', conditions('&', { field: 'first_name', operator, value }));
		expect(emulator.requests[0]?.query.filter).toBe(filter);
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

	it('a value cannot change the operator before it', async () => {
		const age = { field: 'age', operator: 'greater', value: '={{ "=5" }}' };
		const { message } = await fail('contact.getAll', conditions('&', age));
		expect(message).toMatch(/must not begin with =/);
		expect(sent()).toEqual([]);
	});

	it('no condition at all is refused, for it would return every contact', async () => {
		const { message } = await fail('contact.getAll', conditions('&'));
		expect(message).toContain("'Conditions' must have at least one condition");
		expect(sent()).toEqual([]);
	});

	it('an expression is sent as it is written', async () => {
		const filter = `first_name~=a&loyalty_tier==gold|email~=@`;
		await succeed('contact.getAll', { filterType: 'expression', filter });
		expect(emulator.requests[0]?.query.filter).toBe(filter);
	});

	it('a hint says that the API ignores a search beside a filter', async () => {
		const filter = { filterType: 'expression', filter: 'first_name~=a' };
		const { hints } = await succeed('contact.getAll', { ...filter, options: { search: 'b' } });
		expect(hints.map(({ message }) => message)).toEqual([
			"Both 'Filter' and 'Search' are set. The API uses the filter and ignores the search.",
		]);
		expect((await succeed('contact.getAll', filter)).hints).toEqual([]);
		expect((await succeed('contact.getAll', { options: { search: 'b' } })).hints).toEqual([]);
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

describe('adding contacts to lists', () => {
	const add = (list: string): INodeParameters => ({
		contact_list_id: locator(list),
		contact_ids: '={{ $json.id }}',
	});
	const people = (count: number) =>
		Array.from({ length: count }, () => ({ id: emulator.store.addContact().id }));

	it('sends 300 items in one request, and pairs the answer with all of them', async () => {
		const list = emulator.store.addContactList();
		const items = people(300);
		const output = await succeed('contactList.addContacts', add(list.id), items);
		expect(sent()).toHaveLength(1);
		expect(emulator.store.members.get(list.id)?.size).toBe(300);
		expect(output.json).toMatchObject([{ added: 300 }]);
		expect(pairsOf(output)).toEqual([items.map((_, index) => index)]);
	});

	it('fails together if the items were sent together [P57]', async () => {
		const node = { onError: 'continueRegularOutput' as const };
		const [gone, list] = [randomUUID(), emulator.store.addContactList().id];
		const items = people(4).map((item, at) => ({ ...item, list: at < 2 ? gone : list }));
		const output = await run('contactList.addContacts', add('={{ $json.list }}'), items, { node });
		expect(output.json).toMatchObject([{ status: 404 }, { status: 404 }, { added: 2 }]);
		expect(pairsOf(output)).toEqual([[0], [1], [2, 3]]);
	});

	it('sends no request larger than 500 items', async () => {
		const list = emulator.store.addContactList();
		const output = await succeed('contactList.addContacts', add(list.id), people(501));
		expect(sent()).toHaveLength(2);
		expect(pairsOf(output).map((items) => items.length)).toEqual([500, 1]);
	});

	it('sends one request for each list', async () => {
		const [one, other] = emulator.store.contactLists.all().map(({ id }) => id) as [string, string];
		const items = people(6).map((item, index) => ({ ...item, list: index % 2 ? one : other }));
		const output = await succeed('contactList.addContacts', add('={{ $json.list }}'), items);
		expect(sent().sort()).toEqual(
			[one, other].map((id) => `POST /contact-lists/${id}/contacts`).sort(),
		);
		expect(pairsOf(output)).toEqual([
			[0, 2, 4],
			[1, 3, 5],
		]);
	});

	it('sends a contact once if several items name it', async () => {
		const list = emulator.store.addContactList();
		const [item] = people(1) as [{ id: string }];
		await succeed('contactList.addContacts', add(list.id), [item, item, item]);
		expect(emulator.requests[0]?.body).toEqual({ auto_create: false, contact_ids: [item.id] });
	});

	it('sends a request for each item without Combine Items', async () => {
		const list = emulator.store.addContactList();
		const parameters = { ...add(list.id), combineItems: false };
		const output = await succeed('contactList.addContacts', parameters, people(4));
		expect(sent()).toHaveLength(4);
		expect(pairsOf(output)).toEqual([[0], [1], [2], [3]]);
	});

	it('reports the contacts that the API did not know, and only these', async () => {
		const list = emulator.store.addContactList();
		const [known, other] = people(2) as [{ id: string }, { id: string }];
		const unknown = { id: '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37' };
		const { hints } = await succeed('contactList.addContacts', add(list.id), [known, unknown]);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain(unknown.id);
		expect(hints[0]?.message).not.toContain(known.id);
		const all = await succeed('contactList.addContacts', add(list.id), [known, other]);
		expect(all.hints).toEqual([]);
		expect(emulator.store.members.get(list.id)?.size).toBe(2);
	});

	it('creates unknown numbers only if asked to', async () => {
		const list = emulator.store.addContactList();
		const number = { contact_list_id: locator(list.id), phone_numbers: '+39 347 000 9999' };
		const { hints } = await succeed('contactList.addContacts', number);
		expect(hints[0]?.message).toContain('+393470009999');
		const created = await succeed('contactList.addContacts', { ...number, auto_create: true });
		expect(created.hints).toEqual([]);
		expect(emulator.store.members.get(list.id)?.size).toBe(1);
	});

	it('takes contacts out again, together', async () => {
		const items = people(300);
		const ids = items.map(({ id }) => id);
		const list = emulator.store.addContactList({}, ids);
		await succeed('contactList.removeContacts', add(list.id), items);
		expect(sent()).toEqual([`DELETE /contact-lists/${list.id}/contacts`]);
		expect(emulator.store.members.get(list.id)?.size).toBe(0);
	});
});

it('orders come with their lines, or one item per line', async () => {
	const options = { sort: '-created_at' };
	const many = async (more: INodeParameters) =>
		(await succeed('order.getAll', { limit: 2, options: { ...options, ...more } })).json;
	const orders = await many({ include: ['lineItems'] });
	const stored = orders.map(({ id }) => emulator.store.orders.get(String(id))!);
	expect(orders.map((order) => order.line_items)).toEqual(stored.map((order) => order.line_items));
	expect(sent()).toHaveLength(1 + 2);

	const rows = await many({ splitIntoLineItems: true });
	expect(rows.map(({ id, line_number, line_sku }) => [id, line_number, line_sku])).toEqual(
		stored.flatMap(({ id, line_items: lines }) => lines.map(({ sku }, at) => [id, at + 1, sku])),
	);
	expect(rows[0]).not.toHaveProperty('line_items');
	expect(rows[0]).toMatchObject({ total_amount: stored[0]!.total_amount });
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

	it('of a period and a status are found before the limit counts, one by one or grouped', async () => {
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
		expect(groups).toMatchObject([
			{ date: day(1), events: [{ id: tomorrow }] },
			{ date: day(2), events: [{ id: later }] },
		]);
		const bound = { from: `${day(0)}T12:00:00Z`, until: `${day(1)}T00:00:00Z` };
		expect((await many({ filters: bound })).map(({ id }) => id)).toEqual([today]);
		const both = await fail('event.getAll', { filters: { ...bound, period: 'today' } });
		expect(both.message).toContain('has bounds of its own');
	});

	it('grouped by date come in whole groups, which the limit counts', async () => {
		for (let index = 0; index < 450; index++) {
			emulator.store.addEvent({ date: `2030-01-0${1 + (index % 3)}` });
		}
		const { json: all } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(all.filter(({ date }) => String(date) >= '2030')).toHaveLength(3);
		const { json: groups } = await succeed('event.getAll', { limit: 3, group: true });
		expect(groups).toEqual(all.slice(0, 3));
	});

	it('name the setting for a path that is not found', async () => {
		const { id } = emulator.store.events.all()[0]!;
		emulator.store.events.remove(id);
		const { description } = await fail('event.approve', { event_id: locator(id) });
		expect(description).toContain("Set the right one under 'Options', 'Path'");
	});
});

it.each(['null', 'empty'] as const)(
	'the transcript of a call in which nothing was said is a record too: %s',
	async (noTranscript) => {
		await changeAccount({ data: 'small', readings: { noTranscript } });
		const { id } = emulator.store.addCall({ transcript: null } as never);
		const { json: output } = await succeed('call.getTranscript', { call_id: locator(id) });
		expect(output).toMatchObject([{ call_id: id }]);
	},
);

it.each([
	['start', 'running', 'started'],
	['pause', 'draft', 'paused'],
	['resume', 'running', 'resumed'],
	['stop', 'completed', 'stopped'],
])('%s of a campaign that is %s fails, with advice', async (move, status, done) => {
	const { id } = emulator.store.campaigns.find((campaign) => campaign.status === status)!;
	const error = await fail(`campaign.${move}`, { campaign_id: locator(id) });
	expect(error.httpCode).toBe('400');
	expect(error.message).toContain(`cannot ${move} a campaign that is ${status}`);
	expect(error.description).toContain(`The campaign cannot be ${done} in its current status`);
	expect(sent()).toHaveLength(1);
});

it('portal access: a missing entitlement is an answer too, without an error', async () => {
	const { json: refused } = await succeed('portalAccess.get', { portal: 'beauty' });
	expect(refused).toMatchObject([{ operational_access: false }]);
	const { json: granted } = await succeed('portalAccess.get', { portal: 'food' });
	expect(granted).toMatchObject([{ operational_access: true }]);
	expect(granted[0]?.valid_for_seconds).toBeGreaterThan(50);
	expect(granted[0]?.valid_for_seconds).toBeLessThanOrEqual(60);
});

it('the API is up if its health check answers, with whatever data', async () => {
	const body = { ok: true, data: null, error: null, meta: null };
	emulator.faults.add({ kind: 'status', status: 200, body });
	expect((await succeed('health.check')).json).toEqual([{ success: true }]);
});

describe('an API request', () => {
	const send = async (method: string, path: string, parameters: INodeParameters = {}) =>
		await succeed('apiRequest.send', { method, path, ...parameters });

	it('carries its query, and every value of a parameter that is given twice', async () => {
		const { first_name: search } = emulator.store.contacts.all()[0]!;
		const parameter = [
			{ name: 'search', value: String(search) },
			{ name: 'limit', value: 1 },
		];
		expect((await send('GET', '/contacts', { query: { parameter } })).json).toHaveLength(1);
		const tags = ['a', 'b'].map((value) => ({ name: 'tag', value }));
		await run('apiRequest.send', { path: '/contacts', query: { parameter: tags } });
		expect(emulator.requests.map(({ query }) => query)).toEqual([
			{ search, limit: '1' },
			{ tag: ['a', 'b'] },
		]);
	});

	it('carries its body, which may be a list', async () => {
		const body = { phone_number: '+393470006666', first_name: 'Ada' };
		const { json: output } = await send('POST', '/contacts', { body: JSON.stringify(body) });
		expect(output).toMatchObject([body]);
		await run('apiRequest.send', { method: 'POST', path: '/reservations', body: '[{"id": 1}]' });
		expect(emulator.requests.map((request) => request.body)).toEqual([body, [{ id: 1 }]]);
	});

	it('returns the whole answer with Include Meta', async () => {
		const query = { parameter: [{ name: 'limit', value: '2' }] };
		const list = await send('GET', '/contacts', { query, includeMeta: true });
		const total_items = emulator.store.contacts.size;
		expect(list.json).toMatchObject([
			{ data: [{}, {}], meta: { limit: 2, offset: 0, total_items } },
		]);
		const single = await send('GET', '/wallet', { includeMeta: true });
		const { balance } = emulator.store.wallet;
		expect(single.json).toMatchObject([{ data: { balance }, meta: null }]);
	});

	it('reads a list to its end, with its query', async () => {
		emulator.store.fill({ contacts: 250 });
		const query = { parameter: [{ name: 'sort', value: 'created_at' }] };
		const { json: output } = await send('GET', '/contacts', { allPages: true, query });
		expect(new Set(output.map(({ id }) => id)).size).toBe(emulator.store.contacts.size);
		expect(output).toHaveLength(emulator.store.contacts.size);
		expect(emulator.requests.every(({ query: { sort } }) => sort === 'created_at')).toBe(true);
	});

	it.each<EmulatorOptions['readings']>([
		{ events: 'list of groups', pageCap: 'every list' },
		{ events: 'list of groups', pageCap: 'every list', meta: 'absent' },
		{ events: 'object by date' },
		{ events: 'flat', pageCap: 'every list' },
	])('reads the calendar events of all dates, one item each: %j', async (readings) => {
		await changeAccount({ data: 'small', readings });
		const wanted = emulator.store.events.all().map(({ id }) => id);
		const { json: output } = await send('GET', '/events', { allPages: true });
		expect(output.map(({ id }) => id).sort()).toEqual(wanted.sort());
	});

	it.each(['constructor', '__proto__', 'toString'])(
		'reads the events of a group whose list is called %s',
		async (name) => {
			const group = `{ "date": "2026-11-01", "${name}": [{ "id": 1 }] }`;
			const body: unknown = JSON.parse(
				`{ "ok": true, "data": [${group}], "meta": { "total_items": 1 } }`,
			);
			emulator.faults.add({ kind: 'status', status: 200, body });
			const { json: output } = await send('GET', '/events', { allPages: true });
			expect(output).toEqual([{ date: '2026-11-01', id: 1 }]);
		},
	);

	it('says how to read a single record that has no pages', async () => {
		const body = { ok: true, data: { id: 1 }, error: null, meta: null };
		emulator.faults.add({ kind: 'status', status: 200, body });
		const given = { method: 'GET', path: '/reservations/1', allPages: true };
		expect((await fail('apiRequest.send', given)).message).toBe(
			"API Request: Send: The answer is not a list, so it has no pages. Turn off 'All Pages' to get it as it is.",
		);
	});

	it('to a pasted path goes below the base URL', async () => {
		await send('GET', '\u200b/external/v1/wallet ');
		expect(sent()).toEqual(['GET /wallet']);
	});

	it('says that a record was deleted', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		expect((await send('DELETE', `/contacts/${id}`)).json).toEqual([{ deleted: true }]);
		expect(emulator.store.contacts.get(id)).toBeUndefined();
	});
});

describe('the configuration of a tool', () => {
	const agent = () => locator(agentOf('inbound').id);

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
	])('with a phone number that cannot be dialled is refused: %s in %j', async (name, config) => {
		const parameters = { agent_id: agent(), tool: 'transfer-to-phone' };
		const error = await fail('agentTool.update', { ...parameters, ...json(config) });
		expect(error.message).toContain(`${name} must be a phone number with its country code`);
		expect(sent()).toEqual([]);
	});

	it('names its agent in the list of tools', async () => {
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

	it('need no catalogue, and get a SKU', async () => {
		const record = json({ name: 'Soap', price: 3 });
		const { json: created } = await succeed('item.create', record);
		expect(emulator.requests[0]?.body).toEqual({ name: 'Soap', price: 3 });
		expect(created[0]?.sku).toMatch(/^SKU-/);
	});

	it('go into the chosen catalogue; a record that names another is refused', async () => {
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

	it('with IDs that are numbers: numbers are sent as numbers, and text as text', async () => {
		await changeAccount({ data: 'small', readings: { ids: 'whole number' } });
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

	it('are created or updated by their SKU, which must match exactly', async () => {
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

	it('need no fields besides SKU and catalogue', async () => {
		const { id, sku, name } = emulator.store.addItem({ sku: 'PIZZA-1', name: 'Margherita' });
		const catalogue = emulator.store.catalogues.all()[0]!;
		const moved = { sku, catalogue_id: locator(catalogue.id), ...json({}) };
		expect((await succeed('item.upsert', moved)).json).toMatchObject([{ id, name }]);
		expect(emulator.store.items.get(id)).toMatchObject({ name, catalogue_id: catalogue.id });
		const before = sent().length;
		expect((await succeed('item.upsert', { sku, ...json({}) })).json).toMatchObject([{ id, name }]);
		expect(
			sent()
				.slice(before)
				.every((request) => request.startsWith('GET ')),
		).toBe(true);
	});

	it('are created once if several items have the same new SKU, also with Parallel Writes', async () => {
		const parameters = {
			sku: 'PIZZA-1',
			...json({ name: 'Margherita', price: 8 }),
			requestOptions: { writes: 5 },
		};
		const before = emulator.store.items.size;
		await succeed('item.upsert', parameters, [{}, {}, {}]);
		expect(emulator.store.items.size).toBe(before + 1);
	});

	it('are not changed if several have the SKU, or if no field is known to hold it', async () => {
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

	it('are not changed if the API finds more than 1,000 for one SKU', async () => {
		for (let at = 0; at < 1005; at++) emulator.store.addItem({ sku: `ABC-${at}` });
		const { message } = await fail('item.upsert', { sku: 'ABC', ...json({ price: 1 }) });
		expect(message).toContain('finds more than 1000 items for the SKU ABC');
		expect(emulator.requests.length).toBeLessThan(15);
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
