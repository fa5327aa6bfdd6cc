import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { CampaignStatus, Contact, Emulator, OrderStatus } from '../emulator/index.ts';

let emulator: Emulator;
let send: Client;

beforeAll(async () => {
	emulator = await startEmulator();
	send = clientOf(emulator);
});
afterAll(() => emulator.close());

const NOBODY = '00000000-0000-4000-8000-000000000000';

async function refused(call: string, body?: unknown): Promise<void> {
	const answer = await send(call, { body });
	expect([answer.status, answer.body.error?.code], `${call} ${JSON.stringify(body)}`).toEqual([
		400,
		'INVALID_REQUEST',
	]);
}

describe('orders', () => {
	const STATES: OrderStatus[] = ['pending', 'confirmed', 'completed', 'cancelled', 'refused'];
	const MOVES = ['pending confirmed', 'confirmed completed', 'pending refused'];

	test.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
		'from %s to %s',
		async (from, to) => {
			const order = emulator.store.addOrder({ status: from });
			const body = { status: to, ...(to === 'refused' && { status_reason: 'Closed' }) };
			const allowed = MOVES.includes(`${from} ${to}`);
			const answer = await send(`PATCH /orders/${order.id}`, { body });
			expect(answer.status).toBe(allowed ? 200 : 400);
			expect(order.status).toBe(allowed ? to : from);
		},
	);

	test.each([
		{ status: 'refused' },
		{ status: 'refused', status_reason: '  ' },
		{ status: 'refused', status_reason: null },
		{ status: 'shipped' },
		{ status: null },
		{ status_reason: 'alone' },
		{ notes: 5 },
		{ total_amount: 1 },
		{},
		[],
	])('%o is refused', async (body) => {
		await refused(`PATCH /orders/${emulator.store.addOrder().id}`, body);
	});

	test('notes change alone; line items are in the detail only', async () => {
		const { id } = emulator.store.addOrder();
		const { data } = (await send(`PATCH /orders/${id}`, { body: { notes: 'Ring once' } })).body;
		expect(data).toMatchObject({ status: 'pending', notes: 'Ring once' });
		expect((await send(`GET /orders/${id}`)).body.data.line_items[0]).toEqual({
			name: expect.any(String),
			sku: expect.any(String),
			quantity: expect.any(Number),
			unit_price: expect.any(Number),
			total_price: expect.any(Number),
		});
		const [item] = (await send('GET /orders')).body.data;
		expect(item).toHaveProperty('item_count');
		expect(item).not.toHaveProperty('line_items');
	});
});

describe('contacts', () => {
	const full = (phone_number: string) => ({
		phone_number,
		first_name: 'Ada',
		email: 'ada@example.test',
		notes: 'x',
		secondary_phone_number: '+390611111111',
		custom_fields: { loyalty_tier: 'gold' },
	});

	test('a contact is made, read both ways, and gone', async () => {
		const made = await send('POST /contacts', { body: full('+390620000001') });
		const { id } = made.body.data;
		expect(made).toMatchObject({
			status: 201,
			body: { data: { ...full('+390620000001'), last_name: null } },
		});
		for (const path of [
			`/contacts/${id}`,
			'/contacts/by-phone/%2B390620000001',
			'/contacts/by-phone/+390620000001',
		]) {
			expect((await send(`GET ${path}`)).body.data.id, path).toBe(id);
		}
		expect(await send(`DELETE /contacts/${id}`)).toMatchObject({
			status: 200,
			body: { ok: true, data: null, error: null },
		});
		expect((await send(`GET /contacts/${id}`)).status).toBe(404);
	});

	test.each<[string, (contact: Contact) => [path: string, body: object]]>([
		['by id', ({ id, phone_number }) => [`/contacts/${id}`, { phone_number }]],
		[
			'by phone',
			({ phone_number }) => [`/contacts/by-phone/${encodeURIComponent(phone_number)}`, {}],
		],
	])('a PUT %s takes away what it does not name', async (way, request) => {
		const contact = emulator.store.addContact(
			full(way === 'by id' ? '+390620000002' : '+390620000003'),
		);
		const { phone_number } = contact;
		const [path, body] = request(contact);
		const { data } = (await send(`PUT ${path}`, { body: { ...body, last_name: 'Abbott' } })).body;
		const blank = {
			first_name: null,
			email: null,
			notes: null,
			secondary_phone_number: null,
			custom_fields: {},
		};
		expect(data).toMatchObject({ id: contact.id, phone_number, last_name: 'Abbott', ...blank });
		expect(
			(await send(`DELETE /contacts/by-phone/${encodeURIComponent(phone_number)}`)).status,
		).toBe(200);
	});

	test.each([
		[{}],
		[{ first_name: 'Ada' }],
		[{ phone_number: '0612345678' }],
		[{ phone_number: '+39 06 1234 5678' }],
		[{ phone_number: '+1234567' }],
		[{ phone_number: '+1234567890123456' }],
		[{ phone_number: null }],
		[{ phone_number: '+390620000009', secondary_phone_number: '06' }],
		[{ phone_number: '+390620000009', email: 'ada' }],
		[{ phone_number: '+390620000009', id: NOBODY }],
		[{ phone_number: '+390620000009', custom_fields: { shoe_size: 42 } }],
		[{ phone_number: '+390620000009', custom_fields: 'gold' }],
	])('POST %o is refused', (body) => refused('POST /contacts', body));

	test('a number belongs to one contact', async () => {
		const [one, two] = [emulator.store.addContact(), emulator.store.addContact()];
		await refused('POST /contacts', { phone_number: one.phone_number });
		await refused(`PUT /contacts/${two.id}`, { phone_number: one.phone_number });
		expect((await send('PUT /contacts/by-phone/+390000000000', { body: {} })).status).toBe(404);
	});
});

describe('contact lists', () => {
	test('members come and go, what is unknown is reported', async () => {
		const [one, two] = [emulator.store.addContact(), emulator.store.addContact()];
		const { id } = emulator.store.addContactList({}, [one.id]);
		const path = `/contact-lists/${id}/contacts`;
		const body = {
			contact_ids: [one.id, NOBODY],
			phone_numbers: [two.phone_number, '+390630000001'],
		};
		expect((await send(`POST ${path}`, { body })).body.data).toEqual({
			added: 1,
			created: 0,
			already_present: 1,
			unknown_contact_ids: [NOBODY],
			unknown_phone_numbers: ['+390630000001'],
		});
		const created = await send(`POST ${path}`, {
			body: { phone_numbers: ['+390630000001'], auto_create: true },
		});
		expect(created.body.data).toMatchObject({ added: 1, created: 1, unknown_phone_numbers: [] });
		expect((await send(`GET ${path}`)).body.meta.total_items).toBe(3);
		expect((await send(`GET /contact-lists/${id}`)).body.data.contact_count).toBe(3);
		const removed = await send(`DELETE ${path}`, { body: { contact_ids: [one.id, NOBODY] } });
		expect(removed.body.data).toEqual({
			removed: 1,
			unknown_contact_ids: [NOBODY],
			unknown_phone_numbers: [],
		});
	});

	test.each([
		['POST', {}],
		['POST', { contact_ids: [] }],
		['POST', { contact_ids: ['x'] }],
		['POST', { contact_ids: NOBODY }],
		['POST', { phone_numbers: ['06'] }],
		['POST', { phone_numbers: ['+390630000001'], auto_create: 'yes' }],
		['POST', { contacts: [NOBODY] }],
		['DELETE', {}],
		['DELETE', { phone_numbers: ['+390630000001'], auto_create: true }],
	])('%s %o is refused', (method, body) => {
		return refused(
			`${method} /contact-lists/${emulator.store.contactLists.all()[0]!.id}/contacts`,
			body,
		);
	});
});

describe('catalogues', () => {
	test('a catalogue is made, replaced and gone, its items stay', async () => {
		const { id } = (await send('POST /catalogues', { body: { name: 'Wine', description: 'Red' } }))
			.body.data;
		const item = emulator.store.addItem({ catalogue_id: id });
		expect(
			(await send(`PUT /catalogues/${id}`, { body: { name: 'Wines' } })).body.data,
		).toMatchObject({
			name: 'Wines',
			description: null,
			item_count: 1,
		});
		expect((await send(`DELETE /catalogues/${id}`)).body.data).toBeNull();
		expect((await send(`GET /catalogues/${id}`)).status).toBe(404);
		expect((await send(`GET /catalogues/items/${item.id}`)).body.data.catalogue_id).toBeNull();
	});

	test('an item gets a SKU; a PUT takes away what it does not name', async () => {
		const made = await send('POST /catalogues/items', {
			body: { name: 'Olives', price: 3, quantity: 4, category: 'Sides' },
		});
		expect(made.body.data).toMatchObject({
			sku: expect.stringMatching(/^SKU-/),
			catalogue_id: null,
			quantity: 4,
		});
		const path = `/catalogues/items/${made.body.data.id}`;
		expect(
			(await send(`PUT ${path}`, { body: { name: 'Olives', price: 4, sku: 'OLI' } })).body.data,
		).toMatchObject({
			sku: 'OLI',
			price: 4,
			quantity: null,
			category: null,
		});
		expect((await send(`DELETE ${path}`)).status).toBe(200);
		expect((await send(`GET ${path}`)).status).toBe(404);
	});

	test('items are assigned and unassigned', async () => {
		const [catalogue, item] = [emulator.store.addCatalogue(), emulator.store.addItem()];
		for (const catalogue_id of [catalogue.id, null]) {
			const { data } = (
				await send('POST /catalogues/items/assign', { body: { item_ids: [item.id], catalogue_id } })
			).body;
			expect([data, item.catalogue_id]).toEqual([{ updated: 1 }, catalogue_id]);
		}
	});

	test.each([
		['POST /catalogues', {}],
		['POST /catalogues', { name: '' }],
		['POST /catalogues', { name: 'x', items: [] }],
		['POST /catalogues/items', { name: 'x' }],
		['POST /catalogues/items', { name: 'x', price: '3' }],
		['POST /catalogues/items', { name: 'x', price: -1 }],
		['POST /catalogues/items', { name: 'x', price: 1, quantity: 1.5 }],
		['POST /catalogues/items', { name: 'x', price: 1, currency: 'euro' }],
		['POST /catalogues/items', { name: 'x', price: 1, catalogue_id: NOBODY }],
		['POST /catalogues/items/assign', { item_ids: [], catalogue_id: null }],
		['POST /catalogues/items/assign', { item_ids: [NOBODY], catalogue_id: null }],
		['POST /catalogues/items/assign', { item_ids: 'x' }],
		['GET /catalogues/items?min_price=cheap', undefined],
	])('%s %o is refused', refused);
});

describe('events', () => {
	test('come grouped by date; limit counts events', async () => {
		const { data, meta } = (await send('GET /events', { query: { limit: 5 } })).body;
		expect(data.flatMap((day: { events: unknown[] }) => day.events)).toHaveLength(5);
		expect(meta).toEqual({ limit: 5, offset: 0, total_items: emulator.store.events.size });
		for (const day of data)
			expect(new Set(day.events.map((event: { date: string }) => event.date))).toEqual(
				new Set([day.date]),
			);
	});

	test('extras are merged, the rest of a change replaces', async () => {
		const { id } = emulator.store.addEvent({ extras: { guests: 4 } });
		const body = {
			title: 'Lunch',
			date: '2026-12-24',
			start_time: '12:00',
			end_time: '14:00',
			extras: { table: 7 },
		};
		const { data } = (await send(`PATCH /events/${id}`, { body })).body;
		expect(data).toMatchObject({ ...body, extras: { guests: 4, table: 7 } });
		expect((await send(`DELETE /events/${id}`)).body.data).toBeNull();
		expect((await send(`GET /events/${id}`)).status).toBe(404);
	});

	test.each([
		{},
		{ date: '24.12.2026' },
		{ date: '2026-02-30' },
		{ start_time: '25:00' },
		{ start_time: '20:00', end_time: '10:00' },
		{ status: 'approved' },
		{ extras: [] },
	])('%o is refused', (body) =>
		refused(`PATCH /events/${emulator.store.events.all()[0]!.id}`, body),
	);

	test.each([
		['approve', 'approved'],
		['reject', 'rejected'],
		['confirm', 'confirmed'],
	])('%s once', async (operation, status) => {
		const { id } = emulator.store.addEvent({ status: 'pending' });
		expect((await send(`POST /events/${id}/${operation}`)).body.data.status).toBe(status);
		await refused(`POST /events/${id}/${operation}`);
	});
});

describe('campaigns', () => {
	const MOVES: Record<string, Partial<Record<CampaignStatus, CampaignStatus>>> = {
		start: { draft: 'running', scheduled: 'running' },
		pause: { running: 'paused' },
		resume: { paused: 'running' },
		stop: { running: 'stopped', paused: 'stopped' },
	};
	const STATES: CampaignStatus[] = [
		'draft',
		'scheduled',
		'running',
		'paused',
		'stopped',
		'completed',
	];

	const CASES = Object.keys(MOVES).flatMap((operation) =>
		STATES.map((from) => [operation, from] as const),
	);

	test.each(CASES)('%s a %s one', async (operation, from) => {
		const campaign = emulator.store.addCampaign({ status: from });
		const to = MOVES[operation]![from];
		const answer = await send(`POST /campaigns/${campaign.id}/${operation}`);
		expect(answer.status).toBe(to ? 200 : 400);
		expect(campaign.status).toBe(to ?? from);
		if (!to) expect(answer.body.error.message).toContain(from);
	});

	test('counters and stats', async () => {
		const { id } = emulator.store.addCampaign({ status: 'completed' });
		expect((await send(`GET /campaigns/${id}`)).body.data).toHaveProperty('contacted');
		const stats = { campaign_id: id, conversion_rate: expect.any(Number) };
		expect((await send(`GET /campaigns/${id}/stats`)).body.data).toMatchObject(stats);
	});
});

describe('the account', () => {
	test('a test call is placed for an outbound agent and a verified number only', async () => {
		const { store } = emulator;
		const [inbound, outbound] = [store.addAgent('inbound'), store.addAgent('outbound')];
		const phone_number = [...store.verifiedNumbers][0]!;
		const path = 'POST /playground/test-call';
		await refused(path, { agent_id: inbound.id, phone_number });
		await refused(path, { agent_id: outbound.id, phone_number: '+390640000000' });
		await refused(path, { agent_id: outbound.id, phone_number: '06' });
		await refused(path, { agent_id: outbound.id });
		await refused(path, { agent_id: outbound.id, phone_number, dry_run: true });
		expect((await send(path, { body: { agent_id: NOBODY, phone_number } })).status).toBe(404);
		expect(store.testCalls).toHaveLength(0);
		const { data } = (
			await send(path, {
				key: emulator.keys.writeCalls,
				body: { agent_id: outbound.id, phone_number },
			})
		).body;
		expect(store.testCalls).toEqual([{ ...data, agent_id: outbound.id, phone_number }]);
	});

	test('usage without a plan is a 404', async () => {
		const { store } = emulator;
		const { usage } = store;
		expect((await send('GET /usage')).body.data).toEqual(usage);
		store.usage = null;
		expect(await send('GET /usage')).toMatchObject({
			status: 404,
			body: { error: { code: 'NOT_FOUND' } },
		});
		store.usage = usage;
	});

	test('portal access: a missing entitlement is a decision, a failing check is none', async () => {
		const { store } = emulator;
		const decision = async (type: string) => (await send(`GET /portal-access/${type}`)).body.data;
		const food = await decision('food');
		expect(food.operational_access).toBe(true);
		expect(Date.parse(food.valid_until) - Date.parse(food.checked_at)).toBe(60_000);
		const none = { operational_access: false, variant: null, purchase_url: expect.any(String) };
		expect(await decision('real_estate')).toMatchObject(none);
		await refused('GET /portal-access/garden');
		store.portalFailing = true;
		expect((await send('GET /portal-access/food')).status).toBe(503);
		store.portalFailing = false;
	});

	test('wallet and health', async () => {
		emulator.store.setBalance(3.5);
		expect((await send('GET /wallet')).body.data).toMatchObject({
			balance: 3.5,
			currency: 'EUR',
			auto_topup_enabled: true,
		});
		expect((await send('GET /health')).body.data).toEqual({ status: 'ok', version: 'v1' });
	});
});
