import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator, type Emulator } from '../emulator/index.ts';

// The emulator must refuse what the reference refuses. Otherwise a test could pass with a request that works
// nowhere else. That it answers right requests is shown by the test of each operation.

let emulator: Emulator;

beforeAll(async () => void (emulator = await startEmulator()));
afterAll(() => emulator.close());

/** Sends `METHOD /path`, by default with the key that may do everything, and returns the status. */
async function send(call: string, body?: unknown, key = emulator.keys.all): Promise<number> {
	const [method, path = ''] = call.split(/ (.*)/s);
	const { status } = await fetch(`${emulator.url}${path}`, {
		method,
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return status;
}

test('without a right key every route answers 401, even if more is wrong', async () => {
	for (const { method, path } of emulator.routes) {
		const call = `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}?limit=0`;
		expect(await send(call, undefined, 'yk_unknown'), call).toBe(401);
	}
});

test('a path that the reference does not have is a 404, and is remembered', async () => {
	const calls = ['GET /agents', 'GET /contacts/', 'POST /orders', 'PUT /events/x'];
	for (const call of calls) expect(await send(call), call).toBe(404);
	expect(emulator.unknown).toEqual(calls);
});

test.each([
	['/contacts', ['limit=101', 'offset=-1', 'page=2', 'filter=Ada']],
	['/catalogues', ['search=a&search=b', 'sort=price']],
	['/orders', ['sort=colour', 'status=open']],
	['/call-history', ['call_status=completed']],
	['/wallet/transactions', ['created_after=yesterday', 'transaction_type=add']],
	['/campaigns', ['status=finished']],
	['/agents/', ['agent_type=whatsapp']],
])('GET %s refuses %j', async (path, queries) => {
	for (const query of queries) expect(await send(`GET ${path}?${query}`), query).toBe(400);
});

/** Bodies that are refused, by the request; its id is one of the emulator's. */
const REFUSED: Record<string, unknown[]> = {
	'PATCH /agents/{agent}': [
		{},
		{ colour: 'red' },
		// Read-only.
		{ agent_type: 'meta' },
		{ prompt_instructions: 7 },
		{ prompt_instructions: 'x'.repeat(20_001) },
		{ default_language: '' },
		// It does not fit the present voice.
		{ ai_provider: 'beta' },
		{ supported_languages: ['en', 'xx'] },
		{ conversation_style: { tone: 'grim' } },
		{ live_conversation_settings: { pauses: 'patient' } },
	],
	'PATCH /orders/{order}': [{ status: 'refused' }, { status: 'shipped' }, { total_amount: 1 }],
	'POST /contacts': [{ first_name: 'Ada' }, { phone_number: '0612345678' }],
	'POST /contact-lists/{list}/contacts': [{ contact_ids: [] }, { phone_numbers: ['06'] }],
	'POST /catalogues/items': [{ name: 'x' }, { name: 'x', price: -1 }],
	'PATCH /events/{event}': [{}, { date: '24.12.2026' }, { status: 'approved' }],
};

test.each(Object.entries(REFUSED))('%s refuses, and changes nothing', async (call, bodies) => {
	const { store } = emulator;
	const agent = store.addAgent('inbound', { ai_provider: 'base' });
	const [order, list, event] = [store.addOrder(), store.addContactList(), store.addEvent()];
	const records = { agent, order, list, event };
	const before = structuredClone(records);
	const path = call.replace(/\{(\w+)\}/, (_, name: keyof typeof records) => records[name].id);
	for (const body of bodies) expect(await send(path, body), JSON.stringify(body)).toBe(400);
	expect(records).toEqual(before);
});

test('a test call is placed for an outbound agent and a verified number only', async () => {
	const { store } = emulator;
	const [inbound, outbound] = [store.addAgent('inbound'), store.addAgent('outbound')];
	const phone_number = [...store.verifiedNumbers][0]!;
	const path = 'POST /playground/test-call';
	expect(await send(path, { agent_id: inbound.id, phone_number })).toBe(400);
	expect(await send(path, { agent_id: outbound.id, phone_number: '+390640000000' })).toBe(400);
	expect(store.testCalls).toHaveLength(0);
});
