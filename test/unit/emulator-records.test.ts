import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { CampaignStatus, Emulator, OrderStatus } from '../emulator/index.ts';

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
});

describe('contacts', () => {
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
});
