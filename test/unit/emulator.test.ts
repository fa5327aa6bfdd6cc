import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmulator, type Emulator } from '../emulator/index.ts';

// The emulator must refuse what the reference refuses. Otherwise a test could pass with a request that works
// nowhere else. That it answers right requests is shown by the test of each operation.

let emulator: Emulator;

beforeAll(async () => void (emulator = await startEmulator()));
afterAll(() => emulator.close());

/** Sends `METHOD /path`, by default with the key that may do everything. */
async function send(
	call: string,
	{
		authorization = `Bearer ${emulator.keys.all}`,
		body,
	}: { authorization?: string; body?: unknown } = {},
): Promise<{ status: number; body: any }> {
	const [method, path = ''] = call.split(/ (.*)/s);
	const response = await fetch(`${emulator.url}${path}`, {
		method,
		headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: await response.json() };
}

test.each(['', 'Bearer yk_unknown', 'Basic yk_emulator_all'])(
	'with the header %j every route answers 401, even if more is wrong',
	async (authorization) => {
		for (const { method, path } of emulator.routes) {
			const call = `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}?limit=0`;
			expect((await send(call, { authorization })).status, call).toBe(401);
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
	'/contacts': ['limit=0', 'limit=101', 'offset=-1', 'page=2', 'filter=Ada'],
	'/usage': ['limit=1'],
	'/catalogues': ['search=a&search=b', 'sort=price'],
	'/orders': ['sort=colour', 'status=open'],
	'/call-history': ['sort=name', 'call_status=completed'],
	'/wallet/transactions': ['created_after=yesterday', 'transaction_type=add'],
	'/campaigns': ['status=finished'],
	'/agents/': ['agent_type=whatsapp'],
};

test.each(Object.entries(QUERIES))('GET %s refuses %j', async (path, queries) => {
	for (const query of queries) expect((await send(`GET ${path}?${query}`)).status, query).toBe(400);
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

/** Bodies that are refused, by the request; its id is one of the emulator's. */
const REFUSED: Record<string, unknown[]> = {
	'PATCH /agents/{agent}': [
		{},
		[],
		{ colour: 'red' },
		// Read-only.
		{ agent_type: 'meta' },
		{ prompt_instructions: 7 },
		{ conversation_style: { tone: 'grim' } },
		{ live_conversation_settings: { pauses: 'patient' } },
	],
	'PATCH /agents/{agent}/tools/transfer-to-phone': [{ phone_number: '0698765432' }],
	'PATCH /orders/{order}': [{ status: 'refused' }, { status: 'shipped' }, { total_amount: 1 }],
	'POST /contacts': [{ first_name: 'Ada' }, { phone_number: '0612345678' }],
	'POST /contact-lists/{list}/contacts': [
		{ contact_ids: [] },
		{ contact_ids: ['x'] },
		{ phone_numbers: ['06'] },
	],
	'DELETE /contact-lists/{list}/contacts': [{ phone_numbers: [PHONE], auto_create: true }],
	'POST /catalogues': [{}, { name: 1 }],
	'POST /catalogues/items': [{ name: 'x' }, { name: 'x', price: '1' }],
	'PATCH /events/{event}': [{}, { status: 'approved' }],
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
