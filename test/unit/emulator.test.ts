import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator, type Emulator, type OrderStatus } from '../emulator/index.ts';

// The emulator must refuse what the reference refuses. Otherwise a test could pass with a request that works
// nowhere else. That it answers right requests is shown by the test of each operation.

let emulator: Emulator;

beforeAll(async () => void (emulator = await startEmulator()));
afterAll(() => emulator.close());

interface Sent {
	authorization?: string;
	/** Text is sent as it is. */
	body?: unknown;
	type?: string;
}

/** Sends `METHOD /path`, with the key that may do everything. */
async function send(call: string, sent: Sent = {}): Promise<{ status: number; body: any }> {
	const { authorization = `Bearer ${emulator.keys.all}`, body, type = 'application/json' } = sent;
	const [method, path = ''] = call.split(/ (.*)/s);
	const response = await fetch(`${emulator.url}${path}`, {
		method,
		headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return { status: response.status, body: await response.json() };
}

test.each(['', 'Bearer yk_unknown', 'Basic yk_emulator_all'])(
	'with the header %j every route answers 401, even if more is wrong',
	async (authorization) => {
		for (const route of emulator.routes) {
			const call = `${route.replaceAll(/\{\w+\}/g, 'x')}?limit=0`;
			expect((await send(call, { authorization })).status, route).toBe(401);
		}
	},
);

test('a path that the reference does not have is a 404, and is remembered', async () => {
	const calls = ['GET /agents', 'GET /contacts/', 'POST /orders', 'PUT /events/x'];
	for (const call of calls) expect((await send(call)).status, call).toBe(404);
	expect(emulator.unknown).toEqual(calls);
});

/** Queries that are refused, by the path. */
const QUERIES: Record<string, string[]> = {
	...Object.fromEntries(
		'/agents/models /agents/voices /agents/ /contacts /contact-lists /call-history /catalogues /catalogues/items /orders /events /wallet/transactions /campaigns'
			.split(' ')
			.map((path) => [path, ['limit=0', 'limit=101', 'limit=1.5', 'offset=-1', 'page=2']]),
	),
	'/usage': ['limit=1'],
	'/catalogues?search=a': ['search=b', 'sort=price'],
	'/orders?limit=1': [
		'sort=colour',
		'sort=',
		'sort=%2Bcreated_at',
		'status=open',
		'status=Pending',
	],
	'/call-history?limit=1': ['sort=name', 'call_status=In Progress', 'call_status=completed'],
	'/contacts?limit=1': ['', 'Ada', 'first_name=Ada', 'shoe_size==42', '(first_name==Ada)'].map(
		(filter) => `filter=${filter}`,
	),
	'/wallet/transactions?limit=1': ['yesterday', '', '1767261600', '2026-02-30T00:00:00Z']
		.map((date) => `created_after=${date}`)
		.concat('transaction_type=add'),
	'/campaigns?limit=1': ['status=finished'],
	'/agents/?limit=1': ['agent_type=whatsapp'],
};

test.each(Object.entries(QUERIES))('GET %s refuses %j', async (path, queries) => {
	for (const query of queries) {
		const call = `GET ${path}${path.includes('?') ? '&' : '?'}${encodeURI(query)}`;
		expect((await send(call)).status, call).toBe(400);
	}
});

test.each(['/agents/x', '/orders/1', '/call-history/x/summary', '/contacts/by-phone/0612'])(
	'GET %s is a 400, because the ID or number has a wrong form',
	async (path) => expect((await send(`GET ${path}`)).status).toBe(400),
);

test.each([
	['text', 'text/plain', '{"name":"x"}'],
	['broken JSON', 'application/json', '{"name":'],
	['nothing', 'application/json', ''],
])('a body of %s is a 400', async (_, type, body) => {
	expect((await send('POST /catalogues', { body, type })).status).toBe(400);
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
const PHONE = '+390620000009';

async function expectRefused(call: string, body?: unknown): Promise<void> {
	const answer = await send(call, { body });
	expect([answer.status, answer.body.error?.code], `${call} ${JSON.stringify(body)}`).toEqual([
		400,
		'INVALID_REQUEST',
	]);
}

const STYLE = { tone: 'warm', formality: 'formal', response_length: 'concise', pace: 'brisk' };
const LIVE = { backchannels: 'subtle', pauses: 'patient' };
const words = (count: number) => Array.from({ length: count }, () => ({ term: 'a', say_as: 'b' }));
const style = (more: object) => ({ conversation_style: { ...STYLE, ...more } });
const live = (more: object) => ({ live_conversation_settings: { ...LIVE, ...more } });
const pronounce = (item: object) => live({ pronunciations: [item] });

/** Bodies that are refused, by the request; its id is one of the emulator's. */
const REFUSED: Record<string, unknown[]> = {
	'PATCH /agents/{agent}': [
		...[{}, [], null, { colour: 'red' }],
		// Read-only.
		...[{ agent_type: 'meta' }, { inbound_phone_number_id: null }, { verified_caller_id: null }],
		...[{ name: 'x' }, { prompt_instructions: 'x'.repeat(20_001) }, { prompt_instructions: 1 }],
		...[{ first_message: 'x'.repeat(1_001) }, { ai_provider: 'gamma' }, { ai_provider: ' ' }],
		// A model that is disabled, and one that the present voice does not fit.
		...[{ ai_provider: 'omega', selected_voice: null }, { ai_provider: 'beta' }],
		...['alba', '', NOBODY].map((selected_voice) => ({ selected_voice })),
		...['english', 'EN', 'xx', ''].map((default_language) => ({ default_language })),
		...['en', ['en', 'xx']].map((supported_languages) => ({ supported_languages })),
		...[style({ pace: undefined }), style({ tone: 'grim' }), style({ tone: '' })],
		...[style({ volume: 'high' }), style({ custom_note: 'x'.repeat(501) })],
		...[{ conversation_style: '' }, { live_conversation_settings: { backchannels: 'off' } }],
		...[{ live_conversation_settings: { pauses: 'patient' } }, live({ volume: 1 })],
		...[live({ pauses: 'long' }), live({ pronunciations: words(21) }), pronounce({ term: 'a' })],
		...[pronounce({ term: '', say_as: 'b' }), pronounce({ term: 'x'.repeat(61), say_as: 'b' })],
		pronounce({ term: 'a', say_as: 'x'.repeat(121) }),
		pronounce({ term: 'a', say_as: 'b', language: 'it' }),
		...[{ live_reasoning_effort: 'none' }, { reasoning_effort: 'low' }],
		{ beta_backend: 'backend_third' },
	],
	'PATCH /agents/{agent}/tools/transfer-to-phone': [
		...[{ phone_number: '0698765432' }, { config: { enabled: true } }],
	],
	'PATCH /agents/{agent}/tools/make-reservation': [{ enabled: 'yes' }],
	'PATCH /agents/{agent}/tools/place-order': [{}],
	'PATCH /orders/{order}': [
		...[{ status: 'refused' }, { status: 'refused', status_reason: '  ' }],
		...[{ status: 'refused', status_reason: null }, { status: 'shipped' }, { status: null }],
		...[{ status_reason: 'alone' }, { notes: 5 }, { total_amount: 1 }, {}, []],
	],
	'POST /contacts': [
		...[{}, { first_name: 'Ada' }],
		...['0612345678', '+39 06 1234 5678', '+1234567', '+1234567890123456', null].map(
			(phone_number) => ({ phone_number }),
		),
		...[{ secondary_phone_number: '06' }, { email: 'ada' }, { id: NOBODY }].map((more) => ({
			phone_number: PHONE,
			...more,
		})),
		...[{ shoe_size: 42 }, 'gold'].map((custom_fields) => ({ phone_number: PHONE, custom_fields })),
	],
	'POST /contact-lists/{list}/contacts': [
		...[{}, { contact_ids: [] }, { contact_ids: ['x'] }, { contact_ids: NOBODY }],
		...[{ phone_numbers: ['06'] }, { phone_numbers: [PHONE], auto_create: 'yes' }],
		{ contacts: [NOBODY] },
	],
	'DELETE /contact-lists/{list}/contacts': [{}, { phone_numbers: [PHONE], auto_create: true }],
	'POST /catalogues': [{}, { name: '' }, { name: 'x', items: [] }],
	'POST /catalogues/items': [
		...[{}, { price: '3' }, { price: -1 }, { price: 1, quantity: 1.5 }],
		...[
			{ price: 1, currency: 'euro' },
			{ price: 1, catalogue_id: NOBODY },
		],
	].map((item) => ({ name: 'x', ...item })),
	'POST /catalogues/items/assign': [
		...[
			{ item_ids: [], catalogue_id: null },
			{ item_ids: [NOBODY], catalogue_id: null },
		],
		{ item_ids: 'x' },
	],
	'GET /catalogues/items?min_price=cheap': [undefined],
	'PATCH /events/{event}': [
		...[{}, { date: '24.12.2026' }, { date: '2026-02-30' }, { start_time: '25:00' }],
		...[{ start_time: '20:00', end_time: '10:00' }, { status: 'approved' }, { extras: [] }],
	],
};

test.each(Object.entries(REFUSED))('%s refuses, and changes nothing', async (call, bodies) => {
	const { store } = emulator;
	const agent = store.addAgent('inbound', { ai_provider: 'base' });
	const [order, list, event] = [store.addOrder(), store.addContactList(), store.addEvent()];
	const records = { agent, order, list, event };
	const before = structuredClone(records);
	const path = call.replace(/\{(\w+)\}/, (_, name: keyof typeof records) => records[name].id);
	for (const body of bodies) await expectRefused(path, body);
	expect(records).toEqual(before);
});

test('a number belongs to one contact', async () => {
	const [one, two] = [emulator.store.addContact(), emulator.store.addContact()];
	await expectRefused('POST /contacts', { phone_number: one.phone_number });
	await expectRefused(`PUT /contacts/${two.id}`, { phone_number: one.phone_number });
});

test('a test call is placed for an outbound agent and a verified number only', async () => {
	const { store } = emulator;
	const [inbound, outbound] = [store.addAgent('inbound'), store.addAgent('outbound')];
	const phone_number = [...store.verifiedNumbers][0]!;
	const path = 'POST /playground/test-call';
	await expectRefused(path, { agent_id: inbound.id, phone_number });
	await expectRefused(path, { agent_id: outbound.id, phone_number: '+390640000000' });
	await expectRefused(path, { agent_id: outbound.id, phone_number: '06' });
	await expectRefused(path, { agent_id: outbound.id });
	await expectRefused(path, { agent_id: outbound.id, phone_number, dry_run: true });
	expect((await send(path, { body: { agent_id: NOBODY, phone_number } })).status).toBe(404);
	expect(store.testCalls).toHaveLength(0);
});

const ORDERS: OrderStatus[] = ['pending', 'confirmed', 'completed', 'cancelled', 'refused'];
const ORDER_MOVES = ['pending confirmed', 'confirmed completed', 'pending refused'];

test.each(ORDERS)(
	'an order that is %s takes only the moves that the reference names',
	async (from) => {
		for (const to of ORDERS) {
			const order = emulator.store.addOrder({ status: from });
			const body = { status: to, ...(to === 'refused' && { status_reason: 'Closed' }) };
			const allowed = ORDER_MOVES.includes(`${from} ${to}`);
			expect((await send(`PATCH /orders/${order.id}`, { body })).status, to).toBe(
				allowed ? 200 : 400,
			);
			expect(order.status).toBe(allowed ? to : from);
		}
	},
);
