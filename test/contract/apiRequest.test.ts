import type { IBinaryKeyData, INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { accountForEachTest, emulator, fail, oAuth2, run, succeed } from '../support/account.ts';
import { apiForTests, KEY, send as respond, type Asked } from '../support/server.ts';

const name = 'apiRequest.send';

// Which paths are taken: unit/path.
describe('API Request to an endpoint of the account', () => {
	accountForEachTest({ data: 'small' });

	const send = async (method: string, path: string, parameters: INodeParameters = {}) =>
		await succeed(name, { method, path, ...parameters });
	const query = (...parameter: Array<{ name: string; value: string | number }>) => ({
		query: { parameter },
	});

	it('carries its query, and every value of a parameter that is given twice', async () => {
		const search = String(emulator.store.contacts.all()[0]!.first_name);
		const few = query({ name: 'search', value: search }, { name: 'limit', value: 1 });
		expect((await send('GET', '/contacts', few)).json).toHaveLength(1);
		const tags = query({ name: 'tag', value: 'a' }, { name: 'tag', value: 'b' });
		await run(name, { path: '/contacts', ...tags });
		const sentQueries = emulator.requests.map((request) => request.query);
		expect(sentQueries).toEqual([{ search, limit: '1' }, { tag: ['a', 'b'] }]);
	});

	it('carries its body, which may be a list', async () => {
		const body = { phone_number: '+393470006666', first_name: 'Ada' };
		const { json } = await send('POST', '/contacts', { body: JSON.stringify(body) });
		expect(json).toMatchObject([body]);
		await run(name, { method: 'POST', path: '/reservations', body: '[{"id": 1}]' });
		expect(emulator.requests.map((request) => request.body)).toEqual([body, [{ id: 1 }]]);
	});

	it('reads a list to its end, with its query', async () => {
		emulator.store.fill({ contacts: 250 });
		const sorted = { allPages: true, ...query({ name: 'sort', value: 'created_at' }) };
		const { json } = await send('GET', '/contacts', sorted);
		expect(json).toHaveLength(emulator.store.contacts.size);
		expect(new Set(json.map(({ id }) => id)).size).toBe(json.length);
		expect(emulator.requests.every(({ query: { sort } }) => sort === 'created_at')).toBe(true);
	});

	it('says how to read a single record that has no pages', async () => {
		const body = { ok: true, data: { id: 1 }, error: null, meta: null };
		emulator.faults.add({ kind: 'status', status: 200, body });
		const error = await fail(name, { path: '/reservations/1', allPages: true });
		expect(error.message).toContain('its data is not a list of records');
		expect(error.description).toContain("turn off 'All Pages'");
	});

	it.each(['GET', 'POST'])(
		'takes an answer without content (204) to a %s for a success',
		async (method) => {
			emulator.faults.add({ kind: 'status', status: 204, body: '' });
			expect((await send(method, '/reservations/1')).json).toEqual([{ success: true }]);
		},
	);

	it('says that a record was deleted', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		expect((await send('DELETE', `/contacts/${id}`)).json).toEqual([{ deleted: true }]);
		expect(emulator.store.contacts.get(id)).toBeUndefined();
	});
});

// Files go both ways, to and from paths that the reference does not show.
describe('API Request to a server', () => {
	const api = apiForTests();

	const file = (content: Buffer | string) => ({
		data: {
			data: Buffer.from(content).toString('base64'),
			fileName: 'menu.pdf',
			mimeType: 'application/pdf',
		},
	});

	/** Sends a request for each item. @param binary the files of each */
	const send = async (parameters: INodeParameters, ...binary: IBinaryKeyData[]) =>
		await run(name, { method: 'POST', path: '/documents', ...parameters }, [{}], {
			...(binary.length > 0 && { items: binary.map((files) => ({ json: {}, binary: files })) }),
		});

	/** The parts of a form as another reader sees them. */
	const formOf = async ({ headers, bytes }: Asked) => {
		const type = { 'content-type': headers['content-type']! };
		return await new Response(new Uint8Array(bytes), { headers: type }).formData();
	};

	const form = (fields: Array<[string, string]>, files: Array<[string, string]> = []) => ({
		contentType: 'form',
		formFields: { field: fields.map(([name, value]) => ({ name, value })) },
		formFiles: { file: files.map(([name, field]) => ({ name, field })) },
	});
	const UPLOAD = form([['title', 'x']], [['file', 'data']]);
	const WHOLE = { contentType: 'file', inputField: 'data' };

	const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));

	it('sends the fields and the file of a form, byte by byte, and says its length', async () => {
		const title = 'Menu "à la carte"\r\nof May';
		const { error } = await send(form([['title', title]], [['file', 'data']]), file(BYTES));
		expect(error).toBeUndefined();
		const [asked] = api.asked as [Asked];
		expect(asked.headers['content-length']).toBe(String(asked.bytes.length));
		const got = await formOf(asked);
		expect(got.get('title')).toBe(title);
		const given = got.get('file') as File;
		expect([given.name, given.type]).toEqual(['menu.pdf', 'application/pdf']);
		expect([...got.keys()]).toEqual(['title', 'file']);
		expect(Buffer.from(await given.arrayBuffer())).toEqual(BYTES);
	});

	it('sends a file as the whole body with its own type, also with a token', async () => {
		await send(WHOLE, file(BYTES));
		await run(name, { method: 'PUT', path: '/documents', ...WHOLE }, [{}], {
			items: [{ json: {}, binary: file(BYTES) }],
			credentials: oAuth2(KEY),
		});
		expect(api.asked.map(({ bytes }) => bytes)).toEqual([BYTES, BYTES]);
		for (const { headers } of api.asked)
			expect(headers).toMatchObject({
				authorization: `Bearer ${KEY}`,
				'content-type': 'application/pdf',
			});
	});

	it('refuses an empty form, and a field that holds no file, before anything is sent', async () => {
		const empty = await send(form([]));
		expect(empty.error?.message).toContain("'Form Fields' needs a field or a file");
		const { error } = await send(UPLOAD, file('a'), { photo: file('b').data });
		expect(error?.message).toContain(
			"Input Data Field Name' is data, and the item has no file there. It has a file in: photo",
		);
		expect(api.asked).toEqual([]);
	});

	it('sends an upload that was refused for now again as a whole, but none that may have arrived', async () => {
		api.answer = (_asked, response) =>
			api.asked.length > 1
				? respond(response, { ok: true, data: { id: 'd1' } })
				: respond(response, '{}', 429, { 'retry-after': '1' });
		await send(UPLOAD, file(BYTES));
		expect(api.asked).toHaveLength(2);
		for (const asked of api.asked) expect((await formOf(asked)).get('title')).toBe('x');
		api.answer = (_asked, response) => void response.socket!.destroy();
		expect((await send(UPLOAD, file(BYTES))).error?.description).toMatch(/may have/);
		expect(api.asked).toHaveLength(3);
	});

	// Which headers are refused: contract/input.
	it('sends headers in the place of what the node would send', async () => {
		const header = ['X-Idempotency-Key', 'ACCEPT'].map((name) => ({ name, value: 'x' }));
		await send({ method: 'GET', headers: { header }, response: 'text' });
		expect(api.asked[0]!.headers).toMatchObject({ 'x-idempotency-key': 'x', accept: 'x' });
	});

	// That 16 MB are the most: promises/stopEndsAll.
	describe('reads the answer', () => {
		const says = (body: Buffer | string, type?: string, rest: Record<string, string> = {}) => {
			api.answer = (_asked, response) =>
				void response.writeHead(200, { ...(type && { 'content-type': type }), ...rest }).end(body);
		};
		const get = async (response: string, method = 'GET') => await send({ method, response });

		it.each([
			['{"items":[{"ok":false}]}', 'json', [{ items: [{ ok: false }] }]],
			['[{"id":1},{"id":2}]', 'json', [{ id: 1 }, { id: 2 }]],
			['id,name\n1,"Anna"\n', 'text', [{ data: 'id,name\n1,"Anna"\n' }]],
			['', 'file', [{ file_name: 'documents', bytes: 0 }]],
		])('%j as %s', async (body, response, items) => {
			says(body);
			expect((await get(response)).json).toEqual(items);
		});

		it('as JSON only if it is some, and says a failure in each form', async () => {
			says('<html>');
			expect((await get('json')).error?.message).toContain('it is not JSON');
			const error = { code: 'INSUFFICIENT_PERMISSIONS' };
			api.answer = (_asked, response) => respond(response, { ok: false, error }, 403);
			for (const response of ['json', 'text', 'file'])
				expect((await get(response)).error).toMatchObject({ httpCode: '403' });
		});

		it('with an ID above 2^53 as it is, so that two records never have one ID', async () => {
			says(
				'{"ok":true,"data":[{"id":9007199254740993,"n":-9007199254740995},{"id":9007199254740992,"n":1e300}],"meta":null,"error":null}',
			);
			expect((await get('envelope')).json).toEqual([
				{ id: '9007199254740993', n: '-9007199254740995' },
				{ id: '9007199254740992', n: 1e300 },
			]);
			// Node.js 20 does not hand on the text of a number.
			const parse = JSON.parse.bind(JSON);
			const old = vi
				.spyOn(JSON, 'parse')
				.mockImplementation((text, reviver) =>
					parse(text, reviver && ((name, value: unknown) => reviver(name, value) as unknown)),
				);
			const { error } = await get('envelope').finally(() => old.mockRestore());
			expect(error?.message).toMatch(
				/ID of more than 15 digits, which n8n with Node\.js 20 rounds/,
			);
		});

		it.each([
			['attachment; filename="../../menu.pdf"', 'menu.pdf'],
			["attachment; filename*=utf-8'it'caff%C3%A8.pdf", 'caffè.pdf'],
		])('as a file with the name that is meant: %s', async (disposition, fileName) => {
			says(BYTES, 'application/pdf', { 'content-disposition': disposition });
			const { items, json } = await get('file');
			expect(json).toEqual([{ file_name: fileName, bytes: BYTES.length }]);
			const { data } = items[0]!.binary!;
			expect(Buffer.from(data!.data, 'base64')).toEqual(BYTES);
			expect(data).toMatchObject({ mimeType: 'application/pdf', fileName });
			expect(api.asked[0]!.headers.accept).toBe('*/*');
		});

		it('as a file with a type, so that n8n does not guess: in n8n 2.20, that may stop n8n', async () => {
			for (const type of ['', '; charset=utf-8']) {
				says(BYTES, undefined, { 'content-type': type });
				const { items } = await get('file', 'POST');
				expect(items[0]!.binary!.data!.mimeType).toBe('application/octet-stream');
			}
		});
	});
});
