import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import {
	accountForEachTest,
	changeAccount,
	emulator,
	fail,
	run,
	sent,
	succeed,
} from '../support/account.ts';

accountForEachTest({ data: 'small' });

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

	it('says where the query of a path belongs', async () => {
		const { message } = await fail('apiRequest.send', { path: '/orders?status=pending' });
		expect(message).toContain("Enter what follows a ? under 'Query Parameters'");
	});

	it('carries its body, which may be a list', async () => {
		const body = { phone_number: '+393470006666', first_name: 'Ada' };
		const { json: output } = await send('POST', '/contacts', { body: JSON.stringify(body) });
		expect(output).toMatchObject([body]);
		await run('apiRequest.send', { method: 'POST', path: '/reservations', body: '[{"id": 1}]' });
		expect(emulator.requests.map((request) => request.body)).toEqual([body, [{ id: 1 }]]);
	});

	it('returns the whole answer as JSON', async () => {
		const query = { parameter: [{ name: 'limit', value: '2' }] };
		const list = await send('GET', '/contacts', { query, response: 'json' });
		const total_items = emulator.store.contacts.size;
		expect(list.json).toMatchObject([{ data: [{}, {}], meta: { limit: 2, total_items } }]);
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
				`{ "ok": true, "data": [${group}], "meta": { "total_items": 1, "limit": 100 } }`,
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
		const { message, description } = await fail('apiRequest.send', given);
		expect(message).toContain('its data is not a list of records');
		expect(description).toContain("turn off 'All Pages'");
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
